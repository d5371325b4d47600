import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// The doubles answer random calls as the live services do over the emulator, which share no rule with them.
@Suite(.stallLimit()) struct ComparisonTests {
  /// The nightly run multiplies it by its effort.
  private static let size = ComparisonSize(programs: 1, calls: 20)

  /// A date that each side makes.
  private static func date(_ member: String) -> Freedom {
    .generated(
      member, because: "A server dates each statement, also one that fails, a microsecond after the last.")
  }

  @Test func authentication() async throws {
    try await Contract.authService.compare(
      .inMemory, with: .supabase(over: .emulator), through: .authService,
      given: .account, .secondAccount, .bannedAccount,
      under: [.sessionEnded, .accountIsBanned],
      size: Self.size)
  }

  @Test func children() async throws {
    try await Contract.childrenService.compare(
      .inMemory, with: .supabase(over: .emulator), through: .childrenService,
      given: .signedIn, .childOfAnotherUser,
      under: [
        .signedOut, .sessionEnded, .anotherUserSignsIn, .userSignsInAgain,
      ], freedoms: [Self.date("createdAt"), Self.date("updatedAt")], size: Self.size)
  }

  @Test func conversations() async throws {
    try await Contract.conversationService.compare(
      .inMemory, with: .supabase(over: .emulator), through: .conversationService,
      given: .signedIn, .child, .conversationOfAnotherUser,
      under: [
        .signedOut, .sessionEnded, .anotherUserSignsIn, .userSignsInAgain, .childrenAreRemoved,
      ], freedoms: [Self.date("createdAt")], size: Self.size)
  }

  @Test func realtime() async throws {
    try await Contract.followedChildren.compare(
      .inMemory, with: .supabase, through: .followedChildren, given: .signedIn, .childOfAnotherUser,
      under: [.signedOut, .anotherUserSignsIn, .userSignsInAgain],
      freedoms: [Self.date("createdAt"), Self.date("updatedAt")], size: Self.size)
  }

  @Test func forum() async throws {
    try await Contract.forumsClient.compare(
      .inMemory, with: .html(over: .emulator), through: .forumsClient, given: .forumHasThreads, .forumIsLong,
      under: [.readerIsBanned, .databaseIsDown, .threadIsClosed], size: Self.size)
  }

  @Test func threadsService() async throws {
    try await Contract.threadsService.compare(
      .inMemory, with: .forum, through: .threadsService, size: Self.size)
  }

  @Test func stream() async throws {
    try await Contract.followedFeed.compare(
      .inMemory, with: .live, through: .followedFeed,
      under: [
        .connectionIsLost, .streamForgets, .messagesAreRenumbered, .answersAreAbandoned, .cursorsExpire,
        .twoConnectionsAreRefused,
      ],
      freedoms: [
        .anything("timestamp", because: "The client waits before it connects again, and the double does not.")
      ], size: Self.size.times(10))
  }

  @Test func history() async throws {
    try await Contract.messageHistory.compare(
      .inMemory, with: .live(over: .emulator), through: .messageHistoryService,
      given: .storedSession, under: [.cursorsExpire], size: Self.size)
  }
}

import SharedServices
import SharedServicesContracts
import Testing
import UnderstudyContracts
import UnderstudyTesting

/// Each service in memory, in its file and live, beside its model.
struct ExplorationTests {
  @Test func childrenInMemory() async throws {
    try await Exploration.childrenService.run(on: .inMemory, size: .medium)
  }

  @Test func childrenLive() async throws {
    try await Exploration.childrenService.run(on: .supabase(over: .emulator), size: .small)
  }

  @Test func authenticationInMemory() async throws {
    try await Exploration.authService.run(on: .inMemory, size: .medium)
  }

  @Test func authenticationLive() async throws {
    try await Exploration.authService.run(on: .supabase(over: .emulator), size: .small)
  }

  @Test func conversationsInMemory() async throws {
    try await Exploration.conversationService.run(on: .inMemory, size: .medium)
  }

  @Test func conversationsLive() async throws {
    try await Exploration.conversationService.run(on: .supabase(over: .emulator), size: .small)
  }

  @Test func threadsInMemory() async throws {
    try await Exploration.threadsRepository.run(on: .inMemory, size: .medium)
  }

  @Test func threadsInSQLite() async throws {
    try await Exploration.threadsRepository.run(on: .sqlite, size: .small)
  }

  @Test func forumInMemory() async throws {
    try await Exploration.forumsClient.run(on: .inMemory, size: .small)
  }

  @Test func forumLive() async throws {
    try await Exploration.forumsClient.run(on: .html(over: .emulator), size: .small)
  }

  @Test func historyInMemory() async throws {
    try await Exploration.messageHistory.run(on: .inMemory, size: .medium)
  }

  @Test func historyLive() async throws {
    try await Exploration.messageHistory.run(on: .live(over: .emulator), size: .small)
  }

  @Test func realtimeInMemory() async throws {
    try await Exploration.realtimeService.run(on: .inMemory, size: .medium)
  }

  @Test func realtimeLive() async throws {
    try await Exploration.realtimeService.run(on: .supabase(over: .emulator), size: .small)
  }

  @Test func streamInMemory() async throws {
    try await Exploration.messageStream.run(on: .inMemory, size: .medium)
  }

  @Test func streamLive() async throws {
    try await Exploration.messageStream.run(on: .live(over: .emulator), size: .small)
  }
}

extension ExplorationSize {
  /// Less than by default, for a test of a second at most on a busy machine.
  fileprivate static var medium: Self { ExplorationSize(sequences: 20, programs: 60) }
}

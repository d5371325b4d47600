import SharedServices
import SharedServicesDoubles
import SharedServicesVerification
import Understudy
import SharedServicesViewModels
import Testing
import UnderstudyTesting

/// The tables are written by hand from the rules of `ChatViewModel`; nothing in them is computed.
@MainActor @Suite(.stallLimit()) struct ChatViewModelTests {
  typealias Shown = ShownChat
  typealias Place = OpenedChat.Place

  private static let session = OpenedChat.sessionID

  // MARK: - Success

  @Test(arguments: Place.allCases) func theHistoryComesFirstAndThenWhatHappens(_ place: Place) async throws {
    let chat = try OpenedChat(at: place) { $0.say(.user("Why?"), in: Self.session) }
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    chat.say(.assistant("Sleep helps."))
    try await chat.shows(["> Why?", "< Sleep helps."])
    #expect(
      chat.timeline.states == [
        Shown([], .idle), Shown([], .loading), Shown(["> Why?"], .loading), Shown(["> Why?"], .live),
        Shown(["> Why?", "< Sleep helps."], .live),
      ])
    await chat.leave()
    #expect(chat.model.state == .idle)
    #expect(chat.log == [])
  }

  @Test(arguments: Place.allCases) func piecesAreJoinedUntilTheAnswerIsWhole(_ place: Place) async throws {
    let chat = try OpenedChat(at: place)
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    let id = chat.server.begin(in: Self.session)
    chat.server.write("Sleep ", to: id, in: Self.session)
    try await chat.shows(["< Sleep …"])
    chat.server.write("helps 👩‍👧", to: id, in: Self.session)
    try await chat.shows(["< Sleep helps 👩‍👧…"])
    // A message that is completed meanwhile is shown before the answer that is still being written.
    chat.say(.user("Wait."))
    try await chat.shows(["> Wait.", "< Sleep helps 👩‍👧…"])
    #expect(chat.model.messages.last?.id == id)
    chat.server.finish(id, in: Self.session)
    try await chat.shows(["> Wait.", "< Sleep helps 👩‍👧"])
    #expect(chat.model.messages.last?.id == id)
    // A piece that comes late, and the whole again, say nothing new.
    for isDelta in [true, false] {
      chat.announce(id, .assistant("Sleep helps 👩‍👧", isDelta: isDelta))
    }
    chat.say(.user("Thanks."))
    try await chat.shows(["> Wait.", "< Sleep helps 👩‍👧", "> Thanks."])
    #expect(
      chat.timeline.states == [
        Shown([], .idle), Shown([], .loading), Shown([], .live), Shown(["< Sleep …"], .live),
        Shown(["< Sleep helps 👩‍👧…"], .live), Shown(["> Wait.", "< Sleep helps 👩‍👧…"], .live),
        Shown(["> Wait.", "< Sleep helps 👩‍👧"], .live),
        Shown(["> Wait.", "< Sleep helps 👩‍👧", "> Thanks."], .live),
      ])
    await chat.leave()
  }

  @Test func aResultBeforeItsUseIsShownWhereItCame() async throws {
    let chat = try OpenedChat()
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    chat.say(.toolResult(id: "t", tool: "search", output: "Found", isSuccess: true))
    chat.say(.toolUse(id: "t", name: "search", input: "{}", inputDescription: "Look"))
    try await chat.shows(["< Found", "< Look"])
    #expect(chat.model.messages.map(\.toolResultId) == ["t", nil])
    #expect(chat.model.messages.map(\.toolUseId) == [nil, "t"])
    await chat.leave()
  }

  // MARK: - Lost connections

  @Test(arguments: Place.allCases) func aLostConnectionIsShownUntilThereIsAnother(_ place: Place) async throws
  {
    let chat = try OpenedChat(at: place)
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    let id = chat.server.begin(in: Self.session)
    chat.server.write("Sleep ", to: id, in: Self.session)
    try await chat.shows(["< Sleep …"])
    chat.server.silence(Self.session)
    chat.server.write("helps.", to: id, in: Self.session)
    chat.server.breakConnections(of: Self.session)
    try await chat.timeline.wait { $0.state == .live && $0.bubbles == ["< Sleep helps.…"] }
    chat.server.finish(id, in: Self.session)
    try await chat.shows(["< Sleep helps."])
    #expect(chat.timeline.writes.contains { $0.state == .reconnecting })
    await chat.leave()
  }

  @Test(arguments: Place.allCases) func everyMessageIsReplacedAfterTheSessionRenumbersThem(_ place: Place)
    async throws
  {
    let chat = try OpenedChat(at: place) { $0.say(.user("Why?"), in: Self.session) }
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    let old = chat.model.messages.map(\.id)
    chat.server.silence(Self.session)
    chat.server.renumber(Self.session)
    chat.say(.assistant("Because."))
    chat.server.breakConnections(of: Self.session)
    try await chat.timeline.wait { $0.state == .live && $0.bubbles.count == 2 }
    #expect(chat.model.messages.map(\.id) == chat.server.messages(of: Self.session).map(\.id))
    #expect(Set(old).isDisjoint(with: chat.model.messages.map(\.id)))
    await chat.leave()
  }

  @Test(arguments: Place.allCases) func anAbandonedAnswerGoes(_ place: Place) async throws {
    let chat = try OpenedChat(at: place)
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    let id = chat.server.begin(in: Self.session)
    chat.server.write("Sleep ", to: id, in: Self.session)
    try await chat.shows(["< Sleep …"])
    chat.server.silence(Self.session)
    chat.server.abandonAnswers(in: Self.session)
    chat.server.breakConnections(of: Self.session)
    try await chat.timeline.wait { $0.state == .live && $0.bubbles == [] }
    await chat.leave()
  }

  // MARK: - Failures

  nonisolated static let failures: [(fault: Fault, message: String)] = [
    (.offline, "No internet connection. Please check your network."),
    (.timeout, "Request timed out. Please try again."),
    (.serverError, "Server error. Please try again later."),
    (.unauthorized, "Session expired. Please log in again."),
    (.forbidden, "You don't have permission to do that."),
    (.notFound, "We couldn't find that. It may have been removed."),
    (.rateLimited(retryAfter: .seconds(30)), "Too many requests. Please try again in 30 seconds."),
    (.connectionLost, "The connection was lost. Please try again."),
  ]

  @Test(arguments: failures, Place.allCases)
  func aHistoryThatFailsEndsInAMessageAndCanBeTriedAgain(
    _ row: (fault: Fault, message: String), _ place: Place
  ) async throws {
    let chat = try OpenedChat(at: place, historyFault: row.fault) { $0.say(.user("Why?"), in: Self.session) }
    await chat.model.open()
    #expect(
      chat.timeline.states == [Shown([], .idle), Shown([], .loading), Shown([], .failed(row.message))])
    chat.open()
    try await chat.timeline.wait(for: Shown(["> Why?"], .live))
    await chat.leave()
  }

  @Test(arguments: failures, Place.allCases)
  func aStreamThatCannotBeOpenedEndsInAMessageAndCanBeTriedAgain(
    _ row: (fault: Fault, message: String), _ place: Place
  ) async throws {
    let chat = try OpenedChat(at: place, streamFault: row.fault) { $0.say(.user("Why?"), in: Self.session) }
    await chat.model.open()
    #expect(
      chat.timeline.states.last == Shown(["> Why?"], .failed(row.message)))
    #expect(chat.timeline.states.first == Shown([], .idle))
    chat.open()
    try await chat.timeline.wait(for: Shown(["> Why?"], .live))
    await chat.leave()
  }

  @Test(arguments: Place.allCases) func aServerThatRefusesForGoodEndsInAMessage(_ place: Place) async throws {
    let chat = try OpenedChat(at: place) { $0.say(.user("Why?"), in: Self.session) }
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    chat.server.refuseConnections()
    chat.server.breakConnections(of: Self.session)
    try await chat.timeline.wait(for: Shown(["> Why?"], .failed("Server error. Please try again later.")))
    chat.server.refuseConnections(0)
    chat.open()
    try await chat.timeline.wait(for: Shown(["> Why?"], .live))
    await chat.leave()
  }

  @Test func aSecondCallDoesNothingWhileTheChatIsOpen() async throws {
    let chat = try OpenedChat()
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    await chat.model.open()
    #expect(chat.model.state == .live)
    #expect(chat.server.subscriberCount == 1)
    await chat.leave()
  }
}

import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesVerification
import Understudy
import SharedServicesViewModels
import Testing
import UnderstudyTesting

/// What happens when a chat is left and opened again before its first task has ended.
@MainActor @Suite(.stallLimit()) struct ChatReopeningTests {
  private static let session = OpenedChat.sessionID

  @Test(arguments: OpenedChat.Place.allCases) func aChatThatIsLeftCanBeOpenedInTheSameBreath(
    _ place: OpenedChat.Place
  ) async throws {
    let chat = try OpenedChat(at: place) { $0.say(.user("Why?"), in: Self.session) }
    chat.open()
    try await chat.timeline.wait { $0.state == .live }
    let first = chat.opening
    first?.cancel()
    chat.open()
    await first?.value
    try await chat.timeline.wait(for: ShownChat(["> Why?"], .live))
    chat.say(.assistant("Sleep helps."))
    try await chat.timeline.wait(for: ShownChat(["> Why?", "< Sleep helps."], .live))
    await chat.server.waitForSubscribers(1)
    #expect(!chat.timeline.states.dropFirst().contains { $0.state == .idle })
    await chat.leave()
    #expect(chat.model.state == .idle)
  }

  @Test func whoeverLeftShowsNothingMore() async throws {
    let server = MessageFeedServer(seed: 1)
    server.open(Self.session)
    let history = LateHistory(server.history)
    let model = ChatViewModel(sessionID: Self.session, history: history, stream: server.stream)
    let timeline = StateTimeline(of: model) { ShownChat($0) }
    let first = Task { await model.open() }
    await history.isHolding()
    first.cancel()
    server.say(.user("Why?"), in: Self.session)
    let second = Task { await model.open() }
    try await timeline.wait(for: ShownChat(["> Why?"], .live))
    // The answer to the first is the empty session that there was.
    history.answer()
    await first.value
    #expect(timeline.states.last == ShownChat(["> Why?"], .live))
    second.cancel()
    await second.value
    #expect(
      timeline.states == [
        ShownChat([], .idle), ShownChat([], .loading), ShownChat(["> Why?"], .loading),
        ShownChat(["> Why?"], .live), ShownChat(["> Why?"], .idle),
      ])
  }

  /// The user no longer waits for the history, and its service does not react.
  @Test func aChatThatIsLeftWhileItLoadsEndsAtOnce() async throws {
    let server = MessageFeedServer(seed: 1)
    server.open(Self.session)
    let history = LateHistory(server.history)
    let model = ChatViewModel(sessionID: Self.session, history: history, stream: server.stream)
    let opening = Task { await model.open() }
    await history.isHolding()
    opening.cancel()
    await opening.value
    #expect(model.state == .idle)
    history.answer()
  }

  @Test func anAnswerWhoseChatIsLeftIsIncompleteAtOnce() async throws {
    let server = MessageFeedServer(seed: 1)
    server.open(Self.session)
    let stream = HeldStream()
    let model = ChatViewModel(sessionID: Self.session, history: server.history, stream: stream)
    let timeline = StateTimeline(of: model) { ShownChat($0) }
    let opening = Task { await model.open() }
    try await timeline.wait(for: ShownChat(["< So…"], .loading))
    opening.cancel()
    await opening.value
    #expect(timeline.states.last == ShownChat(["< So"], .idle))
    #expect(model.messages.map(\.isIncomplete) == [true])
    stream.release()
  }
}

/// A stream that begins an answer, and then does not react until it is released, even if its reader leaves.
private struct HeldStream: MessageStreamService {
  private let released = AsyncStream.makeStream(of: Void.self)

  func release() { released.continuation.yield() }

  func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error> {
    let hasBegun = Locked(false)
    return AsyncThrowingStream { [released] in
      let isFirst = hasBegun.withLock { hasBegun in
        defer { hasBegun = true }
        return !hasBegun
      }
      if isFirst { return .event(.sample("a", .assistant("So", isDelta: true))) }
      await Task { for await _ in released.stream { break } }.value
      return nil
    }
  }
}

import Foundation
import SharedServices
import SharedServicesDoubles
import SharedServicesViewModels
import Testing
import Understudy
import UnderstudyTesting

@MainActor
@Suite(.stallLimit()) struct LyraViewModelTests {
  typealias Shown = ShownConversation

  private func timeline(_ service: ScriptedConversations, asking text: String = "Why?") throws
    -> StateTimeline<LyraViewModel, Shown>
  {
    let model = LyraViewModel(
      child: try ScriptedConversations.child(),
      auth: AuthViewModel(service: InMemorySharedServices.signedIn().auth), service: service)
    model.messageText = text
    return StateTimeline(of: model) { Shown($0) }
  }

  @Test func anAnswerGrowsUnderTheQuestionAndIsDone() async throws {
    let timeline = try timeline(ScriptedConversations(["Be", "cause."], then: .done))
    await timeline.subject.sendMessage()
    #expect(timeline.states.first == Shown())
    #expect(timeline.states.dropFirst().first == Shown(["> Why?"], isStreaming: true))
    #expect(timeline.states.contains(Shown(["> Why?", "< Be"], isStreaming: true)))
    #expect(timeline.states.last == Shown(["> Why?", "< Because."]))
    #expect(timeline.subject.messageText == "")
    #expect(timeline.subject.messages.allSatisfy { $0.conversationID == ScriptedConversations.conversation })
  }

  /// The guide would answer about a child of no age and without goals.
  @Test func theGuideReceivesTheContextOfTheChild() async throws {
    let received = Locked<[ChildContext]>([])
    let services = InMemorySharedServices.signedIn(
      replyWriter: ReplyWriter { child, _, _ in
        received.withLock { $0.append(child) }
        return Reply([MessageChunk(text: "So.", isDone: true)])
      })
    let child = try await services.children.createChild(
      NewChild(
        userID: InMemorySharedServices.sampleUserID, name: "Robin", age: 9,
        birthday: try #require(CalendarDate(year: 2016, month: 5, day: 4)), goals: ["sleep", "calm"],
        topics: ["school"], temperament: .cautious))
    let model = LyraViewModel(
      child: child, auth: AuthViewModel(service: services.auth), service: services.conversations)
    for question in ["Why?", "And then?"] {
      model.messageText = question
      await model.sendMessage()
    }
    let context = ChildContext(age: 9, temperament: .cautious, goals: ["sleep", "calm"], topics: ["school"])
    #expect(received.withLock { $0 } == [context, context])
  }

  @Test func anEmptyLastChunkOpensNoBubble() async throws {
    let timeline = try timeline(ScriptedConversations([], then: .done))
    await timeline.subject.sendMessage()
    #expect(timeline.states.last == Shown(["> Why?"]))
  }

  @Test func sourcesArriveOnTheAnswer() async throws {
    let citation = Citation(title: "Sleep")
    let service = ScriptedConversations(
      chunks: [MessageChunk(text: "So.", sources: [citation]), MessageChunk(text: "", isDone: true)])
    let timeline = try timeline(service)
    await timeline.subject.sendMessage()
    #expect(timeline.subject.messages.last?.sources == [citation])
  }

  @Test func aCallThatFailsTakesTheQuestionBackIntoTheField() async throws {
    let timeline = try timeline(ScriptedConversations(refusing: .network(.serverError)))
    await timeline.subject.sendMessage()
    #expect(
      timeline.states == [
        Shown(), Shown(["> Why?"], isStreaming: true),
        Shown(message: "Server error. Please try again later."),
      ])
    #expect(timeline.subject.messageText == "Why?")
  }

  @Test(arguments: [
    AppError.network(.connectionLost), .network(.timeout), .network(.unreadableAnswer),
    .network(.unauthorized),
  ])
  func aStreamThatBreaksKeepsTheQuestionAndWhatWasRead(_ error: AppError) async throws {
    let timeline = try timeline(ScriptedConversations(["Be", "cau"], then: .failure(error)))
    await timeline.subject.sendMessage()
    #expect(timeline.states.last == Shown(["> Why?", "< Becau…"], message: error.userFacingMessage))
    #expect(timeline.subject.messageText == "")
    #expect(!timeline.subject.isSending)
  }

  @Test func aStreamThatBreaksBeforeAnyTextLeavesNoBubble() async throws {
    let timeline = try timeline(ScriptedConversations([""], then: .failure(.network(.connectionLost))))
    await timeline.subject.sendMessage()
    #expect(timeline.states.last == Shown(["> Why?"], message: Shown.interrupted))
  }

  /// The seed's view model never looks at `isDone`, so a dropped stream counts as success.
  @Test func anEndWithoutDoneIsAnError() async throws {
    let timeline = try timeline(ScriptedConversations(["Be"], then: .silence))
    await timeline.subject.sendMessage()
    #expect(timeline.states.last == Shown(["> Why?", "< Be…"], message: Shown.interrupted))
  }

  @Test func chunksAfterDoneAreNotShown() async throws {
    let service = ScriptedConversations(
      chunks: [MessageChunk(text: "So.", isDone: true), MessageChunk(text: " And?")])
    let timeline = try timeline(service)
    await timeline.subject.sendMessage()
    #expect(timeline.states.last == Shown(["> Why?", "< So."]))
  }

  @Test(arguments: ["", "  \n "])
  func nothingWrittenIsNothingSent(_ text: String) async throws {
    let service = ScriptedConversations(["So."], then: .done)
    let timeline = try timeline(service, asking: text)
    await timeline.subject.sendMessage()
    #expect(timeline.states == [Shown()])
    #expect(service.sent == [])
  }

  @Test func aSecondMessageWhileOneIsUnderWayStaysInTheField() async throws {
    let service = ScriptedConversations(["So."], then: .open)
    let timeline = try timeline(service)
    let first = Task { await timeline.subject.sendMessage() }
    try await timeline.wait(for: Shown(["> Why?", "< So."], isStreaming: true))
    timeline.subject.messageText = "And then?"
    await timeline.subject.sendMessage()
    #expect(timeline.subject.messageText == "And then?")
    #expect(service.sent == ["Why?"])
    first.cancel()
    await first.value
    #expect(!timeline.subject.isSending)
  }

  @Test func aFailedCallDoesNotOverwriteWhatTheUserHasBegun() async throws {
    let service = ScriptedConversations(refusing: .network(.timeout), held: true)
    let timeline = try timeline(service)
    let send = Task { await timeline.subject.sendMessage() }
    await service.isAsked()
    timeline.subject.messageText = "Something else"
    service.release()
    await send.value
    #expect(timeline.subject.messageText == "Why?\nSomething else")
    #expect(timeline.states.last == Shown(message: "Request timed out. Please try again."))
    // The service may have stored the question, so it is sent by itself, under the same id.
    service.release()
    await timeline.subject.sendMessage()
    #expect(service.sent == ["Why?", "Why?"])
    #expect(Set(service.ids).count == 1)
    #expect(timeline.subject.messageText == "Why?\nSomething else")
  }

  @Test func aCancelledAnswerKeepsWhatWasReadAndShowsNoError() async throws {
    let timeline = try timeline(ScriptedConversations(["So"], then: .open))
    let send = Task { await timeline.subject.sendMessage() }
    try await timeline.wait(for: Shown(["> Why?", "< So"], isStreaming: true))
    send.cancel()
    await send.value
    #expect(timeline.states.last == Shown(["> Why?", "< So…"]))
  }

  @Test func historyReplacesWhatIsShown() async throws {
    let service = ScriptedConversations(["Be"], then: .silence)
    let timeline = try timeline(service)
    await timeline.subject.sendMessage()
    await timeline.subject.loadHistory()
    // The question still has no answer, and the message went when the load began.
    #expect(timeline.states.last == Shown(["> Why?"]))
    #expect(timeline.subject.canAskAgain)
  }
}

/// Conversations that go as a test has written them down.
struct ScriptedConversations: ConversationService {
  /// How an answer ends.
  enum End: Sendable {
    /// With an empty chunk that says so.
    case done
    /// With an error.
    case failure(AppError)
    /// Without a word.
    case silence
    /// Not at all, until its consumer leaves.
    case open
    /// Not at all, even if its consumer leaves, until it is released.
    case held
  }

  static let conversation = UUID()

  private let chunks: [MessageChunk]
  private let end: End
  private let refusal: AppError?
  private let isHeld: Bool
  private let texts = Locked<[String]>([])
  private let messageIDs = Locked<[UUID?]>([])
  private let asked = AsyncStream.makeStream(of: Void.self)
  private let released = AsyncStream.makeStream(of: Void.self)

  init(_ texts: [String], then end: End, held: Bool = false) {
    self.init(chunks: texts.map { MessageChunk(text: $0) }, end: end, held: held)
  }

  init(
    chunks: [MessageChunk] = [], end: End = .silence, refusing refusal: AppError? = nil, held: Bool = false
  ) {
    self.chunks = chunks
    self.end = end
    self.refusal = refusal
    isHeld = held
  }

  /// The ids of the messages that have come.
  var ids: [UUID?] { messageIDs.withLock { $0 } }

  var sent: [String] { texts.withLock { $0 } }

  /// Waits until a message has come.
  func isAsked() async {
    for await _ in asked.stream { return }
  }

  /// Lets a held message be answered.
  func release() {
    released.continuation.yield()
  }

  func startConversation(childID: UUID, id: UUID?) async throws(AppError) -> Conversation {
    Conversation(id: Self.conversation, userID: UUID(), childID: childID, createdAt: .distantPast)
  }

  func history(conversationID: UUID) async throws(AppError) -> [Message] {
    sent.map {
      Message(id: UUID(), conversationID: conversationID, role: .user, content: $0, createdAt: .distantPast)
    }
  }

  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    texts.withLock { $0.append(message) }
    messageIDs.withLock { $0.append(messageID) }
    asked.continuation.yield()
    if isHeld { for await _ in released.stream { break } }
    if let refusal { throw refusal }
    let position = Locked(0)
    return AsyncThrowingStream { [chunks, end] in
      let index = position.withLock { index in
        defer { index += 1 }
        return index
      }
      if index < chunks.count { return chunks[index] }
      switch end {
      case .done: return index == chunks.count ? MessageChunk(text: "", isDone: true) : nil
      case .failure(let error): throw error
      case .silence: return nil
      case .open:
        for await _ in AsyncStream<Never>.makeStream().stream {}
        throw AppError.cancelled
      case .held:
        await Task { [released] in for await _ in released.stream { break } }.value
        return nil
      }
    }
  }

  static func child() throws -> Child {
    Child(
      id: UUID(), userID: UUID(), name: "Robin", age: 8,
      birthday: try #require(CalendarDate(year: 2017, month: 5, day: 4)), goals: [], topics: [],
      temperament: .spirited, talkativeness: 5, sensitivity: 5, accountability: 5, createdAt: .distantPast,
      updatedAt: .distantPast)
  }
}

import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import SharedServicesLive
import SharedServicesViewModels
import TestSupport
import Testing
import UnderstudyRecording

/// A view model over a fresh backend, whose guide always gives the same answer, with a fault in one operation.
@MainActor
struct FaultyConversation {
  /// Where the fault is injected.
  enum Place: CaseIterable, Sendable {
    /// At the service in memory.
    case service
    /// At the transport of the live service.
    case transport
    /// At the backend that answers the live service.
    case handler
    /// At the transport while the conversation was recorded; the recording alone is then replayed.
    case replay
  }

  /// The operation that fails with the fault.
  enum Operation: Sendable {
    case start, send, history

    fileprivate var path: String {
      switch self {
      case .start: "/rest/v1/conversations"
      case .send: "/functions/v1/send-message"
      case .history: "/rest/v1/messages"
      }
    }
  }

  /// The six events of the answer: an empty one, one of a source alone, and one that closes it among them.
  nonisolated static let answer: [MessageChunk] = [
    MessageChunk(text: ""),
    MessageChunk(text: "", sources: [Citation(title: "Sleep")]),
    MessageChunk(text: "Café "),
    MessageChunk(text: "naps ", sources: [Citation(title: "Rest")]),
    MessageChunk(text: "help 👩‍👧."),
    MessageChunk(text: "", isDone: true),
  ]

  let model: LyraViewModel
  /// What the screen showed.
  let timeline: StateTimeline<LyraViewModel, ShownConversation>
  /// Returns the stored messages, the oldest first.
  private let messages: @Sendable () throws -> [Message]

  /// Has the user ask why, and then, if it is the history that fails, look for what was said.
  ///
  /// - Parameter isOptional: Whether the fault need not take effect.
  static func held(
    with fault: Fault?, isOptional: Bool = false, in operation: Operation = .send, at place: Place
  ) async throws -> FaultyConversation {
    let time = TestClock(.immediate)
    let writer = ReplyWriter { _, _, _ in Reply(answer) }
    let (email, password) = ("pat@example.com", "correct horse")
    let doubles = InMemorySharedServices(time: time.time, replyWriter: writer)
    let project = SupabaseBackend(time: time.time, replyWriter: writer)
    let user = try doubles.addUser(email: email, password: password)
    try project.addUser(id: user, email: email, password: password)
    let isLive = place != .service
    _ = try await doubles.auth.signIn(email: email, password: password)
    let children: any ChildrenService =
      isLive ? DatabaseChildrenService(project, as: user) : doubles.children
    let child = try await children.createChild(
      NewChild(
        userID: user, name: "Robin", age: 8,
        birthday: try #require(CalendarDate(year: 2017, month: 5, day: 4))))

    func held(over service: any ConversationService) async -> FaultyConversation {
      // The screen asks who is signed in, on the device of the doubles.
      let conversation = FaultyConversation(child, service, doubles.auth) {
        isLive
          ? try project.database.select(from: "messages", orderedBy: [.ascending("created_at")])
            .compactMap(MessageRow.message) : doubles.backend.messages
      }
      await conversation.run(operation)
      return conversation
    }
    func live(over transport: any HTTPTransport) async throws -> any ConversationService {
      let client = SupabaseClient(
        SupabaseConfiguration(
          projectURL: try #require(URL(string: "http://emulator.invalid")), apiKey: project.emulator.apiKey),
        over: transport, clock: time.time.clock, now: time.time.date)
      _ = try await SupabaseAuthService(client).signIn(email: email, password: password)
      return SupabaseConversationService(client)
    }
    // Made only where its calls are made, because a rule must apply to one.
    func faultyTransport() -> Intercepted<InProcessTransport<SupabaseEmulator>> {
      Intercepted(
        InProcessTransport(to: project.emulator, time: time.time),
        by: .faults(
          FaultPlan(
            rules: fault.map { [.on(.request(nil, operation.path), $0).optional(if: isOptional)] } ?? [])),
        time: time.time)
    }
    switch place {
    case .service:
      let named: Intercepted<InMemoryConversationService>.Operation =
        switch operation {
        case .start: .startConversation
        case .send: .sendMessageStream
        case .history: .history
        }
      return await held(
        over: Intercepted(
          doubles.conversations,
          by: .faults(FaultPlan(rules: fault.map { [.on(named, $0).optional(if: isOptional)] } ?? [])),
          time: time.time))
    case .transport:
      return await held(over: try await live(over: faultyTransport()))
    case .handler:
      let handler = Intercepted(
        project.emulator,
        by: .faults(
          FaultPlan(
            rules: fault.map { [.on(.request(nil, operation.path), $0).optional(if: isOptional)] } ?? [])),
        time: time.time)
      return await held(over: try await live(over: InProcessTransport(to: handler, time: time.time)))
    case .replay:
      let recorder = RecordingTransport(around: faultyTransport(), time: time.time)
      _ = await held(over: try await live(over: recorder))
      let replay = ReplayingTransport(recorder.recording)
      let conversation = await held(over: try await live(over: replay))
      #expect(replay.unansweredRequests == [])
      return conversation
    }
  }

  private init(
    _ child: Child, _ service: any ConversationService, _ auth: any AuthService,
    messages: @escaping @Sendable () throws -> [Message]
  ) {
    self.messages = messages
    // A recording has the ids that the app chose.
    let ids = Locked(SeededGenerator(seed: 1))
    model = LyraViewModel(
      child: child, auth: AuthViewModel(service: auth), service: service,
      makeID: { UUID(uuidString: ids.withLock { $0.nextUUIDString() }) ?? UUID() })
    timeline = StateTimeline(of: model) { ShownConversation($0) }
  }

  private func run(_ operation: Operation) async {
    model.messageText = "Why?"
    await model.sendMessage()
    if operation == .history { await model.loadHistory() }
  }

  /// Whether nothing is under way.
  var isIdle: Bool { !model.isSending && !model.isStreaming && !model.isLoading }

  /// What the backend holds, the oldest first, as bubbles.
  var stored: [String] {
    get throws {
      // The screen shows the titles alone.
      try messages().map { message in
        bubble(message.role, message.content, message.sources.map { Citation(title: $0.title) })
      }
    }
  }
}

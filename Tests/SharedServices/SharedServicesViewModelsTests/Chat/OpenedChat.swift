import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesVerification
import Understudy
import UnderstudyHTTP
import SharedServicesLive
import SharedServicesViewModels

/// A chat over a server in memory, at each injectionPoint.
@MainActor
final class OpenedChat {
  /// How the chat reaches its server.
  enum Place: CaseIterable, Sendable {
    /// The services in memory.
    case service
    /// The live ones over a transport.
    case transport
  }

  nonisolated static let sessionID = "s1"

  let server: any FeedServer
  let history: any MessageHistoryService
  let model: ChatViewModel
  let timeline: StateTimeline<ChatViewModel, ShownChat>
  private(set) var log: [String] = []
  private(set) var opening: Task<Void, Never>?

  /// - Parameters:
  ///   - historyFault: What the calls for pages meet.
  ///   - streamFault: What the connections meet.
  ///   - normalizer: The validation of messages.
  init(
    at place: Place = .service, historyFault: Fault? = nil, streamFault: Fault? = nil,
    normalizer: any MessageNormalizing = MessageNormalizer(),
    _ prepare: (any FeedServer) -> Void = { _ in }
  ) throws {
    let time = TestClock(.immediate)
    let stream: any MessageStreamService
    switch place {
    case .service:
      let server = MessageFeedServer(seed: 1, time: time.time)
      self.server = server
      history = Intercepted(
        server.history, by: .faults(FaultPlan(rules: historyFault.map { [.on(.page, call: 1, $0)] } ?? [])),
        time: time.time)
      stream = Intercepted(
        server.stream, by: .faults(FaultPlan(rules: streamFault.map { [.on(.updates, call: 1, $0)] } ?? [])),
        time: time.time)
    case .transport:
      let server = MessageFeedEmulator(seed: 1, time: time.time)
      self.server = server
      let url = URL(string: "http://feed.invalid") ?? URL(filePath: "/")
      let transport = Intercepted(
        InProcessTransport(to: server, time: time.time),
        by: .faults(
          FaultPlan(
            rules: (historyFault.map { [.on(.get("/sessions/{id}/messages"), call: 1, $0)] } ?? [])
              + (streamFault.map { [.on(.get("/sessions/{id}/stream"), call: 1, $0)] } ?? []))),
        time: time.time)
      let configuration = MessageFeedConfiguration(serverURL: url, reconnection: Reconnection(seed: 1))
      let pages = HTTPMessageHistoryService(configuration, over: transport, now: time.time.date)
      history = pages
      stream = WebSocketMessageStreamService(
        configuration, over: transport, history: pages, clock: time.time.clock, now: time.time.date)
    }
    server.open(Self.sessionID)
    prepare(server)
    let box = Box()
    model = ChatViewModel(
      sessionID: Self.sessionID, history: history, stream: stream, normalizer: normalizer
    ) { box.log($0) }
    timeline = StateTimeline(of: model) { ShownChat($0) }
    box.log = { [weak self] in self?.log.append($0) }
  }

  private final class Box {
    var log: @MainActor (String) -> Void = { _ in }
  }

  func open() { opening = Task { [model] in await model.open() } }

  func leave() async {
    opening?.cancel()
    await opening?.value
  }

  /// Waits until the screen shows these bubbles.
  func shows(_ bubbles: [String]) async throws { try await timeline.wait { $0.bubbles == bubbles } }

  func say(_ content: StreamContent) { server.say(content, in: Self.sessionID) }

  /// Sends the followers a message that the session does not store.
  func announce(_ id: String, _ content: StreamContent, at timestamp: String = "2026-01-03T12:00:00Z") {
    server.announce(
      .message(StreamedMessage(id: id, timestamp: timestamp, content: content)), in: Self.sessionID)
  }
}

import SharedServices
import SharedServicesContracts
import SharedServicesBackends
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import SharedServicesLive

/// A new server of sessions, one of which has a greeting, and its services, with a fault injected into one operation.
struct FaultyFeed: Sendable {
  enum Operation: Sendable {
    case page, updates
  }

  static let sessionID = "s1"
  static let greeting = "Hello"

  let history: any MessageHistoryService
  let stream: any MessageStreamService
  private let connection: FaultyConnection<MessageFeedEmulator>?

  init(_ fault: Fault, at injectionPoint: InjectionPoint, in operation: Operation) async throws {
    let time = TestClock(.immediate).time
    guard injectionPoint != .service else {
      let server: MessageFeedServer = Self.server(time)
      history = Intercepted(
        server.history, by: .faults(FaultPlan(rules: operation == .page ? [.on(.page, fault)] : [])),
        time: time)
      stream = Intercepted(
        server.stream, by: .faults(FaultPlan(rules: operation == .updates ? [.on(.updates, fault)] : [])),
        time: time)
      connection = nil
      return
    }
    let server: MessageFeedEmulator = Self.server(time)
    let connection = try await FaultyConnection(
      to: server, meeting: fault, at: injectionPoint, in: .get,
      operation == .page ? "/sessions/{id}/messages" : "/sessions/{id}/stream", time: time)
    let configuration = MessageFeedConfiguration(
      serverURL: connection.url, timeout: connection.timeout, reconnection: Reconnection(seed: 1))
    // The history of a chat has no faults while its stream is tested.
    let history = HTTPMessageHistoryService(
      configuration,
      over: operation == .page ? connection.transport : InProcessTransport(to: server, time: time),
      now: time.date
    )
    self.history = history
    stream = WebSocketMessageStreamService(
      configuration, over: connection.transport, history: history, clock: time.clock, now: time.date)
    self.connection = connection
    connection.breakWire()
  }

  private static func server<Server: FeedServer>(_ time: Time) -> Server {
    let server = Server(seed: 1, time: time)
    server.open(sessionID)
    server.say(.user(greeting), in: sessionID)
    return server
  }

  /// Creates two equal environments: one for the call itself, and one for the screen that makes it.
  static func two(_ fault: Fault, at injectionPoint: InjectionPoint, in operation: Operation) async throws
    -> (Self, Self)
  {
    (
      try await Self(fault, at: injectionPoint, in: operation),
      try await Self(fault, at: injectionPoint, in: operation)
    )
  }
}

public import Foundation
public import Understudy
public import UnderstudyHTTP

/// Serves a handler over HTTP/1.1 on 127.0.0.1, to any client.
///
/// ```swift
/// let server = try await MockServer(StubBackend { Stub(.get, "/todos") { _ in try .json(["Milk"]) } })
/// let request = HTTP.Request(.get, server.url.appending(path: "todos"))
/// let (data, response) = try await URLSessionTransport().data(for: request)
/// await server.close()
/// ```
///
/// The handler runs on the server's one thread where the system lets tasks choose (Linux, macOS 15, iOS 18), so it
/// must not block; two servers share nothing. A handler's task is cancelled when its client leaves; a client that ends
/// its side of the connection counts as one that leaves, though it is still answered if the handler goes on.
///
/// A request that HTTP/1.1 or the limits forbid does not reach the handler: the client is told why, and the connection
/// ends. A response that HTTP/1.1 forbids, such as one with a line's end in a field, is not sent: the client is
/// answered 500, with the reason.
///
/// A handler breaks an exchange off by what it throws, at once or in the midst of a body; what came before is sent
/// first. `TransportError` with `.timedOut` keeps the client waiting until it leaves, `.unreadableResponse` sends what
/// is no HTTP, and every other error closes the connection.
///
/// Interceptors stand before the handler as in an `Intercepted`, and faults happen on the socket:
///
/// ```swift
/// let log = CallLog<StubBackend>()
/// let faulty = try await MockServer(
///   router, faults: .on(.get("/todos"), call: 2, .connectionLost), by: .log(log))
/// ```
///
/// - A rule for `.any` request, always, with `.connectionRefused` stops listening for as long as it is in its plan; with
///   any other rule, that fault is a reset.
/// - While a plan has a fault that ends a connection before the first byte of an answer, each answer ends its
///   connection: on one that is used again, most clients would silently send the request once more.
///
/// When the last reference to it goes, it closes without grace.
public final class MockServer<Handler: HTTPHandler>: Sendable {
  /// What answers.
  public let handler: Handler
  /// Where it listens, such as `http://127.0.0.1:49152`.
  public let url: URL
  private let core: ServerCore

  /// Starts a server; it listens when this returns.
  ///
  /// - Parameters:
  ///   - handler: What answers.
  ///   - rules: What goes wrong; the first rule that applies wins.
  ///   - interceptors: What each request passes after the rules, such as a log, a plan or a gate.
  ///   - port: Where to listen; zero is any port that is free.
  ///   - limits: What it bears from a client.
  ///   - time: What the limits, latencies and pauses run on, and what tells the date.
  /// - Throws: ``ServerError`` if it cannot listen.
  public convenience init(
    _ handler: Handler, faults rules: FaultPlan<Handler>.Rule..., by interceptors: Interceptor<Handler>...,
    port: UInt16 = 0, limits: ServerLimits = ServerLimits(), time: Time = .system
  ) async throws(ServerError) {
    try await self.init(
      handler, by: (rules.isEmpty ? [] : [.faults(FaultPlan(rules: rules))]) + interceptors, port: port,
      limits: limits, time: time)
  }

  /// Starts a server with a list of interceptors; it listens when this returns.
  ///
  /// - Parameters:
  ///   - handler: What answers.
  ///   - interceptors: What each request passes, such as a log, a plan or a gate.
  ///   - port: Where to listen; zero is any port that is free.
  ///   - limits: What it bears from a client.
  ///   - time: What the limits, latencies and pauses run on, and what tells the date.
  /// - Throws: ``ServerError`` if it cannot listen.
  public convenience init(
    _ handler: Handler, by interceptors: [Interceptor<Handler>], port: UInt16 = 0,
    limits: ServerLimits = ServerLimits(), time: Time = .system
  ) async throws(ServerError) {
    try await self.init(
      handler, by: interceptors, port: port, limits: limits, time: time, observer: nil)
  }

  /// Starts a server that tells an observer of its exchanges.
  package init(
    _ handler: Handler, by interceptors: [Interceptor<Handler>], port: UInt16,
    limits: ServerLimits = ServerLimits(), time: Time = .system, observer: ServerObserver?
  ) async throws(ServerError) {
    self.handler = handler
    do throws(SocketError) {
      core = try ServerCore(
        Intercepted(handler, by: interceptors, time: time), plans: interceptors.compactMap(\.plan),
        port: port,
        limits: limits, time: time, observer: observer)
    } catch {
      let hint = port == 0 ? "" : " Port 0 takes any that is free."
      throw ServerError(message: error.message + hint)
    }
    guard let url = URL(string: "http://\(core.authority)") else {
      throw ServerError(message: "http://\(core.authority) is no URL.")
    }
    self.url = url
  }

  deinit {
    core.cut()
  }

  /// The port that it listens at.
  public var port: Int { Int(core.port) }

  /// What each of its connections is about.
  public var connections: [ConnectionStatus] { core.statuses }

  /// Stops listening, lets exchanges under way come to their end, and returns when every connection is over.
  ///
  /// Connections without a request under way are closed at once. A handler that does not come back although it is
  /// cancelled is waited for: ``connections`` says which. Cancelling the task ends the grace.
  ///
  /// - Parameter grace: How long exchanges under way may take, on the server's time, before their connections are
  ///   reset and their handlers cancelled; zero is not at all.
  public func close(grace: Duration = .seconds(5)) async {
    await core.close(grace: grace)
  }
}

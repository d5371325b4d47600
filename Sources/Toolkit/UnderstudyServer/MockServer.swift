public import Foundation
public import Understudy
public import UnderstudyHTTP

/// A server that serves a handler over HTTP/1.1 on 127.0.0.1.
///
/// ```swift
/// let server = try await MockServer(StubBackend { Stub(.get, "/todos") { _ in try .json(["Milk"]) } })
/// let request = HTTP.Request(.get, server.url.appending(path: "todos"))
/// let (data, response) = try await URLSessionTransport().data(for: request)
/// await server.close()
/// ```
///
/// The handler runs on the server's single thread where the system supports it (Linux, macOS 15, iOS 18), so it must
/// not block. Servers share no state. A handler's task is cancelled when its client disconnects. A client that closes
/// its side of the connection counts as disconnected, but still receives the response if the handler continues.
///
/// A request that violates HTTP/1.1 or the limits does not reach the handler. The client receives an error response
/// with the reason, and the connection closes. A response that violates HTTP/1.1, such as one with a line break in a
/// field, is not sent. The client receives status 500 with the reason instead.
///
/// A client has 30 seconds for the head of a request and five minutes for its body, with pauses of at most 30 seconds.
/// A WebSocket message has at most 16 MiB, and the unfinished messages of all clients have at most 256 MiB together; the
/// connection that exceeds it is closed with code 1013, and the client may try again later.
///
/// A handler aborts an exchange by throwing, before or in the middle of a body; bytes sent earlier arrive first.
/// `TransportError` with `.timedOut` keeps the client waiting until it disconnects, `.unreadableResponse` sends invalid
/// HTTP, and every other error closes the connection.
///
/// Interceptors precede the handler as in an `Intercepted`, and faults take effect on the socket:
///
/// ```swift
/// let log = CallLog<StubBackend>()
/// let faulty = try await MockServer(
///   backend, faults: .on(.get("/todos"), call: 2, .connectionLost), by: .log(log))
/// ```
///
/// - A rule for `.any` request, always, with `.connectionRefused` stops listening while it is in its plan. With any
///   other rule, that fault is a reset. So are `.offline` and `.hostNotFound`, which a server cannot cause otherwise.
/// - Only a client can cancel a call: `.cancelled` is a reset too, and an issue of the test, because the client reports
///   another error for it.
/// - While a plan contains a fault that ends a connection before the first byte of a response, each connection closes
///   after one response. On a reused connection, most clients would silently retry the request (RFC 9112 §9.3.1;
///   URLSession: Apple's QA1941). A handler that throws such an error itself may therefore be called twice: use a rule.
///
/// The server closes without a grace period when its last reference is released.
public final class MockServer<Handler: HTTPHandler>: Sendable {
  /// The handler that responds to requests.
  package let handler: Handler
  /// The base URL of the server, such as `http://127.0.0.1:49152`.
  public let url: URL
  private let core: ServerCore
  /// The plan of the server's own rules, which no other double shares.
  private let ownPlan: FaultPlanCore?

  /// Starts a server.
  ///
  /// It is listening when the initializer returns.
  ///
  /// - Parameters:
  ///   - handler: The handler that responds to requests.
  ///   - rules: The faults to inject; the first matching rule applies.
  ///   - interceptors: The interceptors of each request after the rules, such as a log, a plan or a gate.
  ///   - port: The port to listen on; zero selects a free port.
  ///   - time: The clock for latencies, pauses and the time limits of clients, and the source of the `Date` field.
  /// - Throws: ``MockServerError`` if the server cannot listen: with `.portInUse` if another one does.
  public convenience init(
    _ handler: Handler, faults rules: FaultPlan<Handler>.Rule..., by interceptors: Interceptor<Handler>...,
    port: UInt16 = 0, time: Time = .system
  ) async throws(MockServerError) {
    let own: Interceptor<Handler>? = rules.isEmpty ? nil : .faults(FaultPlan(rules: rules))
    try await self.init(
      handler, by: (own.map { [$0] } ?? []) + interceptors, ownPlan: own?.plans.first, port: port, time: time)
  }

  /// Starts a server with a list of interceptors, and limits for its clients.
  ///
  /// - Parameter tunnels: The tunnels of a forward proxy, which serves requests in absolute form and CONNECT alone.
  package init(
    _ handler: Handler, by interceptors: [Interceptor<Handler>], ownPlan: FaultPlanCore? = nil,
    port: UInt16 = 0, limits: ServerLimits = ServerLimits(), time: Time = .system,
    observer: ServerObserver? = nil, tunnels: (any TunnelProvider)? = nil
  ) async throws(MockServerError) {
    self.handler = handler
    self.ownPlan = ownPlan
    do throws(SocketError) {
      core = try ServerCore(
        Intercepted(handler, by: interceptors, time: time), plans: interceptors.flatMap(\.plans),
        port: port,
        limits: limits, time: time, observer: observer, tunnels: tunnels)
    } catch {
      let hint = port == 0 ? "" : " Port 0 selects a free port."
      throw MockServerError(wrapping: error, hint: hint)
    }
    guard let url = URL(string: "http://\(core.authority)") else {
      throw MockServerError(.unknown, "http://\(core.authority) is not a valid URL.")
    }
    self.url = url
  }

  deinit {
    // Reported here, in the test, because the thread of the server releases the plan.
    ownPlan?.reportUnfiredRules()
    core.cut()
  }

  /// The port on which the server listens.
  public var port: Int { Int(core.port) }

  /// The state of each connection.
  package var connections: [ConnectionStatus] { core.statuses }

  /// Stops listening, completes the exchanges in progress, and returns when every connection has ended.
  ///
  /// Connections without a request in progress close immediately. The method waits for a handler that does not return
  /// after cancellation; `connections` shows which one. Cancelling the calling task ends the grace period.
  ///
  /// - Parameter grace: The maximum duration of exchanges in progress, on the server's clock, before their connections
  ///   are reset and their handlers cancelled. Zero resets them immediately.
  public func close(grace: Duration = .seconds(5)) async {
    await core.close(grace: grace)
    ownPlan?.reportUnfiredRules()
  }
}

/// An error that prevents a server from starting.
public struct MockServerError: Error, Sendable, CustomStringConvertible {
  /// A kind of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// Another server listens on the port.
    public static let portInUse = Code("port in use")
    /// The process may not listen on the port.
    public static let portNotAllowed = Code("port not allowed")
    /// Any other failure; see ``MockServerError/cause``.
    public static let unknown = Code("unknown")
  }

  /// The kind of failure.
  public let code: Code
  /// The attempted action and the system's error, in one sentence for developers.
  public let message: String
  /// The underlying error, if any.
  public let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Creates an error from that of a socket.
  ///
  /// - Parameter hint: What helps, after a space.
  init(wrapping error: SocketError, hint: String) {
    let code: Code =
      switch error.code {
      case .system(EADDRINUSE): .portInUse
      case .system(EACCES): .portNotAllowed
      default: .unknown
      }
    self.init(code, error.message + hint, cause: error)
  }

  /// The message.
  public var description: String { message }
}

/// The limits of a server for one client, beyond which it refuses requests or closes the connection.
///
/// All durations run on the server's `Time`.
package struct ServerLimits: Sendable, Hashable {
  /// The maximum length of a request line, in bytes; a longer one is refused with status 414.
  package var requestLineBytes: Int = 64 << 10
  /// The maximum length of a request head, from its method to the blank line, in bytes; a longer one is refused with
  /// status 431.
  package var headBytes: Int = 128 << 10
  /// The maximum number of field lines of a request; more are refused with status 431.
  package var fieldCount: Int = 128
  /// The maximum length of a request body, in bytes; a longer one is refused with status 413.
  package var bodyBytes: Int = 64 << 20
  /// The maximum length of a WebSocket message with all its fragments, in bytes; a longer one closes it with code 1009.
  package var messageBytes: Int = 16 << 20
  /// The maximum size of the unfinished WebSocket messages of all connections together, in bytes; the connection that
  /// exceeds it is closed with code 1013 (try again later).
  package var unfinishedMessageBytes: Int = 256 << 20
  /// The maximum duration from the first byte of a request to the end of its head; afterwards the status is 408.
  package var headTime: Duration = .seconds(30)
  /// The maximum pause within a request body; afterwards the status is 408.
  package var bodyTime: Duration = .seconds(30)
  /// The maximum duration of reading a request body, however many pauses it has; afterwards the status is 408.
  package var wholeBodyTime: Duration = .seconds(300)
  /// The maximum duration of an idle connection; afterwards it is closed.
  package var idleTime: Duration = .seconds(120)
  /// The maximum duration in which a client reads nothing of a response that exceeds the buffers; afterwards it is
  /// reset.
  package var writeTime: Duration = .seconds(120)

  /// Creates the default limits.
  package init() {}
}

/// The state of one connection of a server, for example to find out why a server does not close.
package struct ConnectionStatus: Sendable, CustomStringConvertible {
  let stage: Stage
  let method: HTTP.Method?
  let url: URL?
  /// The time since the connection entered this state, on the server's clock.
  package let duration: Duration

  /// Whether an exchange is in progress.
  ///
  /// A server that is closing waits for it.
  package var isBusy: Bool { stage != .idle && stage != .farewell && stage != .silence }

  /// The request, the state of the connection, and the duration.
  package var description: String {
    let request = method.map { "\($0) \(url?.path(percentEncoded: true) ?? "")" } ?? "A request"
    let seconds = (duration / .milliseconds(100)).rounded() / 10
    let what =
      switch stage {
      case .idle: "No request"
      case .head: "A request, head in progress"
      case .body: "A request, body in progress"
      case .answer: "\(request), response in progress"
      case .sending: "\(request), client not reading"
      case .silence: "\(request), silent because of a fault"
      case .farewell: "A refused request, connection not closed by the client"
      case .upgraded: "\(request), using another protocol"
      }
    return "\(what) for \(seconds) s"
  }
}

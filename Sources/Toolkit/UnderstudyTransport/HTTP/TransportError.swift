/// A failure between an app and a server before the complete answer arrived.
///
/// The codes have the same meaning on every platform and at every transport. A platform's own error is kept in
/// ``cause`` for logs, and need not be inspected.
public struct TransportError: Error, Sendable, CustomStringConvertible {
  /// A kind of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// The task was cancelled.
    public static let cancelled = Code("cancelled")
    /// Nothing arrived before the request's timeout.
    public static let timedOut = Code("timed out")
    /// The device has no network.
    public static let offline = Code("offline")
    /// The host name cannot be resolved.
    public static let hostNotFound = Code("host not found")
    /// No server listens at the address.
    public static let connectionRefused = Code("connection refused")
    /// The connection ended before the complete answer arrived: reset, closed early, or with a truncated body.
    public static let connectionLost = Code("connection lost")
    /// The answer is not HTTP, or its body cannot be decoded as its fields declare.
    public static let unreadableResponse = Code("unreadable response")
    /// The server's certificate is not trusted, or the TLS handshake failed.
    public static let untrusted = Code("untrusted")
    /// Redirects form a loop, or exceed the limit.
    public static let tooManyRedirects = Code("too many redirects")
    /// The request cannot be sent, for instance because of its URL.
    public static let invalidRequest = Code("invalid request")
    /// The body exceeds the reader's limit.
    public static let bodyTooLarge = Code("body too large")
    /// The server did not accept the WebSocket handshake; see ``WebSocketRefusal``.
    public static let webSocketRefused = Code("WebSocket refused")
    /// Any other failure; see ``TransportError/cause``.
    public static let unknown = Code("unknown")
  }

  /// The kind of failure.
  public let code: Code
  /// A description of the failure in one sentence, for a developer.
  public let message: String
  /// The underlying error, if any.
  public let cause: (any Error)?

  /// Creates an error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Creates an error from another: the error itself if it is a `TransportError`, `.cancelled` for a cancellation,
  /// otherwise `.unknown`.
  public init(wrapping error: any Error) {
    switch error {
    case let error as TransportError: self = error
    case let failure as any TransportFailure: self = failure.transportError
    case is CancellationError: self.init(.cancelled, "The task was cancelled.", cause: error)
    default: self.init(.unknown, "\(error)", cause: error)
    }
  }

  /// The code, the message and the cause.
  public var description: String {
    "\(code): \(message)" + (cause.map { " (\($0))" } ?? "")
  }
}

/// An error of another module that has a meaning for a transport.
package protocol TransportFailure: Error {
  /// The error that a transport throws for it.
  var transportError: TransportError { get }
}

import Understudy

/// What went wrong between an app and a server before a whole answer was there.
///
/// The codes mean the same on every platform and at every transport; a platform's own code is kept in ``cause``
/// for a log and never has to be looked at.
public struct TransportError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code in words.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// The task was cancelled.
    public static let cancelled = Code("cancelled")
    /// Nothing arrived for as long as the request would wait.
    public static let timedOut = Code("timed out")
    /// The device has no network.
    public static let offline = Code("offline")
    /// The name of the host has no address.
    public static let hostNotFound = Code("host not found")
    /// Nothing listens at the address.
    public static let connectionRefused = Code("connection refused")
    /// The connection ended before the whole answer was there: reset, closed early, a body cut short.
    public static let connectionLost = Code("connection lost")
    /// What arrived is not HTTP, or its body cannot be decoded as its fields say.
    public static let unreadableResponse = Code("unreadable response")
    /// The server's certificate is not trusted, or TLS cannot be agreed on.
    public static let untrusted = Code("untrusted")
    /// Redirects lead in a circle, or past the limit.
    public static let tooManyRedirects = Code("too many redirects")
    /// The request cannot be sent as it is, for instance because of its URL.
    public static let invalidRequest = Code("invalid request")
    /// The body is longer than the reader would take.
    public static let bodyTooLarge = Code("body too large")
    /// The server answered the request for a WebSocket with something else, a ``WebSocketRefusal``.
    public static let webSocketRefused = Code("WebSocket refused")
    /// Anything else; ``TransportError/cause`` has it.
    public static let unknown = Code("unknown")
  }

  /// What kind of failure it is.
  public let code: Code
  /// One sentence on what happened, for a developer.
  public let message: String
  /// The error beneath, if there is one.
  public let cause: (any Error)?

  /// A failure of a kind.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The error itself if it is a `TransportError`, `.cancelled` for a cancellation, else `.unknown`.
  public init(wrapping error: any Error) {
    switch error {
    case let error as TransportError: self = error
    case let error as TimeoutError: self.init(.timedOut, error.description)
    case is CancellationError: self.init(.cancelled, "The task was cancelled.", cause: error)
    default: self.init(.unknown, "\(error)", cause: error)
    }
  }

  /// The code, the message and the cause.
  public var description: String {
    "\(code): \(message)" + (cause.map { " (\($0))" } ?? "")
  }
}

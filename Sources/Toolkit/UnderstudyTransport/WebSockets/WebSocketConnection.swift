public import Foundation

/// A complete WebSocket message (RFC 6455 §5.6), after its fragments have been joined.
public enum WebSocketMessage: Sendable, Hashable {
  /// Text, encoded as UTF-8 on the wire.
  case text(String)
  /// Binary data.
  case binary(Data)
}

/// One side of an open WebSocket (RFC 6455), of a client or a server.
///
/// One task may receive at a time; any number may send. The connection answers pings and close frames, and joins
/// fragments, even while no task receives. It reads ahead at most sixteen messages or one mebibyte. If these are not
/// received, it processes nothing after them and applies back-pressure to the peer.
///
/// A message of more than 16 MiB is rejected with 1009; a server also rejects a message with 1013 when all unfinished
/// messages of its clients exceed 256 MiB. Releasing the last reference breaks the connection, unless it
/// was closed; messages sent before the close frame still arrive. Cancelling a task that sends, receives or pings
/// breaks the connection, because a message may have been truncated.
public protocol WebSocketConnection: Sendable {
  /// The negotiated subprotocol (RFC 6455 §1.9), if any.
  var subprotocol: String? { get }

  /// The first close frame, from the peer or from this side.
  ///
  /// It is `nil` while the connection is open, and if it ended without a close frame. Messages before the peer's close
  /// frame can still be received.
  var closure: WebSocketClosure? { get }

  /// Sends a message, and returns when it has been handed to the connection; a peer that does not read applies
  /// back-pressure to the sender.
  ///
  /// - Throws: `TransportError`: `.connectionLost` after a close frame from either side or when the connection breaks;
  ///   `.cancelled` when the task is cancelled.
  func send(_ message: WebSocketMessage) async throws(TransportError)

  /// The next message, or `nil` after the last message before a close frame.
  ///
  /// After this side's own close frame it is `nil` when the peer has answered it.
  ///
  /// - Throws: `TransportError`: `.connectionLost` when the connection breaks without a close frame,
  ///   `.unreadableResponse` when the peer sends bytes that are not a WebSocket frame, `.bodyTooLarge` when a message
  ///   exceeds the limit, `.cancelled` when the task is cancelled.
  func receive() async throws(TransportError) -> WebSocketMessage?

  /// Sends a ping, and returns when its pong has arrived (RFC 6455 §5.5.2).
  ///
  /// The peer answers automatically, as this side does. Unreceived messages on either side delay the pong.
  ///
  /// - Throws: The same errors as ``receive()``; `.connectionLost` also when a close frame arrives in place of the
  ///   pong.
  func ping() async throws(TransportError)

  /// Closes the connection with a close frame; messages in transit can still be received.
  ///
  /// It returns when the frame has been sent, even in a cancelled task. If the peer does not answer within ten seconds,
  /// the connection is broken. A connection that is already closed or broken is unchanged.
  ///
  /// - Parameter closure: The code and the reason. A code that a close frame must not contain (RFC 6455 §7.4.1) is
  ///   omitted, so that the peer receives `Code(rawValue: 1005)`.
  func close(_ closure: WebSocketClosure) async
}

extension WebSocketConnection {
  /// Closes the connection with the code 1000.
  public func close() async {
    await close(WebSocketClosure(.normalClosure))
  }
}

/// The reason why a WebSocket was closed: the content of its close frame (RFC 6455 §5.5.1).
public struct WebSocketClosure: Sendable, Hashable, CustomStringConvertible {
  /// A status code (RFC 6455 §7.4).
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt16

    /// Creates a code from its number.
    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// 1000: normal closure.
    public static let normalClosure: Code = Code(rawValue: 1000)
    /// 1001: the server shuts down, or the client leaves.
    public static let goingAway: Code = Code(rawValue: 1001)
    /// 1002: a frame violates the protocol.
    package static let protocolError: Code = Code(rawValue: 1002)
    /// 1003: the kind of message is not supported.
    package static let unsupportedData: Code = Code(rawValue: 1003)
    /// 1005: the close frame has no code; never sent.
    package static let noStatus: Code = Code(rawValue: 1005)
    /// 1007: a text message is not valid UTF-8.
    package static let invalidPayload: Code = Code(rawValue: 1007)
    /// 1008: a policy forbids the message.
    package static let policyViolation: Code = Code(rawValue: 1008)
    /// 1009: the message exceeds the limit.
    package static let messageTooBig: Code = Code(rawValue: 1009)
    /// 1011: the server failed.
    package static let internalError: Code = Code(rawValue: 1011)
    /// 1013: the server is overloaded, and the client may try again later.
    package static let tryAgainLater: Code = Code(rawValue: 1013)
  }

  /// The status code.
  public var code: Code
  /// The reason for a log, at most 123 bytes of UTF-8 on the wire; a longer one is truncated at a character boundary.
  public var reason: String

  /// Creates a closure.
  public init(_ code: Code, _ reason: String = "") {
    self.code = code
    self.reason = reason
  }

  /// The code and the reason.
  public var description: String {
    reason.isEmpty ? "\(code.rawValue)" : "\(code.rawValue) (\(reason))"
  }
}

extension WebSocketClosure.Code {
  /// Whether a close frame may contain the code (RFC 6455 §7.4, and the codes registered with IANA since).
  package var mayBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

extension WebSocketClosure {
  /// The closure as the peer receives it.
  ///
  /// A code that must not be sent is omitted, and a reason that does not fit into a control frame is truncated.
  package var asSent: WebSocketClosure {
    guard code.mayBeSent else { return WebSocketClosure(.noStatus) }
    guard reason.utf8.count > 123 else { return self }
    var cut = ""
    var size = 0
    for character in reason {
      size += character.utf8.count
      guard size <= 123 else { break }
      cut.append(character)
    }
    return WebSocketClosure(code, cut)
  }
}

extension WebSocketConnection {
  /// Runs an operation, and ends the connection when the task is cancelled.
  ///
  /// The connection is ended in a separate task. During a cancellation the runtime holds a lock of the cancelled task,
  /// and resuming or cancelling another task, such as that of the other end, acquires that of the other. If both are
  /// cancelled at once, each would wait for the other forever.
  package static func cancelling<Result: Sendable>(
    _ breakOff: @escaping @Sendable () -> Void, _ operation: @Sendable () async throws -> Result
  ) async throws(TransportError) -> Result {
    if Task.isCancelled { breakOff() }
    do {
      return try await withTaskCancellationHandler(operation: operation, onCancel: { Task { breakOff() } })
    } catch {
      if Task.isCancelled { throw TransportError(.cancelled, "The task was cancelled.", cause: error) }
      throw TransportError(wrapping: error)
    }
  }
}

extension TransportError {
  /// The error for a sender after a close frame.
  package static let webSocketClosed = TransportError(.connectionLost, "The WebSocket is closed.")
  /// The error for all callers after a connection has ended without a close frame.
  package static let webSocketLost = TransportError(
    .connectionLost, "The WebSocket broke without a close frame.")
}

/// A type that opens WebSockets: the interface between a service and a server that sends messages on its own.
public protocol WebSocketTransport: Sendable {
  /// Opens a WebSocket, and returns when the server has accepted the handshake (RFC 6455 §4).
  ///
  /// - Parameter request: A GET to an absolute `ws`, `wss`, `http` or `https` URL; the fields of the handshake are
  ///   added to its own. `Sec-WebSocket-Protocol` offers subprotocols. Its timeout limits the handshake.
  /// - Throws: `TransportError`; for `.webSocketRefused` the cause is a ``WebSocketRefusal`` with the server's answer.
  func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection
}

/// The answer of a server that did not accept a WebSocket handshake.
public struct WebSocketRefusal: Error, Sendable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var fields: HTTP.Fields

  /// Creates a refusal.
  public init(status: Int, fields: HTTP.Fields = [:]) {
    self.status = status
    self.fields = fields
  }
}

/// The server side of an open WebSocket.
///
/// When it returns, the connection is closed with 1000 unless it already has been. A `TransportError` breaks the
/// connection without a close frame; `.unreadableResponse` does so after bytes that are not a frame. Any other error
/// closes it with 1011. Cancellation of the session breaks the connection, too.
package typealias WebSocketSession = @Sendable (any WebSocketConnection) async throws -> Void

extension WebSocketMessage {
  /// The maximum size of a message, in bytes; a larger one breaks the connection.
  package static let sizeLimit = 16 << 20
}

extension HTTP.Request {
  /// The request with an `http` or `https` URL, if it is a valid WebSocket handshake.
  ///
  /// - Throws: `.invalidRequest` unless it is a GET without a body to an absolute URL, or if it offers an extension.
  package func forWebSocket() throws(TransportError) -> HTTP.Request {
    guard method == .get, body == nil else {
      throw TransportError(.invalidRequest, "A WebSocket handshake must be a GET request without a body.")
    }
    guard fields["Sec-WebSocket-Extensions"] == nil else {
      throw TransportError(
        .invalidRequest, "WebSocket extensions are not supported. Remove Sec-WebSocket-Extensions.")
    }
    var request = self
    if let scheme = url.scheme?.lowercased(), ["ws", "wss"].contains(scheme),
      var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    {
      components.scheme = scheme == "ws" ? "http" : "https"
      request.url = components.url ?? url
    }
    try request.checkTarget()
    return request
  }

  /// Rejects a subprotocol that the client has not offered (RFC 6455 §4.1).
  package func checkSubprotocol(_ chosen: String?) throws(TransportError) {
    guard let chosen else { return }
    guard fields.hasToken(chosen, in: "Sec-WebSocket-Protocol", ignoringCase: false) else {
      throw TransportError(
        .unreadableResponse, "The server chose the subprotocol \"\(chosen)\", which was not offered.")
    }
  }
}

extension TransportError {
  /// An error for an answer that does not accept the handshake.
  package static func refusingWebSocket(_ status: Int, _ fields: HTTP.Fields) -> TransportError {
    TransportError(
      .webSocketRefused, "The server rejected the WebSocket handshake with the status \(status).",
      cause: WebSocketRefusal(status: status, fields: fields))
  }
}

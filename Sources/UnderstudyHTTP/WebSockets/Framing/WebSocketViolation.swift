/// A protocol violation by a peer, which fails the connection (RFC 6455 §7.1.7).
package struct WebSocketViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The code of the close frame.
  package let code: WebSocketClosure.Code
  /// One sentence with what was received and what was expected, short enough for a close frame.
  package let message: String

  package var description: String { message }

  /// The error that `receive()` throws.
  package var error: TransportError {
    let tooBig = code == .messageTooBig
    return TransportError(tooBig ? .bodyTooLarge : .unreadableResponse, message, cause: self)
  }

  static func breaksProtocol(_ message: String) -> WebSocketViolation {
    WebSocketViolation(code: .protocolError, message: message)
  }
}

/// A rule that a peer broke, after which its connection is failed (RFC 6455 §7.1.7).
package struct WebSocketViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the close frame says to it.
  package let code: WebSocketClosure.Code
  /// One sentence on what came, in place of what; short enough for a close frame.
  package let message: String

  package var description: String { message }

  /// What `receive()` throws.
  package var error: TransportError {
    let tooBig = code == .messageTooBig
    return TransportError(tooBig ? .bodyTooLarge : .unreadableResponse, message, cause: self)
  }

  static func breaksProtocol(_ message: String) -> WebSocketViolation {
    WebSocketViolation(code: .protocolError, message: message)
  }
}

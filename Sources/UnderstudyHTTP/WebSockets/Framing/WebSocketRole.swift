/// A side of a WebSocket.
package enum WebSocketRole: Sendable {
  /// The side that requested the connection; it masks its frames (RFC 6455 §5.3).
  case client
  /// The side that accepted the connection; it does not mask its frames.
  case server
}

/// Which side of a WebSocket somebody is.
package enum WebSocketRole: Sendable {
  /// Has asked for it; masks what it sends (RFC 6455 §5.3).
  case client
  /// Has agreed to it, and masks nothing.
  case server
}

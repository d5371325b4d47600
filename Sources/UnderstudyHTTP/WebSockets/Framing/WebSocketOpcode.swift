/// The type of a frame (RFC 6455 §5.2); other numbers are reserved.
package enum WebSocketOpcode: UInt8, Sendable {
  /// A continuation of a message.
  case continuation = 0x0
  /// A text message, or its first fragment.
  case text = 0x1
  /// A binary message, or its first fragment.
  case binary = 0x2
  /// A close frame.
  case close = 0x8
  /// A ping, which requests a pong.
  case ping = 0x9
  /// A pong, which answers a ping.
  case pong = 0xA

  /// Whether this is a control frame, which may occur between the fragments of a message (RFC 6455 §5.5).
  package var isControl: Bool { rawValue & 0x8 != 0 }
}

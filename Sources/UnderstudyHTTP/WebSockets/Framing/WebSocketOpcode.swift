/// What a frame is (RFC 6455 §5.2); the other numbers are reserved.
package enum WebSocketOpcode: UInt8, Sendable {
  /// More of a message.
  case continuation = 0x0
  /// A message of text, or its first part.
  case text = 0x1
  /// A message of bytes, or its first part.
  case binary = 0x2
  /// Goodbye.
  case close = 0x8
  /// Asks for a pong.
  case ping = 0x9
  /// Answers a ping.
  case pong = 0xA

  /// Whether the frame is about the connection, and may come between the parts of a message (RFC 6455 §5.5).
  package var isControl: Bool { rawValue & 0x8 != 0 }
}

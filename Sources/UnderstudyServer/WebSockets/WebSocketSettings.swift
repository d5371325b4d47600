package import UnderstudyHTTP
package import Understudy

/// The settings of a WebSocket over a byte stream.
package struct WebSocketSettings: Sendable {
  /// The limits for received data.
  package var limits: WebSocketParser.Limits
  /// The maximum duration between this side's close frame and the peer's, after which the connection is aborted.
  package var closingTime: Duration
  /// The clock of the closing time.
  package var time: Time
  /// The source of masks and keys, which must be unpredictable (RFC 6455 §10.3).
  package var random: @Sendable () -> UInt32

  /// Creates settings (default: the parser's limits, 10 seconds, the system clock and random values).
  package init(
    limits: WebSocketParser.Limits = WebSocketParser.Limits(), closingTime: Duration = .seconds(10),
    time: Time = .system, random: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) }
  ) {
    self.limits = limits
    self.closingTime = closingTime
    self.time = time
    self.random = random
  }
}

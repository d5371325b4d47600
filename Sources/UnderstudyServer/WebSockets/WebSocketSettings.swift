package import UnderstudyHTTP
package import Understudy

/// How a WebSocket over a byte stream behaves, for whoever opens one and for tests.
package struct WebSocketSettings: Sendable {
  /// How much is borne of what the peer sends.
  package var limits: WebSocketParser.Limits
  /// How long the peer may take, after a close frame was sent, before the connection is broken off.
  package var closingTime: Duration
  /// What that time runs on.
  package var time: Time
  /// Where masks and keys come from; they must not be foreseen (RFC 6455 §10.3).
  package var random: @Sendable () -> UInt32

  /// Settings; the usual ones unless said otherwise.
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

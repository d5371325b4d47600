package import Foundation
package import Understudy
package import UnderstudyHTTP

/// A snapshot of a server's exchange, for a log.
package struct ServedExchange: Sendable {
  /// The kind of a response.
  package enum Kind: Sendable, Hashable {
    /// A head and a body in memory.
    case whole
    /// A body that is produced while it is sent.
    case stream
    /// A WebSocket.
    case webSocket
  }

  /// The progress of an exchange.
  package enum Stage: Sendable, Hashable {
    /// The head was sent and the rest was not; reported only for streams and WebSockets.
    case begun
    /// The whole response was passed to the socket.
    case complete
    /// The handler or a fault aborted the exchange, with the reason.
    case brokenOff(String)
    /// The client disconnected.
    case abandoned
  }

  /// The number of the exchange on its server, from 1.
  package let number: Int
  /// The request.
  package let request: HTTP.Request
  /// The status; `nil` if the connection ended before one was sent.
  package var status: Int?
  package var kind = Kind.whole
  package var stage = Stage.complete
  /// The number of body bytes sent; for a WebSocket, the bytes of its sent messages.
  package var bytes = 0
  /// The number of body chunks sent; for a WebSocket, its sent messages.
  package var chunks = 0
  /// The number of messages received over a WebSocket.
  package var messagesReceived = 0
  /// The duration of the exchange, on the server's clock.
  package var duration = Duration.zero
  /// The injected faults, in order.
  package var faults: [Fault] = []
  /// Why injected faults had no effect, with what to use instead.
  package var obstacles: [Fault: String] = [:]
  /// The body, if it was in memory in one piece.
  package var body: Data?
}

/// The callbacks of a server for a log; called on the server's thread, so they must not block.
package struct ServerObserver: Sendable {
  /// Called when an exchange reaches a `ServedExchange.Stage`.
  package let exchange: @Sendable (ServedExchange) -> Void
  /// Called when a request is refused before it reaches the handler, with the status and the reason.
  ///
  /// The status is `nil` if no response could be sent, because TLS could not be established.
  package let refusal: @Sendable (_ status: Int?, _ reason: String) -> Void

  /// Creates an observer from callbacks.
  package init(
    exchange: @escaping @Sendable (ServedExchange) -> Void,
    refusal: @escaping @Sendable (_ status: Int?, _ reason: String) -> Void
  ) {
    self.exchange = exchange
    self.refusal = refusal
  }
}

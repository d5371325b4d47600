package import Foundation
package import Understudy
package import UnderstudyHTTP

/// One exchange of a server as far as it has come, for a log.
package struct ServedExchange: Sendable {
  /// What the answer is made of.
  package enum Kind: Sendable, Hashable {
    /// A head, and a body that was in memory.
    case whole
    /// A body that is made while it is sent.
    case stream
    /// A WebSocket.
    case webSocket
  }

  /// How far it has come.
  package enum Stage: Sendable, Hashable {
    /// The head is on its way, and what follows it is not yet; only streams and WebSockets are told of then.
    case begun
    /// All that was to be said was handed over to be sent.
    case complete
    /// The handler, or a fault, broke it off; why, in words.
    case brokenOff(String)
    /// The client left.
    case abandoned
  }

  /// Which of the server's exchanges it is, from one.
  package let number: Int
  /// What was asked.
  package let request: HTTP.Request
  /// The status; `nil` if the connection ended before one was sent.
  package var status: Int?
  package var kind = Kind.whole
  package var stage = Stage.complete
  /// How many bytes of the body were handed over; of a WebSocket, those of the messages sent.
  package var bytes = 0
  /// How many chunks of the body were handed over; of a WebSocket, the messages sent.
  package var chunks = 0
  /// How many messages came over a WebSocket.
  package var messagesReceived = 0
  /// How long it has taken, on the server's time.
  package var duration = Duration.zero
  /// What was injected into it, in order.
  package var faults: [Fault] = []
  /// The body, where it was in memory in one piece.
  package var body: Data?
}

/// What a server tells a log; called on its thread, so it must be quick.
package struct ServerObserver: Sendable {
  /// An exchange has come to a ``ServedExchange/Stage``.
  package let exchange: @Sendable (ServedExchange) -> Void
  /// What no handler sees was refused, with a status and in words.
  package let refusal: @Sendable (_ status: Int, _ reason: String) -> Void

  /// An observer of these functions.
  package init(
    exchange: @escaping @Sendable (ServedExchange) -> Void,
    refusal: @escaping @Sendable (_ status: Int, _ reason: String) -> Void
  ) {
    self.exchange = exchange
    self.refusal = refusal
  }
}

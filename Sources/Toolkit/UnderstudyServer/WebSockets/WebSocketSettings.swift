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
  /// The memory for unfinished messages that the connection shares with others; `nil` if it shares none.
  package var unfinishedMessages: ByteBudget?

  /// Creates settings (default: the parser's limits, 10 seconds, the system clock, random values and no shared memory).
  package init(
    limits: WebSocketParser.Limits = WebSocketParser.Limits(), closingTime: Duration = .seconds(10),
    time: Time = .system, random: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) },
    unfinishedMessages: ByteBudget? = nil
  ) {
    self.limits = limits
    self.closingTime = closingTime
    self.time = time
    self.random = random
    self.unfinishedMessages = unfinishedMessages
  }
}

/// A number of bytes that several connections may hold together.
package final class ByteBudget: Sendable {
  /// The maximum number of bytes.
  let limit: Int
  private let used = Locked(0)

  /// Creates an unused budget.
  package init(_ limit: Int) {
    self.limit = limit
  }

  /// The part of the budget that one connection holds; it is returned when the value is released.
  final class Share: Sendable {
    private let budget: ByteBudget
    private let held = Locked(0)

    init(of budget: ByteBudget) {
      self.budget = budget
    }

    deinit {
      _ = hold(0)
    }

    /// Changes the number of bytes that the connection holds.
    ///
    /// - Returns: Whether the budget suffices; otherwise the connection holds nothing, and must release its bytes.
    func hold(_ count: Int) -> Bool {
      held.withLock { held in
        let isHeld = budget.used.withLock { used in
          let total = used - held + count
          let isHeld = count <= held || total <= budget.limit
          used = isHeld ? total : used - held
          return isHeld
        }
        held = isHeld ? count : 0
        return isHeld
      }
    }
  }
}

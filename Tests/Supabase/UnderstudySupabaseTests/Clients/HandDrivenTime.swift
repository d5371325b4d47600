import Foundation
import Understudy
import UnderstudyHTTP

/// A clock that a test advances.
final class HandDrivenTime: Sendable {
  private let date: Locked<Date> = Locked(Date(timeIntervalSince1970: 1_767_441_600.123456))

  /// The date 2026-01-03 12:00:00.123456 UTC, with a clock on which no task sleeps.
  var time: Time { Time(clock: ContinuousClock()) { self.date.withLock { $0 } } }

  func advance(by seconds: Double) {
    date.withLock { $0 += seconds }
  }
}

import Foundation
import Understudy
import UnderstudyHTTP

/// A date that stands still until a test moves it.
final class HandDrivenTime: Sendable {
  private let date: Locked<Date> = Locked(Date(timeIntervalSince1970: 1_767_441_600.123456))

  /// 3 January 2026, 12:00:00.123456 UTC, and a clock that nothing here sleeps on.
  var time: Time { Time(clock: ContinuousClock()) { self.date.withLock { $0 } } }

  func advance(by seconds: Double) {
    date.withLock { $0 += seconds }
  }
}

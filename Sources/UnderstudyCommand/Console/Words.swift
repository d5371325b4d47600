import Understudy
import Foundation

extension Words {
  static func duration(_ duration: Duration) -> String {
    self.duration(milliseconds: duration / .milliseconds(1))
  }

  /// To a tenth of a millisecond, or from a second on to a hundredth of a second.
  static func duration(milliseconds: Double) -> String {
    abs(milliseconds) < 1000
      ? "\((milliseconds * 10).rounded() / 10) ms" : "\((milliseconds / 10).rounded() / 100) s"
  }

  /// In units of a thousand, to a tenth.
  static func bytes(_ count: Int) -> String {
    guard count >= 1000 else { return "\(count) B" }
    var (amount, unit) = (Double(count) / 1000, "kB")
    for larger in ["MB", "GB", "TB"] where amount >= 1000 {
      (amount, unit) = (amount / 1000, larger)
    }
    return "\((amount * 10).rounded() / 10) \(unit)"
  }

  /// A date in UTC, to the second.
  static func date(_ date: Date) -> String { Date.ISO8601FormatStyle().format(date) }
}

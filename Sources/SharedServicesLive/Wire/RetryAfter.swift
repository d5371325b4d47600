import Foundation

/// The value of a `Retry-After` field (RFC 9110 §10.2.3): seconds, or a date.
struct RetryAfter: Hashable {
  /// The delay, from zero for a past date to one day at most.
  let delay: Duration

  /// Parses the value of a field; `nil` if it is neither seconds nor a date.
  init?(_ text: String, now: Date) {
    let longest = 86_400
    let text = text.trimmingCharacters(in: .whitespaces)
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // A number that overflows `Int` exceeds the maximum.
      delay = .seconds(min(Int(text) ?? longest, longest))
      return
    }
    guard let date = Self.date(text) else { return nil }
    delay = .seconds(min(max(0, date.timeIntervalSince(now)), Double(longest)))
  }

  /// Parses all three date formats of HTTP (RFC 9110 §5.6.7).
  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    for format in [
      "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
    ] {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}

import Foundation
import UnderstudyHTTP

/// The `Date` field (RFC 9110 §6.6.1), formatted at most once per second.
struct DateStamp: Sendable {
  private var second = Int64.min
  private var line: [UInt8] = []

  /// The field line with its line end, such as `Date: Sun, 06 Nov 1994 08:49:37 GMT`.
  mutating func line(at date: Date) -> [UInt8] {
    let now = max(0, HTTPDate.seconds(of: date))
    if now != second {
      second = now
      line = Array("Date: \(HTTPDate.text(ofSeconds: now))\r\n".utf8)
    }
    return line
  }
}

import Foundation
import Testing
import UnderstudyTesting

@testable import SharedServicesLive

@Suite(.stallLimit()) struct RetryAfterTests {
  /// 1994-11-06T08:49:00Z; RFC 9110 §5.6.7 writes the moment 37 seconds later in its three forms.
  private static let now = Date(timeIntervalSince1970: 784_111_740)

  @Test(arguments: [
    ("0", 0), ("120", 120), (" 5 ", 5), ("99999999999999999999999999", 86_400), ("100000", 86_400),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sunday, 06-Nov-94 08:49:37 GMT", 37),
    ("Sun Nov  6 08:49:37 1994", 37), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
  ]) func delays(text: String, seconds: Int) {
    #expect(RetryAfter(text, now: Self.now)?.delay == .seconds(seconds))
  }

  @Test(arguments: ["", "-1", "1.5", "soon", "+5", "٣"]) func neither(text: String) {
    #expect(RetryAfter(text, now: Self.now) == nil)
  }
}

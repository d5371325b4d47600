import Foundation
import Testing
import UnderstudyHTTP

/// The form of RFC 9110 §5.6.7.
@Suite struct HTTPDateTests {
  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0.9, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (-0.1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    (-1e300, "Mon, 01 Jan 0001 00:00:00 GMT"), (1e300, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ])
  func aDateHasTheFormOfHTTP(_ seconds: Double, _ text: String) {
    #expect(HTTPDate.text(of: Date(timeIntervalSince1970: seconds)) == text)
  }
}

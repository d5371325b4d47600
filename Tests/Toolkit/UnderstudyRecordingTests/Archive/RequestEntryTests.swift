import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// The parts of an entry that do not use Foundation's parsers and formatters have equal results.
@Suite(.stallLimit()) struct RequestEntryTests {
  @Test(arguments: [
    "https://a.example/", "https://a.example/?", "https://a.example/?a", "https://a.example/?a=1&b=2&a=3",
    "https://a.example/?a=1&&b=", "https://a.example/?=x&a==b", "https://a.example/?a%20b=c%2Bd+e",
    "https://a.example/?x=%C3%A9#f?y=1", "https://a.example/?x=1?y=2", "https://a.example/#f?x=1",
    "https://a.example?x=%E2%82%AC&",
  ])
  func itemsOfAQuery(_ text: String) throws {
    let url = try #require(URL(string: text))
    let expected = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let items = HTTPArchive.Request(HTTP.Request(.get, url)).queryString
    #expect(items.map(\.name) == expected.map(\.name))
    #expect(items.map(\.value) == expected.map { $0.value ?? "" })
  }

  @Test func datesAreThoseOfTheGregorianCalendar() {
    var generator = SeededGenerator(seed: 5)
    var seconds: [Double] = [
      0, -1, 951_782_400, 1_709_164_799, 4_107_542_400, -62_135_596_800, 253_402_300_799,
    ]
    seconds += (0..<2000).map { _ in
      Double(Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator))
    }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for second in seconds {
      let date = Date(timeIntervalSince1970: second + Double.random(in: 0..<1, using: &generator))
      let entry = HTTPArchive.Entry(
        startedDateTime: date, request: .init(members: []), response: .init(members: []),
        timings: .init(wait: 0, receive: 0))
      #expect(entry["startedDateTime"] == .string(style.format(date)), "\(second)")
    }
  }
}

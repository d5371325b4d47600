import Foundation
import Understudy
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording

/// A generator of recordings with about 5.5 KB per entry.
///
/// The entries have headers, cookies, JSON bodies with escapes, some base64 bodies, and texts in many scripts.
struct SyntheticArchive {
  /// The maximum number of entries that differ in more than their number.
  private static let differentEntries = 10_000

  private var random: SeededGenerator

  /// Writes a file with a number of entries.
  static func write(to file: URL, entries count: Int, seed: UInt64) throws {
    var archive = SyntheticArchive(random: SeededGenerator(seed: seed))
    let texts = try (0..<min(count, differentEntries)).map { _ in try archive.entryText() }
    try Data().write(to: file)
    let output = try FileHandle(forWritingTo: file)
    defer { try? output.close() }
    var buffer = Data(try parts(of: HTTPArchive.Log()).before)
    for number in 0..<count {
      if number > 0 { buffer += Data(",".utf8) }
      let text = texts[number % texts.count]
      buffer += text.before + Data(path(of: number).utf8) + text.after
      if buffer.count > 1 << 20 {
        try output.write(contentsOf: buffer)
        buffer.removeAll()
      }
    }
    buffer += try parts(of: HTTPArchive.Log()).after
    try output.write(contentsOf: buffer)
  }

  /// The request of an entry.
  static func request(_ number: Int) throws -> HTTP.Request { HTTP.Request(.get, try url(path(of: number))) }

  private static func url(_ path: String) throws -> URL {
    guard let url = URL(string: "https://api.example.com" + path) else {
      throw CommandError("No URL: \(path)")
    }
    return url
  }

  private static func path(of number: Int) -> String { "/todos/\(number)" }

  /// The document of a log as written by this package, before and after its entries.
  private static func parts(of log: HTTPArchive.Log) throws -> (before: Data, after: Data) {
    let data = HTTPArchive(log: log).data
    let start = Data(#""entries": ["#.utf8)
    guard let range = data.range(of: start), let end = data.lastIndex(of: UInt8(ascii: "]")) else {
      throw CommandError("The written archive has no list of entries.")
    }
    return (data[..<range.upperBound], data[end...])
  }

  /// The text of an entry, before and after its path.
  private mutating func entryText() throws -> (before: Data, after: Data) {
    let mark = "/number"
    let request = HTTP.Request(.get, try Self.url(mark), fields: fields(9) + cookies("Cookie", 2))
    let isBinary = Int.random(in: 0..<7, using: &random) == 0
    let body =
      isBinary ? Data((0..<1_500).map { _ in UInt8.random(in: .min ... .max, using: &random) }) : json()
    let response = HTTPArchive.Response(
      status: 200, fields: fields(11) + cookies("Set-Cookie", 1),
      content: .init(body, mimeType: isBinary ? "image/png" : "application/json"))
    let entry = HTTPArchive.Entry(
      startedDateTime: Date(
        timeIntervalSince1970: 1_767_441_600 + Double.random(in: 0..<1e6, using: &random)),
      request: .init(request), response: response,
      timings: .init(wait: Double.random(in: 5..<200, using: &random), receive: 1.5))
    let (whole, empty) = (HTTPArchive(log: .init(entries: [entry])).data, try Self.parts(of: .init()))
    let text = whole.dropFirst(empty.before.count).dropLast(empty.after.count)
    guard let range = text.range(of: Data(mark.utf8)) else {
      throw CommandError("\(mark) is not in an entry.")
    }
    return (text[..<range.lowerBound], text[range.upperBound...])
  }

  private mutating func fields(_ count: Int) -> HTTP.Fields {
    HTTP.Fields(
      (0..<count).map { _ in
        let name = ["Accept", "Cache-Control", "Content-Type", "ETag", "User-Agent", "X-Request-Id"]
        return .init(
          name: name.randomElement(using: &random) ?? "", value: token(Int.random(in: 4...60, using: &random))
        )
      })
  }

  private mutating func cookies(_ name: String, _ count: Int) -> HTTP.Fields {
    HTTP.Fields((0..<count).map { _ in .init(name: name, value: "c\(token(3))=\(token(24))") })
  }

  private mutating func token(_ count: Int) -> String {
    let digits = Array("0123456789abcdef-;= ")
    return String((0..<count).map { _ in digits.randomElement(using: &random) ?? "0" })
  }

  private mutating func json() -> Data {
    let words = [
      "milk", "bread", "the", "quick", "\"fox\"", "a\\b", "naïve", "Größe", "日本語", "строка", "😀", "\n",
      "jumps",
      "over", "lazy", "dogs",
    ]
    var rows: [JSONValue] = []
    var size = 0
    while size < 1_900 {
      let title = (0..<Int.random(in: 3...12, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }
      let row = JSONValue.object([
        .init("id", .string(random.nextUUIDString())), .init("title", .string(title.joined(separator: " "))),
        .init("is_done", .boolean(Bool.random(using: &random))),
        .init("position", .number("\(Int.random(in: 0..<100_000, using: &random))")),
        .init("created_at", .string("2026-01-03T13:00:00Z")),
      ])
      rows.append(row)
      size += row.compactText.utf8.count
    }
    return Data(JSONValue.array(rows).compactText.utf8)
  }
}

private func + (one: HTTP.Fields, other: HTTP.Fields) -> HTTP.Fields {
  HTTP.Fields(Array(one) + Array(other))
}

import Foundation
import UnderstudyTransport

/// What differs between two bodies, a line for each value.
enum JSONDifference {
  /// At most this many lines; the rest is counted.
  private static let most = 10

  static func lines(between recorded: RequestKey.Body, and asked: RequestKey.Body) -> [String] {
    guard case .json(let one) = recorded, case .json(let other) = asked else {
      return ["body: recorded \(words(for: recorded)), asked \(words(for: asked))"]
    }
    var lines: [String] = []
    compare(one, other, at: "$", into: &lines)
    let rest = lines.count - most
    return rest > 0 ? lines.prefix(most) + ["body: \(rest) more differences"] : lines
  }

  private static func words(for body: RequestKey.Body) -> String {
    switch body {
    case .none: "no body"
    case .json(let json): text(json)
    case .bytes(let bytes):
      String(exactlyUTF8: bytes).map { text(.string($0)) } ?? "\(bytes.count) bytes"
    }
  }

  private static func compare(
    _ recorded: JSONValue, _ asked: JSONValue, at path: String, into lines: inout [String]
  ) {
    switch (recorded, asked) {
    case (.object(let one), .object(let other)):
      for name in Set((one + other).map(\.name)).sorted() {
        compareMember(recorded[name], asked[name], at: "\(path).\(name)", into: &lines)
      }
    case (.array(let one), .array(let other)):
      for index in 0..<max(one.count, other.count) {
        compareMember(
          index < one.count ? one[index] : nil, index < other.count ? other[index] : nil,
          at: "\(path)[\(index)]", into: &lines)
      }
    default:
      if recorded != asked { lines.append("body \(path): recorded \(text(recorded)), asked \(text(asked))") }
    }
  }

  private static func compareMember(
    _ recorded: JSONValue?, _ asked: JSONValue?, at path: String, into lines: inout [String]
  ) {
    if let recorded, let asked { return compare(recorded, asked, at: path, into: &lines) }
    if let recorded { lines.append("body \(path): recorded \(text(recorded)), asked nothing") }
    if let asked { lines.append("body \(path): recorded nothing, asked \(text(asked))") }
  }

  private static func text(_ json: JSONValue) -> String {
    var text = ""
    json.writeIndented(into: &text)
    let line = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: " ")
    return line.count > 120 ? line.prefix(120) + "…" : line
  }
}

import Foundation
import UnderstudyTransport

/// What differs between two bodies, a line for each value.
enum BodyDifference {
  /// At most this many lines; the rest is counted.
  private static let most = 10

  /// - Parameters:
  ///   - part: What the bodies are, such as `body`.
  ///   - verb: What the client did.
  static func lines(
    _ part: String, between recorded: BodyKey, and asked: BodyKey, _ verb: String = "asked"
  ) -> [String] {
    guard recorded != asked else { return [] }
    var lines = Lines(part: part, verb: verb)
    switch (recorded, asked) {
    case (.json(let one), .json(let other)):
      guard let one = try? JSONValue(parsing: Data(one.utf8)),
        let other = try? JSONValue(parsing: Data(other.utf8))
      else {
        lines.add("", words(for: recorded), words(for: asked))
        break
      }
      lines.compare(one, other, at: "$")
    case (.form(let one), .form(let other)):
      lines.compareNamed(
        "field", one.map { ($0.name, text($0.value)) }, other.map { ($0.name, text($0.value)) })
    case (.parts(let one), .parts(let other)):
      lines.compareNamed("part", one.map { ($0.name, $0.words) }, other.map { ($0.name, $0.words) })
    default:
      lines.add("", words(for: recorded), words(for: asked))
    }
    let rest = lines.all.count - most
    return rest > 0 ? lines.all.prefix(most) + ["\(part): \(rest) more differences"] : lines.all
  }

  private struct Lines {
    let part: String
    let verb: String
    var all: [String] = []

    mutating func add(_ place: String, _ recorded: String?, _ asked: String?) {
      let place = place.isEmpty ? part : "\(part) \(place)"
      all.append("\(place): recorded \(recorded ?? "nothing"), \(verb) \(asked ?? "nothing")")
    }

    mutating func compare(_ recorded: JSONValue, _ asked: JSONValue, at path: String) {
      switch (recorded, asked) {
      case (.object(let one), .object(let other)):
        for name in Set((one + other).map(\.name)).sorted() {
          compareMember(recorded[name], asked[name], at: "\(path)\(BodyDifference.step(name))")
        }
      case (.array(let one), .array(let other)):
        for index in 0..<max(one.count, other.count) {
          compareMember(
            index < one.count ? one[index] : nil, index < other.count ? other[index] : nil,
            at: "\(path)[\(index)]")
        }
      default:
        if recorded != asked { add(path, BodyDifference.text(recorded), BodyDifference.text(asked)) }
      }
    }

    private mutating func compareMember(_ recorded: JSONValue?, _ asked: JSONValue?, at path: String) {
      if let recorded, let asked { return compare(recorded, asked, at: path) }
      if recorded != nil || asked != nil {
        add(path, recorded.map(BodyDifference.text), asked.map(BodyDifference.text))
      }
    }

    /// Compares what has names, of which one can come several times.
    mutating func compareNamed(
      _ kind: String, _ recorded: [(name: String, text: String)], _ asked: [(name: String, text: String)]
    ) {
      for name in Set((recorded + asked).map(\.name)).sorted() {
        let one = recorded.filter { $0.name == name }.map(\.text)
        let other = asked.filter { $0.name == name }.map(\.text)
        guard one != other else { continue }
        add(
          "\(kind) \(name)", one.isEmpty ? nil : one.joined(separator: ", "),
          other.isEmpty ? nil : other.joined(separator: ", "))
      }
    }
  }

  /// A step of a path as it is written in `BodyMatching.json(ignoring:)`.
  private static func step(_ name: String) -> String {
    let isPlain = !name.isEmpty && !name.contains { ".[]*'\"\\".contains($0) || $0.isWhitespace }
    return isPlain ? ".\(name)" : "['\(name.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
  }

  static func words(for body: BodyKey) -> String {
    switch body {
    case .none: "no body"
    case .json(let json): short(json)
    case .form(let fields):
      short("the form " + fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&"))
    case .parts(let parts): short("the parts " + parts.map(\.name).joined(separator: ", "))
    case .bytes(let bytes): words(for: bytes)
    }
  }

  fileprivate static func words(for bytes: [UInt8]) -> String {
    String(exactlyUTF8: bytes).map { text($0) } ?? "\(bytes.count) bytes"
  }

  private static func text(_ json: JSONValue) -> String { short(json.compactText) }

  fileprivate static func text(_ string: String) -> String { text(.string(string)) }

  private static func short(_ line: String) -> String {
    line.count > 120 ? line.prefix(120) + "…" : line
  }
}

extension BodyKey.Part {
  fileprivate var words: String {
    var words = fileName.map { "the file \(BodyDifference.text($0))" } ?? ""
    if let type { words += words.isEmpty ? type : " (\(type))" }
    return (words.isEmpty ? "" : words + " ") + BodyDifference.words(for: bytes)
  }
}

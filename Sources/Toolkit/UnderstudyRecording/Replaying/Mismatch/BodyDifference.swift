import Foundation
import Understudy
import UnderstudyHTTP

/// A description of the differences between two bodies, with one line for each value.
struct BodyDifference {
  /// The maximum number of lines; further differences are only counted.
  private static let most = 10

  private let part: String
  private let verb: String
  private let hiding: HiddenSecrets
  private var lines: [String] = []

  /// - Parameters:
  ///   - part: The name of the bodies, such as `body`.
  ///   - verb: The action of the client.
  init(_ part: String, verb: String = "requested", hiding: HiddenSecrets) {
    self.part = part
    self.verb = verb
    self.hiding = hiding
  }

  /// Returns the differences; empty for equal bodies.
  func lines(between recorded: BodyKey, and asked: BodyKey) -> [String] {
    guard recorded != asked else { return [] }
    var difference = self
    switch (recorded, asked) {
    case (.json(let one), .json(let other)):
      if let one = try? JSONValue(parsing: Data(one.utf8)),
        let other = try? JSONValue(parsing: Data(other.utf8))
      {
        difference.compare(one, other, at: "$")
      }
    case (.form(let one), .form(let other)):
      difference.compareNamed(
        "field", one.map { ($0.name, text($0.value)) }, other.map { ($0.name, text($0.value)) })
    case (.parts(let one), .parts(let other)):
      difference.compareNamed("part", one.map { ($0.name, words($0)) }, other.map { ($0.name, words($0)) })
    default: break
    }
    if difference.lines.isEmpty { difference.add("", words(for: recorded), words(for: asked)) }
    let rest = difference.lines.count - Self.most
    return rest > 0
      ? difference.lines.prefix(Self.most) + ["\(part): \(rest) more differences"] : difference.lines
  }

  private mutating func add(_ place: String, _ recorded: String?, _ asked: String?) {
    let place = hiding.text(place.isEmpty ? part : "\(part) \(place)")
    lines.append("\(place): recorded \(recorded ?? "nothing"), \(verb) \(asked ?? "nothing")")
  }

  // MARK: Values

  private mutating func compare(_ recorded: JSONValue, _ asked: JSONValue, at path: String) {
    switch (recorded, asked) {
    case (.object(let one), .object(let other)):
      for name in Set((one + other).map(\.name)).sorted() {
        compareMember(recorded[name], asked[name], at: "\(path)\(Self.step(name))")
      }
    case (.array(let one), .array(let other)):
      for index in 0..<max(one.count, other.count) {
        compareMember(
          index < one.count ? one[index] : nil, index < other.count ? other[index] : nil,
          at: "\(path)[\(index)]")
      }
    default:
      if recorded != asked { add(path, short(recorded.compactText), short(asked.compactText)) }
    }
  }

  private mutating func compareMember(_ recorded: JSONValue?, _ asked: JSONValue?, at path: String) {
    if let recorded, let asked { return compare(recorded, asked, at: path) }
    if recorded != nil || asked != nil {
      add(path, recorded.map { short($0.compactText) }, asked.map { short($0.compactText) })
    }
  }

  /// Returns a step of a path in the notation of `BodyMatching.json(ignoring:)`.
  private static func step(_ name: String) -> String {
    let isPlain = !name.isEmpty && !name.contains { ".[]*'\"\\".contains($0) || $0.isWhitespace }
    return isPlain
      ? ".\(name)" : "['\(name.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
  }

  /// Compares named values; names may occur more than once.
  private mutating func compareNamed(
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

  // MARK: Descriptions

  /// Returns a description of a body in one line.
  func words(for body: BodyKey) -> String {
    switch body {
    case .none: "no body"
    case .json(let json): short(json)
    case .form(let fields):
      short("the form " + fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&"))
    case .parts(let parts): short("the parts " + parts.map(\.name).joined(separator: ", "))
    case .bytes(let bytes): words(for: bytes)
    }
  }

  private func words(_ part: MultipartPart) -> String {
    let kind = [part.fileName.map { "the file \(text($0))" }, part.type.map { "(\($0))" }]
    return (kind.compactMap { $0 } + [words(for: part.bytes)]).joined(separator: " ")
  }

  private func words(for bytes: [UInt8]) -> String {
    String(exactlyUTF8: bytes).map(text) ?? "\(bytes.count) bytes"
  }

  private func text(_ string: String) -> String { short(JSONValue.string(string).compactText) }

  private func short(_ line: String) -> String {
    let line = hiding.text(line)
    return line.count > 120 ? line.prefix(120) + "…" : line
  }
}

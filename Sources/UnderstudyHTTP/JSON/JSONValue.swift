package import Foundation

/// A JSON document that preserves the order of members and the digits of numbers.
package enum JSONValue: Sendable, Hashable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case boolean(Bool)
  /// A number in its original digits (RFC 8259 §6), so that no precision is lost.
  case number(String)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object as an ordered list of members; a name may occur several times.
  case object([Member])

  /// A member of an object.
  package struct Member: Sendable, Hashable {
    /// The name.
    package let name: String
    /// The value.
    package let value: JSONValue

    /// Creates a member.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value of the last member with a name; `nil` if this is not an object or the name is missing.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The string; `nil` if this is not a string.
  package var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The number; `nil` for other types.
  package var numberValue: Double? {
    if case .number(let digits) = self { Double(digits) } else { nil }
  }

  /// The integer, in any notation; `nil` for other values.
  package var integerValue: Int? {
    guard case .number(let digits) = self else { return nil }
    return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
  }
}

extension JSONValue {
  /// One step of the path from a document to a value in it.
  package enum Step: Hashable, Sendable {
    case member(String)
    case element(Int)

    /// The path as text, such as `log.entries[3].request`; the document itself is `the document`.
    package static func text(of path: [Step]) -> String {
      guard !path.isEmpty else { return "the document" }
      return path.reduce(into: "") { text, step in
        switch step {
        case .member(let name): text += text.isEmpty ? name : ".\(name)"
        case .element(let index): text += "[\(index)]"
        }
      }
    }
  }
}

extension Data {
  /// A value as JSON with sorted keys, so that equal values have equal bytes.
  package static func json(of value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only strings, integers, booleans and null are encoded here, and encoding them cannot fail.
    return (try? encoder.encode(value)) ?? Data()
  }
}

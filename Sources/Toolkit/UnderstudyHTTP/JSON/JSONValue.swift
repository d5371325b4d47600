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
    ///
    /// - Parameter hasIndices: Whether an element has its index, or empty brackets as any of them.
    package static func text(of path: [Step], hasIndices: Bool = true) -> String {
      guard !path.isEmpty else { return "the document" }
      return path.reduce(into: "") { text, step in
        switch step {
        case .member(let name): text += text.isEmpty ? name : ".\(name)"
        case .element(let index): text += hasIndices ? "[\(index)]" : "[]"
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

extension JSONValue {
  /// An error thrown when the bytes are not a valid JSON document.
  package struct ParsingError: Error, Equatable {
    /// The offset of the invalid byte.
    package let offset: Int
    /// Whether the document is nested too deeply, and may be valid otherwise.
    package let isTooDeep: Bool

    package init(offset: Int, isTooDeep: Bool = false) {
      self.offset = offset
      self.isTooDeep = isTooDeep
    }
  }

  /// Parses a document (RFC 8259).
  ///
  /// Parsing is strict: no comments, no trailing commas, no lone surrogates, and nothing after the document. The
  /// nesting depth is at most 512, so that no input exhausts the stack.
  package init(parsing data: Data) throws(ParsingError) {
    self = try data.withUnsafeBytes { bytes in
      Result { () throws(ParsingError) in try JSONReader(bytes).document() }
    }.get()
  }
}

extension JSONReader {
  fileprivate func document() throws(JSONValue.ParsingError) -> JSONValue {
    let (value, end) = try value(from: endOfSpace(from: 0), depth: 0)
    let rest = endOfSpace(from: end)
    guard rest == bytes.count else { throw .init(offset: rest) }
    return value
  }

  private func value(
    from start: Int, depth: Int
  ) throws(JSONValue.ParsingError) -> (JSONValue, end: Int) {
    guard depth < Self.depthLimit else { throw .init(offset: start, isTooDeep: true) }
    switch byte(at: start) {
    case UInt8(ascii: "{"): return try object(from: start, depth: depth)
    case UInt8(ascii: "["): return try array(from: start, depth: depth)
    case UInt8(ascii: "\""):
      let text = try text(from: start)
      return (.string(string(text)), text.end + 1)
    case UInt8(ascii: "t"): return (.boolean(true), try endOfScalar(from: start))
    case UInt8(ascii: "f"): return (.boolean(false), try endOfScalar(from: start))
    case UInt8(ascii: "n"): return (.null, try endOfScalar(from: start))
    default:
      let end = try endOfNumber(from: start)
      return (.number(string(JSONText(start: start, end: end, hasEscapes: false))), end)
    }
  }

  private func array(
    from start: Int, depth: Int
  ) throws(JSONValue.ParsingError) -> (JSONValue, end: Int) {
    var elements: [JSONValue] = []
    var position = endOfSpace(from: start + 1)
    if byte(at: position) == UInt8(ascii: "]") { return (.array(elements), position + 1) }
    while true {
      let (element, end) = try value(from: position, depth: depth + 1)
      elements.append(element)
      let next = try next(behind: end, before: UInt8(ascii: "]"))
      guard next.isThere else { return (.array(elements), next.position) }
      position = next.position
    }
  }

  private func object(
    from start: Int, depth: Int
  ) throws(JSONValue.ParsingError) -> (JSONValue, end: Int) {
    var members: [JSONValue.Member] = []
    var position = endOfSpace(from: start + 1)
    if byte(at: position) == UInt8(ascii: "}") { return (.object(members), position + 1) }
    while true {
      let name = try name(from: position)
      let (value, end) = try value(from: name.value, depth: depth + 1)
      members.append(.init(string(name.name), value))
      let next = try next(behind: end, before: UInt8(ascii: "}"))
      guard next.isThere else { return (.object(members), next.position) }
      position = next.position
    }
  }
}

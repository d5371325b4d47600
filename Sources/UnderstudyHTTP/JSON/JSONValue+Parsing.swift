package import Foundation

extension JSONValue {
  /// An error thrown when the bytes are not a valid JSON document.
  package struct ParsingError: Error, Equatable {
    /// The offset of the invalid byte.
    package let offset: Int

    package init(offset: Int) {
      self.offset = offset
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
    guard depth < Self.depthLimit else { throw .init(offset: start) }
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

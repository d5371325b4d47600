/// A vector of the extension pgvector, whose value is its text: `[1,2.5,3]`.
struct EmbeddingVector {
  var elements: [Float]

  init(_ elements: [Float]) { self.elements = elements }

  /// Reads a vector as `vector_in` of pgvector does.
  init(parsing text: String) throws(PostgreSQLError) {
    let bytes = TextInput.trimmed(text)
    guard bytes.first == UInt8(ascii: "[") else {
      throw Self.invalid(text, "Vector contents must start with \"[\".")
    }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw Self.invalid(text, nil) }
    guard end == bytes.endIndex - 1 else { throw Self.invalid(text, "Junk after closing right brace.") }
    let content = bytes[bytes.startIndex + 1..<end]
    elements = []
    if content.allSatisfy(\.isSpace) {
      throw PostgreSQLError("22000", "vector must have at least 1 dimension")
    }
    for part in content.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let number = String(decoding: part, as: UTF8.self)
      let trimmed = String(decoding: TextInput.trimmed(number), as: UTF8.self)
      guard let element = Float(trimmed) else { throw Self.invalid(text, nil) }
      let isNamed = trimmed.utf8.contains { $0 | 0x20 == UInt8(ascii: "n") }
      guard element.isFinite || isNamed else {
        throw PostgreSQLError("22003", "\"\(trimmed)\" is out of range for type vector")
      }
      elements.append(element)
    }
    try check()
  }

  private static func invalid(_ text: String, _ detail: String?) -> PostgreSQLError {
    PostgreSQLError("22P02", "invalid input syntax for type vector: \"\(text)\"", detail: detail)
  }

  /// What every vector has: from 1 to 16,000 elements, which are finite.
  func check() throws(PostgreSQLError) {
    if elements.isEmpty { throw PostgreSQLError("22000", "vector must have at least 1 dimension") }
    if elements.count > 16_000 {
      throw PostgreSQLError("54000", "vector cannot have more than 16000 dimensions")
    }
    for element in elements where !element.isFinite {
      throw PostgreSQLError(
        "22000", element.isNaN ? "NaN not allowed in vector" : "infinite value not allowed in vector")
    }
  }

  /// Refuses a vector for a column of another number of dimensions.
  static func check(_ text: String, dimensions: Int) throws(PostgreSQLError) {
    let count = text.utf8.count { $0 == UInt8(ascii: ",") } + 1
    if count != dimensions {
      throw PostgreSQLError("22000", "expected \(dimensions) dimensions, not \(count)")
    }
  }

  var text: String { "[" + elements.map { DecimalNotation.text($0) }.joined(separator: ",") + "]" }
}

extension Cast {
  /// From arrays of numbers, in an assignment, and to `real[]` always.
  static let vectors: [Entry] =
    [DataType.integer, .real, .double, .numeric].map { element in
      Entry(
        .array(element), .vector, .assignment,
        { value, context throws(PostgreSQLError) in
          guard case .array(let array) = value else { return value }
          guard array.dimensions.count <= 1 else { throw PostgreSQLError("22000", "array must be 1-D") }
          var elements: [Float] = []
          for part in array.elements {
            if part.isNull { throw PostgreSQLError("22004", "array must not contain nulls") }
            let text = try element.text(of: part, context: context)
            elements.append(Float(text) ?? .nan)
          }
          let vector = EmbeddingVector(elements)
          try vector.check()
          return .text(vector.text)
        })
    } + [
      Entry(
        .vector, .array(.real), .implicit,
        { value, _ throws(PostgreSQLError) in
          guard case .text(let text) = value else { return value }
          return .array(ArrayValue(try EmbeddingVector(parsing: text).elements.map { .double(Double($0)) }))
        })
    ]
}

/// A `json` or a `jsonb`, for functions that exist for both.
protocol JSONNode: Sendable {
  static var dataType: DataType { get }
  /// The prefix of the functions' names.
  static var prefix: String { get }
  init(_ value: Value)

  var kind: String { get }
  var members: [(key: String, value: Self)] { get throws(PostgreSQLError) }
  var elements: [Self] { get }
  /// The value as `->` returns it.
  var value: Value { get }
  /// The value as `->>` returns it: null for null, a string without quotes.
  var textValue: Value { get throws(PostgreSQLError) }
  var jsonb: JSONB { get throws(PostgreSQLError) }
  /// An element by a key of an object; of equal keys the last.
  func member(_ key: String) throws(PostgreSQLError) -> Self?
  /// An element by an index, from the end if it is negative.
  func element(_ index: Int) -> Self?
}

extension JSONNode {
  /// The text as JSON.
  var text: String {
    switch value {
    case .json(let text): text
    case .jsonb(let json): json.text
    default: preconditionFailure("A node of JSON is json or jsonb.")
    }
  }

  func member(_ key: String) throws(PostgreSQLError) -> Self? {
    guard kind == "object" else { return nil }
    return try members.last { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  func element(_ index: Int) -> Self? {
    guard kind == "array" else { return nil }
    let elements = elements
    let place = index < 0 ? index + elements.count : index
    return elements.indices.contains(place) ? elements[place] : nil
  }

  func element(at path: [Value]) throws(PostgreSQLError) -> Self? {
    var node = self
    for step in path {
      guard case .text(let key) = step else { return nil }
      var next: Self?
      switch node.kind {
      case "object": next = try node.member(key)
      case "array": next = JSONB.index(key).flatMap { node.element($0) }
      default: break
      }
      guard let next else { return nil }
      node = next
    }
    return node
  }
}

extension JSONB: JSONNode {
  static var dataType: DataType { .jsonb }
  static var prefix: String { "jsonb" }

  init(_ value: Value) {
    guard case .jsonb(let json) = value else { preconditionFailure("An argument of jsonb has another type.") }
    self = json
  }

  var members: [(key: String, value: JSONB)] {
    if case .object(let members) = self { members.map { ($0.key, $0.value) } } else { [] }
  }

  var elements: [JSONB] {
    if case .array(let elements) = self { elements } else { [] }
  }

  func member(_ key: String) -> JSONB? { self[key] }
  /// A scalar is stored as an array with one element, and the operators `->` show that.
  func element(_ index: Int) -> JSONB? { isScalar ? (index == 0 || index == -1 ? self : nil) : self[index] }
  var value: Value { .jsonb(self) }

  var textValue: Value {
    switch self {
    case .null: .null
    case .string(let text): .text(text)
    default: .text(text)
    }
  }

  var jsonb: JSONB { self }
}

/// A part of a valid text of `json`.
///
/// Parts keep the text as it was given.
struct JSONText: JSONNode {
  static var dataType: DataType { .json }
  static var prefix: String { "json" }

  /// Without space at its ends.
  private let bytes: ArraySlice<UInt8>

  init(_ value: Value) {
    guard case .json(let text) = value else { preconditionFailure("An argument of json has another type.") }
    var bytes = Array(text.utf8)[...]
    bytes = bytes.drop(while: Self.isSpace)
    while let last = bytes.last, Self.isSpace(last) { bytes.removeLast() }
    self.bytes = bytes
  }

  private init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var value: Value { .json(String(decoding: bytes, as: UTF8.self)) }
  var jsonb: JSONB {
    get throws(PostgreSQLError) { try JSONB(parsing: String(decoding: bytes, as: UTF8.self)) }
  }

  var textValue: Value {
    get throws(PostgreSQLError) {
      switch kind {
      case "null": return .null
      case "string": return .text(try Self.string(bytes))
      default: return .text(String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  private static func string(_ bytes: ArraySlice<UInt8>) throws(PostgreSQLError) -> String {
    guard case .string(let text) = try JSONB(parsing: String(decoding: bytes, as: UTF8.self)) else {
      preconditionFailure("A part of a valid JSON text that begins with a quote is a string.")
    }
    return text
  }

  var kind: String {
    switch bytes.first {
    case UInt8(ascii: "{"): "object"
    case UInt8(ascii: "["): "array"
    case UInt8(ascii: "\""): "string"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): "boolean"
    case UInt8(ascii: "n"): "null"
    default: "number"
    }
  }

  var members: [(key: String, value: JSONText)] {
    get throws(PostgreSQLError) {
      let parts = parts()
      var members: [(key: String, value: JSONText)] = []
      for index in stride(from: 0, to: parts.count - 1, by: 2) {
        members.append((try Self.string(parts[index]), JSONText(parts[index + 1])))
      }
      return members
    }
  }

  var elements: [JSONText] { parts().map { JSONText($0) } }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// The keys and values of an object, or the elements of an array.
  private func parts() -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var depth = 0
    var start: Int?
    var last = bytes.startIndex
    var place = bytes.startIndex
    func finish() {
      if let first = start { parts.append(bytes[first..<last]) }
      start = nil
    }
    while place < bytes.endIndex {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        if depth == 1, start == nil { start = place }
        place += 1
        while bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
        last = place + 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if depth == 1, start == nil { start = place }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { finish() } else { last = place + 1 }
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if depth == 1 { finish() }
      case _ where Self.isSpace(byte): break
      default:
        if depth == 1, start == nil { start = place }
        last = place + 1
      }
      place += 1
    }
    return parts
  }
}

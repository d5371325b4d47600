/// A JSON document, with the members of its objects in order and its numbers as they were written.
public indirect enum JSONValue: Sendable, Hashable {
  /// Nothing.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number in the digits that it was written with (RFC 8259 §6), so that none are lost.
  case number(String)
  /// A string.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Named values in order; a name can come twice.
  case object([Member])

  /// One name of an object, and its value.
  public struct Member: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value.
    public let value: JSONValue

    /// A member of an object.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value of the last member with this name, if this is an object that has one.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The string, if this is one.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
}

extension JSONValue {
  /// As `jsonb` keeps it: the last of several members with one name, the shorter names first.
  func normalized() -> JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map { $0.normalized() })
    case .object(let members):
      var last: [String: JSONValue] = [:]
      for member in members { last[member.name] = member.value.normalized() }
      let names = last.keys.sorted {
        $0.utf8.count != $1.utf8.count
          ? $0.utf8.count < $1.utf8.count : $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      return .object(names.map { Member($0, last[$0] ?? .null) })
    default: return self
    }
  }

  /// Whether a string or a name in it has a NUL, which PostgreSQL cannot keep.
  var containsNUL: Bool {
    switch self {
    case .null, .boolean, .number: false
    case .string(let text): text.utf8.contains(0)
    case .array(let elements): elements.contains(where: \.containsNUL)
    case .object(let members): members.contains { $0.name.utf8.contains(0) || $0.value.containsNUL }
    }
  }
}

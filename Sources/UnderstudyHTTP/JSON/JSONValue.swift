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

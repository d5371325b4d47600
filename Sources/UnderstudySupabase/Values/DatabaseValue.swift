public import UnderstudyHTTP
public import Foundation

/// A value in a column.
///
/// Written as a literal where it can be: `["name": "Mia", "age": 8, "goals": .textArray(["Calm"])]`. A text
/// is read as its column's type, as PostgreSQL reads a quoted literal.
public enum DatabaseValue: Sendable, Hashable {
  /// SQL `NULL`.
  case null
  /// A `uuid`.
  case uuid(UUID)
  /// A `text`, or the text of any other type.
  case text(String)
  /// An `integer`, of 32 bits as in PostgreSQL.
  case integer(Int)
  /// A `double precision`.
  case double(Double)
  /// A `boolean`.
  case boolean(Bool)
  /// A `date`.
  case date(CivilDate)
  /// A `timestamptz`, kept to the microsecond.
  case timestamp(Date)
  /// A `text[]` of one dimension, whose elements can be `NULL`.
  case textArray([String?])
  /// A `jsonb`.
  case json(JSONValue)

  /// The identifier, if this is a `uuid`.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
  /// The string, if this is a `text`.
  public var textValue: String? { if case .text(let value) = self { value } else { nil } }
  /// The number, if this is an `integer`.
  public var integerValue: Int? { if case .integer(let value) = self { value } else { nil } }
  /// The number, if this is a `double precision`.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The truth value, if this is a `boolean`.
  public var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The day, if this is a `date`.
  public var dateValue: CivilDate? { if case .date(let value) = self { value } else { nil } }
  /// The moment, if this is a `timestamptz`.
  public var timestampValue: Date? { if case .timestamp(let value) = self { value } else { nil } }
  /// The elements that are not `NULL`, if this is a `text[]`.
  public var textArrayValue: [String]? {
    if case .textArray(let value) = self { value.compactMap { $0 } } else { nil }
  }
  /// The document, if this is a `jsonb`.
  public var jsonValue: JSONValue? { if case .json(let value) = self { value } else { nil } }
  /// Whether this is `NULL`.
  public var isNull: Bool { self == .null }
}

extension DatabaseValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// A text, or the text of the column's type.
  public init(stringLiteral value: String) { self = .text(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A double.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// `NULL`.
  public init(nilLiteral: ()) { self = .null }
}

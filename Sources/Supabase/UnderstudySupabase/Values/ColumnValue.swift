package import Foundation
package import UnderstudyHTTP

/// A value of a column.
///
/// Literals are supported: `["name": "Mia", "age": 8, "goals": .textArray(["Calm"])]`. A text
/// is read as its column's type, as PostgreSQL reads a quoted literal.
package enum ColumnValue: Sendable, Hashable {
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
  package var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
  /// The string, if this is a `text`.
  package var textValue: String? { if case .text(let value) = self { value } else { nil } }
  /// The number, if this is an `integer`.
  package var integerValue: Int? { if case .integer(let value) = self { value } else { nil } }
  /// The truth value, if this is a `boolean`.
  package var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The day, if this is a `date`.
  package var dateValue: CivilDate? { if case .date(let value) = self { value } else { nil } }
  /// The time, if this is a `timestamptz`.
  package var timestampValue: Date? { if case .timestamp(let value) = self { value } else { nil } }
  /// The elements that are not `NULL`, if this is a `text[]`.
  package var textArrayValue: [String]? {
    if case .textArray(let value) = self { value.compactMap { $0 } } else { nil }
  }
  /// The document, if this is a `jsonb`.
  package var jsonValue: JSONValue? { if case .json(let value) = self { value } else { nil } }
  /// Whether this is `NULL`.
  package var isNull: Bool { self == .null }
}

extension ColumnValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Creates a text, or the text of a value of the column's type.
  package init(stringLiteral value: String) { self = .text(value) }
  /// Creates an integer.
  package init(integerLiteral value: Int) { self = .integer(value) }
  /// Creates a double.
  package init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a boolean.
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates `NULL`.
  package init(nilLiteral: ()) { self = .null }
}

extension ColumnValue {
  /// The notation of PostgreSQL, for example in the details of an error.
  var text: String {
    switch self {
    case .null: "null"
    case .uuid(let id): id.uuidString.lowercased()
    case .text(let text): text
    case .integer(let number): String(number)
    case .double(let number): Self.text(of: number)
    case .boolean(let value): value ? "t" : "f"
    case .date(let day): day.description
    case .timestamp(let date): Timestamp(stored: date).text(separator: " ", offset: "+00")
    case .textArray(let elements): ArrayText.literal(elements)
    case .json(let document): document.text
    }
  }

  /// The result of `to_json`.
  var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): .number(String(number))
    case .double(let number):
      number.isFinite ? .number(Self.text(of: number)) : .string(Self.text(of: number))
    case .boolean(let value): .boolean(value)
    case .timestamp(let date):
      .string(Timestamp(stored: date).text(separator: "T", offset: "+00:00"))
    case .textArray(let elements): .array(elements.map { $0.map(JSONValue.string) ?? .null })
    case .json(let document): document
    case .uuid, .text, .date: .string(text)
    }
  }

  /// Returns the fewest digits that identify the number, with an exponent from 1e+15 up and from 1e-05 down
  /// (`float8out`).
  static func text(of number: Double) -> String {
    guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity" }
    let parts = number.magnitude.description.split(separator: "e")
    let mantissa = (parts.first ?? "0").split(separator: ".", omittingEmptySubsequences: false)
    var digits = mantissa.joined()
    var point = (mantissa.first?.count ?? 0) + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    while digits.hasPrefix("0"), digits.count > 1 {
      digits.removeFirst()
      point -= 1
    }
    while digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
    if digits == "0" { return number.sign == .minus ? "-0" : "0" }
    let sign = number < 0 ? "-" : ""
    let exponent = point - 1
    if exponent < -4 || exponent >= 15 {
      let fraction = digits.dropFirst()
      return sign + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction)
        + (exponent < 0 ? "e-" : "e+") + padded(abs(exponent), to: 2)
    }
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if digits.count <= point { return sign + digits + String(repeating: "0", count: point - digits.count) }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }
}

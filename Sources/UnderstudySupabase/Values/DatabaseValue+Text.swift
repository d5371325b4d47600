import UnderstudyHTTP
import Foundation

extension DatabaseValue {
  /// As PostgreSQL prints it, for instance in the details of an error.
  var text: String {
    switch self {
    case .null: "null"
    case .uuid(let id): id.uuidString.lowercased()
    case .text(let text): text
    case .integer(let number): String(number)
    case .double(let number): Self.text(of: number)
    case .boolean(let value): value ? "t" : "f"
    case .date(let day): day.description
    case .timestamp(let date): Timestamp(date)?.text(separator: " ", offset: "+00") ?? "infinity"
    case .textArray(let elements): ArrayLiteral.text(of: elements)
    case .json(let document): document.text
    }
  }

  /// The name of its type in a message.
  var typeName: String {
    switch self {
    case .null: "unknown"
    case .uuid: ColumnType.uuid.rawValue
    case .text: ColumnType.text.rawValue
    case .integer: ColumnType.integer.rawValue
    case .double: ColumnType.double.rawValue
    case .boolean: ColumnType.boolean.rawValue
    case .date: ColumnType.date.rawValue
    case .timestamp: ColumnType.timestamp.rawValue
    case .textArray: ColumnType.textArray.rawValue
    case .json: ColumnType.json.rawValue
    }
  }

  /// As `to_json` makes it.
  var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): .number(String(number))
    case .double(let number):
      number.isFinite ? .number(Self.text(of: number)) : .string(Self.text(of: number))
    case .boolean(let value): .boolean(value)
    case .timestamp(let date):
      .string(Timestamp(date)?.text(separator: "T", offset: "+00:00") ?? "infinity")
    case .textArray(let elements): .array(elements.map { $0.map(JSONValue.string) ?? .null })
    case .json(let document): document
    case .uuid, .text, .date: .string(text)
    }
  }

  /// The fewest digits that mean the number, with an exponent from 1e+15 up and from 1e-05 down
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

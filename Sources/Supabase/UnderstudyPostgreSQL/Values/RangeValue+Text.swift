extension RangeValue {
  /// Reads a range (PostgreSQL documentation, 8.17.5): `[1,10)`, `(,"a b"]`, `empty`.
  init(
    parsing text: String, _ type: DataType.RangeType, _ context: any FunctionContext
  ) throws(PostgreSQLError) {
    func malformed(_ detail: String) -> PostgreSQLError {
      PostgreSQLError("22P02", "malformed range literal: \"\(text)\"", detail: detail)
    }
    var rest = Array(text.utf8)[...].drop(while: \.isSpace)
    if String(decoding: rest.prefix(5), as: UTF8.self).lowercased() == "empty" {
      guard rest.dropFirst(5).allSatisfy(\.isSpace) else { throw malformed("Junk after \"empty\" key word.") }
      self = .empty
      return
    }
    let opening = rest.popFirst()
    guard opening == UInt8(ascii: "[") || opening == UInt8(ascii: "(") else {
      throw malformed("Missing left parenthesis or bracket.")
    }
    let ends = [UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "]")]
    func bound() throws(PostgreSQLError) -> String? {
      if let first = rest.first, ends.contains(first) { return nil }
      guard let bound = QuotedText.read(&rest, until: ends) else {
        throw malformed("Unexpected end of input.")
      }
      return bound
    }
    let lower = try bound()
    guard rest.popFirst() == UInt8(ascii: ",") else { throw malformed("Missing comma after lower bound.") }
    let upper = try bound()
    let closing = rest.popFirst()
    if closing == UInt8(ascii: ",") { throw malformed("Too many commas.") }
    guard rest.allSatisfy(\.isSpace) else { throw malformed("Junk after right parenthesis or bracket.") }
    func value(_ bound: String?) throws(PostgreSQLError) -> Value {
      guard let bound else { return .null }
      return try type.element.value(from: bound, context: context)
    }
    try self.init(
      Bound(value(lower), isInclusive: opening == UInt8(ascii: "[")),
      Bound(value(upper), isInclusive: closing == UInt8(ascii: "]")), of: type)
  }

  static let empty = RangeValue(
    isEmpty: true, lower: Bound(.null, isInclusive: false), upper: Bound(.null, isInclusive: false))

  /// A range in its canonical form: bounds of counted elements are `[)` (PostgreSQL documentation, 8.17.7).
  package init(_ lower: Bound, _ upper: Bound, of type: DataType.RangeType) throws(PostgreSQLError) {
    var (lower, upper) = (lower, upper)
    if lower.value.isNull { lower.isInclusive = false }
    if upper.value.isNull { upper.isInclusive = false }
    if !lower.value.isNull, !upper.value.isNull {
      let order = Value.compare(lower.value, upper.value, collation: .codePoints)
      guard order <= 0 else {
        throw PostgreSQLError("22000", "range lower bound must be less than or equal to range upper bound")
      }
      if order == 0, !(lower.isInclusive && upper.isInclusive) {
        self = .empty
        return
      }
    }
    if type.isDiscrete {
      if !lower.isInclusive, let next = try Self.successor(of: lower.value, type) {
        lower = Bound(next, isInclusive: true)
      }
      if upper.isInclusive, let next = try Self.successor(of: upper.value, type) {
        upper = Bound(next, isInclusive: false)
      }
      if !lower.value.isNull, !upper.value.isNull, lower.isInclusive, !upper.isInclusive,
        Value.compare(lower.value, upper.value, collation: .codePoints) >= 0
      {
        self = .empty
        return
      }
    }
    self.init(isEmpty: false, lower: lower, upper: upper)
  }

  private static func successor(of value: Value, _ type: DataType.RangeType) throws(PostgreSQLError) -> Value?
  {
    switch value {
    case .integer(let number):
      guard number < (type == .int4range ? Int64(Int32.max) : .max) else {
        throw .outOfRange(type.element.displayName)
      }
      return .integer(number + 1)
    case .date(let days):
      guard days != .max, days != .min else { return nil }
      guard CivilCalendar.dates.contains(Int(days) + 1) else { throw .outOfRange("date") }
      return .date(days + 1)
    default: return nil
    }
  }

  func text(_ write: (Value) throws(PostgreSQLError) -> String) throws(PostgreSQLError) -> String {
    if isEmpty { return "empty" }
    var text = lower.isInclusive ? "[" : "("
    if !lower.value.isNull { text += QuotedText.quoted(try write(lower.value), special: "()[],") }
    text += ","
    if !upper.value.isNull { text += QuotedText.quoted(try write(upper.value), special: "()[],") }
    return text + (upper.isInclusive ? "]" : ")")
  }
}

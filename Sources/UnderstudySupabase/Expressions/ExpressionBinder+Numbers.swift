import UnderstudyHTTP

extension ExpressionBinder {
  func arithmetic(
    _ symbol: String, _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionMistake) -> BoundExpression {
    if symbol == "+" || symbol == "-", one.type == .date || other.type == .date {
      return try days(symbol, one, other, at: location)
    }
    guard let (one, other) = try unified(one, other, at: location), one.type == other.type,
      one.type == .integer || one.type == .double && symbol != "%"
    else {
      throw ExpressionMistake(
        "42883", "operator does not exist: \(one.type.name) \(symbol) \(other.type.name)", at: location,
        advice:
          "Arithmetic is understood on integer, on double precision, and on a date and a number of days.")
    }
    let type = one.type
    return folded(
      BoundExpression(
        .function([one, other]) { (values) throws(PostgRESTError) in
          type == .integer
            ? try Self.integer(symbol, values[0].integerValue ?? 0, values[1].integerValue ?? 0)
            : try Self.double(symbol, values[0].doubleValue ?? 0, values[1].doubleValue ?? 0)
        }, type))
  }

  private static let divisionByZero = PostgRESTError(code: "22012", message: "division by zero")

  private static func integer(
    _ symbol: String, _ one: Int, _ other: Int
  ) throws(PostgRESTError) -> DatabaseValue {
    let (one, other) = (Int64(one), Int64(other))
    if symbol == "/" || symbol == "%", other == 0 { throw divisionByZero }
    // Both have 32 bits, so that no result has more than 64.
    let result =
      switch symbol {
      case "+": one + other
      case "-": one - other
      case "*": one * other
      case "/": one / other
      default: one % other
      }
    guard let number = Int32(exactly: result) else {
      throw PostgRESTError(code: "22003", message: "integer out of range")
    }
    return .integer(Int(number))
  }

  private static func double(
    _ symbol: String, _ one: Double, _ other: Double
  ) throws(PostgRESTError) -> DatabaseValue {
    if symbol == "/", other == 0, !one.isNaN { throw divisionByZero }
    let result =
      switch symbol {
      case "+": one + other
      case "-": one - other
      case "*": one * other
      default: one / other
      }
    if result.isInfinite, one.isFinite, other.isFinite {
      throw PostgRESTError(code: "22003", message: "value out of range: overflow")
    }
    if result == 0, symbol == "*" ? one != 0 && other != 0 : symbol == "/" && one != 0 && other.isFinite {
      throw PostgRESTError(code: "22003", message: "value out of range: underflow")
    }
    return .double(result)
  }

  /// A date and a number of days, or the days between two dates.
  private func days(
    _ symbol: String, _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionMistake) -> BoundExpression {
    let isDifference = symbol == "-" && one.type == .date && other.type != .integer
    let (left, right): (BoundExpression, BoundExpression)
    if isDifference {
      (left, right) = (one, other.type == .unknown ? try literal(other, as: .date, at: location) : other)
    } else {
      (left, right) = one.type == .date ? (one, other) : (other, one)
    }
    guard left.type == .date, right.type == (isDifference ? .date : .integer),
      symbol == "+" || one.type == .date
    else {
      throw ExpressionMistake(
        "42883", "operator does not exist: \(one.type.name) \(symbol) \(other.type.name)", at: location,
        advice: "Add a number of days to a date, or subtract it; intervals are not understood.")
    }
    return folded(
      BoundExpression(
        .function([left, right]) { (values) throws(PostgRESTError) in
          let day = values[0].dateValue?.daysSince1970 ?? 0
          if let other = values[1].dateValue { return .integer(day - other.daysSince1970) }
          // Both have 32 bits.
          let number = Int64(values[1].integerValue ?? 0)
          guard let days = Int(exactly: Int64(day) + (symbol == "-" ? -number : number)),
            let date = CivilDate(daysSince1970: days)
          else { throw PostgRESTError(code: "22008", message: "date out of range") }
          return .date(date)
        }, isDifference ? .integer : .date))
  }

  // MARK: Casts

  func cast(
    _ expression: BoundExpression, to type: SQLType, at location: SQLLocation?
  ) throws(ExpressionMistake) -> BoundExpression {
    if expression.type == type { return expression }
    if expression.type == .unknown { return try literal(expression, as: type, at: location) }
    if let changed = implicit(expression, to: type) { return changed }
    guard let function = Self.conversion(from: expression.type, to: type) else {
      throw ExpressionMistake(
        "42846", "cannot cast type \(expression.type.name) to \(type.name)", at: location,
        advice:
          "Understood are casts from and to text, between numbers, between integer and boolean, and between"
          + " dates and timestamps.")
    }
    return folded(BoundExpression(.function([expression], function), type))
  }

  private static func conversion(from: SQLType, to: SQLType) -> BoundExpression.Function? {
    switch (from, to) {
    case (.text, _): { (values) throws(PostgRESTError) in try to.value(fromText: values[0].textValue ?? "") }
    case (.boolean, .text): { .text($0[0] == true ? "true" : "false") }
    case (.localTimestamp, .text):
      { values in
        .text(values[0].timestampValue.flatMap(Timestamp.init)?.text(separator: " ", offset: "") ?? "")
      }
    // The digits of a number with a fraction are not kept.
    case (.numeric, .text): nil
    case (_, .text): { .text($0[0].text) }
    case (.integer, .boolean): { .boolean($0[0] != 0) }
    case (.boolean, .integer): { .integer($0[0] == true ? 1 : 0) }
    case (.double, .numeric): { $0[0] }
    case (.double, .integer), (.numeric, .integer):
      { (values) throws(PostgRESTError) in
        let number = (values[0].doubleValue ?? 0).rounded(
          from == .double ? .toNearestOrEven : .toNearestOrAwayFromZero)
        guard let integer = Int32(exactly: number) else {
          throw PostgRESTError(code: "22003", message: "integer out of range")
        }
        return .integer(Int(integer))
      }
    case (.timestamp, .date), (.localTimestamp, .date):
      { values in
        values[0].timestampValue.flatMap(Timestamp.init)?.day.map { .date($0) } ?? .null
      }
    default: nil
    }
  }
}

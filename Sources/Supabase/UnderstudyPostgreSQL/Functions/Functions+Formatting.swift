import Foundation

extension Functions {
  /// `to_char`, `to_date`, `to_timestamp` and `to_number` (PostgreSQL documentation, 9.8).
  static let templates: [Function] = datesToText + numbersToText + readers

  private static let datesToText: [Function] = [
    Function(
      "to_char", [.timestamp, .text], returns: .text, .stable,
      .scalar { arguments, _ throws(PostgreSQLError) in
        let (timestamp, format) = (arguments[0].asTimestamp, arguments.text(1))
        guard Moments.isFinite(timestamp), !format.isEmpty else { return .null }
        return .text(try DateTemplate(format).text(of: DateTemplate.Moment(timestamp: timestamp)))
      }),
    Function(
      "to_char", [.timestamptz, .text], returns: .text, .stable,
      .scalar { arguments, context throws(PostgreSQLError) in
        let (moment, format) = (arguments[0].asTimestamp, arguments.text(1))
        guard Moments.isFinite(moment), !format.isEmpty else { return .null }
        let zone = context.timeZone
        let shown = DateTemplate.Moment(
          timestamp: moment, offset: zone.offset(at: moment), abbreviation: zone.abbreviation(at: moment))
        return .text(try DateTemplate(format).text(of: shown))
      }),
    Function(
      "to_char", [.interval, .text], returns: .text, .stable,
      .scalar { arguments, _ throws(PostgreSQLError) in
        let format = arguments.text(1)
        guard !format.isEmpty else { return .null }
        return .text(try DateTemplate(format).text(of: DateTemplate.Moment(arguments[0].asInterval)))
      }),
  ]

  private static let readers: [Function] = [
    Function(
      "to_timestamp", [.text, .text], returns: .timestamptz, .stable,
      .scalar { arguments, context throws(PostgreSQLError) in
        let (civil, offset, fraction) = try DateTemplate(arguments.text(1)).read(arguments.text(0))
        guard let local = civil.local else { throw Moments.outOfRange }
        let zone = offset.map { TimeZoneRule.fixed(seconds: $0) } ?? context.timeZone
        let moment = try Moments.moment(ofLocal: local, zone)
        return .timestamp(DateTimeInput.rounded(moment, fraction: fraction))
      }),
    Function(
      "to_date", [.text, .text], returns: .date, .stable,
      .scalar { arguments, _ throws(PostgreSQLError) in
        let days = try DateTemplate(arguments.text(1)).read(arguments.text(0)).civil.days
        guard CivilCalendar.dates.contains(days) else {
          throw PostgreSQLError("22008", "date out of range: \"\(arguments.text(0))\"")
        }
        return .date(Int32(days))
      }),
    Function(
      "to_number", [.text, .text], returns: .numeric, .stable,
      .scalar { arguments, _ throws(PostgreSQLError) in
        guard !arguments.text(1).isEmpty else { return .null }
        return .numeric(try NumberTemplate(arguments.text(1)).read(arguments.text(0)))
      }),
  ]

  // MARK: Numbers

  private static let numbersToText: [Function] =
    [DataType.integer, .bigint].map { type in
      numberToText(type) { value, template throws(PostgreSQLError) in
        try text(of: [value].int64(0), type, template)
      }
    } + [
      numberToText(.numeric) { value, template throws(PostgreSQLError) in
        try text(of: [value].numeric(0), template)
      },
      numberToText(.double) { value, template throws(PostgreSQLError) in
        try text(of: [value].double(0), template, precision: 15)
      },
      numberToText(.real) { value, template throws(PostgreSQLError) in
        try text(of: [value].double(0), template, precision: 6)
      },
    ]

  private static func numberToText(
    _ type: DataType, _ write: @escaping @Sendable (Value, NumberTemplate) throws(PostgreSQLError) -> String
  ) -> Function {
    Function(
      "to_char", [type, .text], returns: .text, .stable,
      .scalar { arguments, _ throws(PostgreSQLError) in
        guard !arguments.text(1).isEmpty else { return .text("") }
        return .text(try write(arguments[0], NumberTemplate(arguments.text(1))))
      })
  }

  private static func text(
    of number: Int64, _ type: DataType, _ template: NumberTemplate
  ) throws(PostgreSQLError) -> String {
    if template.isRoman { _ = try IntegerArithmetic.checked(number, .integer) }
    guard template.hasShift else { return try text(of: Numeric(number), template) }
    // The product of a `bigint` must fit; that of an `integer` loses its upper bits.
    let factor = try Numeric(10).power(Numeric(template.shift)).integer ?? 0
    let (product, overflow) = number.multipliedReportingOverflow(by: factor)
    if overflow || factor == 0 { throw .outOfRange(type.displayName) }
    return try template.text(
      ofDecimal: String(type == .integer ? Int64(Int32(truncatingIfNeeded: product)) : product))
  }

  private static func text(of number: Numeric, _ template: NumberTemplate) throws(PostgreSQLError) -> String {
    if template.isRoman { return template.text(ofRoman: Int(try Cast.integer(of: number, .integer))) }
    if template.hasExponent {
      guard case .finite(let value) = number else { return template.textOfSpecial }
      return (value.isNegative ? "" : " ") + value.scientific(places: template.after)
    }
    let shifted = template.hasShift ? try number * Numeric(10).power(Numeric(template.shift)) : number
    let text = try shifted.rounded(to: template.after).text
    return try template.text(ofDecimal: text)
  }

  private static func text(
    of number: Double, _ template: NumberTemplate, precision: Int
  ) throws(PostgreSQLError) -> String {
    if template.isRoman {
      return template.text(ofRoman: Int(exactly: number.rounded(.toNearestOrEven)))
    }
    if template.hasExponent {
      guard number.isFinite else { return template.textOfSpecial }
      let text = String(format: "%+.\(template.after)e", number)
      return (text.hasPrefix("+") ? " " : "-") + text.dropFirst()
    }
    let shifted = template.hasShift ? number * pow(10, Double(template.shift)) : number
    guard shifted.isFinite else {
      return try template.text(ofDecimal: DecimalNotation.text(shifted))
    }
    // No more decimals than the type has.
    let integral = String(format: "%.0f", abs(shifted)).utf8.count
    let places = integral >= precision ? 0 : min(template.after, precision - integral)
    return try template.text(ofDecimal: String(format: "%.\(places)f", shifted), places: places)
  }
}

extension NumberTemplate {
  /// The text of NaN and of infinite numbers with `EEEE`.
  fileprivate var textOfSpecial: String {
    var bytes = [UInt8](repeating: UInt8(ascii: "#"), count: before + after + 6)
    bytes[0] = UInt8(ascii: " ")
    if before + 1 < bytes.count { bytes[before + 1] = UInt8(ascii: ".") }
    return String(decoding: bytes, as: UTF8.self)
  }

  fileprivate func text(ofDecimal text: String, places: Int? = nil) throws(PostgreSQLError) -> String {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative ? String(text.dropFirst()) : text
    var template = self
    if let places { template.after = places }
    return try template.text(
      digits: digits, integral: digits.prefix { $0 != "." }.utf8.count, isNegative: isNegative)
  }
}

extension Numeric.Finite {
  /// `1.50e+03` with the given decimal places.
  fileprivate func scientific(places: Int) -> String {
    guard !digits.isEmpty else {
      return (places > 0 ? "0." + String(repeating: "0", count: places) : "0") + "e+00"
    }
    // As in PostgreSQL, rounding may leave two digits before the point: 10.00e+01.
    let power = firstPower
    let ten = Self(isNegative: false, digits: [10], weight: 0, scale: 0)
    var significand = self
    var factor = ten
    for bit in 0..<Int.bitWidth where abs(power) >> bit > 0 {
      if abs(power) >> bit & 1 == 1 {
        significand =
          power < 0
          ? significand.multiplied(by: factor)
          : significand.divided(by: factor, scale: significand.scale + 1 << bit, isRounded: false)
      }
      factor = factor.multiplied(by: factor)
    }
    let exponent = (power < 0 ? "-" : "+") + padded(abs(power), to: 2)
    return significand.rounded(to: places).text + "e" + exponent
  }
}

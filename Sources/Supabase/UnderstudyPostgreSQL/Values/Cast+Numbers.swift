extension Cast {
  static let numbers: [Entry] = {
    var entries: [Entry] = [
      Entry(
        .boolean, .integer, .explicit,
        { value, _ throws(PostgreSQLError) in .integer(value == .boolean(true) ? 1 : 0) }),
      Entry(
        .integer, .boolean, .explicit, { value, _ throws(PostgreSQLError) in .boolean(value != .integer(0)) }),
      Entry(.real, .double, .implicit, unchanged),
      Entry(.double, .real, .assignment, toReal),
      Entry(.real, .numeric, .assignment, toNumeric(6)), Entry(.double, .numeric, .assignment, toNumeric(15)),
      Entry(.numeric, .real, .implicit, fromNumericToReal),
      Entry(.numeric, .double, .implicit, fromNumericToDouble),
      Entry(.smallint, .oid, .implicit, toObjectIdentifier),
      Entry(.integer, .oid, .implicit, toObjectIdentifier),
      Entry(.bigint, .oid, .implicit, bigintToObjectIdentifier), Entry(.oid, .bigint, .assignment, unchanged),
      Entry(
        .oid, .integer, .assignment,
        { value, _ throws(PostgreSQLError) in
          guard case .integer(let number) = value else { return value }
          return .integer(Int64(Int32(truncatingIfNeeded: number)))
        }
      ),
    ]
    let integers: [DataType] = [.smallint, .integer, .bigint]
    for (index, source) in integers.enumerated() {
      for (other, target) in integers.enumerated() where index != other {
        entries.append(Entry(source, target, index < other ? .implicit : .assignment, narrowed(to: target)))
      }
      entries.append(Entry(source, .numeric, .implicit, integerToNumeric))
      entries.append(Entry(source, .double, .implicit, integerToDouble))
      entries.append(Entry(source, .real, .implicit, integerToReal))
      entries.append(Entry(.numeric, source, .assignment, numericToInteger(source)))
      entries.append(Entry(.double, source, .assignment, doubleToInteger(source)))
      entries.append(Entry(.real, source, .assignment, doubleToInteger(source)))
    }
    return entries
  }()

  /// The limits of a type of integers.
  static func limits(of type: DataType) -> ClosedRange<Int64> {
    switch type {
    case .smallint: Int64(Int16.min)...Int64(Int16.max)
    case .integer: Int64(Int32.min)...Int64(Int32.max)
    case .oid: 0...Int64(UInt32.max)
    default: Int64.min...Int64.max
    }
  }

  private static func narrowed(to type: DataType) -> Conversion {
    let limits = limits(of: type)
    return { value, _ throws(PostgreSQLError) in
      guard case .integer(let number) = value, !limits.contains(number) else { return value }
      throw .outOfRange(type.displayName)
    }
  }

  private static let bigintToObjectIdentifier: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .integer(let number) = value, !limits(of: .oid).contains(number) else { return value }
    throw .outOfRange("OID")
  }

  /// Negative integers are the great identifiers.
  private static let toObjectIdentifier: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .integer(let number) = value else { return value }
    return .integer(Int64(UInt32(truncatingIfNeeded: number)))
  }

  private static let integerToNumeric: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .integer(let number) = value else { return value }
    return .numeric(Numeric(number))
  }

  private static let integerToDouble: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .integer(let number) = value else { return value }
    return .double(Double(number))
  }

  private static let integerToReal: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .integer(let number) = value else { return value }
    return .double(Double(Float(number)))
  }

  private static func numericToInteger(_ type: DataType) -> Conversion {
    { value, _ throws(PostgreSQLError) in
      guard case .numeric(let number) = value else { return value }
      return .integer(try integer(of: number, type))
    }
  }

  /// The whole number, rounded half away from zero.
  static func integer(of number: Numeric, _ type: DataType) throws(PostgreSQLError) -> Int64 {
    guard !number.isSpecial else {
      let kind = number == .notANumber ? "NaN" : "infinity"
      throw PostgreSQLError("0A000", "cannot convert \(kind) to \(type.displayName)")
    }
    guard let integer = number.integer, limits(of: type).contains(integer) else {
      throw .outOfRange(type.displayName)
    }
    return integer
  }

  /// Rounds to the nearest integer, halves to the even one.
  private static func doubleToInteger(_ type: DataType) -> Conversion {
    let limits = limits(of: type)
    return { value, _ throws(PostgreSQLError) in
      guard case .double(let number) = value else { return value }
      guard let integer = Int64(exactly: number.rounded(.toNearestOrEven)), limits.contains(integer) else {
        throw .outOfRange(type.displayName)
      }
      return .integer(integer)
    }
  }

  private static let toReal: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .double(let number) = value else { return value }
    let real = Float(number)
    if real.isInfinite, !number.isInfinite { throw PostgreSQLError("22003", "value out of range: overflow") }
    if real == 0, number != 0 { throw PostgreSQLError("22003", "value out of range: underflow") }
    return .double(Double(real))
  }

  private static func toNumeric(_ decimals: Int) -> Conversion {
    { value, _ throws(PostgreSQLError) in
      guard case .double(let number) = value else { return value }
      return .numeric(
        try decimals == 6
          ? Numeric(real: Float(number)) : Numeric(number, significantDecimals: decimals))
    }
  }

  private static let fromNumericToDouble: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .numeric(let number) = value else { return value }
    return .double(try number.isSpecial ? number.double : TextInput.double(number.text))
  }

  private static let fromNumericToReal: Conversion = { value, _ throws(PostgreSQLError) in
    guard case .numeric(let number) = value else { return value }
    return .double(try number.isSpecial ? number.double : TextInput.real(number.text))
  }
}

extension Numeric {
  var isInfinite: Bool {
    if case .infinity = self { true } else { false }
  }

  /// NaN or infinite.
  var isSpecial: Bool {
    if case .finite = self { false } else { true }
  }

  /// A number of 6 significant decimals, as the cast from `real` makes it.
  init(real value: Float) throws(PostgreSQLError) { try self.init(Double(value), significantDecimals: 6) }
}

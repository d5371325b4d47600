import Foundation

extension Operators {
  static let numbers: [Operator] = integers + floats + decimals

  /// The types of integers.
  ///
  /// Of two, the wider one is the type of the result.
  private static let integerTypes: [DataType] = [.smallint, .integer, .bigint]

  private static let integers: [Operator] = {
    var operators: [Operator] = []
    for (leftIndex, left) in integerTypes.enumerated() {
      for (rightIndex, right) in integerTypes.enumerated() {
        let type = integerTypes[max(leftIndex, rightIndex)]
        for symbol in IntegerArithmetic.symbols {
          operators.append(
            integer(left, symbol, right, type) { a, b throws(PostgreSQLError) in
              try IntegerArithmetic.checked(IntegerArithmetic.result(symbol, a, b), type)
            })
        }
      }
      let width = left == .smallint ? 16 : left == .integer ? 32 : 64
      operators += [
        integer(left, "&", left, left) { a, b throws(PostgreSQLError) in a & b },
        integer(left, "|", left, left) { a, b throws(PostgreSQLError) in a | b },
        integer(left, "#", left, left) { a, b throws(PostgreSQLError) in a ^ b },
        integer(left, "<<", .integer, left) { a, b throws(PostgreSQLError) in
          shifted(a, by: b, width, isLeft: true)
        },
        integer(left, ">>", .integer, left) { a, b throws(PostgreSQLError) in
          shifted(a, by: b, width, isLeft: false)
        },
        prefix("~", left) { value throws(PostgreSQLError) in ~value },
        prefix("+", left) { value throws(PostgreSQLError) in value },
        prefix("-", left) { value throws(PostgreSQLError) in try IntegerArithmetic.negated(value, left) },
        prefix("@", left) { value throws(PostgreSQLError) in
          value < 0 ? try IntegerArithmetic.negated(value, left) : value
        },
      ]
    }
    return operators
  }()

  /// The bits of a shift count beyond the width are ignored, as processors do; those of `smallint` are shifted in 32 bits.
  private static func shifted(_ value: Int64, by count: Int64, _ width: Int, isLeft: Bool) -> Int64 {
    switch width {
    case 64: return isLeft ? value &<< count : value &>> count
    case 32:
      let (value, count) = (Int32(truncatingIfNeeded: value), Int32(truncatingIfNeeded: count))
      return Int64(isLeft ? value &<< count : value &>> count)
    default:
      let (value, count) = (Int32(truncatingIfNeeded: value), Int32(truncatingIfNeeded: count))
      return Int64(Int16(truncatingIfNeeded: isLeft ? value &<< count : value &>> count))
    }
  }

  private static func integer(
    _ left: DataType, _ symbol: String, _ right: DataType, _ result: DataType,
    _ operation: @escaping @Sendable (Int64, Int64) throws(PostgreSQLError) -> Int64
  ) -> Operator {
    Operator(
      left, symbol, right, returns: result,
      .scalar { arguments, _ throws(PostgreSQLError) in
        .integer(try operation(arguments.int64(0), arguments.int64(1)))
      })
  }

  private static func prefix(
    _ symbol: String, _ type: DataType,
    _ operation: @escaping @Sendable (Int64) throws(PostgreSQLError) -> Int64
  ) -> Operator {
    Operator(
      nil, symbol, type, returns: type,
      .scalar { arguments, _ throws(PostgreSQLError) in .integer(try operation(arguments.int64(0))) })
  }

  private static let floats: [Operator] = {
    var operators: [Operator] = []
    for (left, right) in [
      (DataType.real, DataType.real), (.double, .double), (.real, .double), (.double, .real),
    ] {
      let isReal = left == .real && right == .real
      for (symbol, operation) in FloatArithmetic.operations {
        operators.append(
          Operator(
            left, symbol, right, returns: isReal ? .real : .double,
            .scalar { arguments, _ throws(PostgreSQLError) in
              .double(
                try FloatArithmetic.apply(operation, arguments.double(0), arguments.double(1), isReal: isReal)
              )
            }))
      }
    }
    for type in [DataType.real, .double] {
      operators += [
        Operator(
          nil, "-", type, returns: type,
          .scalar { arguments, _ throws(PostgreSQLError) in .double(-arguments.double(0)) }),
        Operator(
          nil, "+", type, returns: type, .scalar { arguments, _ throws(PostgreSQLError) in arguments[0] }),
        Operator(
          nil, "@", type, returns: type,
          .scalar { arguments, _ throws(PostgreSQLError) in .double(abs(arguments.double(0))) }),
      ]
    }
    operators += [
      Operator(
        .double, "^", .double, returns: .double,
        .scalar { arguments, _ throws(PostgreSQLError) in
          .double(try FloatArithmetic.power(arguments.double(0), arguments.double(1)))
        }),
      Operator(
        nil, "|/", .double, returns: .double,
        .scalar { arguments, _ throws(PostgreSQLError) in
          .double(try FloatArithmetic.squareRoot(arguments.double(0)))
        }),
      Operator(
        nil, "||/", .double, returns: .double,
        .scalar { arguments, _ throws(PostgreSQLError) in .double(cbrt(arguments.double(0))) }),
    ]
    return operators
  }()

  private static let decimals: [Operator] = {
    func operation(
      _ symbol: String, _ body: @escaping @Sendable (Numeric, Numeric) throws(PostgreSQLError) -> Numeric
    ) -> Operator {
      Operator(
        .numeric, symbol, .numeric, returns: .numeric,
        .scalar { arguments, _ throws(PostgreSQLError) in
          .numeric(try body(arguments.numeric(0), arguments.numeric(1)))
        })
    }
    let operations = [
      operation("+") { a, b throws(PostgreSQLError) in try a + b },
      operation("-") { a, b throws(PostgreSQLError) in try a - b },
      operation("*") { a, b throws(PostgreSQLError) in try a * b },
      operation("/") { a, b throws(PostgreSQLError) in try a / b },
      operation("%") { a, b throws(PostgreSQLError) in try a % b },
      operation("^") { a, b throws(PostgreSQLError) in try a.power(b) },
    ]
    let prefixes: [(String, @Sendable (Numeric) -> Numeric)] = [
      ("-", { -$0 }), ("+", { $0 }), ("@", { $0.magnitude }),
    ]
    return operations
      + prefixes.map { symbol, operation in
        Operator(
          nil, symbol, .numeric, returns: .numeric,
          .scalar { arguments, _ throws(PostgreSQLError) in .numeric(operation(arguments.numeric(0))) })
      }
  }()
}

extension [Value] {
  func int64(_ index: Int) -> Int64 {
    guard case .integer(let integer) = self[index] else { Value.mismatch("integer", self[index]) }
    return integer
  }

  func double(_ index: Int) -> Double {
    guard case .double(let number) = self[index] else { Value.mismatch("double precision", self[index]) }
    return number
  }
}

/// The arithmetic of `smallint`, `integer` and `bigint`.
enum IntegerArithmetic {
  static let symbols = ["+", "-", "*", "/", "%"]

  /// The result of an operator, or nil if it overflows.
  static func result(_ symbol: String, _ a: Int64, _ b: Int64) throws(PostgreSQLError) -> Int64? {
    switch symbol {
    case "+": result(a.addingReportingOverflow(b))
    case "-": result(a.subtractingReportingOverflow(b))
    case "*": result(a.multipliedReportingOverflow(by: b))
    case "/": try quotient(a, b)
    default: try remainder(a, b)
    }
  }

  private static func result(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
    result.overflow ? nil : result.partialValue
  }

  private static func quotient(_ a: Int64, _ b: Int64) throws(PostgreSQLError) -> Int64? {
    guard b != 0 else { throw .divisionByZero }
    return result(a.dividedReportingOverflow(by: b))
  }

  static func remainder(_ a: Int64, _ b: Int64) throws(PostgreSQLError) -> Int64 {
    guard b != 0 else { throw .divisionByZero }
    return b == -1 ? 0 : a % b
  }

  /// - Parameter value: Nil if it does not fit into 64 bits.
  static func checked(_ value: Int64?, _ type: DataType) throws(PostgreSQLError) -> Int64 {
    guard let value, Cast.limits(of: type).contains(value) else { throw .outOfRange(type.displayName) }
    return value
  }

  static func negated(_ value: Int64, _ type: DataType) throws(PostgreSQLError) -> Int64 {
    try checked(value == .min ? nil : -value, type)
  }

  static func greatestCommonDivisor(_ a: Int64, _ b: Int64, _ type: DataType) throws(PostgreSQLError) -> Int64
  {
    var (a, b) = (a.magnitude, b.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    return try checked(Int64(exactly: a), type)
  }

  static func leastCommonMultiple(_ a: Int64, _ b: Int64, _ type: DataType) throws(PostgreSQLError) -> Int64 {
    if a == 0 || b == 0 { return 0 }
    let (product, overflow) = (a / (try greatestCommonDivisor(a, b, type))).multipliedReportingOverflow(by: b)
    if overflow || product == .min { throw .outOfRange(type.displayName) }
    return try checked(abs(product), type)
  }
}

/// The arithmetic of `real` and `double precision` (PostgreSQL's src/include/utils/float.h).
enum FloatArithmetic {
  enum Operation { case add, subtract, multiply, divide }

  static let operations: [(String, Operation)] = [
    ("+", .add), ("-", .subtract), ("*", .multiply), ("/", .divide),
  ]

  static let overflow = PostgreSQLError("22003", "value out of range: overflow")
  static let underflow = PostgreSQLError("22003", "value out of range: underflow")
  static let inputOutOfRange = PostgreSQLError("22003", "input is out of range")

  static func apply(
    _ operation: Operation, _ a: Double, _ b: Double, isReal: Bool
  ) throws(PostgreSQLError) -> Double {
    if operation == .divide, b == 0, !a.isNaN { throw .divisionByZero }
    let exact =
      switch operation {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      }
    // Twice the bits of `real` and more make the rounded double result right.
    let result = isReal ? Double(Float(exact)) : exact
    if result.isInfinite, !a.isInfinite, operation == .divide || !b.isInfinite { throw overflow }
    switch operation {
    case .multiply: if result == 0, a != 0, b != 0 { throw underflow }
    case .divide: if result == 0, a != 0, !b.isInfinite { throw underflow }
    case .add, .subtract: break
    }
    return result
  }

  static func squareRoot(_ value: Double) throws(PostgreSQLError) -> Double {
    guard value.isNaN || value >= 0 else {
      throw PostgreSQLError("2201F", "cannot take square root of a negative number")
    }
    return value.squareRoot()
  }

  static func power(_ base: Double, _ exponent: Double) throws(PostgreSQLError) -> Double {
    if base.isNaN { return exponent == 0 ? 1 : .nan }
    if exponent.isNaN { return base == 1 ? 1 : .nan }
    if base == 0, exponent < 0 {
      throw PostgreSQLError("2201F", "zero raised to a negative power is undefined")
    }
    if base < 0, exponent.rounded(.down) != exponent {
      throw PostgreSQLError(
        "2201F", "a negative number raised to a non-integer power yields a complex result")
    }
    let result = pow(base, exponent)
    if base.isInfinite || exponent.isInfinite { return result }
    if result.isInfinite { throw overflow }
    if result == 0, base != 0 { throw underflow }
    return result
  }

  static func checkLogarithm(_ value: Double) throws(PostgreSQLError) {
    if value == 0 { throw PostgreSQLError("2201E", "cannot take logarithm of zero") }
    if value < 0 { throw PostgreSQLError("2201E", "cannot take logarithm of a negative number") }
  }

  /// The result of a function of one number, which may not be infinite for a finite argument.
  static func checked(_ result: Double, of argument: Double) throws(PostgreSQLError) -> Double {
    if result.isInfinite, !argument.isInfinite { throw overflow }
    return result
  }
}

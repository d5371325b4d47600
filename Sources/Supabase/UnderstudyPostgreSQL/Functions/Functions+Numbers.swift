import Foundation

extension Functions {
  static let numbers: [Function] = arithmetic + roots + trigonometry + randomNumbers

  private static func double(
    _ name: String, _ operation: @escaping @Sendable (Double) throws(PostgreSQLError) -> Double
  ) -> Function {
    Function(
      name, [.double], returns: .double,
      .scalar { arguments, _ throws(PostgreSQLError) in .double(try operation(arguments.double(0))) })
  }

  private static func decimal(
    _ name: String, _ operation: @escaping @Sendable (Numeric) throws(PostgreSQLError) -> Numeric
  ) -> Function {
    Function(
      name, [.numeric], returns: .numeric,
      .scalar { arguments, _ throws(PostgreSQLError) in .numeric(try operation(arguments.numeric(0))) })
  }

  private static func decimals(
    _ name: String, _ operation: @escaping @Sendable (Numeric, Numeric) throws(PostgreSQLError) -> Numeric
  ) -> Function {
    Function(
      name, [.numeric, .numeric], returns: .numeric,
      .scalar { arguments, _ throws(PostgreSQLError) in
        .numeric(try operation(arguments.numeric(0), arguments.numeric(1)))
      })
  }

  private static func integers(
    _ name: String, _ types: [DataType] = [.integer, .bigint],
    _ operation: @escaping @Sendable (Int64, Int64, DataType) throws(PostgreSQLError) -> Int64
  ) -> [Function] {
    types.map { type in
      Function(
        name, [type, type], returns: type,
        .scalar { arguments, _ throws(PostgreSQLError) in
          .integer(try operation(arguments.int64(0), arguments.int64(1), type))
        })
    }
  }

  private static let arithmetic: [Function] =
    [DataType.smallint, .integer, .bigint].map { type in
      Function(
        "abs", [type], returns: type,
        .scalar { arguments, _ throws(PostgreSQLError) in
          let value = arguments.int64(0)
          return .integer(value < 0 ? try IntegerArithmetic.negated(value, type) : value)
        })
    }
    + [
      Function(
        "abs", [.real], returns: .real,
        .scalar { arguments, _ throws(PostgreSQLError) in .double(abs(arguments.double(0))) }),
      double("abs") { value throws(PostgreSQLError) in abs(value) },
      decimal("abs") { value throws(PostgreSQLError) in value.magnitude },
    ]
    + ["ceil", "ceiling"].flatMap {
      [
        double($0) { value throws(PostgreSQLError) in value.rounded(.up) },
        decimal($0) { value throws(PostgreSQLError) in try value.ceiling },
      ]
    }
    + [
      double("floor") { value throws(PostgreSQLError) in value.rounded(.down) },
      decimal("floor") { value throws(PostgreSQLError) in try value.floor },
      double("round") { value throws(PostgreSQLError) in value.rounded(.toNearestOrEven) },
      decimal("round") { value throws(PostgreSQLError) in try value.rounded() },
      double("trunc") { value throws(PostgreSQLError) in value.rounded(.towardZero) },
      decimal("trunc") { value throws(PostgreSQLError) in try value.truncated() },
      Function(
        "round", [.numeric, .integer], returns: .numeric,
        .scalar { arguments, _ throws(PostgreSQLError) in
          .numeric(try arguments.numeric(0).rounded(to: arguments.integer(1)))
        }),
      Function(
        "trunc", [.numeric, .integer], returns: .numeric,
        .scalar { arguments, _ throws(PostgreSQLError) in
          .numeric(try arguments.numeric(0).truncated(to: arguments.integer(1)))
        }),
      double("sign") { value throws(PostgreSQLError) in value > 0 ? 1 : value < 0 ? -1 : 0 },
      decimal("sign") { value throws(PostgreSQLError) in value == .notANumber ? value : Numeric(value.signum)
      },
      decimals("mod") { a, b throws(PostgreSQLError) in try a % b },
      decimals("div") { a, b throws(PostgreSQLError) in try a.quotient(by: b) },
      Function(
        "factorial", [.bigint], returns: .numeric,
        .scalar { arguments, _ throws(PostgreSQLError) in .numeric(try factorial(arguments.int64(0))) }),
      Function(
        "scale", [.numeric], returns: .integer,
        .scalar { arguments, _ throws(PostgreSQLError) in
          if case .finite(let value) = arguments.numeric(0) { Value(value.scale) } else { .null }
        }),
      Function(
        "min_scale", [.numeric], returns: .integer,
        .scalar { arguments, _ throws(PostgreSQLError) in
          if case .finite(let value) = arguments.numeric(0) { Value(value.leastScale) } else { .null }
        }),
      decimal("trim_scale") { value throws(PostgreSQLError) in
        if case .finite(let value) = value { .finite(value.showing(scale: value.leastScale)) } else { value }
      },
      decimals("gcd") { a, b throws(PostgreSQLError) in try a.greatestCommonDivisor(b) },
      decimals("lcm") { a, b throws(PostgreSQLError) in
        try a.leastCommonMultiple(b)
      },
      Function(
        "width_bucket", [.double, .double, .double, .integer], returns: .integer,
        .scalar { arguments, _ throws(PostgreSQLError) in try widthBucket(arguments) }),
      Function(
        "width_bucket", [.numeric, .numeric, .numeric, .integer], returns: .integer,
        .scalar { arguments, _ throws(PostgreSQLError) in try decimalWidthBucket(arguments) }),
      Function(
        "width_bucket", [.anyelement, .anyarray], returns: .integer,
        .scalar { arguments, context throws(PostgreSQLError) in
          let elements = arguments.array(1).elements
          if elements.contains(where: \.isNull) {
            throw PostgreSQLError("22004", "thresholds array must not contain NULLs")
          }
          let position = elements.firstIndex {
            Value.compare(arguments[0], $0, collation: context.collation) < 0
          }
          return Value(position ?? elements.count)
        }),
    ]
    + integers("mod", [.smallint, .integer, .bigint]) { a, b, _ throws(PostgreSQLError) in
      try IntegerArithmetic.remainder(a, b)
    }
    + integers("gcd") { a, b, type throws(PostgreSQLError) in
      try IntegerArithmetic.greatestCommonDivisor(a, b, type)
    }
    + integers("lcm") { a, b, type throws(PostgreSQLError) in
      try IntegerArithmetic.leastCommonMultiple(a, b, type)
    }

  private static func factorial(_ number: Int64) throws(PostgreSQLError) -> Numeric {
    guard number >= 0 else { throw PostgreSQLError("22003", "factorial of a negative number is undefined") }
    guard number <= 32_177 else { throw .numericOverflow }
    var result = Numeric.one
    for factor in stride(from: 2, through: number, by: 1) { result = try result * Numeric(factor) }
    return result
  }

  private static func widthBucket(_ arguments: [Value]) throws(PostgreSQLError) -> Value {
    let (value, low, high) = (arguments.double(0), arguments.double(1), arguments.double(2))
    let count = arguments.int64(3)
    if value.isNaN || low.isNaN || high.isNaN {
      throw bucketError("operand, lower bound, and upper bound cannot be NaN")
    }
    if low.isInfinite || high.isInfinite { throw bucketError("lower and upper bounds must be finite") }
    guard count > 0 else { throw bucketError("count must be greater than zero") }
    guard low != high else { throw bucketError("lower bound cannot equal upper bound") }
    let isBelow = low < high ? value < low : value > low
    let isAbove = low < high ? value >= high : value <= high
    if isBelow { return .integer(0) }
    if isAbove { return .integer(try IntegerArithmetic.checked(count + 1, .integer)) }
    // Halves do not overflow where the difference of the bounds does.
    let fraction =
      (high - low).isInfinite ? (value / 2 - low / 2) / (high / 2 - low / 2) : (value - low) / (high - low)
    return .integer(min(count - 1, Int64(Double(count) * fraction)) + 1)
  }

  private static func decimalWidthBucket(_ arguments: [Value]) throws(PostgreSQLError) -> Value {
    let (value, low, high) = (arguments.numeric(0), arguments.numeric(1), arguments.numeric(2))
    let count = arguments.int64(3)
    guard count > 0 else { throw bucketError("count must be greater than zero") }
    if value == .notANumber || low == .notANumber || high == .notANumber {
      throw bucketError("operand, lower bound, and upper bound cannot be NaN")
    }
    if low.isInfinite || high.isInfinite { throw bucketError("lower and upper bounds must be finite") }
    guard low != high else { throw bucketError("lower bound cannot equal upper bound") }
    if low < high ? value < low : value > low { return .integer(0) }
    if low < high ? value >= high : value <= high {
      return .integer(try IntegerArithmetic.checked(count + 1, .integer))
    }
    let bucket = try ((value - low) * Numeric(count)).quotient(by: high - low)
    return .integer((bucket.integer ?? 0) + 1)
  }

  private static func bucketError(_ message: String) -> PostgreSQLError { PostgreSQLError("2201G", message) }

  private static let roots: [Function] =
    [
      double("sqrt") { value throws(PostgreSQLError) in try FloatArithmetic.squareRoot(value) },
      decimal("sqrt") { value throws(PostgreSQLError) in try value.squareRoot },
      double("cbrt") { value throws(PostgreSQLError) in cbrt(value) },
      double("exp") { value throws(PostgreSQLError) in
        let result = try FloatArithmetic.checked(Foundation.exp(value), of: value)
        if result == 0, !value.isInfinite { throw FloatArithmetic.underflow }
        return result
      },
      decimal("exp") { value throws(PostgreSQLError) in try value.exponential },
      double("ln") { value throws(PostgreSQLError) in
        try FloatArithmetic.checkLogarithm(value)
        return Foundation.log(value)
      },
      decimal("ln") { value throws(PostgreSQLError) in try value.naturalLogarithm },
      decimals("log") { base, value throws(PostgreSQLError) in try value.logarithm(base: base) },
    ]
    + ["log", "log10"].flatMap {
      [
        double($0) { value throws(PostgreSQLError) in
          try FloatArithmetic.checkLogarithm(value)
          return Foundation.log10(value)
        },
        decimal($0) { value throws(PostgreSQLError) in try value.logarithm(base: Numeric(10)) },
      ]
    }
    + ["power", "pow"].flatMap {
      [
        Function(
          $0, [.double, .double], returns: .double,
          .scalar { arguments, _ throws(PostgreSQLError) in
            .double(try FloatArithmetic.power(arguments.double(0), arguments.double(1)))
          }),
        decimals($0) { base, exponent throws(PostgreSQLError) in try base.power(exponent) },
      ]
    }

  private static let trigonometry: [Function] = [
    Function("pi", [], returns: .double, .scalar { _, _ throws(PostgreSQLError) in .double(.pi) }),
    double("degrees") { value throws(PostgreSQLError) in
      try FloatArithmetic.apply(.divide, value, 0.0174532925199432957692, isReal: false)
    },
    double("radians") { value throws(PostgreSQLError) in value * 0.0174532925199432957692 },
    finite("sin", { Foundation.sin($0) }), finite("cos", { Foundation.cos($0) }),
    finite("tan", { Foundation.tan($0) }),
    finite("cot") { 1 / Foundation.tan($0) },
    limited("asin", -1...1, { Foundation.asin($0) }), limited("acos", -1...1, { Foundation.acos($0) }),
    double("atan") { value throws(PostgreSQLError) in Foundation.atan(value) },
    double("sinh") { value throws(PostgreSQLError) in Foundation.sinh(value) },
    double("cosh") { value throws(PostgreSQLError) in Foundation.cosh(value) },
    double("tanh") { value throws(PostgreSQLError) in Foundation.tanh(value) },
    double("asinh") { value throws(PostgreSQLError) in Foundation.asinh(value) },
    limited("acosh", 1...Double.infinity, { Foundation.acosh($0) }),
    limited("atanh", -1...1, { Foundation.atanh($0) }),
    finite("sind", Degrees.sine), finite("cosd", Degrees.cosine), finite("tand", Degrees.tangent),
    finite("cotd", Degrees.cotangent), limited("asind", -1...1, Degrees.arcSine),
    limited("acosd", -1...1, Degrees.arcCosine),
    double("atand") { value throws(PostgreSQLError) in Degrees.degrees(ofRadians: Foundation.atan(value)) },
    Function(
      "atan2", [.double, .double], returns: .double,
      .scalar { arguments, _ throws(PostgreSQLError) in
        .double(Foundation.atan2(arguments.double(0), arguments.double(1)))
      }),
    Function(
      "atan2d", [.double, .double], returns: .double,
      .scalar { arguments, _ throws(PostgreSQLError) in
        .double(
          Degrees.degrees(ofRadians: Foundation.atan2(arguments.double(0), arguments.double(1))))
      }),
  ]

  /// A function whose argument is not infinite.
  private static func finite(_ name: String, _ operation: @escaping @Sendable (Double) -> Double) -> Function
  {
    double(name) { value throws(PostgreSQLError) in
      if value.isInfinite { throw FloatArithmetic.inputOutOfRange }
      return operation(value)
    }
  }

  private static func limited(
    _ name: String, _ limits: ClosedRange<Double>, _ operation: @escaping @Sendable (Double) -> Double
  ) -> Function {
    double(name) { value throws(PostgreSQLError) in
      guard value.isNaN || limits.contains(value) else { throw FloatArithmetic.inputOutOfRange }
      return operation(value)
    }
  }

  private static let randomNumbers: [Function] =
    [
      Function(
        "random", [], returns: .double, .volatile,
        .scalar { _, context throws(PostgreSQLError) in .double(Double(context.random() >> 11) * 0x1p-53) }),
      Function(
        "setseed", [.double], returns: .void, .volatile,
        .scalar { arguments, _ throws(PostgreSQLError) in
          let seed = arguments.double(0)
          guard (-1...1).contains(seed) else {
            throw PostgreSQLError(
              "22023", "setseed parameter \(DecimalNotation.text(seed)) is out of allowed range [-1,1]")
          }
          // The numbers of the in-memory database have a seed of their own, so that tests can repeat them.
          return .null
        }),
    ]
    + ["gen_random_uuid", "uuid_generate_v4"].map {
      Function(
        $0, [], returns: .uuid, .volatile,
        .scalar { _, context throws(PostgreSQLError) in
          .uuid(UniqueIdentifier(random: context.random(), context.random()))
        })
    }
}

extension Numeric {
  func greatestCommonDivisor(_ other: Numeric) throws(PostgreSQLError) -> Numeric {
    if isSpecial || other.isSpecial { return .notANumber }
    var (a, b) = (magnitude, other.magnitude)
    let sum = try a + b
    while !b.isZero { (a, b) = (b, try a % b) }
    return a.showing(placesOf: sum)
  }

  func leastCommonMultiple(_ other: Numeric) throws(PostgreSQLError) -> Numeric {
    if isSpecial || other.isSpecial { return .notANumber }
    let places = try self + other
    if isZero || other.isZero { return Numeric.zero.showing(placesOf: places) }
    return try (quotient(by: greatestCommonDivisor(other)) * other).magnitude.showing(placesOf: places)
  }

  private func showing(placesOf other: Numeric) -> Numeric {
    guard case .finite(let value) = self, case .finite(let shown) = other else { return self }
    return .finite(value.showing(scale: shown.scale))
  }
}

extension Numeric.Finite {
  /// The fewest decimal places that show the number.
  fileprivate var leastScale: Int {
    guard let last = digits.last else { return 0 }
    let places = (digits.count - 1 - weight) * 4
    return max(0, places - (last % 1000 == 0 ? 3 : last % 100 == 0 ? 2 : last % 10 == 0 ? 1 : 0))
  }
}

#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @testable import UnderstudyPostgreSQL

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct NumberAgreementTests {
    private static let samples: [DataType: [String]] = [
      .smallint: ["0", "1", "-1", "7", "32767", "-32768"],
      .integer: ["0", "1", "-1", "3", "17", "-46341", "2147483647", "-2147483648"],
      .bigint: ["0", "1", "-1", "12", "3037000500", "9223372036854775807", "-9223372036854775808"],
      .real: ["0", "1", "-1.5", "0.1", "3.4e38", "1e-40", "NaN", "Infinity"],
      .double: [
        "0", "-0", "1", "-1.5", "0.1", "2.5", "3.5", "0.5", "1e308", "1e-308", "NaN", "Infinity", "-Infinity",
        "45", "1e10",
      ],
      .numeric: [
        "0", "1", "-1", "2", "0.5", "-0.5", "1.50", "2.5", "10", "0.001", "123456789.987654321",
        "-99999999999999999999.99", "1e20", "1e-20",
        "NaN", "Infinity", "-Infinity", "3", "7.000", "10000", "0.0001",
      ],
    ]

    private static func literals(_ types: [DataType], limit: Int = .max) -> [[Literal]] {
      types.reduce([[]]) { combinations, type in
        combinations.flatMap { combination in
          (samples[type] ?? []).prefix(limit).map { combination + [Literal(type: type, text: $0)] }
        }
      }
    }

    @Test func operatorsOfNumbers() async throws {
      var agreement = Agreement()
      let session = TestSession()
      for operation in Operators.numbers where operation.name != "^" || operation.left == .double {
        for literals in Self.literals([operation.left, operation.right].compactMap { $0 }) {
          // Processors shift by the lower bits of the count, which the server does not define.
          if ["<<", ">>"].contains(operation.name), literals[1].text != "1", literals[1].text != "3" {
            continue
          }
          agreement.add(operation, literals, session)
        }
      }
      try await agreement.check()
    }

    @Test func powersOfDecimals() async throws {
      var agreement = Agreement()
      let session = TestSession()
      let bases = [
        "0", "1", "-1", "2", "10", "0.5", "1.50", "-2.5", "123.456", "0.001", "99999", "1.0000001", "0.99999",
        "12345678901234567890", "1e-10", "NaN", "Infinity", "-Infinity",
      ]
      let exponents = [
        "0", "1", "-1", "2", "3", "-3", "0.5", "-0.5", "1.5", "10", "17", "-20", "0.001", "20.1", "33.333",
        "NaN", "Infinity", "-Infinity", "1000",
      ]
      let power = try #require(Operators.numbers.first { $0.name == "^" && $0.left == .numeric })
      for base in bases {
        for exponent in exponents {
          agreement.add(
            power, [Literal(type: .numeric, text: base), Literal(type: .numeric, text: exponent)], session)
        }
      }
      let numbers = [
        "0", "1", "2", "-1", "10", "0.5", "0.1", "1.5", "123.456", "1e-10", "1e-5", "1e30", "0.9", "1.1",
        "0.999999", "1.000001", "3.00000", "12345678901234567890.123", "1e100", "700.5", "-700.5",
        "-1e-3", "-5999", "6001", "-6001", "NaN", "Infinity", "-Infinity", "20000", "0.00002",
        "0.0002", "1e-7", "1234567890123456789012345678901234567890",
      ]
      for function in Functions.all.values.joined()
      where ["sqrt", "ln", "log", "log10", "exp"].contains(function.name) && function.parameters == [.numeric]
      {
        for number in numbers { agreement.add(function, [Literal(type: .numeric, text: number)], session) }
      }
      let logarithm = try #require(Functions.named("log").first { $0.parameters == [.numeric, .numeric] })
      for base in ["2", "10", "0.5", "1.1", "1", "0", "100.00"] {
        for number in numbers {
          agreement.add(
            logarithm, [Literal(type: .numeric, text: base), Literal(type: .numeric, text: number)], session)
        }
      }
      try await agreement.check()
    }

    @Test func functionsOfNumbers() async throws {
      var agreement = Agreement()
      let session = TestSession()
      let skipped: Set = [
        "random", "setseed", "gen_random_uuid", "uuid_generate_v4", "sqrt", "ln", "log", "log10", "exp",
        "power", "pow", "width_bucket", "factorial",
      ]
      for function in Functions.numbers
      where !skipped.contains(function.name) || function.parameters == [.double] && function.name != "setseed"
      {
        for literals in Self.literals(function.parameters) {
          if literals.count == 2, literals[1].type == .integer, abs(Int(literals[1].text ?? "") ?? 0) > 3000 {
            continue
          }
          agreement.add(function, literals, session)
        }
      }
      for function in Functions.named("factorial") {
        for text in ["-1", "0", "1", "20", "30", "100"] {
          agreement.add(function, [Literal(type: .bigint, text: text)], session)
        }
      }
      for function in Functions.named("width_bucket") where function.parameters.count == 4 {
        let type = function.parameters[0]
        for (value, low, high, count) in [
          ("5.35", "0.024", "10.06", "5"), ("-1", "0", "10", "5"), ("10", "0", "10", "5"),
          ("3", "10", "0", "5"), ("11", "10", "0", "5"), ("1", "1", "1", "5"),
          ("1", "0", "10", "0"), ("NaN", "0", "1", "1"), ("1", "0", "Infinity", "3"),
          ("100", "0", "10", "2147483647"), ("0", "0", "10", "5"),
        ] {
          agreement.add(
            function,
            [
              Literal(type: type, text: value), Literal(type: type, text: low),
              Literal(type: type, text: high), Literal(type: .integer, text: count),
            ], session)
        }
      }
      // Angles are rounded to the last decimal in another way, and libraries differ in the last bit.
      try await agreement.check()
    }

    @Test func castsOfAllTypes() async throws {
      var agreement = Agreement()
      let session = TestSession()
      let samples: [(DataType, [String])] = [
        (.boolean, ["t", "f"]), (.smallint, ["0", "-5", "32767"]),
        (.integer, ["0", "1", "-1", "40000", "2147483647"]),
        (.bigint, ["0", "-1", "5000000000", "9007199254740993"]), (.oid, ["0", "42", "4294967295"]),
        (.real, ["0", "1.5", "2.5", "-0.5", "1e20", "16777216", "0.1", "NaN", "Infinity", "3.3333333"]),
        (
          .double,
          [
            "0", "1.5", "2.5", "-0.5", "1e20", "1e300", "1e-300", "0.1", "123456789.123456789", "NaN",
            "-Infinity", "32767.4", "0.30000000000000004",
          ]
        ),
        (
          .numeric,
          [
            "0", "1.5", "2.5", "-0.5", "1e20", "1e400", "1e-400", "0.1", "NaN", "Infinity", "2147483647.5",
            "32767.4", "16777217",
          ]
        ),
        (.text, ["", "1", "true", "abc", "2024-01-01", "1 day", " x ", "1.5"]), (.varchar, ["abc  "]),
        (.name, ["abc"]),
        (.bpchar, ["abc  "]), (.citext, ["ABC"]), (.bytea, ["\\x00ff"]),
        (.uuid, ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]),
        (.date, ["2024-02-29", "infinity", "-infinity", "5874897-12-31", "0044-03-15 BC"]),
        (.time, ["10:20:30.5", "24:00"]), (.timetz, ["10:20:30.5+02"]),
        (.timestamp, ["2024-02-29 10:20:30.5", "infinity", "1999-12-31 23:59:59.999999"]),
        (.timestamptz, ["2024-02-29 10:20:30.5+02", "-infinity"]),
        (.interval, ["1 day 25:00", "-1:00", "1 year"]), (.json, ["{\"a\": 1}", "1"]),
        (.jsonb, ["1.5", "true", "null", "\"x\"", "[1]", "{}", "99999999999", "1e400"]),
        (.inet, ["10.0.0.1"]), (TestSession.mood, ["happy"]), (.array(.integer), ["{1,2,NULL}"]),
        (.array(.text), ["{1,2}", "{a}"]), (.array(.double), ["{1.5,2.5}"]),
        (.range(.int4range), ["[1,5)"]), (TestSession.pair, ["(1,a)"]),
      ]
      for (source, texts) in samples {
        for (target, _) in samples where source != target {
          for text in texts {
            let literal = Literal(type: source, text: text)
            agreement.add("SELECT (\(literal.sql))::\(target.sql)", target, session) {
              () throws(PostgreSQLError) in
              guard let cast = Cast.find(from: source, to: target) else {
                throw PostgreSQLError(
                  "42846", "cannot cast type \(source.displayName) to \(target.displayName)")
              }
              let value = try literal.value(session)
              return try cast.convert(value, session)
            }
          }
        }
      }
      try await agreement.check()
    }
  }
#endif

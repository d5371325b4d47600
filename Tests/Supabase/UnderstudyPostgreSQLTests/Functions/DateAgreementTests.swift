#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @testable import UnderstudyPostgreSQL

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct DateAgreementTests {
    private static let samples: [DataType: [String]] = [
      .date: [
        "2024-02-29", "2023-12-31", "2000-01-01", "1999-12-31", "0044-03-15 BC", "0001-01-01", "infinity",
        "-infinity", "5874897-12-31", "4714-11-24 BC", "2021-01-03", "1900-02-28",
      ],
      .time: ["00:00", "10:20:30.5", "23:59:59.999999", "24:00"],
      .timetz: ["00:00+00", "10:20:30.5+02", "23:59:59.999999-05:30"],
      .timestamp: [
        "2024-02-29 10:20:30.123456", "2024-01-31 00:00", "2023-12-31 23:59:59.999999", "1999-12-31 12:00",
        "2000-01-01", "0044-03-15 10:00 BC",
        "0001-01-01", "infinity", "-infinity", "294276-12-31 23:59:59.999999", "4714-11-24 BC",
        "2021-01-03 05:06:07", "1969-12-31 23:59:59.5",
      ],
      .timestamptz: [
        "2024-02-29 10:20:30.123456+00", "2024-03-10 06:30+00", "2024-11-03 05:30+00", "2024-01-31 00:00+00",
        "1999-12-31 12:00+00", "infinity", "-infinity", "0044-03-15 10:00+00 BC",
        "294276-12-31 00:00+00", "2024-10-27 00:30+00",
      ],
      .interval: [
        "0", "1 day", "-1 day", "1 month", "13 months", "-1 month", "1 year 2 months 3 days 04:05:06.789",
        "-1 year -2 months +3 days -04:05:06", "36:00", "-100:00:00.5", "30 days", "45 days -50:00",
        "178000000 years", "-178000000 years", "2147483647 days", "1 mon -1 day 00:00:01", "-1 mon 1 day",
        "1.5 sec",
      ],
      .integer: ["0", "1", "-400", "2147483647"],
      .double: ["0", "1", "2.5", "-0.1", "1e10", "NaN", "0.333333", "1e-3"],
    ]

    private static let zones: [TimeZoneRule] = [.utc, .named("America/New_York"), .named("Europe/Berlin")]

    private static func literals(_ types: [DataType]) -> [[Literal]] {
      types.reduce([[]]) { combinations, type in
        combinations.flatMap { combination in
          (samples[type] ?? []).map { combination + [Literal(type: type, text: $0)] }
        }
      }
    }

    private static func setup(_ zone: TimeZoneRule) -> String { "SET timezone = '\(zone.name)';" }

    @Test func operatorsOfDates() async throws {
      for zone in Self.zones {
        var agreement = Agreement()
        let session = TestSession(timeZone: zone)
        for operation in Operators.dates
        where zone == .utc || operation.left == .timestamptz || operation.right == .timestamptz {
          for literals in Self.literals([operation.left, operation.right].compactMap { $0 }) {
            agreement.add(operation, literals, session)
          }
        }
        try await agreement.check(setup: Self.setup(zone))
      }
    }

    @Test func fieldsOfDates() async throws {
      let fields = [
        "microseconds", "milliseconds", "second", "minute", "hour", "day", "week", "month", "quarter", "year",
        "decade", "century", "millennium", "epoch", "dow", "isodow",
        "doy", "isoyear", "julian", "timezone", "timezone_hour", "timezone_minute", "DAY", "days", "nonsense",
        "",
      ]
      for zone in Self.zones {
        var agreement = Agreement()
        let session = TestSession(timeZone: zone)
        for function in Functions.dates where ["extract", "date_part", "date_trunc"].contains(function.name) {
          let type = function.parameters[1]
          guard zone == .utc || type == .timestamptz else { continue }
          for field in fields {
            for text in Self.samples[type] ?? [] {
              var literals = [Literal(type: .text, text: field), Literal(type: type, text: text)]
              if function.parameters.count == 3 {
                literals.append(Literal(type: .text, text: "Asia/Kolkata"))
              }
              let sql = function.name == "extract" ? "extract('\(field)' FROM \(literals[1].sql))" : nil
              agreement.add(function, literals, session, sql: sql)
            }
          }
        }
        try await agreement.check(setup: Self.setup(zone))
      }
    }

    @Test func functionsOfDates() async throws {
      for zone in Self.zones {
        var agreement = Agreement()
        let session = TestSession(timeZone: zone)
        for function in Functions.dates {
          if ["justify_days", "justify_hours", "justify_interval", "isfinite"].contains(function.name)
            || function.name == "age" && function.parameters.count == 2
          {
            for literals in Self.literals(function.parameters) { agreement.add(function, literals, session) }
          }
          if function.name == "timezone" {
            let names =
              function.parameters[0] == .text
              ? [
                "UTC", "utc", "America/New_York", "europe/berlin", "EST", "cest", "+03", "UTC+3:30",
                "nowhere", "", "Z",
              ] : ["02:30", "-5 hours", "1 day", "1 month"]
            for name in names {
              for text in Self.samples[function.parameters[1]] ?? [] {
                // A time with a zone is read with the offsets of today.
                if function.parameters[1] == .timetz, name.contains("/") { continue }
                agreement.add(
                  function,
                  [
                    Literal(type: function.parameters[0], text: name),
                    Literal(type: function.parameters[1], text: text),
                  ], session)
              }
            }
          }
          if function.name == "date_bin" {
            for stride in ["15 minutes", "1 day", "1 week", "-1 day", "0", "1 month", "7 days 01:00"] {
              for text in Self.samples[function.parameters[1]] ?? [] {
                for origin in ["2001-01-01", "2030-01-01 00:05", "infinity"] {
                  agreement.add(
                    function,
                    [
                      Literal(type: .interval, text: stride),
                      Literal(type: function.parameters[1], text: text),
                      Literal(type: function.parameters[1], text: origin),
                    ], session)
                }
              }
            }
          }
        }
        try await agreement.check(setup: Self.setup(zone))
      }
    }

    @Test func constructorsOfDates() async throws {
      var agreement = Agreement()
      let session = TestSession(timeZone: .named("Europe/Berlin"))
      func add(_ name: String, _ calls: [[String]]) {
        for arguments in calls {
          for function in Functions.named(name)
          where arguments.count <= function.parameters.count
            && arguments.count >= function.parameters.count - function.optional
          {
            agreement.add(
              function, zip(function.parameters, arguments).map { Literal(type: $0, text: $1) }, session)
          }
        }
      }
      add(
        "make_date",
        [
          ["2024", "2", "29"], ["2023", "2", "29"], ["0", "1", "1"], ["-44", "3", "15"], ["2024", "13", "1"],
          ["2024", "1", "0"], ["5874897", "12", "31"], ["5874898", "1", "1"], ["-5000", "1", "1"],
          ["99999", "1", "1"],
        ])
      add(
        "make_time",
        [
          ["10", "20", "30.5"], ["24", "0", "0"], ["24", "0", "1"], ["23", "59", "60"], ["23", "60", "0"],
          ["-1", "0", "0"], ["1", "2", "60.5"], ["1", "2", "-1"], ["1", "2", "NaN"], ["1", "2", "3.1234567"],
        ])
      add(
        "make_timestamp",
        [
          ["2024", "2", "29", "10", "20", "30.5"], ["2024", "2", "30", "10", "20", "30"],
          ["2024", "2", "29", "25", "20", "30"], ["-1", "1", "1", "0", "0", "0"],
          ["294277", "1", "1", "0", "0", "0"], ["2024", "1", "1", "24", "0", "0"],
        ])
      add(
        "make_timestamptz",
        [
          ["2024", "2", "29", "10", "20", "30.5"],
          ["2024", "7", "1", "10", "20", "30.5", "America/New_York"],
          ["2024", "7", "1", "10", "20", "30.5", "+02"], ["2024", "7", "1", "10", "20", "30.5", "-03:30"],
          ["2024", "7", "1", "10", "20", "30.5", "nowhere"], ["2024", "7", "1", "10", "20", "30.5", "5"],
          ["2024", "7", "1", "10", "20", "30.5", "EST"], ["2024", "7", "1", "10", "20", "30.5", "+20"],
        ])
      add(
        "make_interval",
        [
          ["1"], ["1", "2"], ["1", "2", "3"], ["1", "2", "3", "4"], ["1", "2", "3", "4", "5", "6", "7.5"],
          ["-1", "0", "0", "0", "0", "-90", "-0.5"], ["2147483647"],
          ["0", "0", "0", "0", "2147483647", "0", "0"], ["0", "0", "0", "0", "0", "0", "NaN"],
        ])
      add(
        "to_timestamp",
        [
          ["0"], ["1700000000.123456"], ["-1"], ["Infinity"], ["-Infinity"], ["NaN"], ["1e20"],
          ["-210866803200"], ["-210866803201"], ["9224318015999"], ["9224318016000"], ["1e9"], ["-1e15"],
        ])
      try await agreement.check(setup: "SET timezone = 'Europe/Berlin';")
    }

    @Test func overlappingPeriods() async throws {
      var agreement = Agreement()
      let session = TestSession()
      let times = ["2024-01-01", "2024-01-02", "2024-01-03", nil]
      for function in Functions.named("overlaps")
      where [.timestamp, .timestamptz].contains(function.parameters[0]) {
        let second = function.parameters[1] == .interval ? ["1 day", "-1 day", nil] : times
        let fourth = function.parameters[3] == .interval ? ["1 day", "-1 day", nil] : times
        for (a, c) in times.flatMap({ a in times.map { (a, $0) } }) {
          for b in second {
            for d in fourth {
              let literals = zip(function.parameters, [a, b, c, d]).map { Literal(type: $0, text: $1) }
              agreement.add(
                function, literals, session,
                sql:
                  "(\(literals[0].sql), \(literals[1].sql)) OVERLAPS (\(literals[2].sql), \(literals[3].sql))"
              )
            }
          }
        }
      }
      try await agreement.check()
    }
  }
#endif

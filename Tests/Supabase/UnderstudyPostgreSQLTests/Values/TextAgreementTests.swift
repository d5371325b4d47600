#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @testable import UnderstudyPostgreSQL

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct TextAgreementTests {
    @Test func textsOfAllTypesAreReadAndWritten() async throws {
      var agreement = Agreement()
      let session = TestSession()
      for (type, texts) in ValueSamples.all {
        for text in texts {
          agreement.add("SELECT \(PostgreSQLServer.quoted(text))::\(type.sql)", type, session) {
            () throws(PostgreSQLError) in
            try type.value(from: text, context: session)
          }
        }
      }
      try await agreement.check()
    }

    @Test func modifiersAreApplied() async throws {
      var agreement = Agreement()
      let session = TestSession()
      let cases: [(DataType, TypeModifier, String, [String])] = [
        (.varchar, .length(3), "varchar(3)", ["", "abc", "abcd", "abc  ", "日本語", "日本語x"]),
        (.bpchar, .length(3), "char(3)", ["", "a", "abc", "abcd", "abc  ", "é"]),
        (
          .numeric, .precision(4, scale: 2), "numeric(4,2)",
          ["1", "1.005", "99.994", "99.995", "-99.995", "100", "NaN", "Infinity", "0.004"]
        ),
        (.numeric, .precision(3, scale: 0), "numeric(3)", ["999.4", "999.5", "0.5", "1e2"]),
        (.numeric, .precision(3, scale: -2), "numeric(3,-2)", ["12345", "99999", "49", "50"]),
        (.numeric, .precision(2, scale: 4), "numeric(2,4)", ["0.0099", "0.00995", "0.01"]),
        (
          .timestamp, .fraction(0), "timestamp(0)",
          ["2024-01-01 10:00:00.5", "2024-01-01 10:00:00.4", "1999-12-31 23:59:59.5"]
        ),
        (
          .timestamptz, .fraction(3), "timestamptz(3)",
          ["2024-01-01 10:00:00.1235", "1969-01-01 10:00:00.1235"]
        ),
        (.time, .fraction(2), "time(2)", ["10:00:00.125", "23:59:59.999"]),
        (.timetz, .fraction(1), "timetz(1)", ["10:00:00.15+02"]),
        (.interval, .fraction(0), "interval(0)", ["1.5 seconds", "-1.5 seconds", "0.4 s"]),
      ]
      for (type, modifier, name, texts) in cases {
        for text in texts {
          agreement.add("SELECT '\(text)'::\(name)", type, session) { () throws(PostgreSQLError) in
            let value = try type.value(from: text, context: session)
            return try modifier.apply(to: value, type, isExplicit: true)
          }
        }
      }
      try await agreement.check()
    }

    @Test func zonesOfTheSessionAreApplied() async throws {
      for name in ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"] {
        var agreement = Agreement()
        let session = TestSession(timeZone: .named(name))
        for text in ValueSamples.timestamps + [
          "1883-11-18 12:00", "1900-01-01", "1945-06-15 12:00", "2024-03-10 02:30", "2024-11-03 01:30",
          "2024-03-31 02:30", "2024-10-27 02:30", "2050-07-01", "2200-07-01",
        ] {
          agreement.add("SELECT \(PostgreSQLServer.quoted(text))::timestamptz") {
            () throws(PostgreSQLError) in
            try DataType.timestamptz.text(
              of: DataType.timestamptz.value(from: text, context: session), context: session)
          }
        }
        try await agreement.check(setup: "SET timezone = '\(name)';")
      }
    }
  }
#endif

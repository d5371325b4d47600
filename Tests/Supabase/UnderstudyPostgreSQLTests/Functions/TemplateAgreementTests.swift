#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @testable import UnderstudyPostgreSQL

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct TemplateAgreementTests {
    private static let dateFormats = [
      "YYYY-MM-DD HH24:MI:SS", "YYYY-MM-DD\"T\"HH24:MI:SS.MSOF", "Day, DD Month YYYY",
      "FMDay, FMDD FMMonth YYYY", "DAY DY Dy dy day MONTH MON Mon mon month",
      "HH12:MI AM", "HH:MI p.m. A.D.", "HH24:MI:SS.US", "FF1 FF2 FF3 FF4 FF5 FF6", "DDD D ID IDDD",
      "WW W IW IYYY IYY IY I", "Q CC J", "Y,YYY YYYY YYY YY Y", "RM rm FMRM",
      "SSSS SSSSS", "TZ tz OF TZH TZM", "DDth FMDDth FMDDTH HH24th", "FMHH24:FMMI FMMM FMYYYY",
      "\"quoted \\\" text\" YYYY", "YYYY BC B.C. bc ad", "x\\\"y YYYY", "hh24:mi:ss dd.mm.yyyy",
      "TMMonth TMDay",
      "YYYYMMDD", "MonthDD", "FXYYYY", "", "plain", "é YYYY", "yyyy-q", "FMDDD FMMS FMUS",
    ]

    @Test func datesAreWritten() async throws {
      for zone in [TimeZoneRule.utc, .named("America/New_York"), .named("Asia/Kolkata")] {
        var agreement = Agreement()
        let session = TestSession(timeZone: zone)
        let samples: [DataType: [String]] = [
          .timestamp: [
            "2024-02-29 00:05:06.123456", "2023-12-31 23:59:59.999999", "2021-01-03 12:00",
            "0044-03-15 10:00 BC", "0001-01-01", "12345-06-07 13:14:15", "infinity", "1999-11-11 11:11:11",
            "2022-05-02 03:00",
          ],
          .timestamptz: [
            "2024-02-29 00:05:06.123456+00", "2024-07-04 16:00+00", "1999-12-31 23:59:59+00",
            "0044-03-15 10:00+00 BC",
          ],
          .interval: [
            "1 year 2 months 3 days 04:05:06.789", "-1 year -2 months -3 days -04:05:06.789", "100:00:00",
            "0", "400 days", "25 months", "-13:30:15.5",
          ],
        ]
        for function in Functions.templates where function.name == "to_char" {
          guard let texts = samples[function.parameters[0]],
            zone == .utc || function.parameters[0] == .timestamptz
          else { continue }
          for text in texts {
            for format in Self.dateFormats {
              agreement.add(
                function,
                [Literal(type: function.parameters[0], text: text), Literal(type: .text, text: format)],
                session)
            }
          }
        }
        try await agreement.check(setup: "SET timezone = '\(zone.name)';")
      }
    }

    @Test func datesAreRead() async throws {
      var agreement = Agreement()
      let session = TestSession(timeZone: .named("America/New_York"))
      let cases = [
        ("2024-02-29", "YYYY-MM-DD"), ("20240229", "YYYYMMDD"), ("2024-2-9", "YYYY-MM-DD"),
        ("29/02/2024", "DD/MM/YYYY"), ("29 Feb 2024", "DD Mon YYYY"), ("February 29, 2024", "Month DD, YYYY"),
        ("feb 29 24", "MON DD YY"), ("99-01-02", "YY-MM-DD"), ("520", "YYY"), ("2024-13-01", "YYYY-MM-DD"),
        ("2024-02-30", "YYYY-MM-DD"), ("2023-366", "YYYY-DDD"), ("2024-060", "YYYY-DDD"),
        ("2024-W05-3", "IYYY-\"W\"IW-ID"),
        ("2024 05", "IYYY IW"), ("J2451187", "\"J\"J"), ("2451187", "J"), ("44 BC", "YYYY BC"),
        ("44-03-15 B.C.", "YYYY-MM-DD B.C."), ("2024-02-29 13:14:15", "YYYY-MM-DD HH24:MI:SS"),
        ("2024-02-29 01:14:15 PM", "YYYY-MM-DD HH12:MI:SS AM"),
        ("2024-02-29 13:14 PM", "YYYY-MM-DD HH12:MI AM"), ("12:30 am", "HH:MI am"),
        ("2024-02-29 13:14:15.5", "YYYY-MM-DD HH24:MI:SS.MS"),
        ("2024-02-29 13:14:15.123456", "YYYY-MM-DD HH24:MI:SS.US"), ("13:14:15.25", "HH24:MI:SS.MS"),
        ("2024-02-29T13:14:15+02", "YYYY-MM-DD\"T\"HH24:MI:SSTZH"),
        ("2024-02-29 13:14 -03:30", "YYYY-MM-DD HH24:MI TZH:TZM"), ("2024-02-29 UTC", "YYYY-MM-DD TZ"),
        ("  2024   02  29 ", "YYYY MM DD"), ("2024/02/29", "YYYY-MM-DD"), ("2024 02 29", "YYYY-MM-DD"),
        ("2024.02.29", "YYYYMMDD"), ("20240229131415", "YYYYMMDDHH24MISS"), ("2024-02-29", "FXYYYY-MM-DD"),
        ("2024 02-29", "FXYYYY-MM-DD"), ("2024", "YYYY-MM-DD"), ("", "YYYY-MM-DD"), ("x", "YYYY"),
        ("abc 2024", "Month YYYY"), ("VI 2024", "RM YYYY"), ("viii 2024", "rm YYYY"),
        ("3rd 2024", "DDth YYYY"), ("1,234", "Y,YYY"), ("20 24", "CC YY"), ("21", "CC"), ("2024 3", "YYYY Q"),
        ("2024 10 3", "YYYY WW D"), ("2024 03 2", "YYYY MM W"), ("86399", "SSSSS"),
        ("2024-02-29 3661", "YYYY-MM-DD SSSS"), ("Monday 2024-02-26", "Day YYYY-MM-DD"),
        ("2024-02", "YYYY-MM"), ("02-2024-02", "MM-YYYY-MM"), ("02-2024-03", "MM-YYYY-MM"),
        ("99999999999", "YYYY"), ("2024-02-29 24:00", "YYYY-MM-DD HH24:MI"),
        ("2024-02-29 23:60", "YYYY-MM-DD HH24:MI"), ("2024-IW", "YYYY-\"IW\""), ("2024 05 1", "YYYY IW D"),
        ("0000-01-01", "YYYY-MM-DD"), ("-44-03-15", "YYYY-MM-DD"), ("12024-01-01", "YYYY-MM-DD"),
        ("20240-1-1", "FMYYYY-MM-DD"), ("2", "MM"), ("Sept 2024", "Mon YYYY"), ("June 2024", "Month YYYY"),
        ("juneau 2024", "Month YYYY"), ("15:45", "MI:SS"), ("5 pm", "HH pm"), ("2024a02", "YYYYxMM"),
      ]
      for function in Functions.templates where ["to_date", "to_timestamp"].contains(function.name) {
        for (text, format) in cases {
          agreement.add(
            function, [Literal(type: .text, text: text), Literal(type: .text, text: format)], session)
        }
      }
      try await agreement.check(setup: "SET timezone = 'America/New_York';")
    }

    @Test func numbersAreWritten() async throws {
      var agreement = Agreement()
      let session = TestSession()
      let formats = [
        "999", "9999.99", "FM9999.99", "0000", "FM0000", "9,999,999.99", "FM9,999,999.00", "S999", "999S",
        "SG999", "MI999", "999MI", "PL999", "999PL", "999PR", "FM999PR", "L9999.99", "9G999D99", "RN", "FMRN",
        "rn", "9.99EEEE", "EEEE", "999th", "FM999TH",
        "99V99", "B999", "9", ".99", "9.9", "FM9.9", "FM.99", "0.00", "FM0.00", "90.09", "FM90.99",
        "FM999.09", "$999", "\"text\" 999", "9 9 9", "S9.9", "9.9S", "FMS9.9", "SG9.9", "MI9.9", "9.9MI",
        "9.9PL", "", "09.90", "FM09.990", "999,999", "0,000", "FM9,999", "99D9", "9.9.9", "S9S", "PR9",
        "9V9.9", "FM9999999999999999D999999", "FM99.999", "x", "000000000000", "FM990.0", "9th", "SV99",
        "L0.00",
      ]
      let samples: [DataType: [String]] = [
        .integer: ["0", "1", "-1", "12", "485", "-485", "12345", "1234567", "2147483647", "4", "22", "113"],
        .numeric: [
          "0", "0.1", "-0.1", "1.5", "-1.555", "12.45", "1234.5678", "-1234567.891", "0.005", "99.995", "NaN",
          "1e10", "Infinity", "123.00", "1000",
        ],
        .double: [
          "0", "0.1", "-1.5", "1234.5678", "1e20", "NaN", "Infinity", "123456789.123456789", "1e-10", "-485",
        ],
        .real: ["0", "1.5", "1234.5678", "1e10"],
        .bigint: ["0", "-9223372036854775808", "485"],
      ]
      for function in Functions.templates where function.name == "to_char" {
        for text in samples[function.parameters[0]] ?? [] {
          for format in formats {
            // The exponents of the least integer and the Roman numerals of other numbers differ in their errors.
            agreement.add(
              function,
              [Literal(type: function.parameters[0], text: text), Literal(type: .text, text: format)], session
            )
          }
        }
      }
      try await agreement.check()
    }

    @Test func numbersAreRead() async throws {
      var agreement = Agreement()
      let session = TestSession()
      let function = try #require(Functions.named("to_number").first)
      for (text, format) in [
        ("12,454.8-", "99G999D9S"), ("1234", "9999"), ("-1234", "S9999"), ("1234.56", "9999.99"),
        ("1,234.56", "9,999.99"), ("$1,234.56", "L9,999.99"), ("$1,234.56", "$9,999.99"), ("<123>", "999PR"),
        ("123-", "999MI"), ("-123", "MI999"), ("+5", "SG9"), ("abc", "999"), ("", "9"),
        ("12.345", "99.9"), ("12", "99V99"), ("5", ""), (" 123 ", "999"), ("1 234", "9 999"),
        ("1e5", "9EEEE"), ("0.5", "0.9"), (".5", "9.9"), ("123", "99"), ("-5", "9"), ("5th", "9th"),
        ("1234567.891", "9999999.999"), ("34,50", "999,99"),
      ] {
        agreement.add(
          function, [Literal(type: .text, text: text), Literal(type: .text, text: format)], session)
      }
      try await agreement.check()
    }
  }
#endif

#if os(macOS) || os(Linux)
  import Foundation
  import Testing
  import UnderstudyTesting
  import UnderstudyHTTP

  @testable import UnderstudySupabase

  /// The meaning, the notation and the order of texts as values of each type.
  @Suite(.stallLimit(), .enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
  struct ValueAgreementTests {
    private static let texts: [ColumnType: [String]] = [
      .uuid: [
        "11111111-1111-1111-1111-11111111111a", "{11111111-1111-1111-1111-11111111111A}",
        "11111111111111111111111111111111", "1111-1111-1111-1111-1111-1111-1111-1111", "11111111-1111", "",
        " 11111111-1111-1111-1111-111111111111", "11111111-1111-1111-1111-11111111111g", "{11111111-1111",
        "1-1111111-1111-1111-1111-111111111111",
      ],
      .text: ["", " a ", "é", "e\u{301}", "😀", "\"\\", "tab\tnew\nline", "NULL"],
      .integer: [
        "8", " 8 ", "+8", "-8", "--8", "+-8", "", " ", "8.0", "1e1", "2147483647", "2147483648",
        "-2147483648",
        "-2147483649", "99999999999999999999999", "0x10", "1_000", "08", "8 8", "８", "- 8", "\t8\n",
      ],
      .double: [
        "1", "1.0", "-2.50", "1e20", "1e15", "1e14", "123456789012345678", "1e-5", "0.0001", "1e400",
        "-1e400", "1e-400",
        "NaN", "nan", "Infinity", "-inf", "+inf", "infinit", "", ".5", "5.", ".", "1e", "0x1p3", "1_0", " 1 ",
        "-0", "0.1",
        "100000", "1234567.125", "3.4028234663852886e38", "2.2250738585072014e-308", "5e-324", "1,5", "1d",
        "1f", "e5",
      ],
      .boolean: [
        "t", "f", "true", "FALSE", " TRUE ", "tr", "fals", "y", "n", "yes", "no", "ye", "on", "off", "of",
        "o", "1", "0", "10",
        "", "truee", "01",
      ],
      .date: [
        "2016-01-05", "2016-1-5", "2016-01-15T10:00:00Z", "2016-01-15 25:00", "2024-02-29", "2023-02-29",
        "2023-13-01",
        "2023-00-10", "2023-01-00", "2023-01-32", "", " 2016-01-05 ", "nonsense", "2016-01", "2016",
        "2016-01-05x",
        "9999-12-31", "0001-01-01", "0000-01-01", "2016-01-05 10:00+02", "2016-04-31",
      ],
      .timestamp: [
        "2026-01-03", "2026-01-03 12:00", "2026-01-03T12:00:00+02", "2026-01-03T12:00:00.1234567Z",
        "2025-12-31T23:30:00.100-05:30", "1969-12-31T23:59:59.999999Z", "2026-01-03T24:00:00Z",
        "2026-01-03T24:00:01Z",
        "2026-01-03T12:60:00Z", "2026-01-03T12:00:60Z", "2026-01-03T12:00:61Z", "2026-01-03T25:00:00Z",
        "2026-01-03T12:00:00+15:59", "2026-01-03T12:00:00+16:00", "2026-01-03T12:00:00+0530",
        "2026-01-03t12:00:00z",
        "2026-01-03 12:00:00 +02", "2026-01-03 12:00:00 UTC", "2026-01-03 1:2:3", "2026-02-30T12:00:00Z",
        "foo", "",
        "2026-01-03T12", "2026-01-03T", "2026-01-03 12:00:00.", "2026-01-03 12:00:00.9999999",
        "0001-01-01T00:00:00Z",
        "2026-01-03T12:00:00.5+00:00x",
      ],
      .textArray: [
        "{}", "{ }", " {a} ", "{a, b}", #"{a,"b c","q\"x",NULL,"","null"}"#, #"{a\,b}"#, "{a", "{a}b", "{a,}",
        "{,a}",
        "{a,,b}", "", "a", "{a\"b}", #"{"a"b}"#, #"{"a" }"#, "{ null , Null }", #"{\null}"#, "{a b}", "{a  }",
        #"{"a"#,
        #"{a\"#, "}", "{}}", "{é,😀}", #"{" a "}"#, "{\"\"}", "{a\nb}", #"{\ a\ }"#,
      ],
      .json: [
        #"{"b":1,"a":1.50, "aa":{}}"#, #"{"a":1,"a":2}"#, "null", "true", "1e3", "1E-2", "-0", "-0.0", "0.10",
        "1.5e1", "[]",
        "[1,2", "[1,]", "[,1]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", "tru", "nul", "", " ",
        "[1 2]",
        #"{"a":1 "b":2}"#, #""\u0000""#, #""\u00e9\/""#, #""\x""#, #""\u12""#, "\"a", "\"a\tb\"", "01", "1.",
        ".5", "-",
        "+1", "1e", "[1]x", "[1] 2", "'a'", "{1:2}", "\"\u{7F}é😀\"", "]", ":", "\u{E9}",
        "12345678901234567890.5",
        "1e400", "1e-400", "1e200000", #""\ud83d\ude00""#, #""\ud83d""#, #""\ude00""#,
      ],
    ]

    /// One statement for each text, which returns the notation of the value, and its JSON.
    private static func sql(_ type: ColumnType, _ text: String) -> String {
      "SELECT to_json(v) || '|' || CASE pg_typeof(v)::text WHEN 'boolean' THEN left(v::text, 1) ELSE v::text END"
        + " FROM (SELECT \(PostgreSQLServer.quoted(text))::\(type.rawValue)) AS r (v)"
    }

    private static func inMemory(_ type: ColumnType, _ text: String) -> Ending {
      do throws(PostgRESTError) {
        let value = try type.value(fromText: text)
        let layout = RowLayout("t", [DatabaseColumn("v", type)])
        guard let writer = try? RowWriter(nil, for: layout) else { return .rows([]) }
        let object = String(
          decoding: writer.object(DatabaseRow(layout: layout, values: [value])), as: UTF8.self)
        return .rows([object.dropFirst(5).dropLast() + "|" + value.text])
      } catch {
        return .refusal(error)
      }
    }

    private func verify(_ cases: [(ColumnType, String)], seed: UInt64? = nil) async throws {
      let claims = PostgreSQLServer.quoted("{}")
      let calls = cases.map { type, text in
        "SELECT public.understudy('anon', \(claims), \(PostgreSQLServer.quoted(Self.sql(type, text))));"
      }
      let script = PostgreSQLServer.project + "\n" + calls.joined(separator: "\n")
      let lines = try await PostgreSQLServer().lines(of: script)
      try #require(lines.count == cases.count)
      var differences: [String] = []
      for ((type, text), line) in zip(cases, lines) {
        let answer = try JSONValue(parsing: Data(line.utf8))
        let real: Ending
        if let code = answer["code"]?.stringValue {
          real = .refusal(
            PostgRESTError(
              code: code, message: answer["message"]?.stringValue ?? "",
              details: answer["detail"]?.stringValue,
              hint: answer["hint"]?.stringValue))
        } else {
          real = .rows([answer["rows"]?.stringValue ?? ""])
        }
        let inMemory = Self.inMemory(type, text)
        if real != inMemory {
          differences.append(
            "\(type.rawValue) '\(text)'\n    PostgreSQL: \(real)\n    in memory:  \(inMemory)")
        }
      }
      guard !differences.isEmpty else { return }
      Issue.record(
        """
        \(differences.count) of \(cases.count) texts mean something else on PostgreSQL\(seed.map { " (seed \($0))" } ?? ""):
        \(differences.prefix(40).joined(separator: "\n"))
        """)
    }

    @Test func texts() async throws {
      let cases = Self.texts.sorted { $0.key.rawValue < $1.key.rawValue }
        .flatMap { type, texts in texts.map { (type, $0) } }
      try await verify(cases)
    }
  }
#endif

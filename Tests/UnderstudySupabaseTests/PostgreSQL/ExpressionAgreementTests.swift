import UnderstudyHTTP

#if os(macOS) || os(Linux)
  import Foundation
  import Testing
  import UnderstudyTesting

  @testable import UnderstudySupabase

  /// The values of expressions, written by hand and generated from a seed.
  @Suite(.stallLimit(), .enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
  struct ExpressionAgreementTests {
    private static let expressions = [
      // Three-valued logic.
      "NULL AND false", "NULL AND true", "NULL OR true", "NULL OR false", "NOT NULL::boolean", "NULL = NULL",
      "NULL IS NULL", "NULL IS NOT DISTINCT FROM NULL", "1 IS DISTINCT FROM NULL", "true IS NOT UNKNOWN",
      "(NULL::boolean) IS UNKNOWN", "1 IN (2, NULL)", "1 IN (1, NULL)", "1 NOT IN (2, NULL)",
      "1 NOT IN (1, NULL)",
      "NULL IN (1)", "3 BETWEEN 1 AND NULL", "0 BETWEEN 1 AND NULL", "NOT 3 BETWEEN 1 AND 2",
      "'a' = ANY ('{a,NULL}')", "'b' = ANY ('{a,NULL}')", "'b' <> ALL ('{a,NULL}')",
      "'a' <> ALL ('{a,NULL}')",
      "'a' <> ALL ('{}')", "1 = ANY (ARRAY[1,2])", "1 < ALL (ARRAY[2,NULL])", "true > false",
      // Precedence.
      "NOT false AND false", "true OR true AND false", "1 + 2 * 3 - 4 / 2 % 3", "-2 + 3", "- 2 * - 3",
      "2 - -3",
      "(1 < 2) = true", "NOT 1 = 2", "1 = 1 IS TRUE", "2 * 3 BETWEEN 5 AND 3 + 4 AND true",
      "'a' || 'b' = 'ab'",
      "1 + 1 = 2 AND NOT 2 > 3 OR false", "-7 / 2", "-7 % 3", "7 / -2", "'x' || 1 + 2 = 'x3'",
      // Numbers.
      "2147483647 + 1", "1 / 0", "1 % 0", "1.5 > 1", "0.1::double precision + 0.2 = 0.3", "3000000000 > 1",
      "2.5::double precision::integer", "3.5::double precision::integer", "2.5::integer", "-2.5::integer",
      "1e10::double precision::integer", "'NaN'::double precision = 'NaN'", "'NaN'::float8 > 'infinity'",
      "1.0::float8 / 0", "1e308::float8 * 10", "1e-308::float8 / 1e10 / 1e10", "5 = 5.0", "-2147483648",
      "abs(-5)", "abs(-2.5::float8)",
      "1::boolean", "true::integer + 1", "'12'::integer", "' 12 '::integer", "'1x'::integer", "5::text || ''",
      "1 = 1.0::double precision", "0.1 = 0.1::double precision", "1::double precision::text",
      // Texts.
      "'a' < 'B'", "'é' > 'z'", "'abc' LIKE 'a%'", "'abc' NOT LIKE '_b_'", "'a%c' LIKE 'a\\%c'",
      "'ABC' ILIKE 'abc'",
      "'a' LIKE 'a\\'", "'ab' LIKE 'a\\'", "'İSΣ' ILIKE 'i%'", "'ΣΑΣ' ILIKE 'σας'", "'aD' ~* '\\D'",
      "'A1' ~* '\\d'", "length('é😀')", "char_length('')", "octet_length('é')", "lower('ÀÉ')",
      "upper('straße')",
      "trim('  a ')", "trim(both 'x' from 'xax')", "ltrim('xxa', 'x')", "rtrim('axx', 'x')",
      "btrim(E'\\ta\\n')", "'it''s'",
      "E'a\\nb'", "$$a'b$$", "$q$a$$b$q$", "coalesce(NULL, 'x')", "coalesce(NULL, NULL) IS NULL",
      "nullif('a', 'a')",
      "nullif(1, 2)", "CASE WHEN false THEN 1 WHEN NULL THEN 2 ELSE 3 END",
      "CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END",
      "CASE WHEN false THEN 1 END", "'a' || NULL IS NULL", "true::text", "'t'::boolean",
      "date '2024-02-29'::text",
      // Regular expressions.
      "'abc' ~ '^[a-c]+$'", "'abd' ~ '^[a-c]+$'", "'ABC' ~* 'b'", "'abc' !~ 'x'", "'ABC' !~* 'b'",
      "' ' ~ '[^[:space:]]'",
      "'a' ~ '[^[:space:]]'", "'a.b' ~ '^a\\.b$'", "'aab' ~ '^a{2}b$'", "'ab' ~ '^a{2,}b$'",
      "'aaab' ~ '^a{1,3}b$'",
      "'x@y.z' ~ '^[^@[:space:]]+@[^@]+\\.[a-z]+$'", "'abcabc' ~ '^(abc)+$'", "'abab' ~ '^(?:ab|cd)*$'",
      "'' ~ '^$'",
      "'a1_' ~ '^\\w+$'", "'12' ~ '^\\d+$'", "E'a\\nb' ~ 'a.b'", "E'a\\nb' ~ '^b'", "'a-b' ~ '^[a\\-]+b$'",
      "'a]b' ~ '^[]a]+b$'",
      "'é' ~ '^[[:alpha:]]$'", "'É' ~ '^[[:upper:]]$'", "'a{b' ~ 'a{b'", "'ab' ~ 'a|'", "'b' ~ '(a|b)?$'",
      "'a' ~ '*a'",
      "'a' ~ '(a'", "'a' ~ '[a'", "'a' ~ 'a{2,1}'", "'a' ~ '[z-a]'", "'a' ~ 'a**'", "'a' ~ '[[:nope:]]'",
      "'ß' ~* 'SS'",
      "'x' ~ ''", "'a b' ~ '\\s'", "'ab' ~ 'a\\Sb'", "'aXb' ~ '\\AaX'", "'a+' ~ 'a\\+'", "'' ~ 'a*'",
      "'b' ~ '^a*?b$'",
      "'é' ~ '^[à-ÿ]$'", "'ÀÉ' ~* '^[à-ÿ]+$'", "'漢' ~ '^[一-龥]+$'", "'名' ~ '^[^!-ÿ]$'", "'名前' ~ '^..$'",
      "'-' ~ '^[!--]$'", "'^' ~ '^[\\^-]$'", "']' ~ '^[]-a]$'", "'\\' ~ '^[a\\\\c]$'", "'x' ~ '^(|b)$'",
      "'' ~ '^()$'", "'٣' ~ '^[[:digit:]]$'", "'٣' ~ '^[[:alpha:]]$'", "'\u{A0}' ~ '[[:space:]]'",
      "'ä1_' ~ '^\\w+$'", "'!' ~ '^\\W$'", "'a' ~ 'a{256}'", "'a' ~ 'a\\'", "'a}' ~ 'a}'", "'a' ~ 'a)'",
      "'a' ~ '^*'", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' ~ '^(a+)+b$'",
      // Arrays and documents.
      "ARRAY['a','b'] @> ARRAY['a']", "ARRAY['a'] <@ '{a,b}'", "ARRAY['a'] && '{b}'",
      "cardinality('{a,b}'::text[])",
      "array_length('{}'::text[], 1)", "array_length('{a,b}'::text[], 1)", "array_length('{a}'::text[], 2)",
      "(ARRAY['a','b'])[1]", "(ARRAY['a','b'])[0]", "(ARRAY['a','b'])[3]", "('{a,NULL}'::text[])[2] IS NULL",
      "(ARRAY['a','b'])[1 + 1] || 'c'", "('{a,b}'::text[])['2']", "(ARRAY['a'])[NULL]", "('a'::text)[1]",
      "ARRAY['a', NULL] = '{a,NULL}'", "'{a}'::text[] < '{b}'",
      "'{\"a\": {\"b\": [1, \"x\"]}}'::jsonb -> 'a' -> 'b' ->> 1",
      "'{\"a\": null}'::jsonb ->> 'a'", "'[1,2]'::jsonb -> -1", "'{\"a\":1}'::jsonb ->> 'z'",
      "jsonb_typeof('[]')",
      "jsonb_typeof('null'::jsonb)", "jsonb_array_length('[1,2]')", "jsonb_array_length('{}')",
      "jsonb_array_length('3')",
      "'{\"a\":1.0}'::jsonb = '{\"a\":1}'", "'[]'::jsonb < 'null'::jsonb", "'[1]'::jsonb > '{}'::jsonb",
      "'\"b\"'::jsonb > '\"a\"'",
      "'{\"aa\":1}'::jsonb > '{\"b\":1}'", "'[[]]'::jsonb > '[1]'", "'true'::jsonb > '3'",
      "'-1.5'::jsonb < '-1.25'",
      // Dates.
      "date '2024-02-28' + 1", "date '2024-03-01' - date '2024-02-28'", "date '2024-03-01' - 1",
      "1 + date '2023-12-31'",
      "'2024-01-01'::date < '2024-01-01 00:00:01'::timestamptz",
      "('2024-01-01 23:30+02'::timestamptz AT TIME ZONE 'utc')::date",
      "'2024-01-01'::date = timestamptz '2024-01-01'", "'2024-01-01'::timestamptz::text",
      "'2024-01-01 10:00'::timestamp::text",
      "now() > '2024-01-01'", "now() = CURRENT_TIMESTAMP", "current_date <= (now() AT TIME ZONE 'utc')::date",
      "timezone('utc', now()) = localtimestamp", "cast('2024-01-01' AS date)", "date '2024-13-01'",
      // The current role.
      "auth.uid()", "auth.role()", "auth.uid() IS NULL",
      "auth.uid() = '0a000000-0000-4000-8000-000000000001'",
      "(SELECT auth.uid()) = auth.uid()", "auth.uid()::text LIKE '0a%'",
      "'A0000000-0000-4000-8000-000000000001'::uuid = auth.uid()",
      "EXISTS (SELECT 1 WHERE auth.uid() IS NOT NULL)", "5 IN (SELECT 5)", "5 = ANY (SELECT 6)",
      // Mismatched types.
      "1 = 'x'", "1 = true", "'a'::text = 1", "auth.uid() = 'x'", "auth.uid() = 'x'::text", "1 AND true",
      "NOT 1", "'maybe' AND true",
      "1 IS TRUE", "nope()", "length(1)", "lower(NULL)", "coalesce(1, 'x')", "coalesce(1, true)",
      "CASE WHEN 1 THEN 2 END",
      "1::uuid", "'x'::uuid", "1 || 2", "1 ~ 'a'", "1 LIKE 'a'", "ARRAY['a'] @> 'a'", "nope", "true::date",
      "'2024-01-01'::date::integer",
      "1 IN ('a')", "'a'::text IN (1)", "'1'::text = ANY (ARRAY[1])", "current_date + true", "1 < 'y'::text",
    ]

    private func verify(_ expressions: [String], seed: UInt64? = nil) async throws {
      let user = SharedServicesAgreementTests.patID
      let claims = #"{"role": "authenticated", "sub": "\#(user.uuidString)"}"#
      let calls = expressions.map { text in
        let arguments = [
          "authenticated", claims,
          "SELECT '[' || coalesce(to_json(v)::text, 'null') || ']' FROM (SELECT \(text)) AS r (v)",
        ]
        return "SELECT public.understudy(\(arguments.map(PostgreSQLServer.quoted).joined(separator: ", ")));"
      }
      let lines = try await PostgreSQLServer().lines(
        of: PostgreSQLServer.project + "\nBEGIN;\n" + calls.joined(separator: "\n") + "\nCOMMIT;")
      try #require(lines.count == expressions.count)
      var differences: [String] = []
      for (text, line) in zip(expressions, lines) {
        let answer = try JSONValue(parsing: Data(line.utf8))
        let real =
          answer["code"]?.stringValue.map { "\($0) \(answer["message"]?.stringValue ?? "")" }
          ?? answer["rows"]?.stringValue ?? ""
        let inMemory = Self.value(of: text, user)
        if real != inMemory {
          differences.append("\(text)\n    PostgreSQL: \(real)\n    in memory:  \(inMemory)")
        }
      }
      guard !differences.isEmpty else { return }
      Issue.record(
        """
        \(differences.count) of \(expressions.count) expressions are worth something else on PostgreSQL\
        \(seed.map { " (seed \($0))" } ?? ""):
        \(differences.prefix(60).joined(separator: "\n"))
        """)
    }

    /// The value as JSON, or the error.
    private static func value(of text: String, _ user: UUID) -> String {
      do {
        var parser = try SQLParser(text)
        let expression = try parser.expression()
        guard parser.isAtEnd else { return "unread: \(parser.token)" }
        var bound = try ExpressionBinder().bind(expression)
        if bound.type == .unknown { bound = try ExpressionBinder().literal(bound, as: .text, at: nil) }
        let now = try #require(Timestamp(Date(timeIntervalSince1970: 1_767_441_600)))
        let context = StatementContext(role: .user(user), now: now, returnsRows: true)
        let value = try DatabaseState.empty.value(of: bound, [], context)
        let layout = RowLayout("t", [DatabaseColumn("v", .text)])
        let object = try RowWriter(nil, for: layout).object(DatabaseRow(layout: layout, values: [value]))
        return "[" + String(decoding: object, as: UTF8.self).dropFirst(5).dropLast() + "]"
      } catch let error as PostgRESTError {
        return "\(error.code) \(error.message)"
      } catch let failure as ExpressionError {
        return "\(failure.error.code) \(failure.error.message)"
      } catch let problem as SQLProblem {
        return "unread: \(problem.problem)"
      } catch {
        return "\(error)"
      }
    }

    @Test func byHand() async throws { try await verify(Self.expressions) }
  }
#endif

#if os(macOS) || os(Linux)
  import TestSupport
  import Testing
  import Understudy

  @testable import UnderstudyPostgreSQL

  /// Runs a script of statements in the engine and in PostgreSQL, and compares each result.
  enum ScriptAgreement {
    /// The result of each statement: `ok`, the rows as text, or `ERROR code: message`.
    static func results(of statements: [String], setup: String = "") throws -> [String] {
      let session = Session(State(), environment: .fixed)
      for statement in try Script.parse(setup) { _ = try session.run(statement.statement) }
      return statements.map { text in
        do {
          var lines: [String] = []
          var returnsRows = false
          for statement in try Script.parse(text) {
            let result = try session.run(statement.statement)
            returnsRows = !result.columns.isEmpty
            let type = BoundType(
              .record, fields: result.columns.map { BoundType.Field($0.name, $0.type) })
            lines = try result.rows.map { try Value.record($0).text(as: type, session) }
          }
          return returnsRows ? lines.joined(separator: "; ") : "ok"
        } catch let error as PostgreSQLError {
          return "ERROR \(error.code): \(error.message)" + (error.detail.map { " DETAIL \($0)" } ?? "")
        } catch {
          return "\(error)"
        }
      }
    }

    /// The same of PostgreSQL.
    static func expectations(of statements: [String], setup: String = "") async throws -> [String] {
      let calls = statements.map { "SELECT understudy_run(\(PostgreSQLServer.quoted($0)));" }
      let script = setup + "\n" + Self.function + "\n" + calls.joined(separator: "\n")
      return try await PostgreSQLServer().lines(of: script).map {
        String($0.dropFirst()).replacing("\\n", with: "\n")
      }
    }

    static func check(
      _ statements: [String], setup: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let expected = try await expectations(of: statements, setup: setup)
      let actual = try results(of: statements, setup: setup)
      try #require(expected.count == statements.count, sourceLocation: sourceLocation)
      for (index, statement) in statements.enumerated() where actual[index] != expected[index] {
        Issue.record(
          "\(statement)\n  PostgreSQL: \(expected[index])\n  engine:     \(actual[index])",
          sourceLocation: sourceLocation)
      }
    }

    private static let function = """
      CREATE FUNCTION public.understudy_run(statement text) RETURNS text LANGUAGE plpgsql AS $understudy$
      DECLARE r record; result text := ''; is_first boolean := true; detail text;
      BEGIN
        IF statement ~* '^[\\s(]*(select|with|values|table)' OR statement ~* 'returning' AND statement !~* '^\\s*create' THEN
          FOR r IN EXECUTE statement LOOP
            result := result || CASE WHEN is_first THEN '' ELSE '; ' END || r::text;
            is_first := false;
          END LOOP;
          RETURN '=' || replace(result, E'\\n', '\\n');
        END IF;
        EXECUTE statement;
        RETURN '=ok';
      EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
        RETURN '=ERROR ' || SQLSTATE || ': ' || replace(SQLERRM, E'\\n', '\\n')
          || CASE WHEN detail <> '' THEN ' DETAIL ' || replace(detail, E'\\n', '\\n') ELSE '' END;
      END $understudy$;
      """
  }

  extension SessionEnvironment {
    /// 2026-01-02 03:04:05 UTC, and numbers from a seed.
    static var fixed: SessionEnvironment {
      let numbers = Locked(SeededGenerator(seed: 1))
      return SessionEnvironment(
        now: { 820_551_845_000_000 }, random: { numbers.withLock { $0.next() } }, collation: .codePoints,
        isCancelled: { false })
    }
  }
#endif

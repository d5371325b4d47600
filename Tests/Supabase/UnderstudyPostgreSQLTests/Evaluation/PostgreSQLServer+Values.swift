#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  extension PostgreSQLServer {
    /// Evaluates each query, and returns its single value as text, `NULL`, or `ERROR code: message`.
    ///
    /// - Parameter setup: Statements that run before.
    func values(of queries: [String], setup: String = "") async throws -> [String] {
      let calls = queries.map { "SELECT understudy_value(\(Self.quoted($0)));" }
      let lines = try await lines(of: setup + "\n" + Self.evaluation + "\n" + calls.joined(separator: "\n"))
      return lines.map { line in
        line.replacing("\\n", with: "\n").replacing("\\\u{1}", with: "\\")
      }
    }

    /// A function that runs a query of one value and catches its error.
    ///
    /// Line ends are escaped, so that a value takes one line.
    private static let evaluation = """
      CREATE FUNCTION public.understudy_value(query text) RETURNS text LANGUAGE plpgsql AS $$
      DECLARE result text;
      BEGIN
        EXECUTE query INTO result;
        RETURN replace(replace(coalesce('=' || result, 'NULL'), E'\\\\', E'\\\\\\x01'), E'\\n', E'\\\\n');
      EXCEPTION WHEN OTHERS THEN
        RETURN 'ERROR ' || SQLSTATE || ': ' || replace(SQLERRM, E'\\n', E'\\\\n');
      END $$;
      """
  }

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct PostgreSQLServerTests {
    @Test func valuesAndErrorsHaveOneLineEach() async throws {
      let values = try await PostgreSQLServer().values(of: [
        "SELECT 1", "SELECT null", "SELECT E'a\\nb\\\\n'", "SELECT 1/0", "SELECT ''",
      ])
      #expect(values == ["=1", "NULL", "=a\nb\\n", "ERROR 22012: division by zero", "="])
    }
  }
#endif

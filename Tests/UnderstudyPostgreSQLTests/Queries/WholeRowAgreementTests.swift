#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  /// Rows as values, functions that return them, and ranges beside their elements, compared with PostgreSQL.
  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct WholeRowAgreementTests {
    private static let setup = """
      CREATE TABLE pairs (id integer PRIMARY KEY, note text, span int4range);
      INSERT INTO pairs VALUES (1, NULL, '[1,5)'), (2, 'b', NULL);
      CREATE FUNCTION pair(integer) RETURNS pairs LANGUAGE sql STABLE AS 'SELECT * FROM pairs WHERE id = $1';
      CREATE FUNCTION nothing(integer) RETURNS text LANGUAGE sql STABLE AS 'SELECT note FROM pairs WHERE id = $1';
      CREATE FUNCTION several(text, VARIADIC integer[]) RETURNS text LANGUAGE sql IMMUTABLE AS
        'SELECT $1 || array_to_string($2, $1)';
      CREATE FUNCTION remember(text) RETURNS text LANGUAGE plpgsql SET search_path = 'pg_catalog' AS $$
        BEGIN RETURN set_config('own.value', $1, false); END $$;
      """

    @Test func rowsRangesAndFunctions() async throws {
      try await ScriptAgreement.check(
        [
          "SELECT json_agg(x) FROM (SELECT note FROM pairs ORDER BY id) x",
          "SELECT p.id, row_to_json(q) FROM pairs p LEFT JOIN (SELECT note FROM pairs WHERE id = 1) q ON p.id = 1 ORDER BY 1",
          "SELECT p.id, q IS DISTINCT FROM NULL FROM pairs p LEFT JOIN pairs q ON q.id = p.id + 1 ORDER BY 1",
          "SELECT count(x) FROM (SELECT note FROM pairs) x", "SELECT * FROM pair(1)", "SELECT * FROM pair(9)",
          "SELECT * FROM nothing(9)", "SELECT several('-', VARIADIC '{1,2}')", "SELECT several('-', 1, 2, 3)",
          "SELECT span @> 2, span @> '[2,3)', 4 <@ span, span * '[3,9)' FROM pairs WHERE id = 1",
          "SELECT span @> '2' FROM pairs WHERE id = 1",
          "SELECT lower(span) + 1, upper(span) FROM pairs WHERE id = 1",
          "SELECT numrange(1, 2) @> 1.5, range_merge(int4range(1, 2), '[7,8)')", "SELECT remember('x')",
          "SELECT current_setting('own.value')",
        ], setup: Self.setup)
    }
  }
#endif

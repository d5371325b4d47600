import Testing
import UnderstudyPostgreSQL

struct ScriptTests {
  private func statements(_ sql: String) throws -> [Statement] { try Script.parse(sql).map(\.statement) }

  @Test func examplesAreAccepted() throws {
    for sql in SyntaxExamples.statements {
      #expect(throws: Never.self, "\(sql)") {
        let count = try Script.parse(sql).count
        #expect(count == 1, "\(sql)")
      }
    }
    for body in SyntaxExamples.procedures {
      #expect(throws: Never.self, "\(body)") { try ProcedureParser.parse(body) }
    }
  }

  @Test func readsTheOutputOfADump() throws {
    let script = """
      \\restrict abc
      --
      -- PostgreSQL database dump
      --
      SET statement_timeout = 0;
      SELECT pg_catalog.set_config('search_path', '', false);
      COPY public.t (id, "Name", note) FROM stdin;
      1\ta\\tb\\\\c\t\\N
      2\t\té\\x41\\101
      \\.

      SELECT 1;
      \\unrestrict abc
      """
    let parsed = try statements(script)
    #expect(parsed.count == 6)
    #expect(parsed.first == .ignored("psql \\restrict"))
    #expect(parsed[1] == .set("statement_timeout", to: ["0"], isLocal: false))
    let table = QualifiedName(schema: "public", "t")
    #expect(
      parsed[3]
        == .copy(
          Copy(
            into: table, columns: ["id", "Name", "note"], rows: [["1", "a\tb\\c", nil], ["2", "", "éAA"]])))
  }

  @Test func rangesLeaveOutTheSemicolon() throws {
    let sql = "\u{FEFF}; select 1 ;;\n-- c\nselect ';' -- d;\n;"
    let texts = try Script.parse(sql).map { String(decoding: Array(sql.utf8)[$0.range], as: UTF8.self) }
    #expect(texts == ["select 1 ", "select ';' -- d;\n"])
  }

  @Test func goesOnBehindWhatItDoesNotUnderstand() {
    let script = """
      select 1;
      selec 2;
      create table t (a int,);
      create rule r as on insert to t do also (select 1; select 2);
      copy t from 'file';
      copy t from stdin with (format csv);
      1,2;
      \\.
      select 'a;b';
      create function f() returns int begin atomic select case when true then 1 end; select 2; end;
      select 3 from;
      select 'unterminated;
      """
    let outcomes = Script.parseLeniently(script).map { attempt in
      switch attempt.result {
      case .success: ""
      case .failure(let error): "\(error.message) \(error.position ?? -1)"
      }
    }
    #expect(
      outcomes == [
        "", "syntax error at or near \"selec\" 10", "syntax error at or near \")\" 41",
        "CREATE RULE is not supported by the in-memory database 51",
        "COPY from a file is not supported by the in-memory database 118",
        "An option of COPY is not supported by the in-memory database 157", "", "",
        "syntax error at or near \";\" 292", "unterminated quoted string at or near \"'unterminated;\" 301",
      ])
  }

  @Test(arguments: [
    ("COMMENT ON TABLE t IS 'x'", "COMMENT ON TABLE"),
    ("CREATE EXTENSION IF NOT EXISTS \"uuid-ossp\" WITH SCHEMA extensions", "CREATE EXTENSION uuid-ossp"),
    ("ALTER FUNCTION f() OWNER TO postgres", "ALTER FUNCTION OWNER TO"),
    ("NOTIFY pgrst, 'reload schema'", "NOTIFY"), ("ANALYZE t", "ANALYZE"),
    ("ALTER ROLE authenticator NOINHERIT LOGIN", "ALTER ROLE"),
    ("LOCK TABLE a, b IN ACCESS EXCLUSIVE MODE", "LOCK"),
  ])
  func ignoresWhatHasNoEffect(sql: String, words: String) throws {
    #expect(try statements(sql) == [.ignored(words)])
  }

  @Test(arguments: [
    "MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE",
    "CREATE AGGREGATE a (int) (sfunc = f, stype = int)", "SELECT * FROM t TABLESAMPLE system (1)",
    "SELECT xmlparse(document '<a/>')",
    "DECLARE c CURSOR FOR SELECT 1", "CREATE TYPE r AS RANGE (subtype = int)",
    "EXPLAIN SELECT 1", "SELECT 1 FETCH FIRST 1 ROW WITH TIES",
  ])
  func namesWhatIsNotSupported(sql: String) throws {
    let error = #expect(throws: PostgreSQLError.self) { try Script.parse(sql) }
    #expect(error?.code == PostgreSQLError.notSupportedCode)
    #expect(error?.message.hasSuffix("is not supported by the in-memory database") == true)
  }
}

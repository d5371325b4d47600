import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting
@testable import UnderstudySupabase

/// The results of reading schemas; the tests in `PostgreSQL/` compare them with PostgreSQL.
@Suite(.stallLimit()) struct DatabaseSchemaTests {
  private func table(_ sql: String) throws -> DatabaseTable {
    try #require(try DatabaseSchema(sql: sql).tables.first)
  }

  @Test func columnsHaveTypesAndDefaults() throws {
    let table = try table(
      """
      CREATE TABLE public."My Table" (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner uuid DEFAULT auth.uid(), n int4 NOT NULL DEFAULT -3 + 1,
        x float8 DEFAULT 1.5, ok bool DEFAULT 'yes', day date DEFAULT '2024-1-5', at timestamptz NOT NULL DEFAULT now(),
        later timestamp with time zone DEFAULT timezone('utc'::text, now()), tags text[] DEFAULT '{a,b}', doc jsonb DEFAULT '{}',
        "Note" text DEFAULT 'it''s', nothing text DEFAULT NULL
      );
      """)
    #expect(table.name == "My Table")
    #expect(table.primaryKey == ["id"])
    let expected: [(String, ColumnType, Bool, DatabaseColumn.Default?)] = [
      ("id", .uuid, false, .generatedUUID), ("owner", .uuid, true, .userID),
      ("n", .integer, false, .value(-2)),
      ("x", .double, true, .value(1.5)), ("ok", .boolean, true, .value(true)),
      ("day", .date, true, CivilDate(year: 2024, month: 1, day: 5).map { .value(.date($0)) }),
      ("at", .timestamp, false, .now), ("later", .timestamp, true, .now),
      ("tags", .textArray, true, .value(.textArray(["a", "b"]))),
      ("doc", .json, true, .value(.json(.object([])))),
      ("Note", .text, true, .value("it's")), ("nothing", .text, true, nil),
    ]
    for (column, (name, type, isNullable, value)) in zip(table.columns, expected) {
      #expect(column == DatabaseColumn(name, type, isNullable: isNullable, default: value))
    }
    #expect(table.columns.count == expected.count)
  }

  @Test func constraintsHaveTheNamesThatPostgreSQLGives() throws {
    let long = String(repeating: "x", count: 60)
    let schema = try DatabaseSchema(
      sql: """
        CREATE TABLE a (id uuid PRIMARY KEY, n integer CHECK (n > 1) CHECK (n > 2) UNIQUE, m integer CHECK (n > m), UNIQUE (n, m));
        CREATE TABLE b (id uuid CONSTRAINT own PRIMARY KEY, a_id uuid REFERENCES a, CONSTRAINT given CHECK (a_id <> id));
        CREATE TABLE \(long) (\(long) uuid REFERENCES a (id));
        ALTER TABLE b ADD UNIQUE (a_id), ADD CONSTRAINT twice FOREIGN KEY (a_id) REFERENCES a ON DELETE CASCADE;
        CREATE UNIQUE INDEX ON b (a_id);
        """)
    let (a, b, c) = (schema.tables[0], schema.tables[1], schema.tables[2])
    #expect(a.checks.compactMap(\.name) == ["a_check", "a_n_check", "a_n_check1"])
    #expect(a.keys.map(\.name) == ["a_pkey", "a_n_key", "a_n_m_key"])
    #expect(b.keys.map(\.name) == ["own", "b_a_id_key", "b_a_id_idx"])
    #expect(b.checks.compactMap(\.name) == ["given"])
    #expect(b.foreignKeys.map(\.name) == ["b_a_id_fkey", "twice"])
    #expect(b.foreignKeys.map(\.onDelete) == [.noAction, .cascade])
    #expect(b.foreignKeys.map(\.referencedColumns) == [["id"], ["id"]])
    // Of 63 bytes, 57 remain for both names.
    let parts = [29, 28].map { String(repeating: "x", count: $0) }
    #expect(c.foreignKeys.map(\.name) == [(parts + ["fkey"]).joined(separator: "_")])
  }

  @Test func rowLevelSecurityIsOnIfEnabled() throws {
    let table = "CREATE TABLE t (id uuid PRIMARY KEY); CREATE POLICY p ON t USING (id = auth.uid());"
    #expect(try self.table(table).policies == nil)
    #expect(try self.table(table + "ALTER TABLE t ENABLE ROW LEVEL SECURITY").policies?.count == 1)
    let switched = "ALTER TABLE t ENABLE ROW LEVEL SECURITY; ALTER TABLE t DISABLE ROW LEVEL SECURITY;"
    #expect(try self.table(table + switched).policies == nil)
  }

  @Test func policiesApplyToTheirRolesAndStatements() throws {
    let tables = try DatabaseSchema(
      sql: """
        CREATE TABLE notes (id integer PRIMARY KEY, owner uuid NOT NULL DEFAULT auth.uid(), open boolean DEFAULT false);
        ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
        CREATE POLICY reading ON notes FOR SELECT TO anon USING (open);
        CREATE POLICY own ON notes TO authenticated USING (owner = (SELECT auth.uid()));
        CREATE POLICY few ON notes AS RESTRICTIVE FOR INSERT TO public WITH CHECK (id < 10);
        """
    ).tables
    let database = InMemoryDatabase(tables)
    let pat = DatabaseRole.user(UUID())
    try database.insert(["id": 1], into: "notes", as: pat)
    try database.insert(["id": 2, "open": true], into: "notes", as: pat)
    #expect(try database.select(from: "notes", as: .anonymous).map { $0["id"] } == [2])
    #expect(try database.select(from: "notes", as: pat).count == 2)
    #expect(try database.select(from: "notes", as: .user(UUID())).isEmpty)
    #expect(throws: PostgRESTError.refusedByPolicy(named: "few", table: "notes")) {
      try database.insert(["id": 10], into: "notes", as: pat)
    }
    #expect(throws: PostgRESTError.refusedByPolicy(table: "notes")) {
      try database.insert(["id": 3, "owner": .uuid(UUID())], into: "notes", as: .anonymous)
    }
  }

  /// Foreign keys are followed in the order of their creation, including those without an action.
  @Test func foreignKeysAreFollowedInTheirOrder() throws {
    let parts = [
      "CREATE TABLE middle (id integer PRIMARY KEY, top_id integer REFERENCES top ON DELETE CASCADE);",
      "CREATE TABLE low (id integer PRIMARY KEY, top_id integer, middle_id integer);",
      "ALTER TABLE low ADD FOREIGN KEY (middle_id) REFERENCES middle ON DELETE CASCADE;",
      "ALTER TABLE low ADD FOREIGN KEY (top_id) REFERENCES top;",
    ]
    let database = InMemoryDatabase(
      try DatabaseSchema(sql: "CREATE TABLE top (id integer PRIMARY KEY);" + parts.joined()).tables)
    try database.insert(["id": 1], into: "top")
    try database.insert(["id": 1, "top_id": 1], into: "middle")
    try database.insert(["id": 1, "top_id": 1, "middle_id": 1], into: "low")
    try database.delete(from: "top", where: .all)
    #expect(try database.select(from: "low").isEmpty)
  }

  @Test func aTriggerSetsItsColumns() throws {
    let table = try table(
      """
      CREATE TABLE t (id uuid PRIMARY KEY, changed timestamptz, other timestamptz);
      CREATE FUNCTION public.touch() RETURNS trigger AS $$ BEGIN NEW.changed = now(); RETURN NEW; END; $$ LANGUAGE plpgsql;
      CREATE TRIGGER touch BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION touch();
      """)
    #expect(table.columns.map(\.isSetOnUpdate) == [false, true, false])
  }

  // MARK: Invalid and unsupported SQL

  @Test(arguments: [
    ("CREATE TABLE t (id money)", 1, 20, "the type money is not supported.", "double precision"),
    ("CREATE TABLE t (\n  id varchar(3)\n)", 2, 6, "the type varchar(…) is not supported.", "char_length"),
    ("CREATE TABLE t (id uuid, id text)", 1, 26, "the column id already exists.", "another name"),
    ("CREATE TABLE t (id uuid) x", 1, 26, "expected the end of the statement (;), found X.", ";"),
    ("CREATE TABLE t (n integer CHECK (m > 1))", 1, 34, #"column "m" does not exist."#, "n (of t)"),
    (
      "CREATE TABLE t (n integer CHECK (n))", 1, 34,
      "argument of CHECK must be type boolean, not type integer.", "cast"
    ),
    (
      "CREATE TABLE t (n integer CHECK (n = 'x'))", 1, 36, #"invalid input syntax for type integer: "x"."#,
      "integer"
    ),
    (
      "CREATE TABLE t (n integer DEFAULT 'x')", 1, 35, #"invalid input syntax for type integer: "x"."#,
      "integer"
    ),
    (
      "CREATE TABLE t (n integer DEFAULT random())", 1, 35, "function random() does not exist.",
      "gen_random_uuid"
    ),
    (
      "CREATE TABLE t (n integer CHECK (EXISTS (SELECT 1)))", 1, 33, "a check cannot have a query (0A000).",
      "policy"
    ),
    ("CREATE TABLE t (n integer REFERENCES u)", 1, 27, "the table u does not exist.", "Create it first"),
    (
      "CREATE TABLE t (n integer REFERENCES auth.users)", 1, 27,
      "the columns n and auth.users.id are of different types.", "one type"
    ),
    (
      "CREATE TABLE t (n integer UNIQUE, CHECK (n ~ 'x'))", 1, 44,
      "operator does not exist: integer ~ unknown.", "cast"
    ),
    (
      "CREATE TABLE t (n text CHECK (n ~ '(?=x)'))", 1, 33,
      "invalid regular expression: a group that begins with (? is not supported.", "Supported"
    ),
    (
      "CREATE TABLE t (n text);\nCREATE POLICY p ON u USING (true)", 2, 20, "the table u does not exist.",
      "Existing tables: t"
    ),
    (
      "CREATE TABLE t (n text);\nCREATE POLICY p ON t FOR INSERT USING (true)", 2, 33,
      "only WITH CHECK expression allowed for INSERT.", "WITH CHECK"
    ),
    (
      "CREATE TABLE t (n text); CREATE POLICY p ON t TO stranger USING (true)", 1, 50,
      "the role stranger does not exist.", "anon"
    ),
    ("CREATE VIEW v AS SELECT 1", 1, 1, "CREATE VIEW is not supported.", "CREATE TABLE"),
    ("INSERT INTO t VALUES (1)", 1, 1, "the statement INSERT is not supported.", "Remove the statement"),
    ("SELECT 'x", 1, 8, "the closing quote (') is missing.", "single quotes"),
    ("-- x\n/* /* */", 2, 1, "the end of the comment (*/) is missing.", "Write texts"),
    (
      "CREATE FUNCTION f() RETURNS integer AS $$ $$ LANGUAGE sql", 1, 17,
      "a function that does not return trigger is not supported.", "edge function"
    ),
    (
      "CREATE TABLE t (n text CHECK (length(n) > interval '1'))", 1, 43, "an interval is not supported.",
      "days"
    ),
    ("CREATE TABLE t (n text,)", 1, 24, ##"expected the name of a column, found ")"."##, "Write"),
    (
      "CREATE TABLE t (n text CHECK (n < 'a' < 'b'))", 1, 39,
      "a comparison is the operand of another comparison.",
      "parentheses"
    ),
  ])
  func reportsInvalidSQL(
    _ sql: String, _ line: Int, _ column: Int, _ problem: String, _ advice: String
  ) throws {
    do {
      _ = try DatabaseSchema(sql: sql)
      Issue.record("No error was thrown for: \(sql)")
    } catch {
      #expect(error.problem == problem)
      #expect(error.line == line)
      #expect(error.column == column)
      #expect(error.advice.contains(advice))
      #expect(error.description.contains("line \(line), column \(column)"))
    }
  }

  @Test func anErrorShowsTheStatementAndThePlace() throws {
    let error = try #require(throws: SQLError.self) {
      try DatabaseSchema(
        sql: "CREATE TABLE ok (id uuid);\nCREATE TABLE public.\"T\" (\n  id uuid,\n  price money\n);")
    }
    #expect(
      error.description == """
        line 4, column 9, in CREATE TABLE public."T": the type money is not supported.
            price money
                  ^
        \(ColumnType.supportedNames) Write double precision.
        """)
  }
}

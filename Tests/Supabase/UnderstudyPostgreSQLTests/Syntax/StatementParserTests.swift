import Testing
import UnderstudyPostgreSQL

struct StatementParserTests {
  private let t = QualifiedName("t")
  private let text = TypeName(QualifiedName("text"))
  private let integer = TypeName(QualifiedName("int4"))

  private func expect(_ sql: String, _ expected: Statement, at location: SourceLocation = #_sourceLocation)
    throws
  {
    let parsed = try Script.parse(sql).map(\.statement)
    #expect(parsed == [expected], "\(sql)", sourceLocation: location)
  }

  @Test func tables() throws {
    try expect(
      """
      CREATE TABLE IF NOT EXISTS public.t (
        id serial PRIMARY KEY, a text DEFAULT 'x'::text NOT NULL CONSTRAINT c CHECK (a <> ''),
        b int REFERENCES o (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
        UNIQUE NULLS NOT DISTINCT (a, b), FOREIGN KEY (b) REFERENCES o MATCH FULL NOT VALID, LIKE u INCLUDING ALL
      )
      """,
      .createTable(
        CreateTable(
          QualifiedName(schema: "public", "t"),
          [
            .column(
              ColumnDefinition("id", TypeName(QualifiedName("serial")), constraints: [.init(.primaryKey)])),
            .column(
              ColumnDefinition(
                "a", text,
                constraints: [
                  .init(.defaultValue(.cast(.string("x"), text))), .init(.notNull),
                  .init(.check(.infix("<>", .name(["a"]), .string(""))), name: "c"),
                ])),
            .column(
              ColumnDefinition(
                "b", integer,
                constraints: [
                  .init(
                    .references(
                      References(
                        QualifiedName("o"), columns: ["id"], onDelete: .setNull, isDeferrable: true,
                        isInitiallyDeferred: true)))
                ])),
            .constraint(TableConstraint(.unique(["a", "b"], nullsNotDistinct: true))),
            .constraint(
              TableConstraint(
                .foreignKey(["b"], References(QualifiedName("o"), matchesFull: true)), isNotValid: true)),
            .like(QualifiedName("u"), includesAll: true),
          ], ifNotExists: true)))
    try expect(
      "SELECT a INTO TEMP t FROM u",
      .createTableAs(
        t, columns: [],
        Query(.select(Select([.init(.name(["a"]))], from: [.table(QualifiedName("u"), nil)]))),
        ifNotExists: false))
  }

  @Test func changesOfTables() throws {
    try expect(
      "ALTER TABLE ONLY t ADD COLUMN IF NOT EXISTS a text, ALTER b TYPE int USING b::int, OWNER TO x, FORCE ROW LEVEL SECURITY",
      .alterTable(
        t, ifExists: false,
        [
          .addColumn(ColumnDefinition("a", text), ifNotExists: true),
          .setType("b", integer, using: .cast(.name(["b"]), integer)), .ignored("OWNER TO"),
          .rowLevelSecurity(.force),
        ]))
    try expect("ALTER TABLE t RENAME a TO b", .alterTable(t, ifExists: false, [.renameColumn("a", to: "b")]))
    try expect(
      "ALTER VIEW t SET (security_invoker = on)", .alterTable(t, ifExists: false, [.securityInvoker(true)]))
    try expect(
      "ALTER TABLE t ALTER id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME q START WITH 5 NO MINVALUE CACHE 1)",
      .alterTable(t, ifExists: false, [.addIdentity("id", .always, SequenceOptions(start: 5))]))
  }

  @Test func policiesAndTriggers() throws {
    try expect(
      "CREATE POLICY \"Own rows\" ON t AS RESTRICTIVE FOR UPDATE TO authenticated, public USING (true) WITH CHECK (false)",
      .createPolicy(
        CreatePolicy(
          "Own rows", on: t, isPermissive: false, for: .update, to: ["authenticated", "public"],
          using: .boolean(true),
          check: .boolean(false))))
    try expect(
      "CREATE TRIGGER x AFTER INSERT OR UPDATE OF a ON t REFERENCING NEW TABLE AS n FOR EACH ROW WHEN (true) EXECUTE FUNCTION f('p', 1)",
      .createTrigger(
        CreateTrigger(
          "x", on: t, .after, [.insert, .update(of: ["a"])], isForEachRow: true, when: .boolean(true),
          execute: QualifiedName("f"), arguments: ["p", "1"], newTable: "n")))
  }

  @Test func recursiveViewsAreCommonTables() throws {
    let view = try Script.query("WITH RECURSIVE v (n) AS (SELECT 1 UNION SELECT n FROM v) SELECT n FROM v")
    try expect(
      "CREATE RECURSIVE VIEW s.v (n) AS SELECT 1 UNION SELECT n FROM v",
      .createView(CreateView(QualifiedName(schema: "s", "v"), columns: ["n"], view)))
  }

  @Test func routines() throws {
    try expect(
      """
      CREATE OR REPLACE FUNCTION f(a int, OUT b text, VARIADIC c int[] DEFAULT '{}', double precision = 1) RETURNS SETOF t.x%TYPE
      LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO '' AS $$ body $$
      """,
      .createFunction(
        CreateFunction(
          QualifiedName("f"),
          [
            .init("a", integer), .init("b", text, mode: .output),
            .init(
              "c", TypeName(QualifiedName("int4"), arrayDimensions: 1), mode: .variadic,
              defaultValue: .string("{}")),
            .init(nil, TypeName(QualifiedName("float8")), defaultValue: .number("1")),
          ], returns: TypeName(t, isSet: true, columnOfType: "x"), replaces: true, language: "plpgsql",
          .source(" body "),
          volatility: .stable, isSecurityDefiner: true, settings: [.init("search_path", [""])])))
    try expect(
      "CREATE FUNCTION f() RETURNS TABLE (a int) LANGUAGE 'SQL' AS ''",
      .createFunction(
        CreateFunction(
          QualifiedName("f"), [.init("a", integer, mode: .table)], returns: nil, language: "sql", .source(""))
      ))
    try expect(
      "ALTER FUNCTION f(a int) SET search_path = ''",
      .alterFunction(
        AlterFunction(QualifiedName("f"), parameters: [integer], settings: [.init("search_path", [""])])))
    try expect(
      "DROP FUNCTION IF EXISTS f(a int, OUT text) CASCADE",
      .drop(
        Drop(.function, [QualifiedName("f")], parameters: [integer], ifExists: true, cascades: true)))
  }

  @Test func privilegesAndSettings() throws {
    try expect(
      "GRANT SELECT, UPDATE (a, b) ON t TO anon",
      .grant(
        Grant([.init("select"), .init("update", columns: ["a", "b"])], on: .tables([t]), to: ["anon"])))
    try expect(
      "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC",
      .grant(
        Grant(isRevoke: true, [.init("all")], on: .allFunctions(inSchemas: ["public"]), to: ["public"])))
    try expect(
      "GRANT anon TO authenticator",
      .grant(Grant([.init("anon")], on: .other("roles"), to: ["authenticator"])))
    try expect(
      "SET LOCAL search_path TO a, \"B\", 'c'", .set("search_path", to: ["a", "B", "c"], isLocal: true))
    try expect("SET ROLE anon", .setRole("anon", isLocal: false))
    try expect("RESET ROLE", .setRole(nil, isLocal: false))
    try expect("SET request.jwt.claims = '{}'", .set("request.jwt.claims", to: ["{}"], isLocal: false))
    try expect("SET TIME ZONE 'UTC'", .set("timezone", to: ["UTC"], isLocal: false))
    try expect(
      "ALTER ROLE authenticator SET pgrst.db_tx_end TO 'rollback'",
      .alterSettings(AlterSettings(of: "authenticator", "pgrst.db_tx_end", to: "rollback")))
    try expect(
      "ALTER ROLE anon IN DATABASE postgres RESET ALL",
      .alterSettings(AlterSettings(of: "anon", nil, to: nil)))
    try expect(
      "ALTER DATABASE postgres SET TIME ZONE 'Asia/Tokyo'",
      .alterSettings(AlterSettings(of: nil, "timezone", to: "Asia/Tokyo")))
    try expect("ROLLBACK TO SAVEPOINT a", .rollbackToSavepoint("a"))
    try expect("DO LANGUAGE sql 'x'", .doBlock("x", language: "sql"))
  }

  @Test func joinsNestAsInPostgreSQL() throws {
    func table(_ name: String) -> TableReference { .table(QualifiedName(name), nil) }
    let inner = TableReference.join(Join(.inner, table("b"), table("c"), condition: .on(.boolean(true))))
    let query = try Script.query("SELECT FROM a JOIN b JOIN c ON true ON false CROSS JOIN d")
    #expect(
      query
        == Query(
          .select(
            Select(
              [],
              from: [
                .join(
                  Join(
                    .cross, .join(Join(.inner, table("a"), inner, condition: .on(.boolean(false)))),
                    table("d")))
              ]))))
  }

  @Test func setOperationsAssociateToTheLeft() throws {
    func values(_ number: String) -> Query { Query(.values([[.number(number)]])) }
    let product = Query(.setOperation(.intersect, isAll: false, values("2"), values("3")))
    let sum = Query(.setOperation(.union, isAll: true, values("1"), product))
    let query = try Script.query(
      "VALUES (1) UNION ALL VALUES (2) INTERSECT VALUES (3) EXCEPT VALUES (4) LIMIT 5")
    #expect(query == Query(.setOperation(.except, isAll: false, sum, values("4")), limit: .number("5")))
  }

  @Test func optionsOfParenthesesMerge() throws {
    #expect(try Script.query("(SELECT 1 ORDER BY 1) LIMIT 2") == Script.query("SELECT 1 ORDER BY 1 LIMIT 2"))
    #expect(throws: PostgreSQLError("42601", "multiple ORDER BY clauses not allowed", position: 22)) {
      try Script.query("(SELECT 1 ORDER BY 1) ORDER BY 1")
    }
  }
}

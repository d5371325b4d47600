import Testing
import UnderstudyPostgreSQL

struct ProcedureParserTests {
  private let one = SQLExpression.number("1")
  private let x = SQLExpression.name(["x"])

  private func statements(_ body: String) throws -> [Procedure.Statement] {
    try ProcedureParser.parse("BEGIN \(body) END").statements
  }

  @Test func declarations() throws {
    let block = try ProcedureParser.parse(
      """
      <<l>> DECLARE a CONSTANT int NOT NULL := 1; b t%ROWTYPE; c t.x%TYPE; d v%TYPE = 1; e ALIAS FOR $1; f CURSOR FOR SELECT 1;
      BEGIN END l;
      """)
    let integer = TypeName(QualifiedName("int4"))
    #expect(block.label == "l")
    #expect(
      block.declarations == [
        .variable(.init("a", integer, isConstant: true, isNotNull: true, initial: one)),
        .variable(.init("b", TypeName(QualifiedName("t"), isRowType: true))),
        .variable(.init("c", TypeName(QualifiedName("t"), columnOfType: "x"))),
        .variable(.init("d", TypeName(QualifiedName("v"), columnOfType: ""), initial: one)),
        .alias("e", of: "$1"),
        .cursor("f", Query(.select(Select([.init(one)])))),
      ])
  }

  @Test func intoIsTakenOutOfStatements() throws {
    let query = DataStatement.query(
      Query(.select(Select([.init(.name(["a"]))], from: [.table(QualifiedName("t"), nil)]))))
    let into = Procedure.Into([["new", "b"], ["c"]], isStrict: true)
    #expect(try statements("SELECT a INTO STRICT new.b, c FROM t;") == [.sql(query, into: into)])
    #expect(try statements("SELECT a FROM t INTO STRICT new.b, c;") == [.sql(query, into: into)])
    let insert = Insert(into: QualifiedName("t"), .defaultValues, returning: [.init(.name(["a"]))])
    #expect(
      try statements("INSERT INTO t DEFAULT VALUES RETURNING a INTO x;")
        == [.sql(.insert(insert), into: .init([["x"]]))])
    #expect(
      try statements("EXECUTE 'q' INTO x USING 1, x;")
        == [.execute(.string("q"), into: .init([["x"]]), using: [one, x])])
  }

  @Test func assignments() throws {
    #expect(
      try statements("x := 1; new.a[1].b = 1; x := count(*) FROM t;") == [
        .assign(["x"], path: [], one),
        .assign(["new", "a"], path: [.element(Subscript(lower: one)), .field("b")], one),
        .assign(["x"], path: [], .subquery(try Script.query("SELECT count(*) FROM t"))),
      ])
    #expect(try statements("perform 1; perform := 1;").count == 2)
  }

  @Test func branchesAndLoops() throws {
    #expect(
      try statements("IF x THEN RETURN; ELSIF x THEN NULL; ELSE RETURN 1; END IF;") == [
        .conditional(
          [.init(x, [.returnValue(nil)]), .init(x, [.nothing])], otherwise: [.returnValue(one)])
      ])
    #expect(
      try statements("CASE x WHEN 1, x THEN NULL; END CASE;")
        == [.selection(operand: x, [.init([one, x], [.nothing])], otherwise: nil)])
    #expect(
      try statements("<<l>> FOR i IN REVERSE 1..x BY 1 LOOP EXIT l WHEN x; CONTINUE; END LOOP l;") == [
        .loop(
          .range(variable: "i", from: one, to: x, by: one, isReverse: true), label: "l",
          [.exit(label: "l", when: x), .next(label: nil, when: nil)])
      ])
    #expect(
      try statements("FOR a, b IN SELECT 1 LOOP NULL; END LOOP;")
        == [.loop(.query([["a"], ["b"]], .query(try Script.query("SELECT 1"))), label: nil, [.nothing])])
    #expect(
      try statements("FOR r IN EXECUTE x USING 1 LOOP NULL; END LOOP;")
        == [.loop(.execute([["r"]], x, using: [one]), label: nil, [.nothing])])
    #expect(
      try statements("FOREACH a SLICE 1 IN ARRAY x LOOP NULL; END LOOP;")
        == [.loop(.elements(["a"], slice: 1, of: x), label: nil, [.nothing])])
  }

  @Test func raises() throws {
    #expect(
      try statements(
        "RAISE; RAISE 'a % %%', x; RAISE NOTICE USING message = x; RAISE no_data_found; RAISE SQLSTATE 'P0001' USING hint := 'h';"
      )
        == [
          .raise(.init()), .raise(.init(format: "a % %%", arguments: [x])),
          .raise(.init(.notice, options: [.init("message", x)])), .raise(.init(condition: "no_data_found")),
          .raise(.init(condition: "P0001", options: [.init("hint", .string("h"))])),
        ])
    #expect(throws: PostgreSQLError("42601", "too few parameters specified for RAISE", position: 6)) {
      try statements("RAISE 'a %';")
    }
  }

  @Test func handlersAndResults() throws {
    let block = try ProcedureParser.parse(
      """
      BEGIN
        RETURN QUERY SELECT 1; RETURN QUERY EXECUTE x USING 1; RETURN NEXT x; RETURN NEXT;
        GET DIAGNOSTICS x = ROW_COUNT; ASSERT x, 'm'; CALL p(); PERFORM f(1);
      EXCEPTION WHEN unique_violation OR SQLSTATE '22012' THEN NULL; WHEN OTHERS THEN RAISE;
      END
      """)
    let query = DataStatement.query(try Script.query("SELECT 1"))
    #expect(
      block.statements == [
        .returnQuery(query), .returnExecute(x, using: [one]), .returnNext(x), .returnNext(nil),
        .getDiagnostics([.init(["x"], "row_count")], isStacked: false), .assert(x, message: .string("m")),
        .other(.call(Call(QualifiedName("p")))), .sql(.query(try Script.query("SELECT f(1)")), into: nil),
      ])
    #expect(block.handlers.map(\.conditions) == [["unique_violation", "22012"], ["others"]])
  }

  @Test(arguments: [
    ("IF x THEN NULL; END;", "syntax error at or near \";\"", 25),
    ("EXIT;", "EXIT cannot be used outside a loop, unless it has a label", 6),
    ("IF x NULL; END IF;", "missing \"THEN\" at end of SQL expression", 15),
    ("x := 1", "unexpected end of function definition at end of input", 16),
    ("CONTINUE l;", "there is no label \"l\" attached to any block or loop enclosing this statement", 6),
    ("x := (1;", "mismatched parentheses at or near \";\"", 13),
  ])
  func errorsAreThoseOfPostgreSQL(body: String, message: String, position: Int) {
    #expect(throws: PostgreSQLError("42601", message, position: position)) { try statements(body) }
  }
}

import Testing
import UnderstudyPostgreSQL

struct ExpressionParserTests {
  private let a = SQLExpression.name(["a"])
  private let b = SQLExpression.name(["b"])
  private let c = SQLExpression.name(["c"])

  private func expect(
    _ sql: String, _ expected: SQLExpression, at location: SourceLocation = #_sourceLocation
  ) throws {
    let parsed = try Script.expression(sql)
    #expect(parsed == expected, "\(sql)", sourceLocation: location)
  }

  private func call(_ name: String, _ arguments: SQLExpression...) -> SQLExpression {
    .call(Call(QualifiedName(name), arguments.map { .init($0) }))
  }

  @Test func operatorsBindByTheirPrecedence() throws {
    try expect("a + b * c", .infix("+", a, .infix("*", b, c)))
    try expect("a - b - c", .infix("-", .infix("-", a, b), c))
    try expect("-a ^ b", .infix("^", .prefix("-", a), b))
    try expect("a || b + c", .infix("||", a, .infix("+", b, c)))
    try expect("a = b IS NULL", .isTest(.infix("=", a, b), .null, negated: false))
    try expect("NOT a = b AND c", .and([.not(.infix("=", a, b)), c]))
    try expect("a OR b AND c OR a", .or([a, .and([b, c]), a]))
    try expect("a AND (b AND c)", .and([a, .and([b, c])]))
    try expect("a -> 'x' = b", .infix("=", .infix("->", a, .string("x")), b))
    try expect("a + NOT b = c", .infix("+", a, .not(.infix("=", b, c))))
    try expect("- a::int", .prefix("-", .cast(a, TypeName(QualifiedName("int4")))))
    try expect("a LIKE b || c", .infix("~~", a, .infix("||", b, c)))
    try expect("a OPERATOR(extensions.<=>) b", .infix("<=>", a, b))
    try expect("a COLLATE \"C\" < b", .infix("<", .collate(a, QualifiedName("C")), b))
  }

  @Test func wordsOfPatternsAndRanges() throws {
    try expect("a NOT LIKE b ESCAPE c", .infix("!~~", a, call("like_escape", b, c)))
    try expect("a ILIKE ANY (b)", .quantified(a, operator: "~~*", .any, .array(b)))
    try expect("a SIMILAR TO b", .infix("~", a, call("similar_to_escape", b)))
    try expect(
      "a NOT BETWEEN SYMMETRIC b AND c AND a",
      .and([.between(a, b, c, symmetric: true, negated: true), a]))
    try expect("a NOT IN (b, c)", .inList(a, [b, c], negated: true))
    try expect("a IN (((b)))", .inList(a, [b], negated: false))
    try expect("a <> SOME (b)", .quantified(a, operator: "<>", .any, .array(b)))
    try expect("a IS NOT DISTINCT FROM b", .isDistinct(a, b, negated: true))
    try expect("a NOTNULL", .isTest(a, .null, negated: true))
    try expect("a IS NOT UNKNOWN", .isTest(a, .unknown, negated: true))
  }

  @Test func queriesInParenthesesDifferFromExpressions() throws {
    let query = Query(.select(Select([.init(.number("1"))])))
    try expect("(SELECT 1)", .subquery(query))
    try expect("((SELECT 1))", .subquery(query))
    try expect("((SELECT 1) + a)", .infix("+", .subquery(query), a))
    try expect("a IN ((SELECT 1))", .inQuery(a, query, negated: false))
    try expect("a IN ((SELECT 1), b)", .inList(a, [.subquery(query), b], negated: false))
    try expect(
      "a = ANY ((SELECT 1)::int[])",
      .quantified(
        a, operator: "=", .any,
        .array(.cast(.subquery(query), TypeName(QualifiedName("int4"), arrayDimensions: 1)))))
    try expect(
      "((SELECT 1) UNION SELECT 1)", .subquery(Query(.setOperation(.union, isAll: false, query, query))))
    try expect("(a, (SELECT 1))", .row([a, .subquery(query)]))
    try expect("ARRAY((SELECT 1))", .arrayQuery(query))
  }

  @Test func namesAndWhatFollowsThem() throws {
    try expect("public.t.a", .name(["public", "t", "a"]))
    try expect("t.*", .wildcard(["t"]))
    try expect("(t).*", .wildcard(["t"]))
    try expect(
      "a[1][2:]",
      .element(.element(a, Subscript(lower: .number("1"))), Subscript(lower: .number("2"), isSlice: true)))
    try expect("(a).b", .field(a, "b"))
    try expect("$1.b", .field(.parameter(1), "b"))
    try expect("year", .name(["year"]))
    try expect("t.select", .name(["t", "select"]))
    #expect(throws: PostgreSQLError("42601", "syntax error at or near \"select\"", position: 0)) {
      try Script.expression("select")
    }
    #expect(throws: PostgreSQLError("42601", "syntax error at or near \"[\"", position: 4)) {
      try Script.expression("f(a)[1]")
    }
  }

  @Test func formsThatAreCalls() throws {
    try expect("EXTRACT(epoch FROM a)", call("extract", .string("epoch"), a))
    try expect("a AT TIME ZONE b AT TIME ZONE c", call("timezone", c, call("timezone", b, a)))
    try expect("TRIM(LEADING b FROM a)", call("ltrim", a, b))
    try expect("trim(a)", call("btrim", a))
    try expect("POSITION(a IN b)", call("position", b, a))
    try expect("substring(a FOR b)", call("substring", a, .number("1"), b))
    try expect("substring(a, b)", call("substring", a, b))
    try expect("overlay(a PLACING b FROM c)", call("overlay", a, b, c))
    try expect("CURRENT_TIMESTAMP(3)", call("current_timestamp", .number("3")))
    try expect("current_user", call("current_user"))
    try expect("COALESCE(a, b)", call("coalesce", a, b))
    try expect("(a, b) OVERLAPS (b, c)", call("overlaps", a, b, b, c))
    try expect("a IS NOT NFC NORMALIZED", .not(call("is_normalized", a, .string("NFC"))))
  }

  @Test func typedLiteralsAreCasts() throws {
    try expect("date '2020-01-01'", .cast(.string("2020-01-01"), TypeName(QualifiedName("date"))))
    try expect("public.mood 'x'", .cast(.string("x"), TypeName(QualifiedName(schema: "public", "mood"))))
    try expect(
      "timestamp(3) with time zone 'x'",
      .cast(.string("x"), TypeName(QualifiedName("timestamptz"), modifiers: [3])))
    try expect(
      "interval '1' day to second(3)",
      .cast(
        .string("1"), TypeName(QualifiedName("interval"), modifiers: [3], intervalFields: .dayToSecond)))
    try expect("b'101'", .cast(.string("101"), TypeName(QualifiedName("bit"))))
    try expect("interval", .name(["interval"]))
  }

  @Test(arguments: [
    ("int", TypeName(QualifiedName("int4"))),
    ("character varying(20)[]", TypeName(QualifiedName("varchar"), modifiers: [20], arrayDimensions: 1)),
    ("char", TypeName(QualifiedName("bpchar"), modifiers: [1])),
    ("\"char\"", TypeName(QualifiedName("char"))),
    ("double precision", TypeName(QualifiedName("float8"))), ("float(24)", TypeName(QualifiedName("float4"))),
    ("decimal(10, 2)", TypeName(QualifiedName("numeric"), modifiers: [10, 2])),
    ("time(3)", TypeName(QualifiedName("time"), modifiers: [3])),
    ("timestamp without time zone", TypeName(QualifiedName("timestamp"))),
    ("text ARRAY[4]", TypeName(QualifiedName("text"), arrayDimensions: 1)),
    ("int[3][]", TypeName(QualifiedName("int4"), arrayDimensions: 2)),
    ("extensions.vector(3)", TypeName(QualifiedName(schema: "extensions", "vector"), modifiers: [3])),
    ("geography(point, 4326)", TypeName(QualifiedName("geography"), modifiers: [4326])),
    ("bit varying(5)", TypeName(QualifiedName("varbit"), modifiers: [5])),
    ("interval(3)", TypeName(QualifiedName("interval"), modifiers: [3])),
    ("national character varying(5)", TypeName(QualifiedName("varchar"), modifiers: [5])),
  ])
  func typesHaveTheNamesOfPostgreSQL(sql: String, type: TypeName) throws {
    #expect(try Script.expression("a::\(sql)") == .cast(.name(["a"]), type))
  }

  @Test func callsHaveTheirClauses() throws {
    var expected = Call(QualifiedName(schema: "s", "f"), [.init(a), .init(b, name: "x")])
    expected.order = [SortKey(c, isDescending: true, nullsFirst: false)]
    expected.filter = a
    expected.over = .window(
      Window(
        base: "w", partition: [b], frame: .init(.rows, start: .preceding(.number("1")), end: .currentRow)))
    try expect(
      "s.f(a, x => b ORDER BY c DESC NULLS LAST) FILTER (WHERE a) OVER (w PARTITION BY b ROWS 1 PRECEDING)",
      .call(expected))
    try expect("count(*)", .call(Call(QualifiedName("count"), isStar: true)))
    try expect("f(VARIADIC a)", .call(Call(QualifiedName("f"), [.init(a, isVariadic: true)])))
  }

  @Test(arguments: [
    ("a <", "syntax error at end of input", 3), ("a < b < c", "syntax error at or near \"<\"", 6),
    ("(a", "syntax error at end of input", 2),
    ("a b", "syntax error at or near \"b\"", 2), ("CASE END", "syntax error at or near \"END\"", 5),
    ("f(a,)", "syntax error at or near \")\"", 4),
    ("a IS b", "syntax error at or near \"b\"", 5), ("'a' 'b'", "syntax error at or near \"'b'\"", 4),
    ("", "syntax error at end of input", 0),
  ])
  func errorsAreThoseOfPostgreSQL(sql: String, message: String, position: Int) {
    #expect(throws: PostgreSQLError("42601", message, position: position)) { try Script.expression(sql) }
  }
}

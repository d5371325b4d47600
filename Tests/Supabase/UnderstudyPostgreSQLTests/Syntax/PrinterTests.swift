import TestSupport
import Testing
import UnderstudyPostgreSQL

struct PrinterTests {
  @Test(arguments: Effort.some(of: UInt64(1)...24, every: 6)) func printedExpressionsReadAsTheSameTree(
    seed: UInt64
  ) throws {
    var random = RandomTree(seed: seed)
    for _ in 0..<100 {
      let expression = random.expression(1 + random.below(4))
      let sql = expression.sql
      #expect(throws: Never.self, "seed \(seed): \(sql)") {
        let parsed = try Script.expression(sql)
        #expect(parsed == expression, "seed \(seed): \(sql)\nread as: \(parsed.sql)")
      }
    }
  }

  @Test(arguments: Effort.some(of: UInt64(101)...116, every: 4)) func printedStatementsReadAsTheSameTree(
    seed: UInt64
  ) throws {
    var random = RandomTree(seed: seed)
    for _ in 0..<60 {
      let statement: DataStatement = random.chance(60) ? .query(random.query(3)) : random.change(3)
      let sql = statement.sql
      #expect(throws: Never.self, "seed \(seed): \(sql)") {
        let parsed = try Script.parse(sql)
        #expect(parsed.map(\.statement) == [.data(statement)], "seed \(seed): \(sql)")
      }
    }
  }

  @Test(arguments: [
    ("a+b*c", "a + b * c"), ("(a+b)*c", "(a + b) * c"), ("a-(b-c)", "a - (b - c)"), ("a-b-c", "a - b - c"),
    ("- -1", "- -1"), ("-(1::int)", "-1::integer"), ("(-1)::int", "(-1)::integer"),
    ("not a = b", "NOT a = b"),
    ("(not a) = b", "(NOT a) = b"), ("a or b and c", "a OR b AND c"), ("(a or b) and c", "(a OR b) AND c"),
    ("(a is null) is null", "(a IS NULL) IS NULL"), ("a like 'x%'", "a ~~ 'x%'"),
    ("\"A\".\"select\".b", "\"A\".\"select\".b"),
    ("(a).b", "(a).b"), ("a.b[1:2].c", "a.b[1:2].c"), ("(f(x))[1]", "(f(x))[1]"),
    ("extract(year from a)", "\"extract\"('year', a)"),
    ("current_date", "CURRENT_DATE"), ("coalesce(a,1)", "COALESCE(a, 1)"),
    ("date '2020-01-01'", "'2020-01-01'::date"),
    ("a between 1 and 2 and b", "a BETWEEN 1 AND 2 AND b"),
    ("a between b || (c collate d) and e", "a BETWEEN b || (c COLLATE d) AND e"),
    ("x = any($1)", "x = ANY ($1)"),
    ("'it''s'", "'it''s'"),
    ("'a\\b'", "E'a\\\\b'"), ("count(*) filter (where a)", "count(*) FILTER (WHERE a)"),
    ("a::timestamp(3) with time zone[]", "a::timestamp(3) with time zone[]"), ("a::char", "a::character(1)"),
  ])
  func writesTheFewestParentheses(sql: String, expected: String) throws {
    #expect(try Script.expression(sql).sql == expected)
  }

  @Test(arguments: [
    ("(select 1 union select 2) intersect select 3", "(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3"),
    ("select 1 union (select 2 union all select 3)", "SELECT 1 UNION (SELECT 2 UNION ALL SELECT 3)"),
    ("(select 1 order by 1 limit 1) union select 2", "(SELECT 1 ORDER BY 1 LIMIT 1) UNION SELECT 2"),
    ("select a x, b from t, lateral f(t.a) u", "SELECT a AS x, b FROM t, LATERAL f(t.a) AS u"),
    (
      "select * from a left join (b cross join c) on true",
      "SELECT * FROM a LEFT JOIN (b CROSS JOIN c) ON true"
    ),
  ])
  func writesQueries(sql: String, expected: String) throws {
    #expect(try Script.query(sql).sql == expected)
  }

  @Test func quotesNamesOnlyWhereRequired() {
    let names = [
      "a", "user_id", "name", "Select", "select", "left", "between", "a b", "1a", "a\"b", "größe", "",
    ]
    #expect(
      names.map(Printer.identifier) == [
        "a", "user_id", "name", "\"Select\"", "\"select\"", "\"left\"", "\"between\"", "\"a b\"", "\"1a\"",
        "\"a\"\"b\"",
        "\"größe\"", "\"\"",
      ])
  }

  /// Trees that no SQL reads as, but a program can make.
  @Test func writesEmptyListsAsTheirMeaning() {
    #expect(SQLExpression.and([]).sql == "true")
    #expect(SQLExpression.or([]).sql == "false")
    #expect(SQLExpression.not(.inList(.name(["a"]), [], negated: false)).sql == "NOT false")
    #expect(SQLExpression.infix("=", .and([.name(["a"])]), .null).sql == "a = NULL")
  }
}

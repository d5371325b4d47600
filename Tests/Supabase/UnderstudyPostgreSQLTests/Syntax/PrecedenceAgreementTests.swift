#if os(macOS) || os(Linux)
  import TestSupport
  import Testing
  import UnderstudyPostgreSQL

  /// PostgreSQL reads what is printed with few parentheses as what is written with all of them.
  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct PrecedenceAgreementTests {
    @Test(arguments: Array(UInt64(1)...3)) func parenthesesAreLeftOutOnlyWherePossible(seed: UInt64)
      async throws
    {
      var random = RandomTree(seed: seed)
      var pairs: [(few: String, all: String)] = []
      for _ in 0..<400 {
        let tree = Self.condition(&random, 4)
        pairs.append((tree.sql, Self.parenthesized(tree)))
      }
      let calls = pairs.map { pair in
        "SELECT understudy_same(\(PostgreSQLServer.quoted(pair.few)), \(PostgreSQLServer.quoted(pair.all)));"
      }
      let script = Self.function + "\n" + calls.joined(separator: "\n")
      let answers = try await PostgreSQLServer().lines(of: script)
      try #require(answers.count == pairs.count)
      for (pair, answer) in zip(pairs, answers) {
        #expect(answer == "same", "seed \(seed): \(pair.few)\n\(pair.all)")
        // The same with our parser.
        #expect(try Script.expression(pair.few) == Script.expression(pair.all), "seed \(seed): \(pair.few)")
      }
    }

    private static let function = """
      CREATE TABLE t (a int, b int, p bool, q bool, s text);
      CREATE FUNCTION understudy_same(few text, whole text) RETURNS text LANGUAGE plpgsql AS $$
      BEGIN
        EXECUTE 'CREATE VIEW v AS SELECT ' || few || ' AS x FROM t';
        EXECUTE 'CREATE VIEW w AS SELECT ' || whole || ' AS x FROM t';
        -- The error undoes the views.
        RAISE '%', CASE WHEN pg_get_viewdef('v'::regclass) = pg_get_viewdef('w'::regclass) THEN 'same' ELSE 'different' END;
      EXCEPTION WHEN OTHERS THEN RETURN replace(SQLERRM, E'\\n', ' ');
      END $$;
      """

    // MARK: Trees with types

    private static func condition(_ random: inout RandomTree, _ depth: Int) -> SQLExpression {
      guard depth > 0 else { return random.pick([.name(["p"]), .name(["q"]), .boolean(true)]) }
      let down = depth - 1
      switch random.below(11) {
      case 0:
        // A chain in front of another one is part of it, with or without parentheses.
        return .and([.not(condition(&random, down)), condition(&random, down)])
      case 1:
        return .or([.isTest(condition(&random, down), .true, negated: false), condition(&random, down)])
      case 2: return .not(condition(&random, down))
      case 3:
        return .isTest(
          condition(&random, down), random.pick([.true, .null, .unknown]), negated: random.chance(50))
      case 4: return .isDistinct(number(&random, down), number(&random, down), negated: random.chance(50))
      case 5:
        return .between(
          number(&random, down), number(&random, down), number(&random, down), symmetric: false,
          negated: random.chance(50))
      case 6:
        return .inList(
          number(&random, down), [number(&random, down), .number("2")], negated: random.chance(50))
      case 7: return .infix(random.pick(["~~", "!~~*", "~", "="]), text(&random, down), text(&random, down))
      case 8: return .infix(random.pick(["=", "<>"]), condition(&random, down), condition(&random, down))
      case 9:
        return .quantified(
          number(&random, down), operator: "<", .any, .array(.array([number(&random, down)])))
      default:
        return .infix(random.pick(["=", "<", ">=", "<>"]), number(&random, down), number(&random, down))
      }
    }

    private static func number(_ random: inout RandomTree, _ depth: Int) -> SQLExpression {
      guard depth > 0 else { return random.pick([.name(["a"]), .name(["b"]), .number("1")]) }
      let down = depth - 1
      switch random.below(7) {
      case 0: return .prefix(random.pick(["-", "+", "~", "@"]), number(&random, down))
      case 1: return .cast(number(&random, down), TypeName(QualifiedName("int4")))
      case 2: return .cast(condition(&random, down), TypeName(QualifiedName("int4")))
      default:
        let name = random.pick(["+", "-", "*", "/", "%", "&", "|", "#", "<<"])
        return .infix(name, number(&random, down), number(&random, down))
      }
    }

    private static func text(_ random: inout RandomTree, _ depth: Int) -> SQLExpression {
      guard depth > 0 else {
        return random.pick([.name(["s"]), .cast(.string("x"), TypeName(QualifiedName("text")))])
      }
      let down = depth - 1
      switch random.below(4) {
      case 0: return .cast(number(&random, down), TypeName(QualifiedName("text")))
      case 1: return .collate(text(&random, down), QualifiedName("C"))
      default: return .infix("||", text(&random, down), text(&random, down))
      }
    }

    // MARK: All parentheses

    private static func parenthesized(_ tree: SQLExpression) -> String {
      switch tree {
      case .and(let operands): "(" + operands.map(parenthesized).joined(separator: " AND ") + ")"
      case .or(let operands): "(" + operands.map(parenthesized).joined(separator: " OR ") + ")"
      case .not(let operand): "(NOT \(parenthesized(operand)))"
      case .isTest(let operand, let test, let negated):
        "(\(parenthesized(operand)) IS \(negated ? "NOT " : "")\(test.rawValue))"
      case .isDistinct(let left, let right, let negated):
        "(\(parenthesized(left)) IS \(negated ? "NOT " : "")DISTINCT FROM \(parenthesized(right)))"
      case .between(let value, let lower, let upper, _, let negated):
        "(\(parenthesized(value)) \(negated ? "NOT " : "")BETWEEN \(parenthesized(lower)) AND \(parenthesized(upper)))"
      case .inList(let value, let values, let negated):
        "(\(parenthesized(value)) \(negated ? "NOT " : "")IN ("
          + values.map(parenthesized).joined(separator: ", ") + "))"
      case .quantified(let value, let name, _, .array(.array(let members))):
        "(\(parenthesized(value)) \(name) ANY (ARRAY[" + members.map(parenthesized).joined(separator: ", ")
          + "]))"
      case .infix(let name, let left, let right): "(\(parenthesized(left)) \(name) \(parenthesized(right)))"
      case .prefix(let name, let operand): "(\(name) \(parenthesized(operand)))"
      case .cast(let operand, let type): "(\(parenthesized(operand))::\(type.sql))"
      case .collate(let operand, let name): "(\(parenthesized(operand)) COLLATE \(name.sql))"
      default: tree.sql
      }
    }
  }
#endif

#if os(macOS) || os(Linux)
  import TestSupport
  import Testing
  import UnderstudyPostgreSQL

  /// PostgreSQL accepts and refuses the same texts, with the same messages.
  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct SyntaxAgreementTests {
    @Test func agreesOnStatements() async throws {
      try await expectAgreement(on: SyntaxExamples.statements)
    }

    /// Each statement with a token left out, doubled, or exchanged with the next one.
    @Test func agreesOnDamagedStatements() async throws {
      try await expectAgreement(on: SyntaxExamples.statements.flatMap(Self.damaged))
    }

    @Test func agreesOnProcedures() async throws {
      try await expectAgreement(onProcedures: SyntaxExamples.procedures)
    }

    @Test func agreesOnDamagedProcedures() async throws {
      try await expectAgreement(onProcedures: SyntaxExamples.procedures.flatMap(Self.damaged))
    }

    @Test(arguments: Array(UInt64(1)...4)) func readsWhatIsPrinted(seed: UInt64) async throws {
      var random = RandomTree(seed: seed)
      let statements = (0..<250).map { _ in
        (random.chance(60) ? DataStatement.query(random.query(3)) : random.change(3)).sql
      }
      let answers = try await answers(to: statements)
      for (statement, answer) in zip(statements, answers) {
        #expect(!answer.contains("syntax error"), "seed \(seed): \(statement)\n\(answer)")
      }
    }

    /// Where PostgreSQL differs: operators such as `IS`, `AND` and `COLLATE` are labels in front of a comma, `FROM` or the
    /// end; `BETWEEN` begins a frame twice; and a statement of psql ends at a semicolon that is outside of a block.
    private static let differences: Set<String> = [
      "select a is from b", "select a is from distinct b", "select a between symmetric 1 and 2 and",
      "select a at time zone 'utc' , b collate",
      "select rank ( ) over ( partition by a order by b rows between between 1 preceding and current row )",
      "create function f ( ) returns int language sql begin atomic select 1 ; select 2 end ;",
    ]

    private static func damaged(_ sql: String) -> [String] {
      var lexer = Lexer(sql)
      let words = lexer.remainingTokens().tokens.dropLast().map { token in
        String(decoding: Array(sql.utf8)[token.range], as: UTF8.self)
      }
      return words.indices.flatMap { position in
        var without = words
        without.remove(at: position)
        var twice = words
        twice.insert(words[position], at: position)
        var exchanged = words
        if position > 0 { exchanged.swapAt(position, position - 1) }
        return [without, twice, exchanged].map { $0.joined(separator: " ") }
      }
    }

    /// PostgreSQL parses a body when its function is created, and the variables in it must exist.
    private func expectAgreement(onProcedures bodies: [String]) async throws {
      let bodies = bodies.filter { !$0.isEmpty }
      let answers = try await answers(
        to: bodies.map { body in
          """
          create function f(a int) returns setof int language plpgsql as \(PostgreSQLServer.quoted(body))
          """
        })
      try #require(answers.count == bodies.count)
      for (body, answer) in zip(bodies, answers) {
        let ours = Self.outcome { () throws(PostgreSQLError) in _ = try ProcedureParser.parse(body) }
        // PostgreSQL knows the variables, of which it expects other tokens, and whether `RETURN NEXT` has a value.
        let isOfVariables = ["is not a known variable", "near \"%\"", "missing expression"].contains {
          answer.contains($0) || ours.contains($0)
        }
        if isOfVariables { continue }
        let accepts = !answer.hasPrefix("42601")
        #expect(
          ours.isEmpty ? accepts : !answer.isEmpty || ours.contains("is not supported"),
          "\(body)\nours:   \(ours)\ntheirs: \(answer)")
      }
    }

    private func expectAgreement(on statements: [String]) async throws {
      let statements = statements.filter { !$0.isEmpty && !Self.differences.contains($0) }
      let answers = try await answers(to: statements)
      try #require(answers.count == statements.count)
      for (statement, answer) in zip(statements, answers) {
        #expect(
          Self.agrees(ours(statement), answer), "\(statement)\nours:   \(ours(statement))\ntheirs: \(answer)")
      }
    }

    /// Our error, as `code: message`; empty without one.
    private func ours(_ statement: String) -> String {
      Self.outcome { () throws(PostgreSQLError) in _ = try Script.parse(statement) }
    }

    private static func outcome(_ parse: () throws(PostgreSQLError) -> Void) -> String {
      do throws(PostgreSQLError) {
        try parse()
        return ""
      } catch {
        return "\(error.code): \(error.message)".replacing("\n", with: "\\n")
      }
    }

    /// What the parser accepts can be wrong for other reasons.
    ///
    /// What it does not support, it need not check.
    private static func agrees(_ ours: String, _ theirs: String) -> Bool {
      if ours.contains("is not supported by the in-memory database") { return true }
      guard ours.isEmpty else { return ours == theirs }
      return !theirs.contains(" at or near \"") && !theirs.contains("at end of input")
    }

    private func answers(to statements: [String]) async throws -> [String] {
      let calls = statements.map { "SELECT understudy_syntax(\(PostgreSQLServer.quoted($0)));" }
      let script = Self.function + "\n" + calls.joined(separator: "\n")
      return try await PostgreSQLServer().lines(of: script).map { $0 == "=" ? "" : String($0.dropFirst()) }
    }

    /// A function that runs a statement, undoes it, and returns its error.
    private static let function = """
      CREATE FUNCTION public.understudy_syntax(statement text) RETURNS text LANGUAGE plpgsql AS $$
      BEGIN
        EXECUTE statement;
        RAISE SQLSTATE 'UNDO0';
      EXCEPTION
        WHEN SQLSTATE 'UNDO0' THEN RETURN '=';
        WHEN query_canceled OR OTHERS THEN RETURN '=' || SQLSTATE || ': ' || replace(SQLERRM, E'\\n', '\\n');
      END $$;
      SET statement_timeout = '300ms';
      """
  }
#endif

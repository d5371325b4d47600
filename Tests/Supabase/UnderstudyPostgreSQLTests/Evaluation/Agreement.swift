import Testing
import TestSupport
import Understudy
@testable import UnderstudyPostgreSQL

/// Queries with what this engine answers, to be compared with a server.
struct Agreement {
  private(set) var queries: [String] = []
  private(set) var answers: [String] = []

  /// - Parameter answer: The text of the value; nil is null.
  mutating func add(_ query: String, _ answer: () throws(PostgreSQLError) -> String?) {
    queries.append(query)
    do {
      answers.append(try answer().map { "=" + $0 } ?? "NULL")
    } catch {
      answers.append("ERROR \(error.code): \(error.message)")
    }
  }

  /// - Parameter answer: The value, whose text is compared as an assignment to `text` writes it.
  mutating func add(
    _ query: String, _ type: DataType, _ session: TestSession, _ answer: () throws(PostgreSQLError) -> Value
  ) {
    add(query) { () throws(PostgreSQLError) in
      let value = try answer()
      guard !value.isNull else { return nil }
      guard case .text(let text)? = try Cast.find(from: type, to: .text)?.convert(value, session) else {
        return try type.text(of: value, context: session)
      }
      return text
    }
  }

  #if os(macOS) || os(Linux)
    /// Compares with a server, and reports all queries with other answers in one issue.
    ///
    /// - Parameter share: The share of the answers that must agree.
    func check(
      setup: String = TestSession.setup, share: Double = 1,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let expected = try await PostgreSQLServer().values(of: queries, setup: setup)
      try #require(expected.count == queries.count, sourceLocation: sourceLocation)
      var failures: [String] = []
      for (index, query) in queries.enumerated() where answers[index] != expected[index] {
        failures.append("\(query)\n    expected \(expected[index])\n    found    \(answers[index])")
      }
      if Double(failures.count) > Double(queries.count) * (1 - share) {
        let report = failures.prefix(100).joined(separator: "\n")
        Issue.record(
          "\(failures.count) of \(queries.count) answers differ from the server's.\n\(report)",
          sourceLocation: sourceLocation)
      }
    }
  #endif
}

/// A literal of a type.
struct Literal {
  var type: DataType
  /// Nil is null.
  var text: String?

  var sql: String {
    text.map { "'" + $0.replacing("'", with: "''") + "'::" + type.sql } ?? "NULL::" + type.sql
  }

  func value(_ session: TestSession) throws(PostgreSQLError) -> Value {
    guard let text else { return .null }
    return try type.value(from: text, context: session)
  }
}

extension Agreement {
  mutating func add(_ function: Function, _ literals: [Literal], _ session: TestSession, sql: String? = nil) {
    let query = sql ?? "\(function.name)(\(literals.map(\.sql).joined(separator: ", ")))"
    add("SELECT " + query, Self.resolved(function.result, literals), session) { () throws(PostgreSQLError) in
      try Self.call(function.body, function.isStrict, literals, session)
    }
  }

  mutating func add(_ operation: Operator, _ literals: [Literal], _ session: TestSession) {
    let query =
      literals.count == 1
      ? "\(operation.name) \(literals[0].sql)" : "\(literals[0].sql) \(operation.name) \(literals[1].sql)"
    add("SELECT " + query, Self.resolved(operation.result, literals), session) { () throws(PostgreSQLError) in
      try Self.call(operation.body, operation.isStrict, literals, session)
    }
  }

  private static func call(
    _ body: Function.Body, _ isStrict: Bool, _ literals: [Literal], _ session: TestSession
  ) throws(PostgreSQLError) -> Value {
    var values: [Value] = []
    for literal in literals { values.append(try literal.value(session)) }
    if isStrict, values.contains(where: \.isNull) { return .null }
    switch body {
    case .scalar(let scalar): return try scalar(values, session)
    case .typed(let make): return try make(literals.map { BoundType($0.type) })(values, session)
    default: preconditionFailure("Only functions of one value are called here.")
    }
  }

  private static func resolved(_ result: DataType, _ literals: [Literal]) -> DataType {
    switch result {
    case .anyelement, .anyenum: literals[0].type
    case .anyarray: if case .array = literals[0].type { literals[0].type } else { .array(literals[0].type) }
    default: result
    }
  }
}

#if os(macOS) || os(Linux)
  /// Compares the catalogue's answers with those of PostgreSQL, and reports every difference.
  func expectAgreement(
    _ queries: [String], setup: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let evaluator = FunctionEvaluator()
    var agreement = Agreement()
    for query in queries {
      agreement.add(query) { () throws(PostgreSQLError) in try evaluator.text(of: query) }
    }
    try await agreement.check(setup: setup, sourceLocation: sourceLocation)
  }

  /// Runs a script of statements in the engine and in PostgreSQL, and compares each result.
  enum ScriptAgreement {
    /// The result of each statement: `ok`, the rows as text, or `ERROR code: message`.
    static func results(of statements: [String], setup: String = "") throws -> [String] {
      let session = Session(State(), environment: .fixed)
      for statement in try Script.parse(setup) { _ = try session.run(statement.statement) }
      return statements.map { text in
        do {
          var lines: [String] = []
          var returnsRows = false
          for statement in try Script.parse(text) {
            let result = try session.run(statement.statement)
            returnsRows = !result.columns.isEmpty
            let type = BoundType(
              .record, fields: result.columns.map { BoundType.Field($0.name, $0.type) })
            lines = try result.rows.map { try Value.record($0).text(as: type, session) }
          }
          return returnsRows ? lines.joined(separator: "; ") : "ok"
        } catch let error as PostgreSQLError {
          return "ERROR \(error.code): \(error.message)" + (error.detail.map { " DETAIL \($0)" } ?? "")
        } catch {
          return "\(error)"
        }
      }
    }

    /// The same of PostgreSQL.
    static func expectations(of statements: [String], setup: String = "") async throws -> [String] {
      let calls = statements.map { "SELECT understudy_run(\(PostgreSQLServer.quoted($0)));" }
      let script = setup + "\n" + Self.function + "\n" + calls.joined(separator: "\n")
      return try await PostgreSQLServer().lines(of: script).map {
        String($0.dropFirst()).replacing("\\n", with: "\n")
      }
    }

    static func check(
      _ statements: [String], setup: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let expected = try await expectations(of: statements, setup: setup)
      let actual = try results(of: statements, setup: setup)
      try #require(expected.count == statements.count, sourceLocation: sourceLocation)
      for (index, statement) in statements.enumerated() where actual[index] != expected[index] {
        Issue.record(
          "\(statement)\n  PostgreSQL: \(expected[index])\n  engine:     \(actual[index])",
          sourceLocation: sourceLocation)
      }
    }

    private static let function = """
      CREATE FUNCTION public.understudy_run(statement text) RETURNS text LANGUAGE plpgsql AS $understudy$
      DECLARE r record; result text := ''; is_first boolean := true; detail text;
      BEGIN
        IF statement ~* '^[\\s(]*(select|with|values|table)' OR statement ~* 'returning' AND statement !~* '^\\s*create' THEN
          FOR r IN EXECUTE statement LOOP
            result := result || CASE WHEN is_first THEN '' ELSE '; ' END || r::text;
            is_first := false;
          END LOOP;
          RETURN '=' || replace(result, E'\\n', '\\n');
        END IF;
        EXECUTE statement;
        RETURN '=ok';
      EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
        RETURN '=ERROR ' || SQLSTATE || ': ' || replace(SQLERRM, E'\\n', '\\n')
          || CASE WHEN detail <> '' THEN ' DETAIL ' || replace(detail, E'\\n', '\\n') ELSE '' END;
      END $understudy$;
      """
  }

  extension SessionEnvironment {
    /// 2026-01-02 03:04:05 UTC, and numbers from a seed.
    static var fixed: SessionEnvironment {
      let numbers = Locked(SeededGenerator(seed: 1))
      return SessionEnvironment(
        now: { 820_551_845_000_000 }, random: { numbers.withLock { $0.next() } }, collation: .codePoints,
        isCancelled: { false })
    }
  }
#endif

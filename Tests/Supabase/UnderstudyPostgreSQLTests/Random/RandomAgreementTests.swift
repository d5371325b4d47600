#if os(macOS) || os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Random statements over random schemas, compared with PostgreSQL, each with the rows that the ones before it left.
  ///
  /// `UNDERSTUDY_SEED` sets the first seed, and `UNDERSTUDY_EFFORT` multiplies the number of statements.
  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct RandomAgreementTests {
    private static func setting(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    private static let seeds = (0..<4).map { (setting("UNDERSTUDY_SEED") ?? 1) &+ $0 }

    @Test(arguments: seeds) func statements(seed: UInt64) async throws {
      var generator = SQLGenerator(seed: seed)
      let count = 120 * Int(clamping: min(Self.setting("UNDERSTUDY_EFFORT") ?? 1, 1000))
      var statements = (0..<30).map { generator.row(of: $0) }
      while statements.count < count {
        let statement = generator.statement()
        statements.append(statement)
        if statement.changesRows { statements.append(generator.total) }
      }
      print("\(statements.count) random statements from seed \(seed)")
      let texts = statements.map(\.text)
      let expected = try await ScriptAgreement.expectations(of: texts, setup: generator.schema)
      let actual = try ScriptAgreement.results(of: texts, setup: generator.schema)
      try #require(expected.count == texts.count)
      let differences = statements.indices.filter { index in
        Self.comparable(expected[index], statements[index])
          != Self.comparable(actual[index], statements[index])
      }
      let refused = expected.count { $0.hasPrefix("ERROR") }
      #expect(
        refused * 2 < texts.count, "\(refused) of \(texts.count) statements were refused (seed \(seed))")
      guard !differences.isEmpty else { return }
      // The first one may cause the others.
      let shown = differences.prefix(10).map { index in
        "\(index). \(texts[index])\n  PostgreSQL: \(expected[index])\n  engine:     \(actual[index])"
      }
      Issue.record(
        """
        \(differences.count) of \(texts.count) statements end otherwise on PostgreSQL (seed \(seed)):
        \(shown.joined(separator: "\n"))
        Schema:
        \(generator.schema)
        """)
    }

    /// The result without what PostgreSQL leaves open.
    private static func comparable(_ result: String, _ statement: RandomStatement) -> [String] {
      if result.hasPrefix("ERROR") { return statement.hasAnyError ? ["ERROR"] : [result] }
      return statement.isOrdered ? [result] : result.components(separatedBy: "; ").sorted()
    }
  }
#endif

#if os(macOS) || os(Linux)
  import Testing

  @testable import UnderstudyPostgreSQL

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
#endif

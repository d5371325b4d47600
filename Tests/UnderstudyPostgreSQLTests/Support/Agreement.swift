#if os(macOS) || os(Linux)
  import Testing

  /// Compares the catalogue's answers with those of PostgreSQL, and reports every difference.
  func expectAgreement(
    _ queries: [String], setup: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let expected = try await PostgreSQLServer().values(of: queries, setup: setup)
    try #require(expected.count == queries.count, sourceLocation: sourceLocation)
    let evaluator = FunctionEvaluator()
    var differences: [String] = []
    for (query, answer) in zip(queries, expected) {
      let own = evaluator.text(of: query)
      if own != answer { differences.append("\(query)\n  expected \(answer)\n  found    \(own)") }
    }
    guard !differences.isEmpty else { return }
    let summary =
      "\(differences.count) of \(queries.count) differ:\n" + differences.prefix(100).joined(separator: "\n")
    Issue.record(Comment(rawValue: summary), sourceLocation: sourceLocation)
  }
#endif

import TestSupport
import Testing

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

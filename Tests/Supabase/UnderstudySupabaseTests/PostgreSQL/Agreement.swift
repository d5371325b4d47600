import UnderstudyHTTP
import Understudy

#if os(macOS) || os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import UnderstudySupabase

  /// Runs the same statements on PostgreSQL and in memory, one after the other, and reports the differences.
  struct Agreement {
    struct Difference: CustomStringConvertible {
      let place: Int
      let statement: Statement
      let real: Ending
      let inMemory: Ending
      let sql: String

      var description: String {
        """
        statement \(place + 1), as \(statement.role): \(sql)
          PostgreSQL: \(real)
          in memory:  \(inMemory)
        """
      }
    }

    /// The tables, in SQL.
    let schema: String

    func differences(_ statements: [Statement]) async throws -> [Difference] {
      let calls = statements.map(\.call)
      // One transaction, so that now() is constant.
      let script = """
        \(PostgreSQLServer.project)
        \(schema)
        BEGIN;
        SELECT to_json(now());
        \(calls.joined(separator: "\n"))
        COMMIT;
        """
      let lines = try await PostgreSQLServer().lines(of: script)
      try #require(lines.count == statements.count + 1, "PostgreSQL printed \(lines.count) lines.")
      let now = try #require(
        try JSONValue(parsing: Data(lines[0].utf8)).stringValue.map { text in try Timestamp(text) })
      let frozen = Time(clock: ContinuousClock()) { now.date }
      // The server orders texts by code points (.ci/with-postgresql).
      let database = InMemoryDatabase(
        try DatabaseSchema(sql: schema), seed: 1, time: frozen, textOrder: .codePoints)
      let mask = Mask(now: now, calls)
      var differences: [Difference] = []
      for (place, (statement, line)) in zip(statements, lines.dropFirst()).enumerated() {
        let real = mask.masked(try Self.ending(line, of: statement))
        let inMemory = mask.masked(statement.run(in: database))
        if real != inMemory {
          differences.append(
            Difference(
              place: place, statement: statement, real: real, inMemory: inMemory,
              sql: statement.sql))
        }
      }
      return differences
    }

    /// Records the first difference, which may cause the others.
    func verify(
      _ statements: [Statement], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let differences = try await differences(statements)
      guard !differences.isEmpty else { return }
      let shown = differences.prefix(12).map(\.description).joined(separator: "\n")
      Issue.record(
        """
        \(differences.count) of \(statements.count) statements end otherwise on PostgreSQL:
        \(shown)
        """, sourceLocation: sourceLocation)
    }

    private static func ending(_ line: String, of statement: Statement) throws -> Ending {
      let answer = try JSONValue(parsing: Data(line.utf8))
      if let code = answer["code"]?.stringValue {
        return .refusal(
          PostgRESTError(
            code: code, message: answer["message"]?.stringValue ?? "", details: answer["detail"]?.stringValue,
            hint: answer["hint"]?.stringValue))
      }
      return .rows(statement.rows(of: answer["rows"]?.stringValue ?? ""))
    }
  }

  /// Hides the values that each side generates: identifiers, and the times of the statements.
  private struct Mask {
    private let now: Timestamp
    private let known: Set<String>
    private static var identifiers: Regex<Substring> {
      /[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}/
    }
    private static var moments: Regex<Substring> {
      /[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?\+00(?::00)?/
    }

    init(now: Timestamp, _ calls: [String]) {
      self.now = now
      known = Set(calls.flatMap { $0.matches(of: Self.identifiers).map { String($0.output).lowercased() } })
    }

    func masked(_ ending: Ending) -> Ending {
      switch ending {
      case .rows(let rows): .rows(rows.map(masked).sortedAgain(unless: rows))
      case .refusal(let error):
        .refusal(
          PostgRESTError(
            code: error.code, message: masked(error.message), details: error.details.map(masked),
            hint: error.hint))
      }
    }

    private func masked(_ text: String) -> String {
      text.replacing(Self.identifiers) { known.contains($0.output.lowercased()) ? String($0.output) : "<id>" }
        .replacing(Self.moments) { match in
          let text = String(match.output)
          guard let moment = try? Timestamp(text), abs(moment.microseconds - now.microseconds) < 1_000_000
          else {
            return text
          }
          return "<now>"
        }
    }
  }

  extension [String] {
    /// The lines, sorted again if they were sorted before the replacements.
    fileprivate func sortedAgain(unless before: [String]) -> [String] {
      before == before.sorted() ? sorted() : self
    }
  }
#endif

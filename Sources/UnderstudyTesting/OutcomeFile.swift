import Foundation
import UnderstudyContracts

/// A file that gathers the outcomes of a run, one JSON object a line, so that a whole run becomes one report.
struct OutcomeFile: Sendable {
  let path: String

  /// Appends a line.
  ///
  /// Each line is one write to a file opened for appending, so parallel test cases and processes
  /// do not tear one another's lines.
  func append<Subject>(_ check: ContractCheck<Subject>, _ outcome: Outcome) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var line = try encoder.encode(
      Line(
        contract: check.contract, id: check.clause.id, statement: check.clause.statement,
        level: check.clause.level, implementation: check.implementation.name, outcome: outcome.name,
        reason: outcome.reason, violations: outcome.violations.map(\.description)))
    line.append(UInt8(ascii: "\n"))
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    guard descriptor >= 0 else { throw unwritable() }
    defer { close(descriptor) }
    let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == line.count else { throw unwritable() }
  }

  private func unwritable() -> InvalidSetting {
    InvalidSetting(
      description:
        "UNDERSTUDY_REPORT names \(path), which cannot be written: \(String(cString: strerror(errno))).")
  }

  private struct Line: Encodable {
    let contract: String
    let id: String
    let statement: String
    let level: ClauseLevel
    let implementation: String
    let outcome: String
    let reason: String?
    let violations: [String]
  }
}

import Foundation
import UnderstudyContracts

/// A file that gathers the outcomes of a run, one JSON object a line, so that a whole run becomes one report.
struct OutcomeFile: Sendable {
  let path: String

  /// Appends a line.
  ///
  /// Each line is one write to a file opened for appending, so parallel test cases and processes
  /// do not tear one another's lines; only where the file takes a part of it, the rest follows.
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
    guard descriptor >= 0 else { throw unwritable(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    try writeAll(line) { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Writes a whole line, in as many pieces as the file takes.
  ///
  /// - Parameter write: As write(2): how many bytes were written, or -1 with the cause in `errno`.
  func writeAll(_ line: Data, _ write: (UnsafeRawBufferPointer) -> Int) throws {
    try line.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = write(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        let cause = errno
        if count < 0, cause == EINTR { continue }
        guard count > 0, count <= bytes.count - written else {
          // Only a negative count sets errno.
          let reason = count < 0 ? String(cString: strerror(cause)) : "the file takes no more"
          throw unwritable("\(reason), after \(written) of the line's \(bytes.count) bytes")
        }
        written += count
      }
    }
  }

  private func unwritable(_ reason: String) -> InvalidSetting {
    InvalidSetting(description: "UNDERSTUDY_REPORT names \(path), which cannot be written: \(reason).")
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

import Foundation
import UnderstudyReports

/// What the environment says about a test run: see `ContractCheck.run(sourceLocation:)`.
struct RunSettings: Sendable {
  /// The beginning of the identifiers that are tried, or `nil` for all.
  let clause: String?
  /// The seed of every trial.
  let seed: UInt64
  let report: ReportFile?

  /// Reads the settings.
  ///
  /// - Throws: ``InvalidSetting`` for a seed that is not a number.
  init(environment: [String: String]) throws {
    clause = environment["UNDERSTUDY_CLAUSE"].flatMap { $0.isEmpty ? nil : $0 }
    report = environment["UNDERSTUDY_REPORT"].flatMap { $0.isEmpty ? nil : ReportFile(path: $0) }
    let written = environment["UNDERSTUDY_SEED"] ?? ""
    guard let seed = written.isEmpty ? 0 : UInt64(written) else {
      throw InvalidSetting(
        description: "UNDERSTUDY_SEED must be a whole number from 0, and it is \"\(written)\".")
    }
    self.seed = seed
  }
}

/// A variable of the environment that cannot be read as what it should be.
struct InvalidSetting: Error, CustomStringConvertible {
  /// Which variable, what it should be and what it is.
  let description: String
}

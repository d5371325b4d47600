import Foundation

/// What the environment says about a test run.
///
/// - `UNDERSTUDY_CLAUSE`: only clauses whose identifier begins with this are tried, the others' cases are cancelled.
/// - `UNDERSTUDY_SEED`: the seed of every trial, a whole number from 0; 0 unless set.
/// - `UNDERSTUDY_REPORT`: the path of a file to which each outcome is appended as a line of JSON.
public struct RunSettings: Sendable {
  /// The beginning of the identifiers that are tried, or `nil` for all.
  public let clause: String?
  /// The seed of every trial.
  public let seed: UInt64
  let report: OutcomeFile?

  /// Reads the settings.
  ///
  /// - Throws: ``InvalidSetting`` for a seed that is not a number.
  public init(environment: [String: String]) throws {
    clause = environment["UNDERSTUDY_CLAUSE"].flatMap { $0.isEmpty ? nil : $0 }
    report = environment["UNDERSTUDY_REPORT"].flatMap { $0.isEmpty ? nil : OutcomeFile(path: $0) }
    let written = environment["UNDERSTUDY_SEED"] ?? ""
    guard let seed = written.isEmpty ? 0 : UInt64(written) else {
      throw InvalidSetting(
        description: "UNDERSTUDY_SEED must be a whole number from 0, and it is \"\(written)\".")
    }
    self.seed = seed
  }
}

/// A variable of the environment that cannot be read as what it should be.
public struct InvalidSetting: Error, CustomStringConvertible {
  /// Which variable, what it should be and what it is.
  public let description: String
}

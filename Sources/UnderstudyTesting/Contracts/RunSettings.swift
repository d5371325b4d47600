import Foundation
import Understudy

/// What the environment says about a test run: see `ContractCheck.run(sourceLocation:)`.
struct RunSettings: Sendable {
  /// The beginning of the identifiers that are tried, or `nil` for all.
  let clause: String?
  /// The seed of every trial.
  let seed: UInt64
  /// The file to which reports are appended.
  let report: ReportFile?
  /// How many times as much is explored.
  let effort: Int

  /// Reads the settings.
  ///
  /// - Throws: ``InvalidSetting`` for a seed or an effort that is not a number.
  init(environment: [String: String]) throws {
    clause = environment["UNDERSTUDY_CLAUSE"].flatMap { $0.isEmpty ? nil : $0 }
    report = environment["UNDERSTUDY_REPORT"].flatMap { $0.isEmpty ? nil : ReportFile(path: $0) }
    let written = environment["UNDERSTUDY_SEED"] ?? ""
    guard let seed = written.isEmpty ? 0 : UInt64(written) else {
      throw InvalidSetting(
        description: "UNDERSTUDY_SEED must be a whole number from 0, and it is \"\(written)\".")
    }
    self.seed = seed
    let times = environment["UNDERSTUDY_EFFORT"] ?? ""
    guard let effort = times.isEmpty ? 1 : Int(times), effort > 0 else {
      throw InvalidSetting(
        description: "UNDERSTUDY_EFFORT must be a whole number from 1, and it is \"\(times)\".")
    }
    self.effort = effort
  }

  /// Appends a report to ``report``, if there is one.
  ///
  /// - Returns: What went wrong, for an issue.
  func append(_ results: UnderstudyReport) -> String? {
    do throws(ReportError) {
      try report?.append(results)
      return nil
    } catch {
      return "UNDERSTUDY_REPORT: \(error)"
    }
  }
}

/// A variable of the environment that cannot be read as what it should be.
struct InvalidSetting: Error, CustomStringConvertible {
  /// Which variable, what it should be and what it is.
  let description: String
}

import Foundation
import Testing
import Understudy
import UnderstudyText

/// The settings of a test run in environment variables; see `ContractCheck.run(sourceLocation:)`.
struct RunSettings: Sendable {
  /// The prefix of the identifiers of clauses to check; `nil` for all.
  let clause: String?
  /// The seed of every trial.
  let seed: UInt64
  /// The file to which reports are appended.
  let report: ReportFile?
  /// The factor by which an exploration is enlarged.
  let effort: Int
  /// The other variables that change a run, with their values.
  private let others: [(name: String, value: String)]

  private static let names =
    ["CLAUSE", "REPORT", "SEED", "USED_RECORDINGS"].map { "UNDERSTUDY_\($0)" } + otherNames
  /// Those that change a run; each test names its clause and its seed itself.
  private static let otherNames = ["EFFORT", "ONLY_SWEEPS", "RECORD", "SHUFFLE", "STALL", "WIDTH"].map {
    "UNDERSTUDY_\($0)"
  }

  /// Parses the settings.
  ///
  /// - Throws: `InvalidSetting` for a seed or an effort that is not a number, and for a variable whose name differs from a
  ///   setting's by one or two letters. A package may have other variables that begin alike.
  init(environment: [String: String]) throws {
    for name in environment.keys.sorted() where name.hasPrefix("UNDERSTUDY_") && !Self.names.contains(name) {
      guard let nearest = Self.names.nearest(to: name), nearest.distance(to: name) <= 2 else { continue }
      throw InvalidSetting(description: "The variable \(name) is unknown. Did you mean \(nearest)?")
    }
    clause = environment["UNDERSTUDY_CLAUSE"].flatMap { $0.isEmpty ? nil : $0 }
    report = environment["UNDERSTUDY_REPORT"].flatMap { $0.isEmpty ? nil : ReportFile(path: $0) }
    let written = environment["UNDERSTUDY_SEED"] ?? ""
    guard let seed = written.isEmpty ? 0 : UInt64(written) else {
      throw InvalidSetting(
        description: "UNDERSTUDY_SEED must be an integer of at least 0; found \"\(written)\".")
    }
    self.seed = seed
    effort = environment.positiveNumber("UNDERSTUDY_EFFORT") ?? 1
    others = Self.otherNames.compactMap { name in
      // The sweeps are alone in their process whatever the value is.
      environment[name].flatMap { $0.isEmpty && name != "UNDERSTUDY_ONLY_SWEEPS" ? nil : (name, $0) }
    }
    for name in ["UNDERSTUDY_EFFORT", "UNDERSTUDY_WIDTH", "UNDERSTUDY_STALL", "UNDERSTUDY_SHUFFLE"] {
      let written = environment[name] ?? ""
      guard written.isEmpty || environment.positiveNumber(name) != nil else {
        throw InvalidSetting(description: "\(name) must be an integer of at least 1; found \"\(written)\".")
      }
    }
  }

  /// The shell command that repeats what the current test has run, with every variable that changes it.
  ///
  /// - Parameter clause: The clause to check; `nil` for a test that is not of a contract.
  func command(clause: String? = nil) -> String {
    let variables =
      (clause.map { [("UNDERSTUDY_CLAUSE", $0)] } ?? []) + [("UNDERSTUDY_SEED", "\(seed)")] + others
    let filter = Test.current.map { test in
      " --filter '\(test.name.prefix { $0 != "(" }.replacing("'", with: #"'\''"#))'"
    }
    return variables.map { "\($0)=\(Words.shell($1)) " }.joined() + "swift test\(filter ?? "")"
  }

  /// Appends a report to `report`, if set.
  ///
  /// - Returns: The failure, for an issue.
  func append(_ results: UnderstudyReport) -> String? {
    do throws(ReportError) {
      try report?.append(results)
      return nil
    } catch {
      return "UNDERSTUDY_REPORT: \(error)"
    }
  }
}

/// An error thrown when an environment variable has an invalid value.
struct InvalidSetting: Error, CustomStringConvertible {
  /// The variable, the expected value and the actual value.
  let description: String
}

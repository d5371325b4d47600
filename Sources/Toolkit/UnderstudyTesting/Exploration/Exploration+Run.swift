import Foundation
public import Testing
public import Understudy

extension Exploration {
  /// Explores an implementation in the current test, and records a failure as an issue.
  ///
  /// ```swift
  /// @Test func explored() async throws { try await Exploration.todoService.run(on: .inMemory) }
  /// ```
  ///
  /// The issue contains the smallest failing program as Swift code for a test. `UNDERSTUDY_SEED` is the seed of all
  /// randomness (default: 0). `UNDERSTUDY_EFFORT` multiplies the number of programs (default: 1). If the implementation
  /// lacks a condition that the model requires, the test is cancelled with the reason.
  ///
  /// - Parameters:
  ///   - implementation: The implementation to explore.
  ///   - size: The number and length of the programs.
  ///   - sourceLocation: The location of issues (default: the caller's line).
  /// - Throws: To cancel the test; the failure where there is no current test, as in XCTest.
  public func run(
    on implementation: Implementation<Command.Subject>, size: ExplorationSize = ExplorationSize(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await run(
      on: implementation, size: size, in: ProcessInfo.processInfo.environment, sourceLocation)
  }

  func run(
    on implementation: Implementation<Command.Subject>, size: ExplorationSize = ExplorationSize(),
    in environment: [String: String], _ sourceLocation: SourceLocation
  ) async throws {
    try await recording(at: sourceLocation) {
      let settings = try RunSettings(environment: environment)
      let report = try await explore(implementation, seed: settings.seed, size: size.times(settings.effort))
      guard let failure = report.failure else { return report.gap }
      return "\(failure)\nThe same exploration: \(settings.command())"
    }
  }

  /// Runs one sequence, as a failure prints it, and records an issue if it fails.
  ///
  /// - Throws: To cancel the test; the failure where there is no current test, as in XCTest.
  public func replay(
    _ commands: [Command], on implementation: Implementation<Command.Subject>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await replay(ExplorationProgram(before: commands), on: implementation, sourceLocation)
  }

  /// Runs one program with concurrent branches, as a failure prints it, and records an issue if it fails.
  ///
  /// - Parameters:
  ///   - before: The commands that run first, one after another.
  ///   - together: The lists of commands that then run concurrently, each in its own task.
  ///   - after: The commands that run last, one after another, when all tasks have ended.
  ///   - schedule: How the tasks are scheduled.
  ///   - implementation: The implementation to run it on.
  ///   - sourceLocation: The location of issues (default: the caller's line).
  /// - Throws: To cancel the test; the failure where there is no current test, as in XCTest.
  public func replay(
    before: [Command] = [], together: [[Command]], after: [Command] = [], schedule: ExplorationSchedule,
    on implementation: Implementation<Command.Subject>, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await replay(
      ExplorationProgram(before: before, together: together, after: after, schedule: schedule),
      on: implementation, sourceLocation)
  }

  private func replay(
    _ program: ExplorationProgram<Command>, on implementation: Implementation<Command.Subject>,
    _ sourceLocation: SourceLocation
  ) async throws {
    try await recording(at: sourceLocation) {
      try await failure(in: program, on: implementation, requiringCall: true).map { "\($0)" }
    }
  }

  private func recording(
    at sourceLocation: SourceLocation, _ issue: nonisolated(nonsending) () async throws -> String?
  ) async throws {
    var issues = TestIssues(at: sourceLocation)
    do {
      if let text = try await Admission.shared.run(issue) { issues.record(text) }
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as ExplorationError where error.isSkip {
      try cancelTest(error.description, sourceLocation)
    } catch {
      issues.record("\(error)")
    }
    try issues.finish()
  }
}

import Foundation
public import Testing
public import Understudy

extension Exploration {
  /// Explores an implementation as part of the current test, and records what is found as an issue.
  ///
  /// ```swift
  /// @Test func explored() async throws { try await Exploration.todoService.run(on: .inMemory) }
  /// ```
  ///
  /// The issue has the shortest program that fails, as Swift to be pasted into a test. `UNDERSTUDY_SEED` is what everything
  /// random comes from, 0 unless set, and `UNDERSTUDY_EFFORT` how many times as much is tried, 1 unless set. Where the implementation lacks a condition that the model asks for, the test is
  /// cancelled with the reason.
  ///
  /// - Parameters:
  ///   - implementation: What is explored.
  ///   - size: How much is tried.
  ///   - sourceLocation: Where issues are shown: the caller's line.
  /// - Throws: Only to cancel the test.
  public func run(
    on implementation: Implementation<Subject>, size: ExplorationSize = .standard,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await run(
      on: implementation, size: size, in: ProcessInfo.processInfo.environment, sourceLocation)
  }

  func run(
    on implementation: Implementation<Subject>, size: ExplorationSize = .standard,
    in environment: [String: String], _ sourceLocation: SourceLocation
  ) async throws {
    try await recording(at: sourceLocation) {
      let settings = try RunSettings(environment: environment)
      let report = try await explore(implementation, seed: settings.seed, size: size.times(settings.effort))
      guard let finding = report.finding else {
        return report.commands > 0
          ? nil
          : "The exploration made no call, so it would pass on anything: no command made sense in the model."
      }
      let effort = settings.effort == 1 ? "" : "UNDERSTUDY_EFFORT=\(settings.effort) "
      return "\(finding)\nThe same exploration: UNDERSTUDY_SEED=\(settings.seed) \(effort)swift test"
    }
  }

  /// Tries one sequence, as a finding prints it, and records an issue if it fails.
  ///
  /// - Throws: Only to cancel the test.
  public func replay(
    _ commands: [Command], on implementation: Implementation<Subject>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await replay(ExplorationProgram(before: commands), on: implementation, sourceLocation)
  }

  /// Tries one program with concurrent branches, as a finding prints it, and records an issue if it fails.
  ///
  /// - Parameters:
  ///   - before: One after another.
  ///   - together: Then each of these lists in a task of its own.
  ///   - after: One after another, when all tasks have ended.
  ///   - schedule: How the tasks take turns.
  ///   - implementation: What is tried.
  ///   - sourceLocation: Where issues are shown: the caller's line.
  /// - Throws: Only to cancel the test.
  public func replay(
    before: [Command] = [], together: [[Command]], after: [Command] = [], schedule: ExplorationSchedule,
    on implementation: Implementation<Subject>, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await replay(
      ExplorationProgram(before: before, together: together, after: after, schedule: schedule),
      on: implementation, sourceLocation)
  }

  private func replay(
    _ program: ExplorationProgram<Command>, on implementation: Implementation<Subject>,
    _ sourceLocation: SourceLocation
  ) async throws {
    try await recording(at: sourceLocation) {
      try await finding(in: program, on: implementation).map { "\($0)" }
    }
  }

  private func recording(
    at sourceLocation: SourceLocation, _ issue: () async throws -> String?
  ) async throws {
    do {
      if let text = try await issue() { Issue.record("\(text)", sourceLocation: sourceLocation) }
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as ExplorationError where error.isSkip {
      try cancelTest(error.description, sourceLocation)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
  }
}

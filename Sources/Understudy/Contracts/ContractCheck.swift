/// One clause for one implementation: a test case and a cell of a report.
public struct ContractCheck<Subject: Sendable>: Sendable, CustomStringConvertible {
  /// The name of the contract.
  package let contract: String
  /// The clause to check.
  public let clause: Clause<Subject>
  /// The implementation to check.
  package let implementation: Implementation<Subject>

  /// The time limit of a trial, after which it counts as stuck.
  package static var timeLimit: Duration { .seconds(60) }

  /// The clause and the implementation, such as `children.create.stored · in-memory`.
  public var description: String { "\(clause.id) · \(implementation.name)" }

  /// Runs the clause once in a fresh environment.
  ///
  /// - Parameters:
  ///   - seed: Together with the clause's id, the source of the trial's ids and the environment's randomness.
  ///   - timeLimit: The limit in real time after which the trial is cancelled and reported as failed. A trial that
  ///     ignores its cancellation is abandoned.
  package func outcome(seed: UInt64 = 0, timeLimit: Duration = Self.timeLimit) async -> Outcome {
    await withTimeLimit(timeLimit) {
      .failed([violation("The clause did not end within \(timeLimit).")])
    } cancelled: {
      .failed([violation("The check was cancelled before it had an outcome.")])
    } _: {
      await tryOnce(seed: seed)
    }
  }

  private func tryOnce(seed: UInt64) async -> Outcome {
    let given = TrialEnvironment(contract: contract, clause: clause.id, seed: Self.mix(seed, clause.id))
    let subject: Subject
    let environment: TrialEnvironment
    do {
      (subject, environment) = try await implementation.prepare(given)
    } catch {
      let failed = Outcome.failed([violation("\(implementation.name) could not be set up: \(error)")])
      // Tears down what was set up before the error. A failure of the teardown is less useful than the error.
      try? await given.end(failed)
      return failed
    }
    let outcome = environment.explained(
      await outcome(of: Trial(of: subject, in: environment, implementation: implementation.name)),
      at: clause.fileID, clause.line)
    do {
      try await environment.end(outcome)
      return outcome
    } catch {
      return .failed(
        outcome.violations + [violation("\(implementation.name) could not be torn down: \(error)")])
    }
  }

  private func outcome(of trial: Trial<Subject>) async -> Outcome {
    var reasonToSkip: String?
    var ending: Violation?
    do {
      try await clause.check(trial)
    } catch TrialEnd.skip(let reason) {
      reasonToSkip = reason
    } catch TrialEnd.failedCondition(let message) {
      ending = violation(message)
    } catch TrialEnd.requirement {
    } catch {
      ending = violation("The clause ended with an error that it did not expect: \(error)")
    }
    for end in trial.notes.withLock({ $0.endings }).reversed() { await end() }

    let notes = trial.notes.withLock { $0 }
    var violations = notes.violations + (ending.map { [$0] } ?? [])
    if violations.isEmpty {
      if let reasonToSkip { return .skipped(reason: reasonToSkip) }
      if notes.expectations > 0 { return .passed }
      violations = [violation("The clause expected nothing, so it would hold for anything.")]
    }
    return .failed(violations)
  }

  /// A violation of the clause as a whole.
  private func violation(_ message: String) -> Violation {
    Violation(message, fileID: clause.fileID, line: clause.line, isAccident: true)
  }

  /// A seed for each clause (FNV-1a over the identifier), the same in every process.
  private static func mix(_ seed: UInt64, _ id: String) -> UInt64 {
    id.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

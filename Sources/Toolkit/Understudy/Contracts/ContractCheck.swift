/// One clause for one implementation: a test case and a cell of a report.
public struct ContractCheck<Subject: Sendable>: Sendable, CustomStringConvertible {
  /// The name of the contract.
  package let contract: String
  /// The clause to check.
  public let clause: Clause<Subject>
  /// The implementation to check.
  package let implementation: Implementation<Subject>

  /// The checks that were made with this one, and its place among them.
  let membership: (group: CheckGroup, place: Int)?

  init(
    contract: String, clause: Clause<Subject>, implementation: Implementation<Subject>,
    membership: (group: CheckGroup, place: Int)? = nil
  ) {
    self.contract = contract
    self.clause = clause
    self.implementation = implementation
    self.membership = membership
  }

  /// Notes the end of the check for the others of its contract.
  ///
  /// - Parameter outcome: The outcome; `nil` if a filter left the check out.
  package func end(_ outcome: Outcome?) -> CheckGroup.Result {
    membership.map { $0.group.end($0.place, outcome) } ?? CheckGroup.Result()
  }

  /// The clause and the implementation, such as `children.create.stored · in-memory`.
  public var description: String { "\(clause.id) · \(implementation.name)" }

  /// Runs the clause once in a fresh environment.
  ///
  /// - Parameters:
  ///   - seed: Together with the clause's id, the source of the trial's ids and the environment's randomness.
  ///   - stallLimit: How long the trial may stall before it is cancelled and reported as failed. A trial that ignores
  ///     its cancellation is abandoned.
  ///   - mutation: The first interceptor of every base, which makes it wrong or notes what it does.
  ///   - fixtures: Receives the fixtures of conditions.
  package func outcome(
    seed: UInt64 = 0, stallLimit: Duration = StallMonitor.trialLimit, mutation: MutationInterceptor? = nil,
    fixtures: (any FixtureStore)? = nil
  ) async -> Outcome {
    let given = TrialEnvironment(
      contract: contract, clause: clause.id, seed: Self.mix(seed, clause.id), fixtures: fixtures,
      mutation: mutation)
    let current = Locked(given)
    return await withStallLimit(
      stallLimit, idle: min(stallLimit, StallMonitor.idleLimit),
      progress: { current.withLock(\.self).progress }
    ) { stall in
      mutation?.noteStall()
      let environment = current.withLock(\.self)
      let failed = Outcome.failed([
        violation("The clause did not end: \(stall).\n\(environment.pending) \(StallMonitor.remedy)")
      ])
      return environment.explained(failed, at: clause.fileID, clause.line)
    } cancelled: {
      current.withLock(\.self).explained(
        .failed([violation("The check was cancelled before it had an outcome.")]), at: clause.fileID,
        clause.line)
    } _: {
      await tryOnce(in: given, noting: current)
    }
  }

  private func tryOnce(in given: TrialEnvironment, noting current: Locked<TrialEnvironment>) async -> Outcome
  {
    let subject: Subject
    let environment: TrialEnvironment
    do {
      (subject, environment) = try await implementation.prepare(given) { environment in
        current.withLock { $0 = environment }
      }
    } catch {
      let environment = current.withLock(\.self)
      let failed = environment.explained(
        .failed([violation("\(implementation.name) could not be set up: \(error)")]), at: clause.fileID,
        clause.line)
      // Tears down what was set up before the error. A failure of the teardown is less useful than the error.
      try? await environment.end(failed)
      return failed
    }
    var outcome = await outcome(
      of: Trial(of: subject, in: environment, implementation: implementation.name))
    if case .passed = outcome, let idle = environment.idleConditions {
      outcome = .failed([violation(idle)])
    }
    if case .passed = outcome, let (group, place) = membership, let hasCalls = environment.hasInterceptedCalls
    {
      group.note(place, hasCalls: hasCalls)
    }
    outcome = environment.explained(outcome, at: clause.fileID, clause.line)
    environment.noteCalls()
    do {
      try await environment.afterClause { [outcome] in try await environment.end(outcome) }
      return outcome
    } catch {
      return .failed(
        outcome.violations + [violation("\(implementation.name) failed at the end of the clause: \(error)")])
    }
  }

  private func outcome(of trial: Trial<Subject>) async -> Outcome {
    var end: TrialEnd?
    var ending: Violation?
    let witness = FaultWitness()
    do {
      try await FaultWitness.$current.withValue(witness) { try await clause.check(trial) }
    } catch let thrown as TrialEnd {
      end = thrown
      if case .failedCondition(let message) = thrown { ending = violation(message) }
    } catch {
      // The error of an unimplemented method may not have its name.
      ending =
        witness.unimplemented.isEmpty
        ? violation("The clause ended with an error that it did not expect: \(error)") : nil
    }
    try? await trial.afterClause {
      for endCondition in trial.notes.withLock({ $0.endings }).reversed() { await endCondition() }
    }
    let notes = trial.notes.withLock { $0 }
    if end == nil, let unavailable = notes.unavailable {
      ending = violation(
        """
        The clause went on without a condition, because it caught the error of trial.given(_:) or trial.during(_:_:): \
        \(unavailable.reason). Let this error end the clause: call them outside of `do`, `try?` and the closure of an \
        expectation.
        """)
    }
    var violations =
      notes.violations + witness.unimplemented.map(violation) + (ending.map { [$0] } ?? [])
    if violations.isEmpty {
      if case .skip(let reason)? = end { return .skipped(reason: reason) }
      if notes.expectations > 0 {
        trial.notes.withLock { $0.hasPassed = true }
        return .passed
      }
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

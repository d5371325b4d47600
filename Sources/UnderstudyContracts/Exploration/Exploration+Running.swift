import UnderstudyPrimitives

extension Exploration {
  /// Tries a program on a fresh stage.
  ///
  /// The stage is the same for every program, so that a program that fails does so again.
  func run(
    _ feed: ProgramFeed<Command>, on implementation: Implementation<Subject>
  ) async throws -> ProgramRun<Command> {
    try Task.checkCancellation()
    let context = TrialContext(contract: name, clause: "\(name).exploration", seed: 0)
    let stage: Stage<Subject>
    do {
      stage = try await implementation.prepare(context)
    } catch {
      throw ExplorationError("\(implementation.name) could not be set up: \(error)")
    }
    let trial = Trial(of: stage, implementation: implementation.name, seed: stage.seed ?? context.seed)
    let result: Result<ProgramRun<Command>, ExplorationError>
    do throws(ExplorationError) {
      var run = ProgramRun<Command>(
        stage.subject, from: try await initialModel(for: trial), invariants: invariants)
      await run.perform(feed)
      result = .success(run)
    } catch {
      result = .failure(error)
    }
    for end in trial.notes.withLock({ $0.endings }).reversed() { await end() }
    do {
      let defect = try? result.get().defect
      try await stage.tearDown(
        defect.map { .failed([Violation("\($0)", fileID: #fileID, line: #line)]) } ?? .passed)
    } catch {
      throw ExplorationError("\(implementation.name) could not be torn down: \(error)")
    }
    return try result.get()
  }

  private func initialModel(for trial: Trial<Subject>) async throws(ExplorationError) -> Model {
    do {
      return try await model(trial)
    } catch TrialEnd.skip(let reason) {
      throw ExplorationError(reason, isSkip: true)
    } catch TrialEnd.failedCondition(let message) {
      throw ExplorationError(message)
    } catch {
      throw ExplorationError("The model of \(name) could not be made: \(error)")
    }
  }
}

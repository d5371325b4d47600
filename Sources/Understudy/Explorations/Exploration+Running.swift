extension Exploration {
  /// Runs a program on a fresh instance.
  ///
  /// The environment is the same for every program, so that a failure is reproducible.
  ///
  /// - Parameter stallLimit: How long a program may stall; see ``StallMonitor``.
  func run(
    _ feed: ProgramFeed<Command>, on implementation: Implementation<Subject>,
    stallLimit: Duration = StallMonitor.trialLimit
  ) async throws -> ProgramRun<Command> {
    let begun = Locked<[Command]>([])
    return try await withStallLimit(stallLimit, progress: { begun.withLock(\.count) }) { stall in
      let calls = begun.withLock { $0 }.map(\.swift).joined(separator: ", ")
      return .failure(
        ExplorationError(
          """
          A program did not end on \(implementation.name): \(stall). Its calls, in the order in which they began, of \
          which one never ended: \(calls)
          """))
    } cancelled: {
      Result<ProgramRun<Command>, any Error>.failure(CancellationError())
    } _: {
      do {
        return .success(try await run(feed, on: implementation, noting: begun))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  private func run(
    _ feed: ProgramFeed<Command>, on implementation: Implementation<Subject>, noting begun: Locked<[Command]>
  ) async throws -> ProgramRun<Command> {
    let subject: Subject
    let environment: TrialEnvironment
    do {
      (subject, environment) = try await implementation.prepare(
        TrialEnvironment(contract: name, clause: "\(name).exploration", seed: 0)
      ) { _ in }
    } catch {
      throw ExplorationError("\(implementation.name) could not be set up: \(error)")
    }
    let trial = Trial(of: subject, in: environment, implementation: implementation.name)
    let result: Result<ProgramRun<Command>, ExplorationError>
    do throws(ExplorationError) {
      var run = ProgramRun<Command>(
        subject, from: try await initialModel(for: trial), invariants: invariants, noting: begun)
      await run.perform(feed)
      result = .success(run)
    } catch {
      result = .failure(error)
    }
    for end in trial.notes.withLock({ $0.endings }).reversed() { await end() }
    let failure: String? =
      switch result {
      case .success(let run): run.cause.map { "\($0)" }
      case .failure(let error): error.description
      }
    do {
      try await environment.end(
        failure.map { .failed([Violation($0, fileID: #fileID, line: #line)]) } ?? .passed)
    } catch  where failure == nil {
      throw ExplorationError("\(implementation.name) could not be torn down: \(error)")
    } catch {
      // The earlier error is more useful, and may be the cause.
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

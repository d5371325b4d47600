extension Scenario {
  /// Runs the scenario without a fault, then with every fault at every call, and then with pairs of faults.
  ///
  /// The calls are discovered in the runs: in the run without a fault, and, for the second fault of a pair, in the run
  /// with the first one. Calls that are made only after a failure are therefore included. A pair that violates an
  /// invariant is reported only if the invariant holds under each of the two faults alone.
  ///
  /// The same seed gives the same schedules with the same numbers. A shard runs all schedules with one fault, to
  /// discover calls, but reports only its own.
  ///
  /// - Parameters:
  ///   - options: The extent of the sweep.
  ///   - progress: Called before each run.
  /// - Throws: `CancellationError` when the task is cancelled.
  package func report(
    _ options: SweepOptions = SweepOptions(), progress: @Sendable (SweepProgress) -> Void = { _ in }
  ) async throws -> SweepReport {
    var results = SweepResults(self, options)
    func run(_ schedule: FaultSchedule, isDrawn: Bool) async throws -> ScenarioOutcome {
      try Task.checkCancellation()
      return try await self.run(
        under: schedule, seed: options.seed, stallLimit: options.stallLimit, isDrawn: isDrawn)
    }

    progress(SweepProgress(faults: 0, done: 0, total: 1, schedule: []))
    let plain = try await run([], isDrawn: true)
    results.take(plain)

    let singles = SingleFaults(of: plain.seen)
    for (done, entry) in singles.all.enumerated() {
      let schedule = FaultSchedule([entry])
      progress(SweepProgress(faults: 1, done: done, total: singles.all.count, schedule: schedule))
      results.take(try await run(schedule, isDrawn: true))
    }

    let pairs = FaultPairs(of: singles, seen: results.seen)
    results.pairCount = pairs.count
    let sample = pairs.numbers(limit: options.pairLimit, seed: options.seed)
    let first = 1 + singles.all.count
    let own = sample.enumerated().filter { options.shard.contains(first + $0.offset) }
    var cursor = pairs.makeCursor()
    for (done, (place, number)) in own.enumerated() {
      let schedule = cursor.schedule(number)
      progress(SweepProgress(faults: 2, done: done, total: own.count, schedule: schedule))
      results.take(try await run(schedule, isDrawn: false), number: first + place)
    }
    return results.report
  }
}

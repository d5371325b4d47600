extension Scenario {
  /// Runs the scenario without a fault, with every fault at every call, with pairs of faults, with every interruption at
  /// every call, and with random combinations.
  ///
  /// The calls are discovered in the runs: in the run without a fault, and, for the second fault of a pair, in the run
  /// with the first one. Calls that are made only after a failure are therefore included. A pair that violates an
  /// invariant is reported only if the invariant holds under each of the two faults alone, and a combination is reduced
  /// to the entries that are necessary. Of faults that make a call throw equal errors, and both before or both after
  /// its effect, pairs have only one: the others look the same to every screen.
  ///
  /// The same seed gives the same schedules with the same numbers. A shard runs all schedules with one fault, to
  /// discover calls, but reports only its own.
  ///
  /// A scenario that is stuck or traps without a fault, or has an interruption with an invalid name, is run only once.
  /// Otherwise the sweep stops after ``stuckLimit`` stuck runs, because most mistakes that make one run stuck make many
  /// so, and after ``trapLimit`` traps. After a trap it leaves out other schedules that disturb the same calls. A shard
  /// counts its own runs: all shards stop at the same fault, but each at other pairs and interruptions.
  ///
  /// - Parameters:
  ///   - options: The extent of the sweep.
  ///   - progress: Called before each run.
  /// - Throws: `CancellationError` when the task is cancelled.
  package func report(
    _ options: SweepOptions = SweepOptions(), progress: @Sendable (SweepProgress) -> Void = { _ in }
  ) async throws -> SweepReport {
    var results = SweepResults(self, options)
    var stuck: [FaultSchedule] = []
    var traps = SweepTraps(options.traps, of: self)
    let (open, known) = (OpenActions(), KnownStates())
    /// Runs the scenario; `nil` if the schedule is left out because of a trap.
    func run(_ schedule: FaultSchedule) async throws -> ScenarioOutcome? {
      try Task.checkCancellation()
      if let trap = traps.take(schedule) { return outcome(of: trap) }
      if traps.leaveOut(schedule) { return nil }
      let outcome = try await self.run(
        under: schedule, seed: options.seed, stallLimit: options.stallLimit, open: open, known: known)
      if outcome.isStuck { stuck.append(schedule) }
      return outcome
    }
    func show(_ stage: SweepProgress.Stage, _ done: Int, of total: Int, _ schedule: FaultSchedule?) {
      progress(SweepProgress(stage: stage, done: done, total: total, schedule: schedule, stuck: stuck))
    }
    var hasStopped: Bool { stuck.count >= Self.stuckLimit || traps.areTooMany }
    /// Whether to leave out a schedule, which then counts as untried.
    func leavesOut(_ kind: WritableKeyPath<SweepReport.Untried, Int>) -> Bool {
      if hasStopped { results.untried[keyPath: kind] += 1 }
      return hasStopped
    }

    show(.plain, 0, of: 1, [])
    guard let plain = try await run([]) else { return results.report }
    results.take(plain)
    // Every other schedule would take as long, or have the same mistake.
    if plain.violations.contains(where: { [Self.stuck, Self.trapping, Self.misnamed].contains($0.invariant) })
    {
      return results.report
    }

    let singles = SingleFaults(of: plain.seen)
    var first = 1
    for (done, entry) in singles.all.enumerated() {
      if hasStopped {
        if options.shard.contains(first + done) { results.untried.faults += 1 }
        continue
      }
      let schedule = FaultSchedule([entry])
      show(.faults, done, of: singles.all.count, schedule)
      if let outcome = try await run(schedule) {
        results.take(outcome)
      } else {
        results.leaveOutFault()
      }
    }
    first += singles.all.count

    if !hasStopped {
      let pairs = FaultPairs(of: singles, outcomes: results.singles)
      results.pairCount = pairs.count
      let sample = pairs.numbers(limit: options.pairLimit, seed: options.seed)
      let own = sample.enumerated().filter { options.shard.contains(first + $0.offset) }
      var cursor = pairs.makeCursor()
      for (done, (place, number)) in own.enumerated() {
        let schedule = cursor.schedule(number)
        if leavesOut(\.pairs) { continue }
        show(.pairs, done, of: own.count, schedule)
        guard let outcome = try await run(schedule) else {
          results.untried.pairs += 1
          continue
        }
        results.take(outcome, number: first + place)
      }
      first += sample.count
    } else {
      // The pairs depend on what every single fault does.
      results.untried.hasUncountedPairs = options.pairLimit != 0
    }

    let interleavings = Interleavings(of: plain.seen, by: plain.interruptions.map(\.name))
    for (place, entry) in interleavings.all.enumerated() where options.shard.contains(first + place) {
      if leavesOut(\.interruptions) { continue }
      let schedule = FaultSchedule([entry])
      show(.interruptions, place, of: interleavings.all.count, schedule)
      guard let outcome = try await run(schedule) else {
        results.untried.interruptions += 1
        continue
      }
      results.take(interrupted: outcome, number: first + place)
      for other in interleavings.variants(of: entry, seen: outcome.seen) where !hasStopped {
        guard let outcome = try await run(FaultSchedule([entry, other])) else { continue }
        results.take(interrupted: outcome, number: first + place)
      }
    }
    first += interleavings.all.count

    for place in 0..<options.combinationLimit where options.shard.contains(first + place) {
      if leavesOut(\.combinations) { continue }
      show(.combinations, place, of: options.combinationLimit, nil)
      let combination = try await combination(place, from: plain, options, run)
      results.take(combination: combination.runs, number: first + place)
      for outcome in combination.broken { results.note(outcome, first + place, isCounted: false) }
    }
    if !traps.isEmpty, results.untried != SweepReport.Untried() { results.untried.isAfterTrap = true }
    return results.report
  }

  /// The number of stuck runs after which a sweep stops.
  package static let stuckLimit = 2

  /// Runs a random combination of faults and interruptions, and adds entries to it one by one up to three.
  ///
  /// - Returns: The runs with several entries, and those under the smallest parts of the combination that
  ///   violate an invariant, if they have several entries.
  private func combination(
    _ number: Int, from plain: ScenarioOutcome, _ options: SweepOptions,
    _ run: (FaultSchedule) async throws -> ScenarioOutcome?
  ) async throws -> (runs: [ScenarioOutcome], broken: [ScenarioOutcome]) {
    var mixer = SeededGenerator(seed: UInt64(truncatingIfNeeded: number))
    var generator = SeededGenerator(seed: options.seed ^ mixer.next())
    var (outcome, runs) = (plain, [ScenarioOutcome]())
    while outcome.violations.isEmpty, outcome.schedule.entries.count < 3 {
      let entries = outcome.schedule.entries
      guard let seen = outcome.seen.randomElement(using: &generator) else { break }
      let hasFault = entries.contains { $0.point == seen.point && $0.fault != nil }
      let choices =
        Bool.random(using: &generator) && !hasFault
        ? SingleFaults.all(at: seen) : Interleavings.all(at: seen, by: plain.interruptions.map(\.name))
      guard let entry = choices.randomElement(using: &generator), !entries.contains(entry) else {
        break
      }
      guard let longer = try await run(FaultSchedule(entries + [entry])) else { break }
      outcome = longer
      if !entries.isEmpty { runs.append(outcome) }
    }
    var broken: [ScenarioOutcome] = []
    for violation in outcome.violations {
      var smallest = outcome
      for part in outcome.schedule.parts {
        guard let outcome = try await run(part),
          outcome.violations.contains(where: { $0.invariant == violation.invariant })
        else { continue }
        smallest = outcome
        break
      }
      guard smallest.schedule.entries.count > 1 else { continue }
      smallest.violations.removeAll { $0.invariant != violation.invariant }
      broken.append(smallest)
    }
    return (runs, broken)
  }
}

extension FaultSchedule {
  /// The schedules without some of the entries, smallest first.
  fileprivate var parts: [FaultSchedule] {
    let parts = (0..<(1 << entries.count) - 1).map { chosen in
      FaultSchedule(entries.enumerated().filter { chosen & (1 << $0.offset) != 0 }.map(\.element))
    }
    return parts.sorted { $0.entries.count < $1.entries.count }
  }
}

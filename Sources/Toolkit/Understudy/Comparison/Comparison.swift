/// Compares two implementations of a service with the same random calls.
struct Comparison<Subject: Sendable>: Sendable {
  let contract: Contract<Subject>
  let one: Implementation<Subject>
  let other: Implementation<Subject>
  let pool: ArgumentPool<Subject>
  let freedoms: [Freedom]
  var given: [ComparedCondition]
  var under: [ComparedCondition]
  /// The seed of every environment, so that a program can be repeated.
  let seed: UInt64
  private let workplaces = (one: Workplace(), other: Workplace())

  init(
    _ contract: Contract<Subject>, of one: Implementation<Subject>, with other: Implementation<Subject>,
    _ pool: ArgumentPool<Subject>, _ freedoms: [Freedom], given: [ComparedCondition],
    under: [ComparedCondition], seed: UInt64
  ) {
    (self.contract, self.one, self.other, self.pool, self.freedoms) = (contract, one, other, pool, freedoms)
    (self.given, self.under, self.seed) = (given, under, seed)
  }

  /// A fresh instance of one of the implementations.
  func side(isFirst: Bool, given: [ComparedCondition]? = nil) async throws -> ProgramSide<Subject> {
    try await ProgramSide(
      of: isFirst ? one : other, in: isFirst ? workplaces.one : workplaces.other, contract: contract.name,
      seed: seed, given: given ?? self.given)
  }

  /// What became of a program.
  struct Run: Sendable {
    var steps: [ProgramStep] = []
    var one: [Int: Answer] = [:]
    var other: [Int: Answer] = [:]
    var compared: AnswerComparison
    /// The number of answers and events that were compared.
    var answers = 0
    /// The step whose answer, or whose stream, differs.
    var difference: (step: Int, one: Answer, other: Answer)?
  }

  /// Runs a program on fresh instances, step by step on both, until there is a difference.
  ///
  /// It has the limit of a trial, because all programs together may take any time.
  ///
  /// - Parameters:
  ///   - source: Where the steps come from.
  ///   - next: Returns the next step.
  /// - Returns: What became of it, and the source after it.
  func run<Source: Sendable>(
    from source: Source, _ next: @escaping @Sendable (inout Source, ProgramHistory) -> ProgramStep?
  ) async throws -> (Run, Source) {
    try await withStallLimit(StallMonitor.trialLimit) { [one, other] stall in
      .failure(ComparisonError("A call of \(one.name) or \(other.name) never ended: \(stall)."))
    } cancelled: {
      Result<(Run, Source), any Error>.failure(CancellationError())
    } _: {
      var source = source
      do {
        let run = try await run { next(&source, $0) }
        return .success((run, source))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  private func run(_ next: (ProgramHistory) -> ProgramStep?) async throws -> Run {
    let ours = try await side(isFirst: true)
    let theirs: ProgramSide<Subject>
    let result: Result<Run, any Error>
    do {
      theirs = try await side(isFirst: false)
    } catch {
      await ours.end()
      throw error
    }
    do { result = .success(try await run(ours, theirs, next)) } catch { result = .failure(error) }
    await ours.end()
    await theirs.end()
    return try result.get()
  }

  private func run(
    _ ours: ProgramSide<Subject>, _ theirs: ProgramSide<Subject>, _ next: (ProgramHistory) -> ProgramStep?
  ) async throws -> Run {
    var run = Run(compared: AnswerComparison(freedoms))
    var history = ProgramHistory()
    var compared: [Int: (events: Int, hasEnd: Bool)] = [:]
    for number in given.indices {
      guard let mine = ours.answers[-1 - number], let other = theirs.answers[-1 - number] else { continue }
      run.compared.pair(mine.tree, other.tree, step: -1 - number)
      history.answers[-1 - number] = other.tree
    }
    func end() -> Run {
      (run.steps, run.one, run.other) = (history.steps, ours.answers, theirs.answers)
      return run
    }
    while let step = next(history) {
      history.steps.append(step)
      let condition = step.condition.map { under[$0] }
      guard let operation = step.operation.map({ pool.operations[$0] }) else {
        for side in [ours, theirs] { if let condition { _ = try await side.begin(condition) } }
        continue
      }
      run.compared.note(step.arguments)
      try await ours.perform(step, of: operation, under: condition)
      try await theirs.perform(step, of: operation, under: condition)
      guard let mine = ours.answers[step.id], let other = theirs.answers[step.id] else { continue }
      history.answers[step.id] = other.returned
      run.answers += 1
      if (mine.events == nil) != (other.events == nil)
        || !run.compared.areEqual(mine, other, of: operation.name, step: step.id)
      {
        run.difference = (step.id, mine, other)
        return end()
      }
      // What the streams have delivered since.
      for (index, log) in ours.logs.enumerated() where index < theirs.logs.count {
        let (id, other) = theirs.logs[index]
        let seen = compared[id] ?? (0, false)
        let name = history.steps.first { $0.id == id }?.operation.map { pool.operations[$0].name } ?? ""
        try await settle(ours, log.log, theirs, other, isNew: id == step.id)
        let (mine, its) = (log.log.contents, other.contents)
        var isEqual = mine.values.count == its.values.count && (mine.end == nil) == (its.end == nil)
        for place in seen.events..<min(mine.trees.count, its.trees.count)
        where isEqual || place < its.trees.count {
          run.answers += 1
          isEqual =
            run.compared.areEqual(mine.trees[place], its.trees[place], at: [], of: name, step: id) && isEqual
        }
        if !seen.hasEnd, let end = mine.end, let itsEnd = its.end {
          run.answers += 1
          isEqual = run.compared.areEqual(end, itsEnd, of: name, step: id) && isEqual
        }
        compared[id] = (its.values.count, its.end != nil)
        if !isEqual {
          run.difference = (id, Answer(stream: log.log), Answer(stream: other))
          return end()
        }
      }
    }
    return end()
  }

  /// Waits for the side of a stream that is behind, if it may still come.
  private func settle(
    _ ours: ProgramSide<Subject>, _ mine: EventLog, _ theirs: ProgramSide<Subject>, _ other: EventLog,
    isNew: Bool
  ) async throws {
    for (side, log, ahead) in [(ours, mine, other), (theirs, other, mine)]
    where side.workplace.place != .queue {
      let count = ahead.contents.values.count
      if ahead.contents.end != nil {
        if log.contents.end == nil { try await side.wait(for: .max, in: log) }
      } else if log.contents.values.count < count {
        try await side.wait(for: count, in: log)
      } else if isNew, count == 0, log.contents.end == nil, side.workplace.place == .elsewhere {
        // The next call comes after the subscription.
        try await side.wait(for: 1, in: log)
      }
    }
  }
}

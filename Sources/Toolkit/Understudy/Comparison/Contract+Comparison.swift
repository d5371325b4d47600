import UnderstudyText

extension Contract {
  /// Compares two implementations with the same random calls, and returns what was found.
  ///
  /// - Parameters:
  ///   - one: The implementation in which the clauses run once, for the arguments of their calls.
  ///   - other: The implementation whose answers the printed clause expects.
  ///   - operations: The operations of the service.
  ///   - conditions: The conditions in which every program begins.
  ///   - others: The conditions that may hold during a call, or from a step on.
  ///   - freedoms: What may differ.
  ///   - seed: The source of all randomness.
  ///   - size: The number and length of the programs.
  /// - Throws: If an implementation cannot be set up, or a call never ends, and `CancellationError`.
  package func comparison<each Fixture: Sendable>(
    of one: Implementation<Subject>, with other: Implementation<Subject>,
    through operations: ServiceOperations<Subject>, given conditions: repeat Condition<each Fixture>,
    under others: [Condition<Void>] = [], freedoms: [Freedom] = [], seed: UInt64 = 0,
    size: ComparisonSize = ComparisonSize()
  ) async throws -> ComparisonReport {
    var given: [ComparedCondition] = []
    for condition in repeat each conditions { given.append(ComparedCondition(condition)) }
    let under = others.map { ComparedCondition($0) }
    return try await TestIssue.$isSuspended.withValue(true) { [given] in
      // Each clause has a limit of its own, as each program has.
      let pool = await arguments(of: operations, on: one, seed: seed)
      var comparison = Comparison(
        self, of: one, with: other, pool, freedoms, given: given, under: under, seed: seed)
      return try await comparison.report(seed: seed, size: size)
    }
  }

  /// Runs the clauses once, and collects the arguments of their calls.
  private func arguments(
    of operations: ServiceOperations<Subject>, on implementation: Implementation<Subject>, seed: UInt64
  ) async -> ArgumentPool<Subject> {
    let pool = Locked(ArgumentPool(of: operations.all))
    let observer = CallObserver { call in
      pool.withLock { $0.note(call) }
    } answer: { answer in
      pool.withLock { $0.note(answer) }
    }
    let observed = implementation.wrapping(as: implementation.name) { operations.observing($0, observer) }
    for clause in clauses {
      pool.withLock { $0.beginClause() }
      // A clause that fails or waits for nothing is the concern of its check.
      _ = await ContractCheck(contract: name, clause: clause, implementation: observed).outcome(
        seed: seed, stallLimit: .seconds(2),
        fixtures: ObservedFixtures { answer in pool.withLock { $0.note(answer) } })
    }
    return pool.withLock(\.self)
  }
}

/// Notes the fixtures of a clause, whose values are the environment's.
private struct ObservedFixtures: FixtureStore {
  let note: @Sendable (Answer) -> Void

  func note<Fixture: Sendable>(_ condition: Condition<Fixture>, _ fixture: Fixture) {
    note(Answer(returned: fixture))
  }
  func noteUnavailable<Fixture: Sendable>(_ condition: Condition<Fixture>) {}
  func fixture<Fixture: Sendable>(
    of condition: Condition<Fixture>, in environment: TrialEnvironment
  ) throws -> Fixture? { nil }
}

extension Comparison {
  /// Runs programs until there is a difference or all were run.
  mutating func report(seed: UInt64, size: ComparisonSize) async throws -> ComparisonReport {
    var report = ComparisonReport(seed: seed)
    report.neverCalled = pool.operations.indices.filter { !pool.usable.contains($0) }.map {
      pool.operations[$0].name
    }
    if let mistake = mistakeBefore {
      report.failure = mistake
      return report
    }
    try await leaveOutConditions(&report)
    if let shared = try await sharedState(seed) {
      report.failure = shared
      return report
    }
    var generator = SeededGenerator(seed: seed)
    var drawing = ProgramDrawing(of: pool, conditions: under.count, length: size.calls)
    var used: Set<Int> = []
    var names: Set<String> = []
    for _ in 0..<size.programs {
      drawing.begin(seed: generator.next())
      let run: Run
      (run, drawing) = try await self.run(from: drawing) { $0.next(after: $1) }
      report.take(run, pool.operations)
      drawing.note(run.steps, run.other)
      used.formUnion(run.compared.used)
      for answer in run.other.values { names.formUnion(answer.memberNames) }
      guard run.difference != nil else { continue }
      var shrinking = ProgramShrinking(of: self, from: run)
      let smallest = try await shrinking.smallest()
      report.shrinkings = shrinking.tried
      report.stepsOfDifference = smallest.steps.count
      report.failure = failure(smallest, report: &report)
      return report
    }
    let occurred = Set(report.outcomes.values.flatMap(\.keys))
    report.missingErrors = pool.errors.subtracting(occurred).sorted()
    report.unneededFreedoms = freedoms.indices.filter { !used.contains($0) }.map { freedoms[$0].description }
    report.failure = mistakeAfter(report, names)
    return report
  }

  /// Why the comparison would find nothing, before it runs.
  private var mistakeBefore: String? {
    if pool.observedCalls == 0 {
      return """
        No clause of \(contract.name) made a call that the comparison could observe, so it has no arguments to use. \
        As through:, pass the table that understudy generate writes for this service.
        """
    }
    let names = pool.operations.flatMap { [$0.name, $0.baseName] }
    for freedom in freedoms {
      if !freedom.reason.contains(where: \.isLetter) {
        return "The freedom \(freedom) has no reason. Say why it is right: because: \"…\"."
      }
      if let operation = freedom.operation, !names.contains(operation) {
        let nearest = names.nearest(to: operation).map { " The nearest is \"\($0)\"." } ?? ""
        return "The freedom \(freedom) is of an operation that the service does not have.\(nearest)"
      }
    }
    return nil
  }

  /// Why the comparison has shown nothing, after it has run.
  private func mistakeAfter(_ report: ComparisonReport, _ names: Set<String>) -> String? {
    if report.calls == 0 {
      return
        "The comparison made no call, so it would pass on anything: give it programs with at least one call."
    }
    for case .generated(let name) in freedoms.map(\.kind) where !names.contains(name) {
      let nearest = names.nearest(to: name).map { " The nearest is \"\($0)\"." } ?? ""
      return "No answer has a member \"\(name)\", which a freedom names.\(nearest)"
    }
    if report.neverFailed.count == report.outcomes.count {
      return """
        None of \(Words.count(report.calls, "call")) failed, so the comparison says nothing about failures. Pass \
        conditions under which calls fail, such as under: [.offline], or add a clause in which one fails.
        """
    }
    return nil
  }

  /// Leaves out the conditions that one of the implementations cannot set up.
  private mutating func leaveOutConditions(_ report: inout ComparisonReport) async throws {
    var lacked: Set<String> = []
    for condition in given + under {
      for isFirst in [true, false] where !lacked.contains(condition.name) {
        do {
          await (try await side(isFirst: isFirst, given: [condition])).end()
        } catch let error as ComparisonError where error.lackedCondition != nil {
          lacked.insert(condition.name)
          report.lackedConditions.append("\(error)")
        }
      }
    }
    given.removeAll { lacked.contains($0.name) }
    under.removeAll { lacked.contains($0.name) }
  }

  /// Whether calls of one implementation have an effect on the other, or on a fresh instance of the same.
  private func sharedState(_ seed: UInt64) async throws -> String? {
    let reads = pool.reads
    guard !reads.isEmpty else { return nil }
    for isFirst in [true, false] {
      let readers = [!isFirst, isFirst]
      let before = try await answers(of: readers, to: reads, after: nil, seed)
      let after = try await answers(of: readers, to: reads, after: isFirst, seed)
      for place in readers.indices {
        for (index, read) in reads.enumerated() {
          var compared = AnswerComparison(freedoms)
          let (was, now) = (before[place][index], after[place][index])
          if compared.areEqual(was, now, of: pool.operations[read].name, step: 0) { continue }
          let (caller, reader) = (isFirst ? one : other, readers[place] ? one : other)
          let who =
            place == 0 ? "\(one.name) and \(other.name) share their state" : "\(reader.name) keeps its state"
          return """
            \(who): after calls of a fresh \(caller.name) alone, \(pool.operations[read].name) of another fresh \
            \(reader.name) answers differently.
            before: \(was.description)
            after: \(now.description)
            What is wrong in both is not noticed then. Make each implementation over a store of its own, for each trial.
            """
        }
      }
    }
    return nil
  }

  /// The answers of fresh instances to calls that read, after a program of another one.
  private func answers(
    of readers: [Bool], to reads: [Int], after caller: Bool?, _ seed: UInt64
  ) async throws -> [[Answer]] {
    var sides: [ProgramSide<Subject>] = []
    for isFirst in readers { sides.append(try await side(isFirst: isFirst)) }
    if let caller {
      let side = try await side(isFirst: caller)
      var drawing = ProgramDrawing(of: pool, conditions: 0, length: 30)
      drawing.begin(seed: seed)
      var history = ProgramHistory()
      while let step = drawing.next(after: history), let operation = step.operation {
        try await side.perform(step, of: pool.operations[operation], under: nil)
        history.steps.append(step)
        history.answers[step.id] = side.answers[step.id]?.returned
      }
      await side.end()
    }
    var all: [[Answer]] = []
    for side in sides {
      var answers: [Answer] = []
      for (place, read) in reads.enumerated() {
        let step = ProgramStep(id: place, operation: read)
        try await side.perform(step, of: pool.operations[read], under: nil)
        answers.append(side.answers[place] ?? Answer(tree: .null, value: .noCall))
      }
      all.append(answers)
      await side.end()
    }
    return all
  }
}

extension ArgumentPool {
  /// The operations without arguments that return something, which show the state at the end.
  var reads: [Int] {
    operations.indices.filter {
      operations[$0].labels.isEmpty && !operations[$0].returnsNothing && !operations[$0].isStream
    }
  }
}

extension Answer {
  fileprivate var memberNames: Set<String> { Set(tree.nodes.map { ValueTree.name(at: $0.path) }) }

  /// The answer as Swift code, for a comment.
  var description: String {
    switch value {
    case .returned(let value): SwiftText.of(value, isTyped: false) ?? String(describing: value).visible
    case .threw(let error): "threw \(SwiftText.of(error: error))"
    case .stream(let log): log.contents.text(renaming: [])
    case .noCall: "no call"
    case .neverEnded: "never ended"
    case .noted: "an answer"
    }
  }
}

extension Freedom: CustomStringConvertible {
  /// The freedom as Swift code, without its reason.
  public var description: String {
    let place = operation.map { ", in: \(SwiftText.literal($0))" } ?? ""
    return switch kind {
    case .generated(let name): ".generated(\(SwiftText.literal(name))\(place))"
    case .anything(let name): ".anything(\(SwiftText.literal(name))\(place))"
    case .error: ".error(of: \(SwiftText.literal(operation ?? "")))"
    }
  }
}

extension ComparisonReport {
  fileprivate mutating func take<Subject>(
    _ run: Comparison<Subject>.Run, _ operations: [ServiceOperation<Subject>]
  ) {
    programs += 1
    answers += run.answers
    for step in run.steps {
      guard let operation = step.operation, let answer = run.other[step.id] else { continue }
      calls += 1
      outcomes[operations[operation].name, default: [:]][answer.outcome, default: 0] += 1
    }
  }
}

import Foundation
import UnderstudyText

extension Contract {
  /// Makes wrong implementations from a right one, and finds those that no clause notices.
  ///
  /// Each mutant is wrong in one way: an operation does its work twice or not at all, answers from memory, changes one
  /// field or the order of its result or of an argument, throws another error, or loses, repeats or ends the events of
  /// its stream. Some are wrong in all calls, some only for other arguments than those of the first call of a trial,
  /// such as another user's. A mutant that keeps every clause shows a promise that the contract does not make:
  ///
  /// ```swift
  /// @Test func theContractNoticesEveryMutant() async throws {
  ///   try await Contract.todoService.survivors(of: .inMemory).check()
  /// }
  /// ```
  ///
  /// The implementation must be intercepted with ``TrialEnvironment/intercept(_:by:)`` or `.double`. Results
  /// and arguments that are not `Codable` cannot be changed field by field. An operation that no clause calls has no
  /// mutant; the command `mutants --derived` lists those that have.
  ///
  /// - Parameters:
  ///   - implementation: A right implementation; the fastest is best.
  ///   - equivalents: The names of mutants that are not wrong, each with the reason. `*.retries` stands for that mutant
  ///     of every operation, and `add.twice` also for `add.twice@other-arguments`. A mark that no survivor needs is a
  ///     failure too.
  ///   - seed: The source of all randomness.
  /// - Returns: A report, whose `check()` records an issue for each survivor.
  public func survivors(
    of implementation: Implementation<Subject>, equivalents: KeyValuePairs<String, String> = [:],
    seed: UInt64 = 0
  ) async -> DerivedMutantReport {
    await derivedMutants(of: implementation, equivalents: equivalents, seed: seed)
  }

  /// - Parameters:
  ///   - shard: The part of the mutants to try.
  ///   - progress: Receives the name of the next mutant.
  package func derivedMutants(
    of implementation: Implementation<Subject>, equivalents: KeyValuePairs<String, String> = [:],
    seed: UInt64 = 0, shard: SweepShard = .whole, progress: @Sendable (String) -> Void = { _ in }
  ) async -> DerivedMutantReport {
    var report = DerivedMutantReport(contract: name, implementation: implementation.name)
    let all = await derive(from: implementation, seed, &report)
    let names = Set(all.map(\.mutant.name))
    let chosen = all.enumerated().filter { shard.contains($0.offset) }.map(\.element)
    report.made = chosen.count
    report.operations = Set(all.map(\.mutant.operation)).sorted()
    // The clauses that noticed a mutant of an operation last, which are likely to notice the next one.
    var favourites: [String: String] = [:]
    // More than the cores, because a mutant that waits for an event that does not come uses none.
    let width = 4 * max(1, ProcessInfo.processInfo.activeProcessorCount)
    var results: [(place: Int, fate: DerivedMutantReport.Fate)] = []
    await withTaskGroup(of: (place: Int, fate: DerivedMutantReport.Fate).self) { group in
      var rest = chosen.indices
      func startNext() {
        guard let number = rest.popFirst() else { return }
        let (mutant, places) = chosen[number]
        progress("\(name) · \(mutant.name)")
        var clauses = places.map { self.clauses[$0] }
        if let favourite = favourites[mutant.operation],
          let place = clauses.firstIndex(where: { $0.id == favourite })
        {
          clauses.insert(clauses.remove(at: place), at: 0)
        }
        group.addTask { [clauses] in
          (number, await self.fate(of: mutant, implementation, clauses, seed))
        }
      }
      for _ in 0..<width { startNext() }
      for await (number, fate) in group {
        if case .noticed(let clause) = fate { favourites[chosen[number].mutant.operation] = clause }
        results.append((number, fate))
        startNext()
      }
    }
    report.take(
      results.sorted { $0.place < $1.place }.map { (chosen[$0.place].mutant, $0.fate) },
      equivalents: equivalents, names: names)
    return report
  }

  /// Runs each clause once, and derives mutants from what the operations do.
  ///
  /// - Parameter isObserved: Whether to run a clause (default: all).
  /// - Returns: The mutants, each with the clauses in which it does anything else than the right implementation.
  func derive(
    from implementation: Implementation<Subject>, _ seed: UInt64, _ report: inout DerivedMutantReport,
    where isObserved: (Clause<Subject>) -> Bool = { _ in true }
  ) async -> [(mutant: DerivedMutant, clauses: [Int])] {
    var seen: [String: [(clause: Int, observation: MutationInterceptor.Observation)]] = [:]
    var firstValues: MutationInterceptor.FirstValues = [:]
    var possible: MutationInterceptor.PossibleChanges = [:]
    var values: [MutationInterceptor.Slot: Set<ValueTree>] = [:]
    var durations: [Int: Duration] = [:]
    var skipped: [(clause: String, reason: String)] = []
    for (place, clause) in clauses.enumerated() where isObserved(clause) {
      let observer = MutationInterceptor(after: firstValues, possible)
      let check = ContractCheck(contract: name, clause: clause, implementation: implementation)
      let start = ContinuousClock.now
      let outcome = await check.outcome(seed: seed, mutation: observer)
      durations[place] = ContinuousClock.now - start
      if case .failed(let violations) = outcome {
        report.failures.append(
          """
          \(implementation.name) fails \(clause.id), so no mutant can be made of it: \
          \(violations.map(\.description).joined(separator: " "))
          """)
      }
      if case .skipped(let reason) = outcome { skipped.append((clause.id, reason)) }
      guard case .passed = outcome else { continue }
      (firstValues, possible) = (observer.firstValues, observer.possible)
      values.merge(observer.values) { $0.union($1) }
      for (name, observation) in observer.observations {
        seen[name, default: []].append((place, observation))
      }
    }
    if let (clause, reason) = skipped.first, seen.isEmpty, skipped.count == clauses.count {
      report.failures.append(
        "\(implementation.name) skips every clause of \(name), such as \(clause): \(reason)")
    } else if clauses.isEmpty {
      report.failures.append("\(name) has no clause, so nothing would notice a mutant.")
    } else if seen.isEmpty, report.failures.isEmpty {
      report.isIntercepted = false
      report.failures.append(
        """
        No clause of \(name) makes a call of \(implementation.name) that could be changed. Make the double with \
        .double(…) or trial.intercept(…), and return it, not its base.
        """)
    } else if !skipped.isEmpty {
      let list = Words.list(skipped.map(\.clause))
      report.notes.append(
        "\(implementation.name) skips \(Words.count(skipped.count, "clause")), which can notice no mutant: \(list)."
      )
    }
    var mutants: [(DerivedMutant, [Int])] = []
    for (name, observations) in seen.sorted(by: { $0.key < $1.key }) {
      if let type = observations.lazy.compactMap(\.observation.opaqueType).first {
        report.notes.append("`\(name)` returns \(type), which is not Codable, so its fields are not changed.")
      }
      let arguments = observations.reduce(into: [:]) { all, one in
        all.merge(one.observation.opaqueArguments) { first, _ in first }
      }
      for (argument, type) in arguments.sorted(by: { $0.key < $1.key }) {
        report.notes.append(
          "Argument \(argument + 1) of `\(name)` is \(type), which is not Codable, so it is not changed.")
      }
      let made = DerivedMutant.all(of: name, in: observations, firstValues)
      report.notes += DerivedMutant.untried(of: name, among: made.map(\.0.change), firstValues)
      mutants += made
    }
    report.notes += DerivedMutant.unprovoked(in: seen.mapValues { $0.map(\.observation) }, values)
    // The fastest clauses first, because most mutants are noticed by many.
    return mutants.map { mutant, clauses in
      (mutant, clauses.sorted { (durations[$0] ?? .zero, $0) < (durations[$1] ?? .zero, $1) })
    }
  }

  private func fate(
    of mutant: DerivedMutant, _ implementation: Implementation<Subject>, _ clauses: [Clause<Subject>],
    _ seed: UInt64
  ) async -> DerivedMutantReport.Fate {
    var fate = DerivedMutantReport.Fate.withoutEffect
    for (place, clause) in clauses.enumerated() {
      let trial = await run(mutant, of: implementation, under: clause, seed)
      fate = fate.combined(with: trial.fate)
      if case .noticed = fate { return fate }
      guard trial.hasStalled else { continue }
      // The other clauses are likely to stall, too, and at the same time they take no longer than one.
      return await withTaskGroup(of: DerivedMutantReport.Fate.self) { group in
        for clause in clauses[(place + 1)...] {
          group.addTask { await self.run(mutant, of: implementation, under: clause, seed).fate }
        }
        return await group.reduce(fate) { $0.combined(with: $1) }
      }
    }
    return fate
  }

  private func run(
    _ mutant: DerivedMutant, of implementation: Implementation<Subject>, under clause: Clause<Subject>,
    _ seed: UInt64
  ) async -> (fate: DerivedMutantReport.Fate, hasStalled: Bool) {
    let trial = await outcome(of: mutant, of: implementation, under: clause, seed)
    let fate: DerivedMutantReport.Fate =
      switch trial.outcome {
      case .failed: .noticed(by: clause.id)
      case .passed, .skipped: .survived
      case nil: .withoutEffect
      }
    return (fate, trial.hasStalled)
  }

  /// Runs a clause with a mutant of an implementation.
  ///
  /// - Returns: The outcome, which is `nil` if the mutant had no effect, so that it would show nothing about it; and
  ///   whether the trial stalled.
  func outcome(
    of mutant: DerivedMutant, of implementation: Implementation<Subject>, under clause: Clause<Subject>,
    _ seed: UInt64
  ) async -> (outcome: Outcome?, hasStalled: Bool) {
    let interceptor = MutationInterceptor(mutant)
    let outcome = await ContractCheck(contract: name, clause: clause, implementation: implementation).outcome(
      seed: seed, stallLimit: MutationInterceptor.stallLimit, mutation: interceptor)
    return (interceptor.effects > 0 ? outcome : nil, interceptor.hasStalled)
  }
}

/// What became of the mutants that were made from one implementation.
public struct DerivedMutantReport: Sendable {
  enum Fate: Sendable, Hashable {
    case noticed(by: String)
    case survived
    /// It did in no trial anything else than the right implementation.
    case withoutEffect

    /// The fate after another trial.
    func combined(with other: Self) -> Self {
      switch (self, other) {
      case (.noticed, _), (.survived, .withoutEffect): self
      default: other
      }
    }
  }

  package let contract: String
  package let implementation: String
  /// The number of mutants that were tried.
  package fileprivate(set) var made = 0
  /// The operations that clauses call.
  ///
  /// One that no clause calls has no mutant.
  package fileprivate(set) var operations: [String] = []
  package fileprivate(set) var noticed = 0
  package fileprivate(set) var withoutEffect = 0
  /// The names of mutants that are marked as equivalent, with the reasons.
  package fileprivate(set) var equivalents: [(name: String, reason: String)] = []
  package fileprivate(set) var survivors: [String] = []
  /// What the contract lacks, one sentence each.
  package fileprivate(set) var failures: [String] = []
  /// Whether a clause made a call that could be changed.
  package fileprivate(set) var isIntercepted = true
  /// What was not tried, one sentence each.
  package fileprivate(set) var notes: [String] = []

  init(contract: String, implementation: String) {
    self.contract = contract
    self.implementation = implementation
  }

  /// The numbers and the failures in words.
  package var text: String {
    let counts = """
      \(contract): \(Words.count(made, "derived mutant")) of \(implementation): \(noticed) noticed, \
      \(withoutEffect) without effect, \(equivalents.count) equivalent, \(survivors.count) survived
      """
    let called =
      operations.isEmpty ? [] : ["  Operations that clauses call: \(operations.joined(separator: ", "))"]
    let lines =
      called + failures.map { "  ✗ \($0)" } + notes.map { "  - \($0)" }
      + equivalents.map { "  = \($0.name): \($0.reason)" }
    return ([counts] + lines).joined(separator: "\n")
  }

  fileprivate mutating func take(
    _ results: [(DerivedMutant, Fate)], equivalents: KeyValuePairs<String, String>, names: Set<String>
  ) {
    let marked = Dictionary(equivalents.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    var used: Set<String> = []
    // Arguments of which no change was noticed, with the number of changes.
    let unheard = Dictionary(grouping: results.filter { $0.0.argument != nil }, by: \.0.argument)
      .filter { $0.value.count > 1 && $0.value.allSatisfy { $0.1 == .survived } }
    var reported: Set<DerivedMutant.Argument?> = []
    // Whether a service may try again is one decision about the service, and has one mark.
    let retries = results.filter { $0.0.change == .retries && $0.1 != .withoutEffect }
    let isRetriedEverywhere =
      retries.count > 1 && marked["*.retries"] == nil
      && retries.allSatisfy { $0.1 == .survived && marked[$0.0.name] == nil }
    if isRetriedEverywhere {
      failures.append(
        """
        Each of \(retries.map { "`\($0.0.operation)`" }.joined(separator: ", ")) may try again after a failure, and so \
        do its work twice: no clause notices. Add a clause that counts the effects of a call that fails; or mark all as \
        equivalent: "*.retries": "the reason".
        """)
    }
    for (mutant, fate) in results {
      // What is not wrong in any call is not wrong in some of them. A wider mark is needed if it is the only one of a
      // survivor.
      let always = DerivedMutant(operation: mutant.operation, change: mutant.change).name
      let wider = [always, "*." + always.dropFirst(mutant.operation.count + 1)].first {
        $0 != mutant.name && marked[$0] != nil
      }
      if marked[mutant.name] != nil { used.insert(mutant.name) }
      if fate == .survived, marked[mutant.name] == nil, let wider { used.insert(wider) }
      switch (fate, marked[mutant.name] ?? (fate == .survived ? wider.flatMap { marked[$0] } : nil)) {
      case (.noticed, nil): noticed += 1
      case (.noticed(let clause), _?):
        noticed += 1
        failures.append(
          "\"\(mutant.name)\" is marked as equivalent, but \(clause) notices it. Remove the mark.")
      case (.withoutEffect, nil): withoutEffect += 1
      case (.withoutEffect, _?):
        failures.append(
          "\"\(mutant.name)\" is marked as equivalent, but it has no effect in any clause. Remove the mark.")
      case (.survived, let reason?): self.equivalents.append((mutant.name, reason))
      case (.survived, nil):
        survivors.append(mutant.name)
        if isRetriedEverywhere, mutant.change == .retries { continue }
        if let argument = mutant.argument, let changes = unheard[argument] {
          guard reported.insert(argument).inserted else { continue }
          failures.append(
            """
            No clause notices any of \(changes.count) changes of argument \(argument.place + 1) of \
            `\(argument.operation)`. Add a clause that \(mutant.remedy). If one does, the conformance of Intercepted \
            uses the argument of the method: its closure must use its own, { base, argument in … }.
            """)
          continue
        }
        failures.append(
          """
          \(mutant.mistake): no clause notices. Add a clause that \
          \(mutant.remedy); or mark it as equivalent: "\(mutant.name)": "the reason".
          """)
      }
    }
    for (name, reason) in equivalents where !reason.contains(where: \.isLetter) {
      failures.append("The mark of \"\(name)\" has no reason. Say why the mutant is not wrong.")
    }
    if !results.isEmpty, noticed == 0, failures.isEmpty {
      failures.append(
        "No clause notices any of \(Words.count(results.count, "mutant")), so the contract has no effect.")
    }
    for (name, _) in equivalents where !used.contains(name) {
      if name.hasPrefix("*.") {
        failures.append("\"\(name)\" is marked as equivalent, but no such mutant survives. Remove the mark.")
      } else if !names.contains(name) {
        let nearest = names.nearest(to: name).map { " The nearest is \"\($0)\"." } ?? ""
        failures.append(
          "\"\(name)\" is marked as equivalent, but there is no such mutant. Remove the mark.\(nearest)")
      }
    }
  }
}

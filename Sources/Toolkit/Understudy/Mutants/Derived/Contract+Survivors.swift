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
  /// and arguments that are not `Codable` cannot be changed field by field.
  ///
  /// A mutant exists only for what a clause makes the service do. What no clause makes it do is listed as not tried:
  /// an operation that never throws, an argument that always has one value, two calls that are never made at once.
  ///
  /// - Parameters:
  ///   - implementation: A right implementation; the fastest is best.
  ///   - operations: The operations of the service, which `understudy generate` writes (default: those that clauses
  ///     call). With them, operations that no clause calls are listed, and arguments have the names of their labels.
  ///   - equivalents: The names of mutants that are not wrong, each with the reason. `*.twice` stands for that mutant of
  ///     every operation, `add.twice` also for `add.twice@other-arguments`, and `add(1).title` for every change of
  ///     `title` in the first argument. A mark that no survivor needs is a failure too.
  ///   - seed: The source of all randomness.
  /// - Returns: A report, whose `check()` records an issue for each survivor.
  public func survivors(
    of implementation: Implementation<Subject>, through operations: ServiceOperations<Subject>? = nil,
    equivalents: KeyValuePairs<String, String> = [:], seed: UInt64 = 0
  ) async -> DerivedMutantReport {
    await derivedMutants(of: implementation, through: operations, equivalents: equivalents, seed: seed)
  }

  /// - Parameters:
  ///   - shard: The part of the mutants to try.
  ///   - progress: Receives the name of the next mutant.
  package func derivedMutants(
    of implementation: Implementation<Subject>, through table: ServiceOperations<Subject>? = nil,
    equivalents: KeyValuePairs<String, String> = [:], seed: UInt64 = 0, shard: SweepShard = .whole,
    progress: @Sendable (String) -> Void = { _ in }
  ) async -> DerivedMutantReport {
    let derivation = await derive(from: implementation, seed, table)
    var report = DerivedMutantReport(contract: name, implementation: implementation.name, derivation)
    // All mutants of an operation are in one shard, because what one shows explains others.
    let operations = Set(derivation.mutants.map(\.mutant.operation)).sorted().enumerated()
    let mine = Set(operations.filter { shard.contains($0.offset) }.map(\.element))
    let chosen = derivation.mutants.filter { mine.contains($0.mutant.operation) }
    // The fastest clause that noticed a mutant of an operation, which is likely to notice the next one.
    var favourites: [String: Int] = [:]
    // More than the cores, because a mutant that waits for an event that does not come uses none.
    let width = 4 * max(1, ProcessInfo.processInfo.activeProcessorCount)
    var results: [(place: Int, fate: MutantFate)] = []
    await withTaskGroup(of: (place: Int, fate: MutantFate).self) { group in
      var rest = chosen.indices
      func startNext() {
        guard let number = rest.popFirst() else { return }
        var (mutant, places) = chosen[number]
        progress("\(name) · \(mutant.name)")
        if let favourite = favourites[mutant.operation], let place = places.firstIndex(of: favourite) {
          places.insert(places.remove(at: place), at: 0)
        }
        group.addTask { [mutant, places] in
          (number, await self.fate(of: mutant, implementation, places, derivation.traces, seed))
        }
      }
      for _ in 0..<width { startNext() }
      for await (number, fate) in group {
        let operation = chosen[number].mutant.operation
        if case .noticed(let id) = fate, let clause = clauses.firstIndex(where: { $0.id == id }),
          derivation.duration(of: clause) < favourites[operation].map(derivation.duration(of:))
            ?? .seconds(60)
        {
          favourites[operation] = clause
        }
        results.append((number, fate))
        startNext()
      }
    }
    let fates = MutantFates(
      results.sorted { $0.place < $1.place }.map { (chosen[$0.place].mutant, $0.fate) }, of: derivation)
    report.take(fates, equivalents: equivalents, isFirst: shard.number == 1)
    return report
  }

  /// Runs each clause once, and derives mutants from what the operations do.
  ///
  /// - Parameter isObserved: Whether to run a clause (default: all).
  func derive(
    from implementation: Implementation<Subject>, _ seed: UInt64,
    _ operations: ServiceOperations<Subject>? = nil,
    where isObserved: (Clause<Subject>) -> Bool = { _ in true }
  ) async -> Derivation {
    var seen: [String: [(clause: Int, observation: MutationInterceptor.Observation)]] = [:]
    var firstValues: MutationInterceptor.FirstValues = [:]
    var possible: MutationInterceptor.PossibleChanges = [:]
    var refusals: MutationInterceptor.Refusals = [:]
    var results: [MutationInterceptor.Slot: Set<ValueTree>] = [:]
    var skipped: [(clause: String, reason: String)] = []
    var opaque: Set<MutationInterceptor.Slot> = []
    // Of all forms, also those that are not intercepted.
    var called: Set<String> = []
    var derivation = Derivation(ArgumentNames(operations))
    for (place, clause) in clauses.enumerated() where isObserved(clause) {
      let observer = MutationInterceptor(after: firstValues, possible, refusals)
      let check = ContractCheck(contract: name, clause: clause, implementation: implementation)
      let start = ContinuousClock.now
      let outcome = await check.outcome(seed: seed, mutation: observer)
      derivation.durations[place] = ContinuousClock.now - start
      if case .failed(let violations) = outcome {
        derivation.failures.append(
          """
          \(implementation.name) fails \(clause.id), so no mutant can be made of it: \
          \(violations.map(\.description).joined(separator: " "))
          """)
      }
      if case .skipped(let reason) = outcome { skipped.append((clause.id, reason)) }
      guard case .passed = outcome else { continue }
      (firstValues, possible, refusals) = (observer.firstValues, observer.possible, observer.refusals)
      results.merge(observer.results) { $0.union($1) }
      derivation.traces[place] = observer.trace
      called.formUnion(observer.called)
      for (name, observation) in observer.observations {
        seen[name, default: []].append((place, observation))
      }
    }
    if let (clause, reason) = skipped.first, seen.isEmpty, skipped.count == clauses.count {
      derivation.failures.append(
        "\(implementation.name) skips every clause of \(name), such as \(clause): \(reason)")
    } else if clauses.isEmpty {
      derivation.failures.append("\(name) has no clause, so nothing would notice a mutant.")
    } else if seen.isEmpty, derivation.failures.isEmpty {
      derivation.isIntercepted = false
      derivation.failures.append(
        """
        No clause of \(name) makes a call of \(implementation.name) that could be changed. Make the double with \
        .double(…) or trial.intercept(…), and return it, not its base.
        """)
    } else if !skipped.isEmpty {
      let list = Words.list(skipped.map(\.clause))
      derivation.untried.append(
        "\(implementation.name) skips \(Words.count(skipped.count, "clause")), which can notice no mutant: \(list)."
      )
    }
    for (name, observations) in seen.sorted(by: { $0.key < $1.key }) {
      if let type = observations.lazy.compactMap(\.observation.opaqueType).first {
        derivation.untried.append(
          "`\(name)` returns \(type), which is not Codable, so its fields are not changed.")
      }
      let arguments = observations.reduce(into: [:]) { all, one in
        all.merge(one.observation.opaqueArguments) { first, _ in first }
      }
      for (argument, type) in arguments.sorted(by: { $0.key < $1.key }) {
        opaque.insert(MutationInterceptor.Slot(operation: name, argument: argument))
        let name = derivation.names.name(of: MutationInterceptor.Slot(operation: name, argument: argument))
        derivation.untried.append(
          "\(name.first == "`" ? "" : "The type of ")\(name) is \(type), which is not Codable, so it is not changed."
        )
      }
      if observations.contains(where: \.observation.returnsStream) { derivation.streams.insert(name) }
      derivation.mutants += DerivedMutant.all(of: name, in: observations, firstValues)
    }
    let known = operations?.all.map(\.loggedName) ?? []
    // An implementation that intercepts its transport has the calls of another service.
    let isSameService = known.contains(where: called.contains)
    derivation.calls = UntriedCalls(
      traces: derivation.traces.sorted { $0.key < $1.key }.map(\.value), possible: possible, results: results,
      names: derivation.names, opaque: opaque,
      uncalled: isSameService ? known.filter { !called.contains($0) } : [])
    // The fastest clauses first, because most mutants are noticed by many.
    derivation.mutants = derivation.mutants.map { [derivation] mutant, clauses in
      (mutant, clauses.sorted { (derivation.duration(of: $0), $0) < (derivation.duration(of: $1), $1) })
    }
    return derivation
  }

  private func fate(
    of mutant: DerivedMutant, _ implementation: Implementation<Subject>, _ places: [Int],
    _ traces: [Int: [TracedCall]], _ seed: UInt64
  ) async -> MutantFate {
    var effective: [Int] = []
    for (number, place) in places.enumerated() {
      let trial = await outcome(of: mutant, of: implementation, under: clauses[place], seed)
      if case .failed? = trial.outcome { return .noticed(by: clauses[place].id) }
      if trial.outcome != nil { effective.append(place) }
      guard trial.hasStalled else { continue }
      // The other clauses are likely to stall, too, and at the same time they take no longer than one.
      let rest = await withTaskGroup(of: (place: Int, outcome: Outcome?).self) { group in
        for place in places[(number + 1)...] {
          group.addTask {
            (place, await self.outcome(of: mutant, of: implementation, under: clauses[place], seed).outcome)
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for (place, outcome) in rest {
        if case .failed? = outcome { return .noticed(by: clauses[place].id) }
        if outcome != nil { effective.append(place) }
      }
      break
    }
    guard !effective.isEmpty else { return .withoutEffect }
    guard mutant.change.canBeUnseen else { return .survived }
    // Traced now only, because most mutants are noticed, and a trace takes longer than the calls.
    var isKnown = false
    for place in effective {
      let (clause, trace) = (clauses[place], traces[place] ?? [])
      guard TracedCall.areInformative(trace) else {
        // A second stream that is not read ends.
        if mutant.change == .callsTwice,
          trace.contains(where: { $0.operation == mutant.operation && $0.isStream })
        {
          isKnown = true
          continue
        }
        return .survived
      }
      switch await differs(mutant, from: trace, under: clause, implementation, seed) {
      case true?: return .survived
      case false?: isKnown = true
      case nil: break
      }
    }
    return isKnown ? .unseen : .survived
  }

  /// Whether the calls of a clause are answered in another way with a mutant; `nil` if that is not known, because the
  /// answers of the right implementation differ from run to run, too, or depend on the order of calls.
  private func differs(
    _ mutant: DerivedMutant, from trace: [TracedCall], under clause: Clause<Subject>,
    _ implementation: Implementation<Subject>, _ seed: UInt64
  ) async -> Bool? {
    guard !trace.contains(where: \.isConcurrent) else { return nil }
    for _ in 1...2 {
      let trial = await outcome(of: mutant, of: implementation, under: clause, seed, isTraced: true)
      if TracedCall.areAlike(trial.trace, trace) { return false }
      let observer = MutationInterceptor()
      _ = await ContractCheck(contract: name, clause: clause, implementation: implementation).outcome(
        seed: seed, mutation: observer)
      if !TracedCall.areAlike(observer.trace, trace) { return nil }
    }
    return true
  }

  /// Runs a clause with a mutant of an implementation.
  ///
  /// - Returns: The outcome, which is `nil` if the mutant had no effect, so that it would show nothing about it; whether
  ///   the trial stalled; and its calls, if they are traced.
  func outcome(
    of mutant: DerivedMutant, of implementation: Implementation<Subject>, under clause: Clause<Subject>,
    _ seed: UInt64, isTraced: Bool = false
  ) async -> (outcome: Outcome?, hasStalled: Bool, trace: [TracedCall]) {
    let interceptor = MutationInterceptor(mutant, isTraced: isTraced)
    let outcome = await ContractCheck(contract: name, clause: clause, implementation: implementation).outcome(
      seed: seed, stallLimit: MutationInterceptor.stallLimit, mutation: interceptor)
    return (interceptor.effects > 0 ? outcome : nil, interceptor.hasStalled, interceptor.trace)
  }
}

/// The mutants of an implementation, and what no mutant could be made of.
struct Derivation: Sendable {
  let names: ArgumentNames
  /// Each with the clauses in which it does anything else than the right implementation.
  var mutants: [(mutant: DerivedMutant, clauses: [Int])] = []
  /// The calls of each clause.
  var traces: [Int: [TracedCall]] = [:]
  /// How long each clause took.
  var durations: [Int: Duration] = [:]
  /// Whether a clause made a call that could be changed.
  var isIntercepted = true
  var failures: [String] = []
  var untried: [String] = []
  /// What the clauses make the service do.
  var calls: UntriedCalls?
  /// The operations that return a stream.
  var streams: Set<String> = []

  init(_ names: ArgumentNames) { self.names = names }

  func duration(of clause: Int) -> Duration { durations[clause] ?? .zero }
}

extension ArgumentNames {
  fileprivate init<Subject>(_ operations: ServiceOperations<Subject>?) {
    labels = Dictionary(operations?.all.map { ($0.loggedName, $0.labels) } ?? []) { first, _ in first }
  }
}

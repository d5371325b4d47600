import UnderstudyText

/// What became of the mutants that were made from one implementation, and what could not be tried.
public struct DerivedMutantReport: Sendable, Hashable, Codable {
  /// A mutant that is marked as not wrong.
  package struct Equivalent: Sendable, Hashable, Codable {
    package let name: String
    package let reason: String
  }

  /// The name of the contract.
  public let contract: String
  /// The name of the implementation.
  public let implementation: String
  /// The operations of which mutants were made.
  package fileprivate(set) var operations: [String] = []
  /// The number of mutants whose mistake had an effect in a clause.
  public package(set) var tried = 0
  /// The number of those that made a clause fail.
  public package(set) var noticed = 0
  /// The names of those that kept every clause, and are not marked as equivalent.
  public package(set) var survivors: [String] = []
  /// The mutants that are marked as equivalent.
  package fileprivate(set) var equivalents: [Equivalent] = []
  /// What no clause makes the service do, so that no mutant of it was tried, one sentence each.
  public package(set) var untried: [String]
  /// What the contract lacks, one sentence each: its survivors, and marks that are not needed.
  public package(set) var failures: [String]
  /// Whether a clause made a call that could be changed.
  package let isIntercepted: Bool

  init(contract: String, implementation: String, _ derivation: Derivation) {
    (self.contract, self.implementation) = (contract, implementation)
    (untried, failures, isIntercepted) = (derivation.untried, derivation.failures, derivation.isIntercepted)
  }

  /// Adds the report of another shard, which is about other operations.
  ///
  /// - Returns: Whether it is one.
  mutating func add(shard other: Self) -> Bool {
    guard contract == other.contract, implementation == other.implementation,
      Set(operations).isDisjoint(with: other.operations)
    else { return false }
    operations = (operations + other.operations).sorted()
    (tried, noticed) = (tried + other.tried, noticed + other.noticed)
    survivors = (survivors + other.survivors).sorted()
    equivalents = (equivalents + other.equivalents).sorted { $0.name < $1.name }
    untried = Set(untried + other.untried).sorted()
    failures = Set(failures + other.failures).sorted()
    return true
  }

  /// The numbers, without the names of the contract and the implementation.
  package var counts: String {
    """
    \(Words.count(tried, "mutant")) of \(implementation): \(noticed) noticed, \(survivors.count) survived, \
    \(equivalents.count) not wrong; not tried: \(untried.count)
    """
  }

  /// The numbers in one line.
  package var summary: String { "\(contract): \(counts)" }

  /// The numbers, the failures and what was not tried, in words.
  package var text: String {
    let lines =
      failures.map { "  ✗ \($0)" } + untried.map { "  - \($0)" }
      + equivalents.map { "  = \($0.name): \($0.reason)" }
    return ([summary] + lines).joined(separator: "\n")
  }

  /// - Parameter isFirst: Whether it is the whole run or its first shard, which says what was not tried.
  mutating func take(
    _ fates: MutantFates, equivalents marks: KeyValuePairs<String, String>, isFirst: Bool
  ) {
    operations = fates.operations
    (tried, noticed) = (fates.tried, fates.noticed)
    let remaining = fates.survivors.filter { mutant in
      guard let mark = marks.first(where: { mutant.has(mark: $0.key) }) else { return true }
      equivalents.append(Equivalent(name: mutant.name, reason: mark.value))
      return false
    }
    survivors = remaining.map(\.name)
    failures += fates.sentences(about: remaining)
    if isFirst { untried += fates.untried }
    for (mark, reason) in marks {
      if !reason.contains(where: \.isLetter) {
        failures.append("The mark of \"\(mark)\" has no reason. Say why the mutant is not wrong.")
      }
      if let words = fates.objection(to: mark) {
        failures.append("\"\(mark)\" is marked as equivalent, but \(words)")
      }
    }
    if fates.isWhole, tried > 0, noticed == 0, failures.isEmpty {
      failures.append(
        "No clause notices any of \(Words.count(tried, "mutant")), so the contract has no effect.")
    }
  }
}

/// What the clauses noticed of a mutant.
enum MutantFate: Sendable, Hashable {
  case noticed(by: String)
  case survived
  /// It did anything else than the right implementation, but every call was answered in the same way.
  case unseen
  /// It did in no trial anything else than the right implementation.
  case withoutEffect
}

/// The fates of mutants, and what they say about the contract.
struct MutantFates {
  /// All mutants of the implementation, of which these may be a part.
  private let names: Set<String>
  private let argumentNames: ArgumentNames
  private let fates: [(mutant: DerivedMutant, fate: MutantFate)]
  /// What no clause shows of a mutant that was unseen.
  private(set) var untried: [String] = []
  let isWhole: Bool

  /// - Parameters:
  ///   - fates: The fates of the mutants that were tried.
  ///   - derivation: The mutants of which they are all or a part.
  init(_ fates: [(mutant: DerivedMutant, fate: MutantFate)], of derivation: Derivation) {
    names = Set(derivation.mutants.map(\.mutant.name))
    argumentNames = derivation.names
    isWhole = fates.count == derivation.mutants.count
    /// Whether a clause looks at the effect of an operation that returns nothing; `nil` if it returns something.
    let isEffectSeen = Dictionary(
      fates.compactMap { mutant, fate -> (String, Bool)? in
        guard mutant.change == .doesNothing, mutant.trigger == .always else { return nil }
        return (mutant.operation, fate != .survived)
      }, uniquingKeysWith: { first, _ in first })
    self.fates = fates.map { mutant, fate in
      guard fate == .unseen else { return (mutant, fate) }
      return switch mutant.change {
      // Its second result differs, and nothing is read after it. A second stream is not read either.
      case .callsTwice
      where isEffectSeen[mutant.operation] == nil && !derivation.streams.contains(mutant.operation):
        (mutant, .survived)
      default: (mutant, .withoutEffect)
      }
    }
    for (mutant, fate) in fates where fate == .unseen {
      switch mutant.change {
      case .remembers:
        untried.append(
          """
          No clause calls `\(mutant.operation)` twice with the same arguments and gets different answers. A service \
          that answers from memory is not tried.
          """)
      case .answersAsFirst:
        untried.append(
          """
          No clause calls `\(mutant.operation)` with different arguments and gets different answers. A service that \
          ignores its arguments is not tried.
          """)
      default: break
      }
    }
    let unseen = Dictionary(
      grouping: fates.filter { $0.mutant.argument != nil && $0.fate != .withoutEffect }, by: \.mutant.argument
    )
    let constants = derivation.calls?.constants ?? []
    for (argument, all) in unseen where all.allSatisfy({ $0.fate == .unseen }) {
      guard let argument, isEffectSeen[argument.operation] != false else { continue }
      let slot = MutationInterceptor.Slot(operation: argument.operation, argument: argument.place)
      guard !constants.contains(slot) else { continue }
      untried.append(
        "No answer depends on \(argumentNames.name(of: slot)). A service that ignores it is not tried.")
    }
    untried.sort()
    // Of an argument of which the service uses one part only, the others need no clause.
    let unused = Dictionary(
      grouping: fates.compactMap { mutant, fate -> (UntriedCalls.Part, MutantFate)? in
        guard case .argument(let place, let path, _) = mutant.change else { return nil }
        return (
          UntriedCalls.Part(slot: .init(operation: mutant.operation, argument: place), path: path), fate
        )
      }, by: \.0
    ).filter { $0.value.allSatisfy { $0.1 == .unseen || $0.1 == .withoutEffect } }
    // A clause that the right implementation fails tries what is missing in the others.
    if let calls = derivation.calls, derivation.isIntercepted, derivation.failures.isEmpty {
      untried = calls.ofCalls + calls.ofValues(except: Set(unused.keys)) + untried
    }
  }

  var operations: [String] { Set(fates.map(\.mutant.operation)).sorted() }
  /// The number of mutants that had an effect.
  var tried: Int { fates.count { $0.fate != .withoutEffect } }
  var noticed: Int { fates.count { if case .noticed = $0.fate { true } else { false } } }
  var survivors: [DerivedMutant] { fates.filter { $0.fate == .survived }.map(\.mutant) }

  /// What is wrong with a mark; `nil` if it is needed, or if that is not known.
  func objection(to mark: String) -> String? {
    let marked = fates.filter { $0.mutant.has(mark: mark) }
    if marked.contains(where: { $0.fate == .survived }) { return nil }
    if let (_, fate) = marked.first(where: { $0.mutant.name == mark }) {
      return switch fate {
      case .noticed(let clause): "\(clause) notices it. Remove the mark."
      default: "it changes no answer in any clause. Remove the mark."
      }
    }
    guard isWhole else { return nil }
    if !marked.isEmpty || mark.hasPrefix("*.") { return "no such mutant survives. Remove the mark." }
    let nearest = names.nearest(to: mark).map { " The nearest is \"\($0)\"." } ?? ""
    return "there is no such mutant. Remove the mark.\(nearest)"
  }

  // MARK: - Sentences

  /// What one or several survivors show.
  private enum Fact: Hashable {
    /// No clause looks at the result of an operation.
    case result(String)
    /// No clause notices any change of an argument.
    case argument(DerivedMutant.Argument)
    case place(String, Int?, ValueTree.Path, DerivedMutant.Trigger)
    case error(String, ErrorSample)
    case failure(String, DerivedMutant.Trigger)
    case events(String)
    case one(DerivedMutant)
  }

  private func fact(behind mutant: DerivedMutant) -> Fact {
    func isUnnoticed(_ isMeant: (DerivedMutant) -> Bool) -> Bool {
      let meant = fates.filter { isMeant($0.mutant) && $0.fate != .withoutEffect }
      return meant.count > 1 && meant.allSatisfy { $0.fate == .survived }
    }
    let operation = mutant.operation
    switch mutant.change {
    case .value(let path, _):
      let isResult = isUnnoticed { other in
        if case .value = other.change { other.operation == operation } else { false }
      }
      return isResult ? .result(operation) : .place(operation, nil, path, mutant.trigger)
    case .argument(let place, let path, _):
      if let argument = mutant.argument, isUnnoticed({ $0.argument == argument }) {
        return .argument(argument)
      }
      return .place(operation, place, path, mutant.trigger)
    case .renames(let error, _), .swallows(let error, _): return .error(operation, error)
    case .fails: return .failure(operation, mutant.trigger)
    case .event: return .events(operation)
    default: return .one(mutant)
    }
  }

  /// What wrong services pass, one sentence for each fact.
  func sentences(about survivors: [DerivedMutant]) -> [String] {
    let names = Set(survivors)
    var facts: [Fact] = []
    var mutants: [Fact: [DerivedMutant]] = [:]
    for mutant in survivors {
      // What is not noticed in any call is not noticed in some of them.
      let always = DerivedMutant(operation: mutant.operation, change: mutant.change)
      if mutant.trigger != .always, names.contains(always) { continue }
      let nothing = DerivedMutant(operation: mutant.operation, change: .doesNothing)
      // Nor is it noticed how often, or with what, nothing is done.
      switch mutant.change {
      case .callsTwice, .argument: if names.contains(nothing) { continue }
      default: break
      }
      let fact = fact(behind: mutant)
      if mutants[fact] == nil { facts.append(fact) }
      mutants[fact, default: []].append(mutant)
    }
    return facts.map { sentence($0, mutants[$0] ?? []) }
  }

  private func sentence(_ fact: Fact, _ mutants: [DerivedMutant]) -> String {
    guard let first = mutants.first else { preconditionFailure("A fact has at least one mutant.") }
    func marked(_ name: String) -> String { "\"\(name)\": \"the reason\"" }
    switch fact {
    case .result(let operation):
      return """
        A service whose `\(operation)` returns anything else passes. Compare the whole result; or mark it as \
        equivalent: \(marked(operation)).
        """
    case .argument(let argument):
      let slot = MutationInterceptor.Slot(operation: argument.operation, argument: argument.place)
      return """
        A service that ignores \(argumentNames.name(of: slot)) passes. Call `\(argument.operation)` with two values \
        of it, and compare what they return or change; or mark it as equivalent: \
        \(marked("\(argument.operation)(\(argument.place + 1))")). If a clause does so already, correct the method \
        in the extension of Intercepted: its closure must use its own parameter, { base, argument in … }.
        """
    case .one(let mutant) where mutant.change == .callsTwice:
      return """
        Calling `\(mutant.operation)` twice changed no outcome\(mutant.condition). If a repetition has no effect, mark \
        it: \(marked(mutant.name)). Otherwise check the number that is stored.
        """
    default:
      let phrases = mutants.map { $0.phrase(argumentNames) }
      let mark =
        switch fact {
        case .place(let operation, let argument, let path, .always) where mutants.count > 1:
          operation + (argument.map { "(\($0 + 1))" } ?? "") + path.suffix
        default: first.name
        }
      let others =
        mark == first.name && mutants.count > 1
        ? ", and the same for \(Words.list(mutants.dropFirst().map { "\"\($0.name)\"" }, atMost: 20))" : ""
      return """
        A service whose `\(first.operation)` \(alternatives(phrases))\(first.condition) passes. \
        \(first.remedy(argumentNames)) Or mark it as equivalent: \(marked(mark))\(others).
        """
    }
  }

  /// Joins predicates, of which the later ones leave out the words that all have at the beginning.
  private func alternatives(_ phrases: [String]) -> String {
    let words = phrases.map { $0.split(separator: " ") }
    guard let first = words.first, phrases.count > 1 else { return phrases.first ?? "" }
    let common = first.indices.prefix { place in
      words.allSatisfy { $0.count > place + 1 && $0[place] == first[place] }
    }.count
    return phrases[0]
      + words.dropFirst().map { ", or " + $0.dropFirst(common).joined(separator: " ") }.joined()
  }
}

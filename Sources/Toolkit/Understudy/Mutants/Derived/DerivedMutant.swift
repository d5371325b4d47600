import Foundation
import UnderstudyText

/// A wrong implementation that is made from a right one by one change of one operation.
struct DerivedMutant: Sendable, Hashable {
  /// The name of the operation.
  let operation: String
  let change: Change
  var trigger = Trigger.always

  /// An argument of an operation.
  struct Argument: Sendable, Hashable {
    let operation: String
    let place: Int
  }

  /// The argument that it changes, if any.
  var argument: Argument? {
    if case .argument(let place, _, _) = change { Argument(operation: operation, place: place) } else { nil }
  }

  /// The calls of the operation in which it is wrong.
  enum Trigger: Sendable, Hashable {
    case always
    /// Those with other arguments than the first, such as of another user or for another page.
    case otherArguments
    /// All after the first.
    case laterCalls
  }

  /// What an operation does wrong.
  enum Change: Sendable, Hashable {
    /// Changes the value at a place of the result, or of each element of the returned stream.
    case value(ValueTree.Path, ValueChange)
    /// Changes the value at a place of an argument before the base receives it.
    case argument(Int, ValueTree.Path, ValueChange)
    /// Calls the base twice.
    case callsTwice
    /// Does not call the base, and returns as if it had.
    case doesNothing
    /// Answers a call from memory if an earlier one had the same arguments.
    case remembers
    /// Answers every call from memory, whatever its arguments.
    case answersAsFirst
    /// Throws an error that the operation also throws elsewhere, before or after it calls the base.
    case fails(ErrorSample, isAfter: Bool)
    /// Throws another error in the place of one, or ends a stream with it.
    case renames(ErrorSample, to: ErrorSample)
    /// Returns where it should throw: an empty list, or else what it returned before or in another trial.
    case swallows(ErrorSample, returning: ValueTree?)
    /// Calls the base again after a failure.
    case retries
    case event(Int, EventChange)
    /// Loses the events of an enumeration's case after the first in each stream.
    case losesLater(String)
    /// Ends a stream without its error.
    case endsSilently
    /// Continues to wait where a stream ends.
    case neverEnds
  }

  enum ValueChange: Sendable, Hashable {
    case another
    /// Two hours later, as by a wrong time zone.
    case moved
    case withoutFraction
    case uppercased
    case lowercased
    case trimmed
    /// In Unicode's composed form, which is equal to the decomposed one but has other scalars.
    case composed
    case emptied
    case missing
    /// As in another result of the operation.
    case replaced(ValueTree)
    case reversed
    case withoutFirst
    case withoutLast
    case lastTwice
    /// Without elements that are equal to an earlier one.
    case unique
    /// Without texts that are empty.
    case withoutEmpty
    case atMost(Int)
  }

  enum EventChange: Sendable, Hashable {
    case lost
    case twice
    case swapped
    case last
    case failing(ErrorSample)
  }
}

/// An error that an operation threw, which another call can throw too.
struct ErrorSample: Sendable, Hashable, CustomStringConvertible {
  let error: any Error
  let description: String

  init(_ error: any Error) {
    self.error = error
    // The type tells apart errors of two types that print alike.
    description = "\(error)"
  }

  /// Whether the errors have the same type and differ in more than a text for people.
  func differsInMoreThanText(from other: Self) -> Bool {
    type(of: error) == type(of: other.error)
      && description.prefix { $0 != "\"" } != other.description.prefix { $0 != "\"" }
  }

  /// The error as a part of a name, which is written in a string literal.
  var name: String { String(description.replacing("\"", with: "'").prefix(60)) }

  static func == (one: Self, other: Self) -> Bool {
    one.description == other.description && type(of: one.error) == type(of: other.error)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension DerivedMutant.Change {
  /// Whether it may have an effect on the base that changes no answer.
  var canBeUnseen: Bool {
    switch self {
    case .argument, .callsTwice, .remembers, .answersAsFirst: true
    default: false
    }
  }

  /// How much it shows about a clause that notices it: that of one error most, that of a call that fails least.
  var rank: Int {
    switch self {
    case .renames, .swallows, .endsSilently: 0
    case .event, .losesLater, .neverEnds: 1
    case .value, .argument: 2
    case .callsTwice, .doesNothing, .remembers, .answersAsFirst, .retries, .fails: 3
    }
  }
}

extension DerivedMutant {
  /// The mutants of an operation, each with the clauses in which it does anything else than the right implementation.
  ///
  /// - Parameter firstValues: The first values that were seen in all trials.
  static func all(
    of operation: String, in observations: [(clause: Int, observation: MutationInterceptor.Observation)],
    _ firstValues: MutationInterceptor.FirstValues
  ) -> [(DerivedMutant, [Int])] {
    var changes: [Change] = []
    var clauses: [Change: [Int]] = [:]
    func add(_ change: Change, where isEffective: (MutationInterceptor.Observation) -> Bool) {
      let places = observations.filter { isEffective($0.observation) }.map(\.clause)
      guard !places.isEmpty, clauses[change] == nil else { return }
      changes.append(change)
      clauses[change] = places
    }
    func samples(_ list: (MutationInterceptor.Observation) -> [ErrorSample]) -> [ErrorSample] {
      observations.reduce(into: []) { all, one in
        for sample in list(one.observation) where !all.contains(sample) { all.append(sample) }
      }
    }
    let errors = samples(\.errors)
    let streamErrors = samples(\.streamErrors)

    add(.callsTwice) { $0.hasReturned }
    add(.doesNothing) { $0.returnsNothing }
    add(.retries) { !$0.errors.isEmpty }
    if let sample = errors.first {
      add(.fails(sample, isAfter: false)) { $0.hasReturned }
      add(.fails(sample, isAfter: true)) { $0.hasReturned }
    }
    let isStream = observations.contains { $0.observation.returnsStream }
    if !isStream {
      let canBeStored: (MutationInterceptor.Observation) -> Bool = {
        $0.hasReturned && $0.opaqueType == nil && !$0.returnsNothing
      }
      add(.remembers, where: canBeStored)
      add(.answersAsFirst, where: canBeStored)
    }
    // An empty list, because that is what a hidden failure looks like most often.
    var result = firstValues[MutationInterceptor.Slot(operation: operation)]?[ValueTree.Path()]
    if case .list? = result { result = .list([]) }
    if !isStream {
      for sample in errors { add(.swallows(sample, returning: result)) { $0.errors.contains(sample) } }
    }
    let allErrors = errors + streamErrors.filter { !errors.contains($0) }
    for (place, sample) in allErrors.enumerated() {
      // The next one, so that each error is confused with one other.
      let others = allErrors[(place + 1)...] + allErrors[..<place]
      if let other = others.first(where: { $0.differsInMoreThanText(from: sample) }) {
        add(.renames(sample, to: other)) { $0.errors.contains(sample) || $0.streamErrors.contains(sample) }
      }
    }
    for (clause, observation) in observations {
      for change in observation.valueChanges {
        if clauses[change] == nil { changes.append(change) }
        clauses[change, default: []].append(clause)
      }
    }
    let triggered = changes.filter(isWorthATrigger(among: changes))
    for number in 1...2 {
      for change in [EventChange.lost, .twice, .last] {
        add(.event(number, change)) { $0.events >= number }
      }
      add(.event(number, .swapped)) { $0.events > number }
      if let sample = streamErrors.first {
        add(.event(number, .failing(sample))) { $0.events >= number }
      }
    }
    for name in Set(observations.flatMap(\.observation.repeatedCases)).sorted() {
      add(.losesLater(name)) { $0.repeatedCases.contains(name) }
    }
    add(.endsSilently) { !$0.streamErrors.isEmpty }
    add(.neverEnds) { $0.hasStreamEnded }
    let mutants = changes.map { (DerivedMutant(operation: operation, change: $0), clauses[$0] ?? []) }
    // A mutant that is wrong for other arguments only is harder to notice than one that is wrong in all later calls.
    let hasOtherArguments = observations.contains { $0.observation.hasOtherArguments }
    let repeating = Set(
      observations.filter {
        hasOtherArguments ? $0.observation.hasOtherArguments : $0.observation.hasLaterCalls
      }.map(\.clause))
    let trigger: Trigger = hasOtherArguments ? .otherArguments : .laterCalls
    return mutants
      + triggered.compactMap { change in
        let places = (clauses[change] ?? []).filter(repeating.contains)
        guard !places.isEmpty else { return nil }
        return (DerivedMutant(operation: operation, change: change, trigger: trigger), places)
      }
  }

  /// Returns whether a change is tried in some of the calls only: the first at each place of a result, and what does
  /// not depend on the result.
  private static func isWorthATrigger(among changes: [Change]) -> (Change) -> Bool {
    var paths: Set<ValueTree.Path> = []
    var chosen: Set<Change> = []
    for change in changes {
      switch change {
      case .value(let path, _): if paths.insert(path).inserted { chosen.insert(change) }
      case .callsTwice, .doesNothing, .fails(_, isAfter: false): chosen.insert(change)
      default: break
      }
    }
    return chosen.contains
  }
}

// MARK: - Words

extension DerivedMutant {
  /// The name by which a mutant is marked as equivalent, such as `updateChild.birthDate.moved`.
  var name: String {
    switch trigger {
    case .always: changeName
    case .otherArguments: "\(changeName)@other-arguments"
    case .laterCalls: "\(changeName)@later-calls"
    }
  }

  /// Whether it has this mark: its name; that without its trigger; that of its change for every operation; or, if it
  /// changes one, that of a place around its own.
  func has(mark: String) -> Bool {
    let name = changeName
    if mark == self.name || mark == name || mark == "*." + name.dropFirst(operation.count + 1) { return true }
    guard name.hasPrefix(mark), [".", "["].contains(name.dropFirst(mark.count).first) else { return false }
    switch change {
    case .value: return true
    // The name of the operation stands for its result.
    case .argument: return mark.count > operation.count
    default: return false
    }
  }

  private var changeName: String {
    switch change {
    case .value(let path, let change): "\(operation)\(path.suffix).\(change.name)"
    case .argument(let place, let path, let change):
      "\(operation)(\(place + 1))\(path.suffix).\(change.name)"
    case .callsTwice: "\(operation).twice"
    case .doesNothing: "\(operation).nothing"
    case .remembers: "\(operation).remembered"
    case .answersAsFirst: "\(operation).as-first"
    case .fails(let error, let isAfter): "\(operation).fails-\(isAfter ? "after" : "before"):\(error.name)"
    case .renames(let error, let other): "\(operation).\(error.name):\(other.name)"
    case .swallows(let error, _): "\(operation).\(error.name):succeeds"
    case .retries: "\(operation).retries"
    case .event(let number, let change): "\(operation).event\(number).\(change.name)"
    case .losesLater(let name): "\(operation).\(name).once"
    case .endsSilently: "\(operation).ends-silently"
    case .neverEnds: "\(operation).never-ends"
    }
  }

  /// What its operation does wrong, such as "`search` returns `text` in upper case".
  func mistake(_ names: ArgumentNames = ArgumentNames()) -> String {
    "`\(operation)` \(phrase(names))\(condition)"
  }

  /// In which calls it is wrong.
  var condition: String {
    switch trigger {
    case .always: ""
    case .otherArguments: " in calls whose arguments differ from those of the first call"
    case .laterCalls: " from its second call on"
    }
  }

  /// What it does wrong, as a predicate.
  func phrase(_ names: ArgumentNames) -> String {
    switch change {
    case .value(let path, let change):
      "returns \(path.steps.isEmpty ? "its result" : "`\(path)`") \(change.words)"
    case .argument(let place, let path, let change):
      "uses \(names.part(path, of: place, in: operation)) \(change.words)"
    case .callsTwice: "does its work twice"
    case .doesNothing: "does nothing"
    case .remembers: "answers from memory if it was called with the same arguments before"
    case .answersAsFirst: "gives every call the answer of the first, whatever its arguments"
    case .fails(let error, isAfter: false): "throws \(error) where it should return"
    case .fails(let error, isAfter: true): "throws \(error) after it has done its work"
    case .renames(let error, let other): "throws \(other) in the place of \(error)"
    case .swallows(let error, _): "returns where it should throw \(error)"
    case .retries: "tries again after a failure"
    case .event(let number, let change): "has a stream that \(change.words(number))"
    case .losesLater(let name): "has a stream that delivers `\(name)` once only"
    case .endsSilently: "has a stream that ends without its error"
    case .neverEnds: "has a stream that never ends"
    }
  }

  /// The check that notices it, in one sentence.
  func remedy(_ names: ArgumentNames) -> String {
    let both =
      switch trigger {
      case .always: ""
      case .otherArguments: " for calls with different arguments"
      case .laterCalls: " for the second call, too"
      }
    let scalars = "Compare Unicode scalars, because == takes both forms for equal."
    switch change {
    case .value(_, .composed), .argument(_, _, .composed): return scalars
    case .value(let path, _):
      return "Compare \(path.steps.isEmpty ? "the whole result" : "`\(path)`") with the exact value\(both)."
    case .argument(let place, let path, _):
      return
        "Check \(names.part(path, of: place, in: operation)) exactly in what `\(operation)` returns or changes\(both)."
    case .callsTwice: return "Check the number that is stored\(both)."
    case .retries: return "Count the effects of `\(operation)`."
    case .doesNothing: return "Read back what `\(operation)` has changed\(both)."
    case .remembers:
      return
        "Call `\(operation)`, make another call that changes its answer, and call it again with the same arguments."
    case .answersAsFirst: return "Compare the results of two calls with different arguments."
    case .fails: return "Expect `\(operation)` to return\(both)."
    case .renames(let error, _), .swallows(let error, _):
      return "Expect `\(operation)` to throw exactly \(error)."
    case .event, .losesLater:
      return "Compare the events of the stream in order, then cause one more and compare it, too."
    case .endsSilently: return "Expect the stream to throw."
    case .neverEnds: return "Read the stream to its end."
    }
  }
}

extension DerivedMutant.ValueChange {
  fileprivate var name: String {
    switch self {
    case .another: "another"
    case .moved: "moved"
    case .withoutFraction: "whole-seconds"
    case .uppercased: "uppercased"
    case .lowercased: "lowercased"
    case .trimmed: "trimmed"
    case .composed: "composed"
    case .emptied: "emptied"
    case .missing: "missing"
    case .replaced: "replaced"
    case .reversed: "reversed"
    case .withoutFirst: "without-first"
    case .withoutLast: "without-last"
    case .lastTwice: "last-twice"
    case .unique: "unique"
    case .withoutEmpty: "without-empty"
    case .atMost(let count): "at-most-\(count)"
    }
  }

  fileprivate var words: String {
    switch self {
    case .another: "changed to another value"
    case .moved: "moved by two hours"
    case .withoutFraction: "truncated to whole seconds"
    case .uppercased: "in upper case"
    case .lowercased: "in lower case"
    case .trimmed: "without the white space at its ends"
    case .composed: "in another Unicode form"
    case .emptied: "emptied"
    case .missing: "as nil"
    case .replaced: "replaced by that of another result"
    case .reversed: "in reverse order"
    case .withoutFirst: "without its first element"
    case .withoutLast: "without its last element"
    case .lastTwice: "with its last element twice"
    case .unique: "without repeated elements"
    case .withoutEmpty: "without empty elements"
    case .atMost(let count): "cut after \(Words.count(count, "element"))"
    }
  }

  /// Returns a changed value, or `nil` to remove a member.
  ///
  /// The same value means that the change does not apply.
  func applied(to value: ValueTree) -> ValueTree? {
    switch (self, value) {
    case (.missing, _): return nil
    case (.replaced(let other), _): return other
    case (.another, .leaf(let leaf)): return leaf.another.map { .leaf($0) } ?? value
    case (.moved, .leaf(.date(let date))): return .leaf(.date(date.addingTimeInterval(2 * 60 * 60)))
    case (.withoutFraction, .leaf(.date(let date))):
      return .leaf(
        .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))))
    case (.uppercased, .leaf(.text(let text))): return ValueTree(text: text.string.uppercased())
    case (.lowercased, .leaf(.text(let text))): return ValueTree(text: text.string.lowercased())
    case (.trimmed, .leaf(.text(let text))):
      return ValueTree(text: text.string.trimmingCharacters(in: .whitespacesAndNewlines))
    case (.composed, .leaf(.text(let text))):
      return ValueTree(text: text.string.precomposedStringWithCanonicalMapping)
    case (.emptied, .leaf(.text)): return ValueTree(text: "")
    case (.emptied, .leaf(.data)): return .leaf(.data(Data()))
    case (.emptied, .list): return .list([])
    case (.reversed, .list(let elements)): return .list(elements.reversed())
    case (.withoutFirst, .list(let elements)): return .list(Array(elements.dropFirst()))
    case (.withoutLast, .list(let elements)): return .list(Array(elements.dropLast()))
    case (.lastTwice, .list(let elements)): return .list(elements + elements.suffix(1))
    case (.unique, .list(let elements)):
      return .list(
        elements.reduce(into: []) { unique, element in
          if !unique.contains(element) { unique.append(element) }
        })
    case (.withoutEmpty, .list(let elements)): return .list(elements.filter { $0 != ValueTree(text: "") })
    case (.atMost(let count), .list(let elements)): return .list(Array(elements.prefix(count)))
    default: return value
    }
  }

  /// The changes that may apply to a value at a place.
  ///
  /// - Parameter other: The value at the same place in another result, if any.
  static func all(
    for value: ValueTree, at path: ValueTree.Path, whereOthersAre other: ValueTree?
  ) -> [Self] {
    var all: [Self] =
      switch value {
      case .null, .members: []
      case .list(let elements):
        [.emptied, .reversed, .withoutFirst, .withoutLast, .lastTwice, .unique, .withoutEmpty]
          + [1, 10, 100].filter { $0 < elements.count }.map { .atMost($0) }
      case .leaf(.date): [.moved, .withoutFraction]
      case .leaf(.text): [.another, .uppercased, .lowercased, .trimmed, .composed, .emptied]
      case .leaf(.data): [.another, .emptied]
      case .leaf: [.another]
      }
    if case .member? = path.steps.last { all.append(.missing) }
    if let other, other != value, other.isReplaceable { all.append(.replaced(other)) }
    return all
  }
}

extension ValueTree {
  fileprivate init(text: String) { self = .leaf(.text(ExactText(text))) }

  /// Whether the value can stand for another one as a whole.
  ///
  /// Of a structure, each member can by itself; one member alone is the case of an enumeration.
  var isReplaceable: Bool {
    switch self {
    case .null: false
    case .leaf, .list: true
    case .members(let members): members.count == 1 && members.keys.first?.hasPrefix("_") == false
    }
  }
}

extension ValueTree.Leaf {
  /// Another value of the same type.
  fileprivate var another: Self? {
    switch self {
    case .boolean(let value): .boolean(!value)
    case .integer(let value): .integer(value == .max ? value - 1 : value + 1)
    case .unsigned(let value): .unsigned(value - 1)
    case .double(let value): .double(value + 0.5)
    case .text(let value): .text(ValueTree.ExactText(value.string + "x"))
    case .date, .url: nil
    case .data(let value): .data(value + [0])
    case .uuid: .uuid(UUID(uuid: (0xD0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)))
    case .decimal(let value): .decimal(value + 1)
    }
  }
}

extension DerivedMutant.EventChange {
  fileprivate var name: String {
    switch self {
    case .lost: "lost"
    case .twice: "twice"
    case .swapped: "swapped"
    case .last: "last"
    case .failing(let error): "fails:\(error.name)"
    }
  }

  fileprivate func words(_ number: Int) -> String {
    switch self {
    case .lost: "loses event \(number)"
    case .twice: "delivers event \(number) twice"
    case .swapped: "delivers event \(number) after the next one"
    case .last: "ends after event \(number) without an error"
    case .failing(let error): "throws \(error) after event \(number)"
    }
  }
}

import UnderstudyText

/// What no clause of a contract makes a service do, so that no mutant of it can be tried: one sentence for each fact.
///
/// A contract that loses a clause loses the mutants of that clause, too. Without these sentences its report would become
/// shorter.
struct UntriedCalls: Sendable {
  /// The calls of each clause.
  let traces: [[TracedCall]]
  /// The changes that make another value of an argument or a result.
  let possible: MutationInterceptor.PossibleChanges
  /// All results, and elements of streams.
  let results: [MutationInterceptor.Slot: Set<ValueTree>]
  /// Names the arguments.
  let names: ArgumentNames
  /// The arguments whose values cannot be compared.
  let opaque: Set<MutationInterceptor.Slot>
  /// The operations of the service that no clause calls, if they are known.
  let uncalled: [String]

  typealias Slot = MutationInterceptor.Slot

  /// A part of an argument or a result.
  struct Part: Hashable {
    let slot: Slot
    let path: ValueTree.Path
  }

  /// Texts in a table are often limited to 255 characters.
  private static let shortText = 255

  private var called: [String] { Set(traces.joined().map(\.operation)).sorted() }

  // MARK: - Calls

  /// The sentences about the order and the outcomes of calls.
  var ofCalls: [String] {
    let all = Dictionary(grouping: traces.joined(), by: \.operation)
    /// The operations of which no clause makes such calls.
    func without(
      where isMeant: ([TracedCall]) -> Bool = { _ in true }, _ isMade: ([TracedCall]) -> Bool
    ) -> [String] {
      called.filter { name in
        isMeant(all[name] ?? []) && !traces.contains { isMade($0.filter { $0.operation == name }) }
      }
    }
    func follows(
      _ first: @escaping (TracedCall) -> Bool, _ second: @escaping (TracedCall) -> Bool
    ) -> ([TracedCall]) -> Bool {
      { calls in calls.firstIndex(where: first).map { calls[($0 + 1)...].contains(where: second) } ?? false }
    }
    let twice = without { $0.count > 1 }
    let returning = without { $0.contains(where: \.hasReturned) }
    let throwing = without(where: { $0.contains(where: \.canThrow) }) {
      $0.contains { $0.hasThrown || $0.hasStreamThrown }
    }
    let alike = without(where: { $0.contains { !$0.arguments.isEmpty } }) {
      Set($0.filter(\.hasReturned).map(\.arguments)).count < $0.count(where: \.hasReturned)
    }
    .filter { !twice.contains($0) && !returning.contains($0) }
    let returningAfter = without(follows(\.hasThrown, \.hasReturned)).filter { !returning.contains($0) }
      .filter { all[$0]?.contains(where: \.hasThrown) == true }
    let throwingAfter = without(follows(\.hasReturned, \.hasThrown)).filter { !returning.contains($0) }
      .filter { all[$0]?.contains(where: \.hasThrown) == true }
    let breaking = without { $0.count(where: \.hasStreamThrown) > 1 }
      .filter { all[$0]?.contains(where: \.hasStreamThrown) == true }
    let concurrent = without(where: { $0.contains { !$0.arguments.isEmpty } }) {
      !concurrentPlaces($0).isEmpty
    }
    return [
      sentence("No clause calls %", uncalled.map(quoted)),
      sentence(
        "Each call of % throws", returning.map(quoted), "What it does when it succeeds is not tried."),
      sentence("No clause makes % throw", throwing.map(quoted)),
      sentence("No clause calls % twice", twice.map(quoted)),
      sentence("No clause calls % twice with the same arguments", alike.map(quoted)),
      sentence("No clause makes % throw and later succeed", returningAfter.map(quoted)),
      sentence("No clause makes % succeed and later throw", throwingAfter.map(quoted)),
      sentence("No clause makes two streams of % fail", breaking.map(quoted)),
      sentence("No clause makes concurrent calls of %", concurrent.map(quoted)),
      sentence(
        "No clause calls % with the same ID",
        sequences.map { "`\($0.later)` after `\($0.earlier)`" }),
    ].compactMap(\.self) + ofStreams
  }

  /// Something that was done to things.
  private typealias Step = (name: String, ids: [Part: Set<ValueTree>])

  /// The pairs of operations of which no clause calls the one after the other for the same thing, although both are
  /// called for one.
  private var sequences: [(earlier: String, later: String)] {
    missingSequences(
      in: traces.map { calls in
        calls.map { call in
          var ids = call.arguments.enumerated().reduce(into: [:]) { all, argument in
            all.merge(
              identifiers(
                in: argument.element, of: Slot(operation: call.operation, argument: argument.offset))
            ) { $0.union($1) }
          }
          // A list has only what is left.
          if case .returned(let tree)? = call.answer {
            ids.merge(
              identifiers(in: tree, of: Slot(operation: call.operation)).filter {
                !$0.key.path.steps.contains(.elements)
              }
            ) { $0.union($1) }
          }
          return (call.operation, ids)
        }
      })
  }

  /// The values that name things.
  private func identifiers(in tree: ValueTree, of slot: Slot) -> [Part: Set<ValueTree>] {
    // A call about hundreds of things is about quantity.
    guard tree.count <= 400 else { return [:] }
    return tree.places.reduce(into: [:]) { all, place in
      let leaves = Set(place.values.filter { if case .leaf = $0 { true } else { false } })
      guard !leaves.isEmpty, names.isName(slot, place.path, leaves) else { return }
      all[Part(slot: slot, path: place.path)] = leaves
    }
  }

  /// The pairs of steps that never follow each other for the same thing, although they do the other way round.
  private func missingSequences(in histories: [[Step]]) -> [(earlier: String, later: String)] {
    var known: [Part: Set<ValueTree>] = [:]
    for step in histories.joined() {
      for (part, ids) in step.ids { known[part, default: []].formUnion(ids) }
    }
    // Of several identifiers in one step, that with the most values is not the one of an owner.
    let finest = Dictionary(grouping: known, by: \.key.slot.operation).compactMapValues { parts in
      parts.max {
        ($0.value.count, $1.key.path.description, $1.key.slot.argument ?? -1)
          < ($1.value.count, $0.key.path.description, $0.key.slot.argument ?? -1)
      }?.key
    }
    var (seen, related): (Set<[String]>, Set<[String]>) = ([], [])
    for steps in histories {
      var earlier: [ValueTree: Set<String>] = [:]
      for later in steps {
        guard let part = finest[later.name], let ids = later.ids[part] else { continue }
        for id in ids {
          for name in earlier[id] ?? [] where name != later.name {
            seen.insert([name, later.name])
            related.formUnion([[name, later.name], [later.name, name]])
          }
          earlier[id, default: []].insert(later.name)
        }
      }
    }
    return related.subtracting(seen).sorted { $0.lexicographicallyPrecedes($1) }.map { ($0[0], $0[1]) }
  }

  /// The sentences about the events of streams.
  private var ofStreams: [String] {
    var streams: [String: [[ValueTree]]] = [:]
    for call in traces.joined() {
      guard case .stream(let elements, _)? = call.answer else { continue }
      streams[call.operation, default: []].append(elements.compactMap(\.self))
    }
    let different = streams.filter { !$0.value.contains(where: \.hasEqualNeighbours) }.keys.sorted()
    let once = streams.sorted { $0.key < $1.key }.compactMap { operation, streams -> String? in
      // The event of an enumeration has its case as its only member.
      let cases = streams.map { $0.map(\.caseName) }
      guard cases.joined().allSatisfy({ $0 != nil }) else { return nil }
      let all = Set(cases.joined().compactMap(\.self))
      let single = all.filter { name in !cases.contains { $0.count { $0 == name } > 1 } }
      guard all.count > 1, !single.isEmpty else { return nil }
      return sentence(
        "No clause reads % twice from one stream of `\(operation)`", single.sorted().map(quoted))
    }
    let sequences = streams.sorted { $0.key < $1.key }.compactMap { operation, streams -> String? in
      let pairs = missingSequences(
        in: streams.map { events in
          events.map { event in
            let name = event.caseName ?? ""
            return (name, identifiers(in: event, of: Slot(operation: name)))
          }
        })
      return sentence(
        "No stream of `\(operation)` has % with the same ID",
        pairs.map { "`\($0.later)` after `\($0.earlier)`" })
    }
    return [
      sentence(
        "No clause reads two equal events in succession from the stream of %", different.map(quoted),
        "A service that drops one of them is not tried.")
    ].compactMap(\.self) + once + sequences
  }

  /// The places of the calls of one operation in one clause that are made at the same time as others.
  private func concurrentPlaces(_ calls: [TracedCall]) -> [Int] {
    let concurrent = calls.indices.filter { calls[$0].isConcurrent }
    // One beside the closure of the clause.
    return concurrent.count == 1 && calls.count > 1
      ? Array(calls.indices) : concurrent.count > 1 ? concurrent : []
  }

  // MARK: - Values

  /// A place in an argument or a result, with all that was seen there.
  private struct Place {
    let slot: Slot
    let path: ValueTree.Path
    var values: Set<ValueTree> = []
    /// Whether a value around it has none there.
    var isAbsent = false

    var texts: [String] {
      values.compactMap { if case .leaf(.text(let text)) = $0 { text.string } else { nil } }
    }
    var lists: [[ValueTree]] { values.compactMap { if case .list(let list) = $0 { list } else { nil } } }
  }

  /// The places in a value and its elements, the outer ones first.
  private func places(of trees: Set<ValueTree>, in slot: Slot) -> [Place] {
    var places: [ValueTree.Path: Place] = [:]
    var order: [ValueTree.Path] = []
    var parents: [ValueTree.Path: Int] = [:]
    var presences: [ValueTree.Path: Int] = [:]
    for tree in trees {
      for (path, values) in tree.places {
        if places[path] == nil {
          order.append(path)
          places[path] = Place(slot: slot, path: path)
        }
        let present = values.filter { $0 != .null }
        places[path]?.values.formUnion(present)
        presences[path, default: 0] += present.count
        parents[path, default: 0] += values.count { if case .members = $0 { true } else { false } }
      }
    }
    return order.sorted { ($0.steps.count, $0.description) < ($1.steps.count, $1.description) }
      .compactMap { path in
        var place = places[path]
        // An optional argument may be `nil`.
        if path.steps.isEmpty { place?.isAbsent = trees.count > 1 && trees.contains(.null) }
        if case .member? = path.steps.last {
          let parent = ValueTree.Path(steps: path.steps.dropLast())
          place?.isAbsent = presences[path, default: 0] < parents[parent, default: 0]
        }
        return place
      }
  }

  private func can(_ change: DerivedMutant.ValueChange, at place: Place) -> Bool {
    possible[place.slot.operation]?.contains(
      place.slot.argument.map { .argument($0, place.path, change) } ?? .value(place.path, change)) == true
  }

  /// The values of each argument.
  private var givenValues: [Slot: Set<ValueTree>] {
    traces.joined().reduce(into: [:]) { all, call in
      for (number, tree) in call.arguments.enumerated() {
        let slot = Slot(operation: call.operation, argument: number)
        if !opaque.contains(slot) { all[slot, default: []].insert(tree) }
      }
    }
  }

  /// The arguments to which every clause gives one value.
  var constants: Set<Slot> { Set(givenValues.filter { $0.value.count == 1 }.keys) }

  /// The sentences about the arguments and the results of calls.
  ///
  /// - Parameter unused: The parts of arguments that have no effect.
  func ofValues(except unused: Set<Part>) -> [String] {
    let arguments = givenValues
    func sorted(_ slots: some Collection<Slot>) -> [Slot] {
      slots.sorted { ($0.operation, $0.argument ?? 0) < ($1.operation, $1.argument ?? 0) }
    }
    let given = sorted(arguments.keys).flatMap { places(of: arguments[$0] ?? [], in: $0) }
      .filter { !unused.contains(Part(slot: $0.slot, path: $0.path)) }
    // What is returned as it was given has one sentence.
    let members = Set(given.compactMap(\.path.steps.last))
    let returned = sorted(results.keys).flatMap { places(of: results[$0] ?? [], in: $0) }
      .filter { $0.path.steps.last.map { $0 == .elements || !members.contains($0) } ?? true }
    let constant = constantPlaces(of: given)
    let varying = given.filter { place in
      !constant.contains { $0.slot == place.slot && place.path.steps.starts(with: $0.path.steps) }
    }
    // A text that cannot be any other is the case of an enumeration, or has a format.
    let texts = given.filter { !$0.texts.isEmpty && can(.another, at: $0) }
    // A set has no order.
    let lists = (given + returned).filter { !$0.lists.isEmpty && can(.lastTwice, at: $0) }
    let scalars = lists.filter { $0.lists.joined().allSatisfy(\.isScalar) }
    return [
      sentence(
        "Every clause gives % the same value", named(constant), "A service that ignores it is not tried."),
      sentence(
        "No clause gives % more than \(Self.shortText) characters",
        named(texts.filter { $0.texts.allSatisfy { $0.count <= Self.shortText } }),
        "A service that cuts a long text is not tried."),
      sentence(
        "No clause gives % white space at the ends", named(texts.filter { !can(.trimmed, at: $0) }),
        "A service that removes it is not tried."),
      sentence(
        "No clause gives % a decomposed character, such as \"e\\u{301}\"",
        named(texts.filter { !can(.composed, at: $0) }),
        "A service that composes it is not tried."),
      sentence(
        "No clause has an empty value in %",
        named(texts.filter { !$0.texts.contains("") } + emptiable(lists))),
      sentence("No clause passes nil for %", named(varying.filter { can(.missing, at: $0) && !$0.isAbsent })),
      sentence(
        "No clause has two elements that are out of order in %",
        named(scalars.filter { !$0.lists.contains(where: \.isOutOfOrder) }),
        "A service that sorts them is not tried."),
      sentence(
        "No clause has two equal neighbours in %",
        named(scalars.filter { !$0.lists.contains(where: \.hasEqualNeighbours) }),
        "A service that drops one of them is not tried."),
      sentence(
        "No clause has a list with two elements that have the same value of %",
        named((given + returned).filter { isDifferent($0, in: given + returned) }),
        "A service that merges them is not tried."),
      sentence(
        "No clause makes % non-empty",
        named(
          returned.filter { place in
            place.texts.count + place.lists.count == place.values.count && !place.values.isEmpty
              && place.texts.allSatisfy(\.isEmpty) && place.lists.allSatisfy(\.isEmpty)
          }), "A service that always returns it empty is not tried."),
      sentence(
        "No clause makes % non-empty",
        dependentPlaces(of: returned).map {
          "\(named([$0.place]).joined()) if the `\($0.flag)` beside it is \($0.value)"
        }, "A service that returns it empty in this case is not tried."),
    ].compactMap(\.self) + ofPairs(varying)
  }

  /// Whether a text is another one in each element of every list, although it is not what identifies them.
  private func isDifferent(_ place: Place, in places: [Place]) -> Bool {
    guard let list = place.path.steps.lastIndex(of: .elements), list < place.path.steps.count - 1,
      can(.another, at: place), !place.texts.isEmpty,
      !names.isIdentifier(place.slot, place.path, place.values),
      let lists = places.first(where: {
        $0.slot == place.slot && $0.path.steps == Array(place.path.steps[..<list])
      })?.lists.filter({ $0.count > 1 }), !lists.isEmpty
    else { return false }
    return lists.allSatisfy { elements in
      let values = elements.compactMap { $0.value(at: place.path.steps[(list + 1)...]) }
      return Set(values).count == values.count
    }
  }

  /// Texts and lists that are empty whenever a truth value beside them has one of its values, and not with the other.
  private func dependentPlaces(of places: [Place]) -> [(place: Place, flag: String, value: Bool)] {
    places.flatMap { parent in
      let members = parent.values.compactMap { if case .members(let members) = $0 { members } else { nil } }
      let flags = Set(
        members.flatMap { $0.filter { if case .leaf(.boolean) = $0.value { true } else { false } }.keys })
      return flags.sorted().flatMap { flag in
        [true, false].flatMap { value -> [(Place, String, Bool)] in
          let matching = members.filter { $0[flag] == .leaf(.boolean(value)) }
          let others = members.filter { $0[flag] == .leaf(.boolean(!value)) }
          guard !matching.isEmpty, !others.isEmpty else { return [] }
          return Set(others.flatMap(\.keys)).sorted().compactMap { name in
            guard others.contains(where: { $0[name]?.isFilled == true }),
              !matching.contains(where: { $0[name]?.isFilled != false && $0[name] != nil })
            else { return nil }
            let path = parent.path.appending(.member(name))
            return (Place(slot: parent.slot, path: path), flag, value)
          }
        }
      }
    }
  }

  private func emptiable(_ lists: [Place]) -> [Place] {
    lists.filter { can(.emptied, at: $0) && !$0.lists.contains(where: \.isEmpty) }
  }

  /// The outermost places that have one value in all calls.
  private func constantPlaces(of given: [Place]) -> [Place] {
    given.reduce(into: []) { found, place in
      let isAlwaysNil = place.values.isEmpty && place.path.steps.isEmpty
      guard place.values.count == 1 || isAlwaysNil, !place.isAbsent, place.values != [.members([:])],
        !found.contains(where: { $0.slot == place.slot && place.path.steps.starts(with: $0.path.steps) })
      else { return }
      found.append(place)
    }
  }

  /// The sentences about calls of one clause that differ in one place only.
  private func ofPairs(_ varying: [Place]) -> [String] {
    let leaves = varying.filter { place in
      place.values.contains { if case .leaf = $0 { true } else { false } } || !place.lists.isEmpty
    }
    var (alike, equal, concurrentlyEqual): ([Place], [Place], [Place]) = ([], [], [])
    // A number stands for the arguments of a call, because they are compared for each place.
    var numbers: [[ValueTree]: Int] = [:]
    for call in traces.joined() where numbers[call.arguments] == nil {
      numbers[call.arguments] = numbers.count
    }
    for (operation, places) in Dictionary(grouping: leaves, by: \.slot.operation).sorted(by: {
      $0.key < $1.key
    }) {
      let clauses = traces.map { $0.filter { $0.operation == operation } }.filter { $0.count > 1 }
        .map { (calls: $0, concurrent: Set(concurrentPlaces($0)), numbers: $0.map { numbers[$0.arguments] }) }
      for place in places {
        var (isConcurrent, differs, isRepeated, isRepeatedAtOnce) = (false, false, false, false)
        for clause in clauses {
          let values = clause.calls.map { $0.value(at: place.slot, place.path) }
          /// Whether two of some calls have one value at the place, and differ in another argument.
          func repeats(_ calls: [Int]) -> Bool {
            var known: [ValueTree: Int?] = [:]
            return calls.contains { call in
              guard let value = values[call], value != .null else { return false }
              if let other = known[value] { return other != clause.numbers[call] }
              known[value] = clause.numbers[call]
              return false
            }
          }
          if !isRepeated { isRepeated = repeats(Array(values.indices)) }
          guard !clause.concurrent.isEmpty else { continue }
          isConcurrent = true
          let concurrent = clause.concurrent.sorted()
          if !differs { differs = concurrent.contains { values[$0] != values[concurrent[0]] } }
          if !isRepeatedAtOnce { isRepeatedAtOnce = repeats(concurrent) }
        }
        if isConcurrent, !differs { alike.append(place) }
        // Two calls with one value of a whole argument differ in another one.
        guard
          places.contains(where: {
            $0.slot != place.slot || !place.path.steps.isEmpty && $0.path != place.path
          }),
          names.isIdentifier(place.slot, place.path, place.values)
        else { continue }
        if !clauses.isEmpty, !isRepeated {
          equal.append(place)
        } else if isConcurrent, !isRepeatedAtOnce {
          concurrentlyEqual.append(place)
        }
      }
    }
    return [
      sentence("No concurrent calls differ in %", named(alike)),
      sentence(
        "No clause makes two calls that have the same value of % and differ in the rest", named(equal)),
      sentence(
        "No clause makes concurrent calls that have the same value of % and differ in the rest",
        named(concurrentlyEqual)),
    ].compactMap(\.self)
  }

  // MARK: - Words

  private func quoted(_ name: String) -> String { "`\(name)`" }

  /// A sentence about names, one of which stands for `%`.
  private func sentence(_ words: String, _ names: [String], _ consequence: String = "") -> String? {
    guard let first = names.first else { return nil }
    let end = consequence.isEmpty ? "." : ". \(consequence)"
    if names.count == 1 { return words.replacing("%", with: first) + end }
    let these = words.hasPrefix("No ") ? "any of these" : "each of these"
    let separator = names.contains { $0.contains(", ") } ? "; " : ", "
    return "\(words.replacing("%", with: these)): \(names.joined(separator: separator))\(end)"
  }

  /// The names of places, those of one argument together.
  private func named(_ places: [Place]) -> [String] {
    var names: [String] = []
    var parts: [Slot: [String]] = [:]
    var order: [Slot] = []
    for place in places {
      if place.path.description.isEmpty {
        names.append(self.names.name(of: place.slot))
      } else {
        if parts[place.slot] == nil { order.append(place.slot) }
        parts[place.slot, default: []].append("`\(place.path)`")
      }
    }
    return names
      + order.map { "\(Words.list(parts[$0] ?? [], atMost: 6)) in \(self.names.name(of: $0))" }
  }
}

/// Names the arguments of operations by the labels of their methods, where those are known.
struct ArgumentNames {
  /// The labels by the operation, `_` for none.
  var labels: [String: [String]] = [:]

  /// Labels that name nothing by themselves.
  private static let words: Set = [
    "_", "of", "to", "with", "for", "from", "in", "at", "by", "on", "after", "before", "as", "and", "or",
  ]

  private func label(_ slot: MutationInterceptor.Slot) -> String? {
    guard let place = slot.argument, let labels = labels[slot.operation], labels.indices.contains(place),
      !Self.words.contains(labels[place])
    else { return nil }
    return labels[place]
  }

  /// Such as "`limit` (argument 2 of `search`)", or "the result of `search`".
  func name(of slot: MutationInterceptor.Slot) -> String {
    guard let place = slot.argument else { return "the result of `\(slot.operation)`" }
    let name = "argument \(place + 1) of `\(slot.operation)`"
    return label(slot).map { "`\($0)` (\(name))" } ?? name
  }

  /// Such as "`limit` (argument 2)", or "`title` of argument 1".
  func part(_ path: ValueTree.Path, of place: Int, in operation: String) -> String {
    let name = "argument \(place + 1)"
    let path = path.description
    if !path.isEmpty { return "`\(path)` of \(name)" }
    return label(MutationInterceptor.Slot(operation: operation, argument: place)).map { "`\($0)` (\(name))" }
      ?? name
  }

  /// Whether the values at a place are names of things by their type or the place's own name.
  func isName(_ slot: MutationInterceptor.Slot, _ path: ValueTree.Path, _ values: Set<ValueTree>) -> Bool {
    func contain(_ isMeant: (ValueTree.Leaf) -> Bool) -> Bool {
      values.contains { if case .leaf(let leaf) = $0 { isMeant(leaf) } else { false } }
    }
    if contain({ if case .uuid = $0 { true } else { false } }) { return true }
    let name: String? = if case .member(let name)? = path.steps.last { name } else { label(slot) }
    guard let name,
      contain({ if case .text = $0 { true } else if case .integer = $0 { true } else { false } })
    else { return false }
    return ["id", "ID"].contains(name) || ["Id", "ID", "_id"].contains { name.hasSuffix($0) }
  }

  /// Whether a place says what a call is about: an argument by itself, or a name.
  func isIdentifier(
    _ slot: MutationInterceptor.Slot, _ path: ValueTree.Path, _ values: Set<ValueTree>
  ) -> Bool {
    path.steps.isEmpty || isName(slot, path, values)
  }
}

extension TracedCall {
  /// The value at a place of an argument.
  func value(at slot: MutationInterceptor.Slot, _ path: ValueTree.Path) -> ValueTree? {
    guard let argument = slot.argument, arguments.indices.contains(argument) else { return nil }
    return arguments[argument].value(at: path.steps[...])
  }
}

extension ValueTree {
  /// The value at a place, in the first element of lists; `nil` if the place is absent.
  func value(at steps: ArraySlice<Path.Step>) -> ValueTree? {
    steps.reduce(self) { value, step in
      switch (step, value) {
      case (.member(let name), .members(let members)?): members[name]
      case (.elements, .list(let elements)?): elements.first
      default: nil
      }
    }
  }

  /// Whether a text or a list has anything in it; `nil` for another value.
  fileprivate var isFilled: Bool? {
    switch self {
    case .leaf(.text(let text)): !text.string.isEmpty
    case .list(let list): !list.isEmpty
    case .null: false
    default: nil
    }
  }

  /// The name of a case with the value of an enumeration.
  var caseName: String? {
    if case .members(let members) = self, members.count == 1 { members.keys.first } else { nil }
  }
}

extension ValueTree {
  /// Whether it can be sorted.
  fileprivate var isScalar: Bool {
    switch self {
    case .leaf(.text), .leaf(.integer), .leaf(.unsigned), .leaf(.double), .leaf(.date): true
    default: false
    }
  }

  fileprivate func isAfter(_ other: ValueTree) -> Bool {
    switch (self, other) {
    case (.leaf(.text(let one)), .leaf(.text(let two))): one.string > two.string
    case (.leaf(.integer(let one)), .leaf(.integer(let two))): one > two
    case (.leaf(.unsigned(let one)), .leaf(.unsigned(let two))): one > two
    case (.leaf(.double(let one)), .leaf(.double(let two))): one > two
    case (.leaf(.date(let one)), .leaf(.date(let two))): one > two
    default: false
    }
  }
}

extension [ValueTree] {
  fileprivate var isOutOfOrder: Bool { zip(self, dropFirst()).contains { $0.isAfter($1) } }
  fileprivate var hasEqualNeighbours: Bool { zip(self, dropFirst()).contains { $0 == $1 } }
}

/// The arguments that the clauses of a contract use, and what is known of where they came from.
struct ArgumentPool<Subject: Sendable>: Sendable {
  /// A place in an argument of an operation.
  struct Slot: Hashable, Sendable {
    let operation: Int
    let argument: Int
    let path: ValueTree.Path
  }

  let operations: [ServiceOperation<Subject>]
  /// The lists of arguments of each operation.
  private(set) var calls: [[[GivenArgument]]]
  /// The places whose values clauses take from answers and fixtures, with the names of the members there.
  ///
  /// A value at such a place must not be a literal, because it is another one in each implementation.
  private(set) var references: [Slot: Set<String>] = [:]
  /// Members that were seen at a place and may be absent.
  private(set) var members: [Slot: [ValueTree]] = [:]
  /// The names of errors that clauses saw.
  private(set) var errors: Set<String> = []
  private(set) var observedCalls = 0

  // What is known in the current clause.
  private var answered: [ValueTree.Leaf: Set<String>] = [:]
  private var given: Set<ValueTree.Leaf> = []
  private var seen: [Set<[ValueTree]>]
  /// The number of calls of each operation in the current clause.
  private var counts: [Int: Int] = [:]
  /// The most that is looked at, because a clause under stress makes thousands.
  private static var mostCalls: Int { 50 }

  init(of operations: [ServiceOperation<Subject>]) {
    self.operations = operations
    calls = operations.map { _ in [] }
    seen = operations.map { _ in [] }
  }

  /// The operations that can be called.
  var usable: [Int] { calls.indices.filter { operations[$0].labels.isEmpty || !calls[$0].isEmpty } }

  mutating func beginClause() { (answered, given, counts) = ([:], [], [:]) }

  mutating func note(_ call: CallCore) {
    observedCalls += 1
    guard case .name(let name) = call.operation else { return }
    let named = operations.indices.filter { operations[$0].name == name || operations[$0].loggedName == name }
    for place in named where counts[place, default: 0] < Self.mostCalls {
      guard let arguments = operations[place].arguments(call.arguments),
        arguments.count == operations[place].labels.count
      else { continue }
      counts[place, default: 0] += 1
      let trees = arguments.map { $0.tree ?? .null }
      for (index, tree) in trees.enumerated() {
        for (path, leaf) in tree.leaves where leaf.canIdentify {
          guard !given.contains(leaf) else { continue }
          if let names = answered[leaf] {
            references[Slot(operation: place, argument: index, path: path.general), default: []].formUnion(
              names)
          } else {
            given.insert(leaf)
          }
        }
        for (path, value) in tree.nodes where !path.isEmpty && value != .null {
          let slot = Slot(operation: place, argument: index, path: path.general)
          if members[slot, default: []].count < 8 { members[slot, default: []].append(value) }
        }
      }
      let isWhole = arguments.contains { $0.tree == nil }
      if calls[place].count < 200, isWhole ? calls[place].count < 8 : seen[place].insert(trees).inserted {
        calls[place].append(arguments)
      }
      return
    }
  }

  mutating func note(_ answer: Answer) {
    if answer.error != nil { errors.insert(answer.outcome) }
    for (path, leaf) in answer.tree.leaves where leaf.canIdentify && !given.contains(leaf) {
      answered[leaf, default: []].insert(ValueTree.name(at: path))
    }
  }
}

extension [PathStep] {
  /// The place in all elements of a list.
  var general: ValueTree.Path {
    ValueTree.Path(
      steps: map { step in
        switch step {
        case .member(let name): .member(name)
        case .element: .elements
        }
      })
  }
}

// MARK: - Drawing

/// What a program has done, as far as the next step depends on it.
struct ProgramHistory: Sendable {
  var steps: [ProgramStep] = []
  /// The answers of the second implementation by step; fixtures have negative numbers.
  var answers: [Int: ValueTree] = [:]

  /// The leaves of one kind in answers, those with one of these names first.
  func parts(like leaf: ValueTree.Leaf, named names: Set<String> = []) -> [AnswerPart] {
    let all = answers.sorted { $0.key < $1.key }.flatMap { step, tree in
      tree.leaves.filter { $0.leaf.kind == leaf.kind }.map { (step, $0.path) }
    }
    let named = all.filter { names.contains(ValueTree.name(at: $0.1)) }
    return (named.isEmpty && names.isEmpty ? all : named).map {
      AnswerPart(step: $0.0, path: $0.1, otherwise: .leaf(leaf.unknown))
    }
  }
}

extension ArgumentPool {
  /// How an argument was made.
  private enum Origin {
    static var literal: Int { 1 }
    static var again: Int { 2 }
    static var part: Int { 3 }
    static var changedPart: Int { 4 }
    static var unknown: Int { 5 }
    static var altered: Int { 6 }
    static var removed: Int { 7 }
  }

  /// A call with drawn arguments; `nil` if a type has no such value.
  func draw(
    _ operation: Int, after history: ProgramHistory, id: Int, using random: inout SeededGenerator
  ) -> ProgramStep? {
    let template = calls[operation].randomElement(using: &random) ?? []
    let arguments = template.enumerated().map { place, argument in
      draw(argument, operation, place, history, &random)
    }
    let given = arguments.map { $0.given { history.answers[$0] } }
    guard operations[operation].call(given) != nil else { return nil }
    return ProgramStep(id: id, operation: operation, arguments: arguments)
  }

  private func draw(
    _ argument: GivenArgument, _ operation: Int, _ place: Int, _ history: ProgramHistory,
    _ random: inout SeededGenerator
  ) -> Argument {
    var tree: ValueTree
    switch argument {
    case .whole(let value): return Argument(base: .whole(value), origin: Origin.literal)
    case .tree(let given): tree = given
    }
    let dice = Int.random(in: 0..<100, using: &random)
    let earlier = history.steps.filter { $0.operation == operation && place < $0.arguments.count }
      .map { $0.arguments[place] }
    if dice < 25, var again = earlier.randomElement(using: &random) {
      again.origin = Origin.again
      // Two forms of one text are the mistake that is made most often.
      let forms = again.literal?.leaves.flatMap { path, leaf in leaf.normalForms.map { (path, $0) } } ?? []
      if Bool.random(using: &random), let (path, form) = forms.randomElement(using: &random) {
        again.changes.append((path, .value(.leaf(form))))
      }
      return again
    }
    if dice < 60, case .members(let mine) = tree, let whole = partLike(mine, tree, history, &random) {
      return whole
    }
    var result = Argument(base: .literal(tree), origin: Origin.literal)
    // Lists of other lengths first, so that each of their elements is drawn.
    let lists = tree.nodes.filter { if case .list = $0.tree { true } else { false } }
    if Int.random(in: 0..<100, using: &random) < 50, let (path, list) = lists.randomElement(using: &random),
      let edge = list.edges.randomElement(using: &random)
    {
      tree = tree.replacing(path[...], by: edge)
      result = Argument(base: .literal(tree), origin: Origin.altered)
    }
    // What the service has made.
    var free: [(path: [PathStep], tree: ValueTree)] = []
    for (path, node) in tree.nodes {
      guard case .leaf(let leaf) = node,
        let names = references[Slot(operation: operation, argument: place, path: path.general)]
      else {
        if case .leaf(let leaf) = node {
          free.append((path, node))
          // Texts have the most edges.
          if leaf.kind == 3 { free.append((path, node)) }
        }
        continue
      }
      let parts = history.parts(like: leaf, named: names)
      if Int.random(in: 0..<100, using: &random) < 85, var part = parts.randomElement(using: &random) {
        if leaf.kind == 3, Int.random(in: 0..<100, using: &random) < 10 {
          part.alteration = AnswerPart.Alteration.allCases.randomElement(using: &random)
        }
        result.changes.append((path, .part(part)))
        result.origin = Origin.part
      } else {
        result.changes.append((path, .value(.leaf(leaf.unknown))))
        result.origin = Origin.unknown
      }
    }
    guard let (path, node) = free.randomElement(using: &random) else { return result }
    let choice = Int.random(in: 0..<100, using: &random)
    if choice < 30 {
      return result
    } else if choice < 50, case .leaf(let leaf) = node,
      let part = history.parts(like: leaf).randomElement(using: &random)
    {
      result.changes.append((path, .part(part)))
      result.origin = Origin.part
    } else if choice < 54,
      let (path, value) = absent(in: tree, operation, place).randomElement(using: &random)
    {
      result.changes.append((path, .value(value)))
      result.origin = Origin.altered
    } else if choice < 58, !path.isEmpty, case .member? = path.last {
      result.changes.append((path, .value(nil)))
      result.origin = Origin.removed
    } else {
      let forms = earlier.compactMap { $0.literal?[path[...]] }.flatMap { tree -> [ValueTree.Leaf] in
        if case .leaf(let leaf) = tree { leaf.normalForms } else { [] }
      }
      if Bool.random(using: &random), let form = forms.randomElement(using: &random) {
        result.changes.append((path, .value(.leaf(form))))
        result.origin = Origin.altered
        return result
      }
      // Near what was used before, so that two values meet.
      let near = earlier.randomElement(using: &random)?.literal?[path[...]] ?? node
      let base = Int.random(in: 0..<100, using: &random) < 70 ? near : node
      if let edge = base.edges.randomElement(using: &random) {
        result.changes.append((path, .value(edge)))
        result.origin = Origin.altered
      }
    }
    return result
  }

  /// Members that other calls had.
  private func absent(
    in tree: ValueTree, _ operation: Int, _ place: Int
  ) -> [(path: [PathStep], value: ValueTree)] {
    members.filter { $0.key.operation == operation && $0.key.argument == place }
      .map { slot, values in
        let path = slot.path.steps.map { step in
          if case .member(let name) = step { PathStep.member(name) } else { PathStep.element(0) }
        }
        return (path, values[0])
      }
      .filter { path, _ in
        guard references[Slot(operation: operation, argument: place, path: path.general)] == nil else {
          return false
        }
        let isNull = (tree[path[...]] ?? .null) == .null
        if isNull, case .members? = tree[path.dropLast()] { return true }
        return false
      }
      .sorted { "\($0.path)" < "\($1.path)" }
  }

  /// A whole earlier answer with the same members, or with one of them changed.
  private func partLike(
    _ mine: [String: ValueTree], _ tree: ValueTree, _ history: ProgramHistory,
    _ random: inout SeededGenerator
  ) -> Argument? {
    let alike = history.answers.sorted { $0.key < $1.key }.flatMap { step, answer in
      answer.nodes.compactMap { path, node -> (AnswerPart, ValueTree)? in
        guard case .members(let members) = node,
          Set(members.keys).symmetricDifference(mine.keys).count * 4 <= mine.count
        else { return nil }
        return (AnswerPart(step: step, path: path, otherwise: tree), node)
      }
    }
    guard let (part, known) = alike.randomElement(using: &random) else { return nil }
    var result = Argument(base: .part(part), origin: Origin.part)
    guard Int.random(in: 0..<100, using: &random) < 70,
      let (path, leaf) = known.leaves.randomElement(using: &random)
    else { return result }
    let other = tree[path[...]]
    let dice = Int.random(in: 0..<100, using: &random)
    let change: ValueTree? =
      if dice < 15, case .member? = path.last { nil } else if dice < 50, let other, other != .leaf(leaf) {
        other
      } else {
        ValueTree.leaf(leaf).edges.randomElement(using: &random) ?? .leaf(leaf)
      }
    result.changes.append((path, .value(change)))
    result.origin = Origin.changedPart
    return result
  }
}

/// Compares the answers of two implementations in a program, but for what may differ.
struct AnswerComparison {
  let freedoms: [Freedom]
  /// The value of the second implementation for each generated one of the first, and the reverse.
  private var pairs: [ValueTree.Leaf: ValueTree.Leaf] = [:]
  private var reverse: [ValueTree.Leaf: ValueTree.Leaf] = [:]
  /// The generated values of the second implementation, with where they occurred first.
  private(set) var origins: [ValueTree.Leaf: (step: Int, path: [PathStep])] = [:]
  /// The identifiers that a call had as literals.
  private(set) var literals: Set<ValueTree.Leaf> = []
  /// The freedoms that were needed.
  private(set) var used: Set<Int> = []

  init(_ freedoms: [Freedom]) { self.freedoms = freedoms }

  /// Notes the literals of a call, which are the same for both.
  mutating func note(_ arguments: [Argument]) {
    let trees = arguments.flatMap { argument in
      [argument.literalBase].compactMap(\.self)
        + argument.changes.compactMap { if case .value(let tree) = $0.to { tree } else { nil } }
    }
    for (_, leaf) in trees.flatMap(\.leaves)
    where leaf.kind == 7 && pairs[leaf] == nil && reverse[leaf] == nil {
      (pairs[leaf], reverse[leaf]) = (leaf, leaf)
      literals.insert(leaf)
    }
  }

  /// Notes which values of two fixtures are the same for the two environments.
  mutating func pair(_ one: ValueTree, _ other: ValueTree, step: Int) {
    for (path, leaf) in one.leaves {
      guard case .leaf(let other)? = other[path[...]], leaf.kind == 7 || leaf != other else { continue }
      (pairs[leaf], reverse[other]) = (other, leaf)
      origins[other] = (step, path)
    }
  }

  /// Whether two answers of an operation are equal.
  mutating func areEqual(_ one: Answer, _ other: Answer, of operation: String, step: Int) -> Bool {
    if one.error != nil, other.error != nil, one.tree != other.tree,
      let freedom = freedoms.firstIndex(where: { $0.kind == .error && $0.covers(operation) })
    {
      used.insert(freedom)
      return true
    }
    return areEqual(one.tree, other.tree, at: [], of: operation, step: step)
  }

  /// Whether two values in answers or events are equal.
  mutating func areEqual(
    _ one: ValueTree, _ other: ValueTree, at path: [PathStep], of operation: String, step: Int
  ) -> Bool {
    if case .member(let name)? = path.last,
      let freedom = freedoms.firstIndex(where: { $0.kind == .anything(name) && $0.covers(operation) })
    {
      if one != other { used.insert(freedom) }
      return true
    }
    switch (one, other) {
    case (.null, .null): return true
    case (.list(let ones), .list(let others)):
      guard ones.count == others.count else { return false }
      for (place, pair) in zip(ones, others).enumerated()
      where !areEqual(pair.0, pair.1, at: path + [.element(place)], of: operation, step: step) {
        return false
      }
      return true
    case (.members(let ones), .members(let others)):
      // In the order of names, so that generated values are paired alike in every run. An absent member is `nil`.
      for name in Set(ones.keys).union(others.keys).sorted()
      where !areEqual(
        ones[name] ?? .null, others[name] ?? .null, at: path + [.member(name)], of: operation, step: step)
      { return false }
      return true
    case (.leaf(let one), .leaf(let other)):
      guard one.kind == other.kind, isGenerated(other, at: path, of: operation) else {
        if case .double(let one) = one, case .double(let other) = other {
          return one == other || one.isNaN && other.isNaN
        }
        return one == other || pairs[one] == other
      }
      if pairs[one] == nil, reverse[other] == nil {
        (pairs[one], reverse[other]) = (other, one)
        origins[other] = (step, path)
      }
      return pairs[one] == other
    default: return false
    }
  }

  /// Whether each implementation makes the value of a place.
  mutating func isGenerated(_ leaf: ValueTree.Leaf, at path: [PathStep], of operation: String) -> Bool {
    let name = ValueTree.name(at: path)
    guard let freedom = freedoms.firstIndex(where: { $0.kind == .generated(name) && $0.covers(operation) })
    else {
      return leaf.kind == 7
    }
    used.insert(freedom)
    return true
  }
}

extension Freedom {
  func covers(_ name: String) -> Bool {
    guard let operation else { return true }
    return operation == name || operation == name.prefix { $0 != "(" }
  }
}

/// A search for a smaller program with a difference of the same operation.
struct ProgramShrinking<Subject: Sendable> {
  private let comparison: Comparison<Subject>
  private var run: Comparison<Subject>.Run
  private let operation: Int?
  private(set) var tried = 0

  private static var limit: Int { 2_000 }

  init(of comparison: Comparison<Subject>, from run: Comparison<Subject>.Run) {
    (self.comparison, self.run) = (comparison, run)
    operation = Self.operation(of: run)
  }

  private static func operation(of run: Comparison<Subject>.Run) -> Int? {
    run.difference.flatMap { difference in run.steps.first { $0.id == difference.step }?.operation }
  }

  /// The smallest run that was found.
  mutating func smallest() async throws -> Comparison<Subject>.Run {
    var isSmaller = true
    while isSmaller, tried < Self.limit {
      isSmaller = try await removeSteps()
      if try await removeConditions() { isSmaller = true }
      if try await simplifyArguments() { isSmaller = true }
    }
    return run
  }

  private mutating func accepts(_ steps: [ProgramStep]) async throws -> Bool {
    guard tried < Self.limit else { return false }
    tried += 1
    let (candidate, _) = try await comparison.run(from: steps[...]) { rest, _ in rest.popFirst() }
    guard candidate.difference != nil, Self.operation(of: candidate) == operation else { return false }
    run = candidate
    return true
  }

  /// Leaves out runs of steps of decreasing length (delta debugging, Zeller and Hildebrandt 2002).
  private mutating func removeSteps() async throws -> Bool {
    var isSmaller = false
    var size = max(1, run.steps.count / 2)
    while size >= 1 {
      var end = run.steps.count
      while end > 0 {
        let start = max(0, end - size)
        if end - start < run.steps.count, try await accepts(Array(run.steps[..<start] + run.steps[end...])) {
          isSmaller = true
        }
        end = min(start, run.steps.count)
      }
      size /= 2
    }
    return isSmaller
  }

  private mutating func removeConditions() async throws -> Bool {
    var isSmaller = false
    for place in run.steps.indices.reversed() where place < run.steps.count {
      guard run.steps[place].condition != nil, run.steps[place].operation != nil else { continue }
      var steps = run.steps
      steps[place].condition = nil
      if try await accepts(steps) { isSmaller = true }
    }
    return isSmaller
  }

  private mutating func simplifyArguments() async throws -> Bool {
    var isSmaller = false
    var place = 0
    while place < run.steps.count {
      var isSimpler = false
      for index in run.steps[place].arguments.indices where place < run.steps.count && !isSimpler {
        isSimpler = try await simplifyArgument(index, of: place)
      }
      if isSimpler { isSmaller = true } else { place += 1 }
    }
    return isSmaller
  }

  /// Arguments with a literal in place of an answer that is none of the service's own, or with simpler changes.
  private func simpler(_ argument: Argument, in step: ProgramStep, _ index: Int) -> [Argument] {
    guard let operation = step.operation else { return [] }
    func isReference(_ path: [PathStep]) -> Bool {
      comparison.pool.references[.init(operation: operation, argument: index, path: path.general)] != nil
    }
    var all: [Argument] = []
    let given = argument.given { run.other[$0]?.tree }.tree
    if let given, case .part = argument.base,
      !given.leaves.contains(where: { isReference($0.path) || $0.leaf.kind == 7 })
    {
      all.append(Argument(base: .literal(given)))
    }
    for (place, change) in argument.changes.enumerated() {
      var simpler = argument
      switch change.to {
      case .part(var part):
        if part.alteration != nil {
          part.alteration = nil
          simpler.changes[place].to = .part(part)
          all.append(simpler)
          continue
        }
        guard !isReference(change.path), let tree = run.other[part.step]?.tree[part.path[...]] else {
          continue
        }
        if tree.leaves.contains(where: { $0.leaf.kind == 7 }) { continue }
        simpler.changes[place].to = .value(tree)
        all.append(simpler)
      case .value(let tree):
        simpler.changes.remove(at: place)
        if !isReference(change.path) { all.append(simpler) }
        for node in tree?.simpler ?? [] {
          simpler = argument
          simpler.changes[place].to = .value(node)
          all.append(simpler)
        }
      }
    }
    return all
  }

  private mutating func simplifyArgument(_ index: Int, of place: Int) async throws -> Bool {
    let step = run.steps[place]
    guard let tree = step.arguments[index].literal else {
      for simpler in simpler(step.arguments[index], in: step, index) {
        var steps = run.steps
        steps[place].arguments[index] = simpler
        if try await accepts(steps) { return true }
      }
      return false
    }
    for (path, node) in tree.nodes {
      for simpler in node.simpler {
        // The same value elsewhere stays the same.
        var steps = run.steps
        for other in steps.indices where steps[other].operation == step.operation {
          guard steps[other].arguments[index].literal == tree else { continue }
          steps[other].arguments[index] = Argument(base: .literal(tree.replacing(path[...], by: simpler)))
        }
        if try await accepts(steps) { return true }
      }
    }
    return false
  }
}

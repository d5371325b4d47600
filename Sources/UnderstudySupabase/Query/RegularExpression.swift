/// A regular expression as PostgreSQL's `~` takes it, as far as a finite automaton goes: without back references
/// and look-ahead.
///
/// Follows all ways at once (Thompson 1968), so that the time is at most the product of the lengths of the pattern
/// and the text, whatever the pattern.
struct RegularExpression: Sendable {
  struct Malformed: Error {
    let problem: String
  }

  indirect enum Node: Sendable {
    case empty
    case one(CharacterSet)
    case start
    case end
    case sequence([Node])
    case alternatives([Node])
    case repetition(Node, Int, Int?)
  }

  /// Characters by their ranges and classes.
  struct CharacterSet: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var classes: [CharacterClass] = []
    var isNegated = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      (ranges.contains { $0.contains(scalar.value) } || classes.contains { $0.contains(scalar) }) != isNegated
    }
  }

  fileprivate enum Step: Sendable {
    case one(CharacterSet)
    case start
    case end
    case split(Int, Int)
    case jump(Int)
    case match
  }

  private var steps: [Step] = []
  /// How many nodes have been added; those that make no steps take time too, where they are repeated.
  private var nodes = 0
  private let ignoresCase: Bool

  init(_ pattern: String, ignoresCase: Bool) throws(Malformed) {
    self.ignoresCase = ignoresCase
    var parser = RegularExpressionParser(pattern, ignoresCase: ignoresCase)
    try add(try parser.expression())
    steps.append(.match)
  }

  private mutating func add(_ node: Node) throws(Malformed) {
    nodes += 1
    guard steps.count < 20_000, nodes < 100_000 else {
      throw Malformed(problem: "regular expression is too complex")
    }
    switch node {
    case .empty: break
    case .one(let set): steps.append(.one(set))
    case .start: steps.append(.start)
    case .end: steps.append(.end)
    case .sequence(let nodes): for node in nodes { try add(node) }
    case .alternatives(let nodes):
      var ends: [Int] = []
      for node in nodes.dropLast() {
        let split = steps.count
        steps.append(.match)
        try add(node)
        ends.append(steps.count)
        steps.append(.match)
        steps[split] = .split(split + 1, steps.count)
      }
      if let last = nodes.last { try add(last) }
      for end in ends { steps[end] = .jump(steps.count) }
    case .repetition(let node, let least, let most):
      for _ in 0..<least { try add(node) }
      if let most {
        var splits: [Int] = []
        for _ in least..<max(least, most) {
          splits.append(steps.count)
          steps.append(.match)
          try add(node)
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
      } else {
        let split = steps.count
        steps.append(.match)
        try add(node)
        steps.append(.jump(split))
        steps[split] = .split(split + 1, steps.count)
      }
    }
  }

  /// Whether some part of the text is what the expression means.
  func matches(_ text: String) -> Bool {
    let scalars = Array((ignoresCase ? text.simplyLowercased : text).unicodeScalars)
    var current = Threads(count: steps.count)
    var next = Threads(count: steps.count)
    for place in 0...scalars.count {
      // A match can begin at every place.
      if follow(0, into: &current, isStart: place == 0, isEnd: place == scalars.count) { return true }
      guard place < scalars.count else { break }
      next.removeAll()
      for step in current.waiting {
        guard case .one(let set) = steps[step], set.contains(scalars[place]) else { continue }
        if follow(step + 1, into: &next, isStart: false, isEnd: place + 1 == scalars.count) { return true }
      }
      swap(&current, &next)
    }
    return false
  }

  /// Goes on from a step as far as no character is needed; true if that is the end.
  private func follow(_ first: Int, into threads: inout Threads, isStart: Bool, isEnd: Bool) -> Bool {
    var pending = [first]
    while let step = pending.popLast() {
      guard threads.insert(step) else { continue }
      switch steps[step] {
      case .match: return true
      case .jump(let target): pending.append(target)
      case .split(let one, let other): pending += [other, one]
      case .start: if isStart { pending.append(step + 1) }
      case .end: if isEnd { pending.append(step + 1) }
      case .one: threads.waiting.append(step)
      }
    }
    return false
  }

  /// The steps that have been reached, and those that wait for a character.
  private struct Threads {
    private var reached: [Bool]
    private var list: [Int] = []
    var waiting: [Int] = []

    init(count: Int) {
      reached = Array(repeating: false, count: count)
    }

    mutating func insert(_ step: Int) -> Bool {
      if reached[step] { return false }
      reached[step] = true
      list.append(step)
      return true
    }

    mutating func removeAll() {
      for step in list { reached[step] = false }
      list = []
      waiting = []
    }
  }
}

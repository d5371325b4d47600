/// Draws the steps of programs, so that rare outcomes occur often.
struct ProgramDrawing<Subject: Sendable>: Sendable {
  private struct Kind: Hashable {
    let operation: Int
    let origin: Int
  }

  private let pool: ArgumentPool<Subject>
  private let conditions: Int
  private let length: Int
  private let usable: [Int]
  private let reads: [Int]
  private var random = SeededGenerator(seed: 0)
  private var drawn = 0
  /// Whether a condition of this program holds to its end.
  private var canBegin = false
  /// How often each kind of call had each outcome, and each outcome of an operation occurred.
  private var outcomes: [Kind: [String: Int]] = [:]
  private var counts: [Int: [String: Int]] = [:]

  init(of pool: ArgumentPool<Subject>, conditions: Int, length: Int) {
    (self.pool, self.conditions, self.length) = (pool, conditions, length)
    (usable, reads) = (pool.usable, pool.reads)
  }

  mutating func begin(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    drawn = 0
    canBegin = conditions > 0 && chance(15)
  }

  mutating func next(after history: ProgramHistory) -> ProgramStep? {
    defer { drawn += 1 }
    guard drawn < length else {
      // At the end, everything that can be read without an argument.
      let place = drawn - length
      return place < reads.count ? ProgramStep(id: drawn, operation: reads[place]) : nil
    }
    if canBegin, drawn > length / 2 {
      canBegin = false
      return ProgramStep(id: drawn, operation: nil, condition: Int.random(in: 0..<conditions, using: &random))
    }
    var candidates: [ProgramStep] = []
    for _ in 0..<(chance(50) ? 3 : 1) {
      guard var place = usable.randomElement(using: &random) else { return nil }
      // What reads everything is rarer, because it comes at the end, too.
      if reads.contains(place) { place = usable.randomElement(using: &random) ?? place }
      guard var step = pool.draw(place, after: history, id: drawn, using: &random) else { continue }
      if conditions > 0, chance(8) { step.condition = Int.random(in: 0..<conditions, using: &random) }
      candidates.append(step)
    }
    guard candidates.count > 1 else {
      return candidates.first
        ?? usable.first.map { ProgramStep(id: drawn, operation: $0, arguments: pool.first(of: $0)) }
    }
    return candidates.min { rarity(of: $0) < rarity(of: $1) }
  }

  mutating func note(_ steps: [ProgramStep], _ answers: [Int: Answer]) {
    for step in steps {
      guard let operation = step.operation, let outcome = answers[step.id]?.outcome else { continue }
      outcomes[Kind(operation: operation, origin: step.origin), default: [:]][outcome, default: 0] += 1
      counts[operation, default: [:]][outcome, default: 0] += 1
    }
  }

  /// How often the rarest outcome of such a call has occurred.
  private func rarity(of step: ProgramStep) -> Int {
    guard let operation = step.operation, let seen = outcomes[Kind(operation: operation, origin: step.origin)]
    else { return 0 }
    return seen.keys.compactMap { counts[operation]?[$0] }.min() ?? 0
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
}

extension ArgumentPool {
  /// The first arguments that a clause used.
  func first(of operation: Int) -> [Argument] {
    (calls[operation].first ?? []).map { argument in
      switch argument {
      case .tree(let tree): Argument(base: .literal(tree))
      case .whole(let value): Argument(base: .whole(value))
      }
    }
  }
}

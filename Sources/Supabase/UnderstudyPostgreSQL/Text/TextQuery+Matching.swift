import Foundation

/// The operator `@@` (`TS_execute` of PostgreSQL's `tsvector_op.c`).
extension TextVector {
  package func matches(_ query: TextQuery) -> Bool {
    switch query {
    case .empty: false
    case .word(let word, let isPrefix, let weights):
      find(word, isPrefix: isPrefix).contains { found in
        weights.isEmpty || found.positions.isEmpty
          || found.positions.contains { weights.contains($0.weight) }
      }
    case .not(let inner): !matches(inner)
    case .and(let left, let right): matches(left) && matches(right)
    case .or(let left, let right): matches(left) || matches(right)
    case .phrase: places(of: query).map { !$0.isUnknown } ?? false
    }
  }

  /// The words of a text, or with a prefix.
  func find(_ text: String, isPrefix: Bool) -> ArraySlice<Word> {
    var range = words.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if words[middle].text.utf8.lexicographicallyPrecedes(text.utf8) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    let rest = words[range.lowerBound...]
    if isPrefix { return rest.prefix { $0.text.utf8.starts(with: text.utf8) } }
    return rest.prefix(1).prefix { $0.text.utf8.elementsEqual(text.utf8) }
  }

  /// Where a part of a phrase ends: at the positions, or at all others.
  ///
  /// `width` is the distance from its beginning.
  private struct Places {
    var positions: [Int]
    var isNegated = false
    var width = 0
    /// A word of a vector without positions: nothing is known of its places, nor of those that depend on them.
    var isUnknown = false
  }

  private static let unknown = Places(positions: [], isUnknown: true)

  private func places(of query: TextQuery) -> Places? {
    switch query {
    case .empty: return nil
    case .word(let word, let isPrefix, let weights):
      var positions: Set<Int> = []
      for found in find(word, isPrefix: isPrefix) {
        if found.positions.isEmpty { return Self.unknown }
        for position in found.positions where weights.isEmpty || weights.contains(position.weight) {
          positions.insert(position.position)
        }
      }
      return positions.isEmpty ? nil : Places(positions: positions.sorted())
    case .not(let inner):
      guard var places = places(of: inner) else { return Places(positions: [], isNegated: true) }
      if places.isUnknown { return places }
      places.isNegated.toggle()
      return places.positions.isEmpty && !places.isNegated ? nil : places
    case .phrase(let left, let right, let distance):
      guard let left = places(of: left), let right = places(of: right) else { return nil }
      return Self.both(
        left, right, leftOffset: distance + right.width, rightOffset: 0,
        width: distance + left.width + right.width)
    case .and(let left, let right):
      guard let left = places(of: left), let right = places(of: right) else { return nil }
      let width = max(left.width, right.width)
      return Self.both(
        left, right, leftOffset: width - left.width, rightOffset: width - right.width, width: width)
    case .or(let left, let right):
      let (first, second) = (places(of: left), places(of: right))
      if first == nil, second == nil { return nil }
      let (one, two) = (first ?? Places(positions: []), second ?? Places(positions: []))
      if one.isUnknown || two.isUnknown { return Self.unknown }
      let width = max(one.width, two.width)
      let left = Set(one.positions.map { $0 + width - one.width })
      let right = Set(two.positions.map { $0 + width - two.width })
      switch (one.isNegated, two.isNegated) {
      case (true, true): return Self.places(left.intersection(right), isNegated: true, width)
      case (true, false): return Self.places(left.subtracting(right), isNegated: true, width)
      case (false, true): return Self.places(right.subtracting(left), isNegated: true, width)
      case (false, false): return Self.places(left.union(right), isNegated: false, width)
      }
    }
  }

  private static func both(
    _ one: Places, _ two: Places, leftOffset: Int, rightOffset: Int, width: Int
  ) -> Places? {
    if one.isUnknown || two.isUnknown { return unknown }
    let left = Set(one.positions.map { $0 + leftOffset })
    let right = Set(two.positions.map { $0 + rightOffset })
    switch (one.isNegated, two.isNegated) {
    case (true, true): return places(left.union(right), isNegated: true, width)
    case (true, false): return places(right.subtracting(left), isNegated: false, width)
    case (false, true): return places(left.subtracting(right), isNegated: false, width)
    case (false, false): return places(left.intersection(right), isNegated: false, width)
    }
  }

  private static func places(_ positions: Set<Int>, isNegated: Bool, _ width: Int) -> Places? {
    positions.isEmpty && !isNegated
      ? nil : Places(positions: positions.sorted(), isNegated: isNegated, width: width)
  }
}

// MARK: Ranking

/// `ts_rank` (`tsrank.c`), in the precision of `real` as there.
extension TextVector {
  /// The weights of D, C, B and A without others.
  static let defaultWeights: [Float] = [0.1, 0.2, 0.4, 1]

  func rank(_ query: TextQuery, weights: [Float] = Self.defaultWeights, normalization: Int = 0) -> Float {
    if words.isEmpty || query == .empty { return 0 }
    let isConjunction =
      switch query {
      case .and, .phrase: true
      default: false
      }
    var rank = isConjunction ? conjunctiveRank(query, weights) : disjunctiveRank(query, weights)
    if rank < 0 { rank = 1e-20 }
    let length = words.reduce(0) { $0 + max(1, $1.positions.count) }
    if normalization & 1 != 0 { rank /= Float(log(Double(length + 1)) / log(2)) }
    if normalization & 2 != 0 { rank /= Float(length) }
    if normalization & 8 != 0 { rank /= Float(words.count) }
    if normalization & 16 != 0 { rank /= Float(log(Double(words.count + 1)) / log(2)) }
    if normalization & 32 != 0 { rank /= rank + 1 }
    return rank
  }

  private static func weight(_ position: Position, _ weights: [Float]) -> Float {
    switch position.weight {
    case "A": weights[3]
    case "B": weights[2]
    case "C": weights[1]
    default: weights[0]
    }
  }

  private static let withoutPosition = [Position(position: 0, weight: "D")]

  private func disjunctiveRank(_ query: TextQuery, _ weights: [Float]) -> Float {
    var rank: Float = 0
    let queryWords = query.uniqueWords
    for (text, isPrefix) in queryWords {
      for word in find(text, isPrefix: isPrefix) {
        let positions = word.positions.isEmpty ? Self.withoutPosition : word.positions
        var sum: Float = 0
        var (best, bestIndex): (Float, Int) = (-1, 0)
        for (index, position) in positions.enumerated() {
          let weight = Self.weight(position, weights)
          sum += weight / Float((index + 1) * (index + 1))
          if weight > best { (best, bestIndex) = (weight, index) }
        }
        let rest = best + sum - best / Float((bestIndex + 1) * (bestIndex + 1))
        // The limit of the sum of 1/i².
        rank = Float(Double(rank) + Double(rest) / 1.64493406685)
      }
    }
    return queryWords.isEmpty ? rank : rank / Float(queryWords.count)
  }

  private func conjunctiveRank(_ query: TextQuery, _ weights: [Float]) -> Float {
    let queryWords = query.uniqueWords
    guard queryWords.count > 1 else { return disjunctiveRank(query, weights) }
    var rank: Float = -1
    var found: [[Position]?] = Array(repeating: nil, count: queryWords.count)
    for (index, (text, isPrefix)) in queryWords.enumerated() {
      for word in find(text, isPrefix: isPrefix) {
        let positions =
          word.positions.isEmpty ? [Position(position: 16_382, weight: "D")] : word.positions
        found[index] = positions
        for other in found[..<index] {
          guard let other else { continue }
          for one in positions {
            for two in other where one.position != two.position || word.positions.isEmpty {
              let distance = one.position == two.position ? 16_384 : abs(one.position - two.position)
              let product = Self.weight(one, weights) * Self.weight(two, weights) * Self.nearness(distance)
              let current = Float(Double(product).squareRoot())
              rank = rank < 0 ? current : Float(1 - (1 - Double(rank)) * (1 - Double(current)))
            }
          }
        }
      }
    }
    return rank
  }

  private static func nearness(_ distance: Int) -> Float {
    if distance > 100 { return 1e-30 }
    return Float(1 / (1.005 + 0.05 * exp(Double(Float(distance) / 1.5 - 2))))
  }
}

extension TextQuery {
  /// The words of the query, each once, in the order of their texts.
  var uniqueWords: [(text: String, isPrefix: Bool)] {
    var words: [(text: String, isPrefix: Bool)] = []
    func collect(_ query: TextQuery) {
      switch query {
      case .empty: break
      case .word(let text, let isPrefix, _):
        if !words.contains(where: { $0.text == text }) { words.append((text, isPrefix)) }
      case .not(let inner): collect(inner)
      case .and(let left, let right), .or(let left, let right), .phrase(let left, let right, _):
        collect(left)
        collect(right)
      }
    }
    collect(self)
    return words.sorted { left, right in
      left.text.utf8.count == right.text.utf8.count
        ? left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        : left.text.utf8.count < right.text.utf8.count
    }
  }

  /// The number of words and operators, for `numnode`.
  var nodeCount: Int {
    switch self {
    case .empty: 0
    case .word: 1
    case .not(let inner): 1 + inner.nodeCount
    case .and(let left, let right), .or(let left, let right), .phrase(let left, let right, _):
      1 + left.nodeCount + right.nodeCount
    }
  }
}

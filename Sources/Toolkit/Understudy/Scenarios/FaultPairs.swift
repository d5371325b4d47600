/// All pairs of faults that can differ: the first at a call that is made without a fault, the second at a call that is
/// made under the first.
///
/// Of several faults that look the same to the caller of a call, pairs have the first one of the catalogue: those that
/// make the call throw equal errors, before or after its effect.
struct FaultPairs: Sendable {
  fileprivate struct Group: Sendable {
    let first: FaultSchedule.Entry
    /// The number of its first pair.
    let start: Int
    let seconds: [(point: FaultPoint, faults: [Fault])]
  }

  private let groups: [Group]
  /// The number of pairs.
  let count: Int

  /// - Parameters:
  ///   - singles: The first faults: those of the catalogue.
  ///   - outcomes: The runs under each of the single faults, in order.
  init(of singles: SingleFaults, outcomes: [(seen: [SeenPoint], failure: CallFailure?)]) {
    let distinct = DistinctFaults(of: singles, failures: outcomes.map(\.failure))
    var groups: [Group] = []
    var count = 0
    for place in singles.catalogued {
      let first = singles.all[place]
      guard first.fault.map({ distinct[first.point]?.contains($0) == true }) == true else { continue }
      // Of two calls that are made in any case, the alphabetically later one is the second.
      let seconds = outcomes[place].seen.filter { other in
        other.point != first.point && (!singles.points.contains(other.point) || first.point < other.point)
      }.sorted { $0.point < $1.point }.map { (point: $0.point, faults: distinct.faults(of: $0)) }
      guard !seconds.isEmpty else { continue }
      groups.append(Group(first: first, start: count, seconds: seconds))
      count += seconds.reduce(0) { $0 + $1.faults.count }
    }
    self.groups = groups
    self.count = count
  }

  /// The numbers of all pairs, or of a sample of them, in order.
  ///
  /// Up to half of a sample are pairs of equal faults: an outage, or an expired session, makes every call fail alike.
  func numbers(limit: Int?, seed: UInt64) -> [Int] {
    guard let limit, limit < count else { return Array(0..<count) }
    var generator = SeededGenerator(seed: seed)
    let alike = alike
    let first = Self.sample(max(0, limit) / 2, of: alike.count, using: &generator).map { alike[$0] }
    let others = Self.sample(max(0, limit) - first.count, of: count - first.count, using: &generator)
    // Their numbers count those that are not chosen yet.
    var skipped = 0
    let numbers = others.map { other in
      while skipped < first.count, first[skipped] <= other + skipped { skipped += 1 }
      return other + skipped
    }
    return (first + numbers).sorted()
  }

  /// The numbers of the pairs of equal faults, in order.
  private var alike: [Int] {
    groups.flatMap { group -> [Int] in
      var start = group.start
      return group.seconds.compactMap { second in
        defer { start += second.faults.count }
        return second.faults.firstIndex { $0 == group.first.fault }.map { start + $0 }
      }
    }
  }

  /// A sample of the numbers below another one, in order.
  private static func sample(_ size: Int, of count: Int, using generator: inout SeededGenerator) -> [Int] {
    if size >= count { return Array(0..<count) }
    // Floyd's algorithm for sampling without replacement (Bentley and Floyd 1987).
    var chosen: Set<Int> = []
    for bound in (count - size)..<count {
      let number = Int.random(in: 0...bound, using: &generator)
      chosen.insert(chosen.contains(number) ? bound : number)
    }
    return chosen.sorted()
  }

  /// Finds pairs by their numbers, in ascending order.
  struct Cursor {
    fileprivate var groups: ArraySlice<Group>

    mutating func schedule(_ number: Int) -> FaultSchedule {
      while let next = groups.dropFirst().first, next.start <= number { groups.removeFirst() }
      guard let group = groups.first else { return [] }
      var rest = number - group.start
      for (point, faults) in group.seconds {
        if rest < faults.count {
          let second = FaultSchedule.Entry(point, faults[rest])
          return FaultSchedule([group.first, second].sorted { $0.point < $1.point })
        }
        rest -= faults.count
      }
      return [group.first]
    }
  }

  func makeCursor() -> Cursor { Cursor(groups: groups[...]) }
}

/// The failure of a call by a fault, as its caller sees it.
struct CallFailure: Sendable, Hashable {
  private let reach: Fault.Reach
  private let error: String

  init(_ fault: Fault, _ error: any Error) {
    reach = fault.reach
    self.error = "\(type(of: error)) \(String(reflecting: error))"
  }

  private init(_ reach: Fault.Reach, _ error: String) {
    (self.reach, self.error) = (reach, error)
  }

  /// That of a run that ended the process, so that pairs have one of the faults that do.
  static let trap = CallFailure(.before, "trap")
}

/// The faults of each call without those that look the same to its caller as an earlier one.
private struct DistinctFaults {
  private var faults: [FaultPoint: [Fault]] = [:]
  /// Those of the first call of an operation, for calls that are made only under a fault.
  private var first: [String: [Fault]] = [:]

  /// - Parameter failures: What the call of each single fault threw; `nil` if it threw nothing, or its stream did.
  init(of singles: SingleFaults, failures: [CallFailure?]) {
    var known: [FaultPoint: Set<CallFailure>] = [:]
    for place in singles.catalogued {
      let entry = singles.all[place]
      guard let fault = entry.fault else { continue }
      if let failure = failures[place], !known[entry.point, default: []].insert(failure).inserted { continue }
      faults[entry.point, default: []].append(fault)
    }
    for (point, faults) in faults.sorted(by: { $0.key < $1.key }) where first[point.operation] == nil {
      first[point.operation] = faults
    }
  }

  subscript(point: FaultPoint) -> [Fault]? { faults[point] }

  func faults(of seen: SeenPoint) -> [Fault] {
    faults[seen.point] ?? first[seen.point.operation] ?? SingleFaults.catalogue(for: seen)
  }
}

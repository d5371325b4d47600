/// All pairs of faults: the first at a call that is made without a fault, the second at a call that is made under the
/// first.
struct FaultPairs: Sendable {
  fileprivate struct Group: Sendable {
    let first: FaultSchedule.Entry
    /// The number of its first pair.
    let start: Int
    let seconds: [SeenPoint]
  }

  private let groups: [Group]
  /// The number of pairs.
  let count: Int

  /// - Parameters:
  ///   - singles: The first faults: those of the catalogue.
  ///   - seen: The calls made under each of the single faults, in order.
  init(of singles: SingleFaults, seen: [[SeenPoint]]) {
    var groups: [Group] = []
    var count = 0
    for place in singles.catalogued {
      let first = singles.all[place]
      // Of two calls that are made in any case, the alphabetically later one is the second.
      let seconds = seen[place].filter { other in
        other.point != first.point && (!singles.points.contains(other.point) || first.point < other.point)
      }.sorted { $0.point < $1.point }
      guard !seconds.isEmpty else { continue }
      groups.append(Group(first: first, start: count, seconds: seconds))
      count += seconds.reduce(0) { $0 + SingleFaults.catalogue(for: $1).count }
    }
    self.groups = groups
    self.count = count
  }

  /// The numbers of all pairs, or of a sample of them, in order.
  func numbers(limit: Int?, seed: UInt64) -> [Int] {
    guard let limit, limit < count else { return Array(0..<count) }
    // Floyd's algorithm for sampling without replacement (Bentley and Floyd 1987).
    var generator = SeededGenerator(seed: seed)
    var chosen: Set<Int> = []
    for bound in (count - max(0, limit))..<count {
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
      for seen in group.seconds {
        let faults = SingleFaults.catalogue(for: seen)
        if rest < faults.count {
          let second = FaultSchedule.Entry(seen.point, faults[rest])
          return FaultSchedule([group.first, second].sorted { $0.point < $1.point })
        }
        rest -= faults.count
      }
      return [group.first]
    }
  }

  func makeCursor() -> Cursor { Cursor(groups: groups[...]) }
}

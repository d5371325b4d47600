/// A change of a forum's list: the new list and the changed rows, in the form that a table view needs (seed 002,
/// `NSFetchedResultsController`).
public struct ThreadListChange: Sendable, Hashable, Codable {
  /// A place in the list, with the sticky threads in section 0 and the others in section 1.
  public struct IndexPath: Sendable, Hashable, Codable {
    /// 0 for the sticky threads, 1 for the others.
    public var section: Int
    /// The row, from 0.
    public var row: Int

    /// Creates a place.
    public init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }
  }

  /// A change of a row.
  public enum Row: Sendable, Hashable, Codable {
    /// A thread was inserted at a place in the new list.
    case insert(ForumThread, at: IndexPath)
    /// A thread changed without moving; with its place in the old list.
    case update(ForumThread, at: IndexPath)
    /// A thread was deleted from a place in the old list.
    case delete(ForumThread, at: IndexPath)
    /// A thread moved from a place in the old list to a place in the new list, and may have changed.
    case move(ForumThread, from: IndexPath, to: IndexPath)
  }

  /// The sticky threads and the others, after the change.
  public var sections: [[ForumThread]]
  /// The changed rows; empty for the first value of an observation.
  public var rows: [Row]

  /// Creates a change.
  public init(sections: [[ForumThread]], rows: [Row]) {
    self.sections = sections
    self.rows = rows
  }
}

extension ThreadListChange {
  /// Creates the change from one list to another, with the fewest possible moves.
  ///
  /// Deletions come first, in the order of the old list; the other rows follow in the order of the new list.
  ///
  /// - Parameters:
  ///   - old: The sections before the change. Each thread appears once.
  ///   - new: The sections after the change, with the same number of sections.
  package init(from old: [[ForumThread]], to new: [[ForumThread]]) {
    var places: [Int: IndexPath] = [:]
    for (section, threads) in old.enumerated() {
      for (row, thread) in threads.enumerated() { places[thread.id] = IndexPath(section: section, row: row) }
    }
    var ids: Set<Int> = []
    for thread in new.joined() { ids.insert(thread.id) }

    var rows: [Row] = []
    for (section, threads) in old.enumerated() {
      for (row, thread) in threads.enumerated() where !ids.contains(thread.id) {
        rows.append(.delete(thread, at: IndexPath(section: section, row: row)))
      }
    }
    for (section, threads) in new.enumerated() {
      // A thread that stays in its section and keeps its relative order did not move.
      let before = threads.map { thread in
        places[thread.id].flatMap { $0.section == section ? $0.row : nil }
      }
      let staying = Self.longestRise(in: before)
      for (row, thread) in threads.enumerated() {
        let place = IndexPath(section: section, row: row)
        switch places[thread.id] {
        case nil: rows.append(.insert(thread, at: place))
        case let from? where !staying[row]: rows.append(.move(thread, from: from, to: place))
        case let from? where old[from.section][from.row] != thread: rows.append(.update(thread, at: from))
        case _?: break
        }
      }
    }
    self.init(sections: new, rows: rows)
  }

  /// Applies the rows to an old list; `nil` if they do not fit it.
  ///
  /// The result for the list before a change equals ``sections``.
  package func rowsApplied(to old: [[ForumThread]]) -> [[ForumThread]]? {
    var remaining = old.map { $0.map(Optional.some) }
    var arriving = [[Int: ForumThread]](repeating: [:], count: old.count)
    /// Removes a thread from a place in the old list; returns `false` if the place does not hold it.
    func take(_ id: Int, from place: IndexPath) -> Bool {
      guard remaining.indices.contains(place.section),
        remaining[place.section].indices.contains(place.row),
        remaining[place.section][place.row]?.id == id
      else { return false }
      remaining[place.section][place.row] = nil
      return true
    }
    /// Whether a place in the old list holds exactly this thread.
    func holds(_ thread: ForumThread, _ place: IndexPath) -> Bool {
      remaining.indices.contains(place.section) && remaining[place.section].indices.contains(place.row)
        && remaining[place.section][place.row] == thread
    }
    /// Inserts a thread at its new place; returns `false` if the place is occupied.
    func put(_ thread: ForumThread, at place: IndexPath) -> Bool {
      guard arriving.indices.contains(place.section) else { return false }
      return arriving[place.section].updateValue(thread, forKey: place.row) == nil
    }
    for row in rows {
      let fits: Bool
      switch row {
      case .delete(let thread, let place): fits = holds(thread, place) && take(thread.id, from: place)
      case .insert(let thread, let place): fits = put(thread, at: place)
      case .move(let thread, let from, let to): fits = take(thread.id, from: from) && put(thread, at: to)
      case .update(let thread, let place):
        fits = take(thread.id, from: place)
        if fits { remaining[place.section][place.row] = thread }
      }
      guard fits else { return nil }
    }

    var new: [[ForumThread]] = []
    for (stayed, arrived) in zip(remaining, arriving) {
      let stayed = stayed.compactMap(\.self)
      var rest = stayed[...]
      var threads: [ForumThread] = []
      for row in 0..<stayed.count + arrived.count {
        guard let thread = arrived[row] ?? rest.popFirst() else { return nil }
        threads.append(thread)
      }
      new.append(threads)
    }
    return new
  }

  /// Returns which places belong to a longest increasing subsequence (Fredman, 1975); places without a number do not.
  private static func longestRise(in numbers: [Int?]) -> [Bool] {
    /// The place at which the best subsequence of each length ends.
    var ends: [Int] = []
    /// The predecessor of each place in its best subsequence.
    var before = [Int?](repeating: nil, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      guard let number else { continue }
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if let end = numbers[ends[middle]], end < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var belongs = [Bool](repeating: false, count: numbers.count)
    var place = ends.last
    while let current = place {
      belongs[current] = true
      place = before[current]
    }
    return belongs
  }
}

/// A search for an order of overlapping calls that explains all their answers (Herlihy and Wing 1990).
///
/// A call takes effect at one moment between its beginning and its end. The search is that of Wing and Gong (1993),
/// which continues with any call that began before every other one ended. It is combined with Lowe's cache (2017) of
/// visited configurations: the set of completed calls, and the model after them.
struct Linearization<Model: Sendable & Hashable> {
  /// The result: an order with the model after it, or the calls that no order explains.
  enum Result {
    case found(Model)
    case none(calls: [Int], hint: String)
  }

  private struct Place: Hashable {
    let done: [Bool]
    let model: Model
  }

  private let entries: [HistoryEntry<Model>]
  private let calls: [Int]
  private var done: [Bool]
  private var tried: Set<Place> = []
  private var deepest = -1
  private var hint = ""

  /// Searches for an order of a history, starting from a model.
  ///
  /// If every call has a key, the calls of each key are searched separately: a history is linearizable if each part is.
  static func search(_ entries: [HistoryEntry<Model>], from model: Model) -> Result {
    var model = model
    for calls in parts(of: entries) {
      var search = Linearization(entries, calls)
      guard let end = search.order(from: model, 0) else { return .none(calls: calls, hint: search.hint) }
      model = end
    }
    return .found(model)
  }

  private static func parts(of entries: [HistoryEntry<Model>]) -> [[Int]] {
    var parts: [AnyHashable: [Int]] = [:]
    var keys: [AnyHashable] = []
    for (index, entry) in entries.enumerated() {
      guard let key = entry.key else { return [Array(entries.indices)] }
      if parts[AnyHashable(key)] == nil { keys.append(AnyHashable(key)) }
      parts[AnyHashable(key), default: []].append(index)
    }
    return keys.map { parts[$0] ?? [] }
  }

  private init(_ entries: [HistoryEntry<Model>], _ calls: [Int]) {
    self.entries = entries
    self.calls = calls
    done = Array(repeating: false, count: calls.count)
  }

  /// The model after an order of the remaining calls; `nil` if no order exists.
  private mutating func order(from model: Model, _ count: Int) -> Model? {
    // The search of a long history can take very long. After cancellation its result is unused.
    if Task.isCancelled { return nil }
    // A call without an answer may never take effect.
    if calls.indices.allSatisfy({ done[$0] || entries[calls[$0]].isUnanswered }) { return model }
    guard tried.insert(Place(done: done, model: model)).inserted else { return nil }
    let firstEnd =
      calls.indices.filter { !done[$0] && !entries[calls[$0]].isUnanswered }.map { entries[calls[$0]].end }
      .min() ?? .max
    for place in calls.indices where !done[place] && entries[calls[place]].begin < firstEnd {
      let entry = entries[calls[place]]
      var next = model
      if entry.isUnanswered {
        entry.answer.unanswered?(&next)
      } else if case .impossible(let expected) = entry.answer.step(&next) {
        note(entry, expected, count)
        continue
      }
      done[place] = true
      if let end = order(from: next, count + 1) { return end }
      done[place] = false
    }
    return nil
  }

  private mutating func note(_ entry: HistoryEntry<Model>, _ expected: String, _ count: Int) {
    guard count > deepest else { return }
    deepest = count
    let found = entry.answer.found()
    hint = """
      Look for a race. The longest order that fits has \(count); after it, \(entry.name):
      Expected: \(expected.near(found))
      Found: \(found.near(expected))
      """
  }
}

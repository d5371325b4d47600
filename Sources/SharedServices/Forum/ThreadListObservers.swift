/// Who observes the lists of a repository; a value that the repository keeps behind its lock.
///
/// An observer is only told that something may have changed, and reads its list itself when its reader asks for the
/// next change. So several changes become one for a reader that is slow, and none waits for it.
package struct ThreadListObservers: Sendable {
  /// What tells an observer to look again; told twice before it looks, it looks once.
  package typealias Signals = AsyncStream<Void>

  private var continuations: [Int: Signals.Continuation] = [:]
  private var lastID = 0

  /// Nobody.
  package init() {}

  /// How many there are.
  package var count: Int { continuations.count }

  /// Adds an observer.
  ///
  /// - Parameter remove: Takes the observer of an id away; called once, when its signals are not read any more.
  package mutating func add(removingWith remove: @escaping @Sendable (_ id: Int) -> Void) -> Signals {
    let (signals, continuation) = Signals.makeStream(bufferingPolicy: .bufferingNewest(1))
    lastID += 1
    continuations[lastID] = continuation
    continuation.onTermination = { [id = lastID] _ in remove(id) }
    return signals
  }

  /// Takes an observer away.
  package mutating func remove(_ id: Int) {
    continuations[id] = nil
  }

  /// Tells all that something may have changed.
  package func signal() {
    for continuation in continuations.values { continuation.yield() }
  }
}

extension ThreadListObservers.Signals {
  /// The changes of a list: at first the list itself, then a change whenever a signal comes and the list is another.
  ///
  /// - Parameters:
  ///   - first: The sections that the list has, read after these signals began.
  ///   - read: Reads the sections. What it throws ends the changes.
  package func changes(
    from first: [[ForumThread]],
    reading read: @escaping @Sendable () async throws(DataError) -> [[ForumThread]]
  ) -> AsyncThrowingStream<ThreadListChange, any Error> {
    let observation = ThreadListObservation(of: first, at: self, reading: read)
    return AsyncThrowingStream { try await observation.next() }
  }
}

/// One observer of one list.
private actor ThreadListObservation {
  /// `nil` once it is over, so that nobody signals it any more.
  private var signals: ThreadListObservers.Signals?
  private let read: @Sendable () async throws(DataError) -> [[ForumThread]]
  private var sections: [[ForumThread]]
  private var hasBegun = false

  init(
    of sections: [[ForumThread]], at signals: ThreadListObservers.Signals,
    reading read: @escaping @Sendable () async throws(DataError) -> [[ForumThread]]
  ) {
    self.sections = sections
    self.signals = signals
    self.read = read
  }

  func next() async throws(DataError) -> ThreadListChange? {
    if !hasBegun {
      hasBegun = true
      return ThreadListChange(sections: sections, rows: [])
    }
    while let signals {
      var iterator = signals.makeAsyncIterator()
      guard await iterator.next(isolation: self) != nil else { break }
      let new: [[ForumThread]]
      do throws(DataError) {
        new = try await read()
      } catch {
        self.signals = nil
        throw error
      }
      if new == sections { continue }
      defer { sections = new }
      return ThreadListChange(from: sections, to: new)
    }
    signals = nil
    return nil
  }
}

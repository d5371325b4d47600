/// The observers of a repository's lists; a value that the repository guards with its lock.
///
/// A signal only means that a list may have changed; the observer reads its list when its reader asks for the next
/// change. Several changes therefore become one for a slow reader, and no write waits for a reader.
package struct ThreadListObservers: Sendable {
  /// The signals to read the list again; several pending signals become one.
  package typealias Signals = AsyncStream<Void>

  private var continuations: [Int: Signals.Continuation] = [:]
  private var lastID = 0

  /// Creates an empty set of observers.
  package init() {}

  /// The number of observers.
  package var count: Int { continuations.count }

  /// Adds an observer.
  ///
  /// - Parameter remove: Removes the observer with an id; called once, when its signals are no longer read.
  package mutating func add(removingWith remove: @escaping @Sendable (_ id: Int) -> Void) -> Signals {
    let (signals, continuation) = Signals.makeStream(bufferingPolicy: .bufferingNewest(1))
    lastID += 1
    continuations[lastID] = continuation
    continuation.onTermination = { [id = lastID] _ in remove(id) }
    return signals
  }

  /// Removes an observer.
  package mutating func remove(_ id: Int) {
    continuations[id] = nil
  }

  /// Signals to all observers that a list may have changed.
  package func signal() {
    for continuation in continuations.values { continuation.yield() }
  }
}

extension ThreadListObservers.Signals {
  /// The changes of a list: first the list itself, then a change after each signal for which the list differs.
  ///
  /// - Parameters:
  ///   - first: The sections of the list, read after these signals began.
  ///   - read: Reads the sections. An error that it throws ends the changes.
  package func changes(
    from first: [[ForumThread]],
    reading read: @escaping @Sendable () async throws(DataError) -> [[ForumThread]]
  ) -> AsyncThrowingStream<ThreadListChange, any Error> {
    let observation = ThreadListObservation(of: first, at: self, reading: read)
    return AsyncThrowingStream { try await observation.next() }
  }
}

/// An observer of a list.
private actor ThreadListObservation {
  /// The signals; `nil` once the observation has ended, which removes the observer.
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
      guard await iterator.next() != nil else { break }
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

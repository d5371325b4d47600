import Observation

/// Every state that a subject showed, in order.
///
/// ```swift
/// let timeline = StateTimeline(of: viewModel) { Shown($0) }
/// await timeline.subject.save()
/// #expect(timeline.states == [.idle, .loading, .failed("No connection.")])
/// ```
///
/// There are two views. ``states`` is what a screen would have shown: the state each time the main actor became free
/// after a change, and the one now; equal neighbours are one. ``writes`` is every write, also a state between two
/// writes that nobody could see.
///
/// The main actor becomes free when a task on it suspends. Work that was queued on it before the change still comes
/// first, as it comes before the drawing of a screen. A subject that never suspends between two changes shows only
/// the later one.
///
/// A subject should change on the main actor. A write from elsewhere does not crash, but Observation announces a write
/// before it takes place, and nothing announces that it has. The timeline reads the state on the main actor once the
/// announcement has arrived there; a write that has not taken place by then is seen at the next write that is announced,
/// or when ``states`` or ``writes`` is read, which also ends each ``wait(until:)`` whose condition is then met. A test
/// of such a subject therefore awaits the writer, and then reads. Writes from elsewhere that follow each other at once
/// are seen as one.
@MainActor public final class StateTimeline<Subject, State: Equatable & Sendable> {
  /// What is watched.
  public let subject: Subject

  private let read: @MainActor (Subject) -> State
  private var shown: [State] = []
  private var written: [State] = []
  /// A write has begun whose outcome has not been read.
  private var isWriting = false
  /// A reading at the next free moment is on its way.
  private var isSettling = false
  /// Which tracking counts; an earlier one that fires late does not.
  private var generation = 0
  private let tracks: Bool
  private var waiters: [Waiter] = []
  #if canImport(Combine)
    /// Brings the states of a subject that publishes them, and ends with the timeline.
    var publication: Publication?
  #endif

  private struct Waiter {
    let isMet: (State) -> Bool
    let signal: Signal<State>
  }

  /// Watches an `@Observable` subject.
  ///
  /// - Parameters:
  ///   - subject: What is watched.
  ///   - state: The state as a value. Whatever observable properties it reads are watched.
  public init(of subject: Subject, _ state: @escaping @MainActor (Subject) -> State)
  where Subject: AnyObject {
    self.subject = subject
    read = state
    tracks = true
    let first = track()
    shown = [first]
    written = [first]
  }

  /// Watches a subject that says itself when its state changes, such as one with a Combine publisher.
  ///
  /// - Parameters:
  ///   - subject: What is watched.
  ///   - initial: The state now.
  ///   - observe: Arranges that each state is handed to its second argument, on the main actor. A state counts as
  ///     shown if it is still the latest when the main actor becomes free.
  public init(
    of subject: Subject, startingWith initial: State,
    observing observe: @MainActor (Subject, _ record: @escaping @MainActor (State) -> Void) -> Void
  ) {
    self.subject = subject
    tracks = false
    shown = [initial]
    written = [initial]
    let latest = Latest(initial)
    read = { _ in latest.state }
    observe(subject) { [weak self] state in
      latest.state = state
      self?.record(state)
    }
  }

  /// What a screen would have shown until now.
  public var states: [State] {
    settle()
    return shown
  }

  /// The state at first, and after each write until now; equal neighbours stay.
  ///
  /// Writes from elsewhere are included where their outcome was seen and differs from the state before.
  public var writes: [State] {
    settle()
    return written
  }

  /// Waits until a state is shown that meets a condition; returns at once if the current one does.
  ///
  /// The condition is evaluated after each change on the main actor, and whenever the state is read; see
  /// ``StateTimeline`` for a write from elsewhere.
  ///
  /// - Returns: That state.
  /// - Throws: `CancellationError` when the task is cancelled.
  @discardableResult public func wait(until isMet: @escaping @MainActor (State) -> Bool) async throws -> State
  {
    settle()
    if let last = shown.last, isMet(last) { return last }
    let signal = Signal<State>()
    waiters.append(Waiter(isMet: isMet, signal: signal))
    defer { waiters.removeAll { $0.signal === signal } }
    return try await signal.value()
  }

  /// Waits until a state is shown; returns at once if it is.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func wait(for state: State) async throws {
    try await wait { $0 == state }
  }

  // MARK: - Watching

  /// Reads the state and arranges to hear of the next write to anything that was read.
  private func track() -> State {
    generation += 1
    let generation = generation
    return withObservationTracking {
      read(subject)
    } onChange: { [weak self] in
      // Called before the write takes place, on the thread that writes.
      if MainQueue.isCurrent {
        MainActor.assumeIsolated { self?.willWrite(generation) }
      } else {
        Task { @MainActor in self?.hasWritten(generation) }
      }
    }
  }

  /// What is read now is the outcome of the write before this one.
  private func willWrite(_ firing: Int) {
    guard firing == generation else { return }
    let before = track()
    if isWriting { written.append(before) }
    isWriting = true
    settleSoon()
  }

  /// The write came from elsewhere: it may have taken place, and it may still be about to.
  private func hasWritten(_ firing: Int) {
    // A tracking fires once, so the next one is installed here unless another write has done so.
    take(firing == generation ? track() : read(subject))
  }

  private func record(_ state: State) {
    written.append(state)
    settleSoon()
  }

  /// The main actor runs its jobs in the order in which they are handed to it, so this one comes after the job that
  /// made the change, and before whatever that job waits for comes back.
  private func settleSoon() {
    if isSettling { return }
    isSettling = true
    Task { @MainActor [weak self] in
      guard let self else { return }
      isSettling = false
      settle()
    }
  }

  /// Takes down what can be seen now.
  private func settle() {
    // After a write tracked anew, because what is read may depend on what was written. Otherwise the tracking that
    // is there still counts, and each further one would stay until the next write.
    take(tracks && isWriting ? track() : read(subject))
  }

  private func take(_ seen: State) {
    var now = seen
    if isWriting {
      written.append(now)
      isWriting = false
    } else if let last = written.last, last != now {
      // Written from elsewhere, after the tracking began.
      if tracks { now = track() }
      written.append(now)
    }
    if shown.last != now {
      shown.append(now)
    }
    let met = waiters.filter { $0.isMet(now) }
    waiters.removeAll { waiter in met.contains { $0.signal === waiter.signal } }
    for waiter in met { waiter.signal.send(now) }
  }
}

/// The latest state that a subject reported.
@MainActor private final class Latest<State> {
  var state: State

  init(_ state: State) {
    self.state = state
  }
}

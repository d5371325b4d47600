import Observation

/// A recorder of every state that a subject showed, in order.
///
/// ```swift
/// let timeline = StateTimeline(of: viewModel) { Shown($0) }
/// await timeline.subject.save()
/// #expect(timeline.states == [.idle, .loading, .failed("No connection.")])
/// ```
///
/// There are two views. ``states`` is what a screen would have shown: the state each time the main actor became free
/// after a change, and the current one; equal neighbours are merged. ``writes`` is every write, including a state
/// between two writes that a screen would not have shown.
///
/// The main actor becomes free when a task on it suspends. Work that was enqueued on it before the change runs first,
/// as it does before a screen is drawn. A subject that does not suspend between two changes shows only the later one.
///
/// A subject should change on the main actor. A write from another thread does not crash, but Observation announces a
/// write before it takes place, and does not announce its completion. The timeline reads the state on the main actor
/// once the announcement has arrived there. A write that is not complete by then is recorded at the next announced
/// write, or when ``states`` or ``writes`` is read. Reading them also ends each ``wait(until:)`` whose condition is
/// then met. A test of such a subject therefore awaits the writer, and then reads. Writes from another thread in quick
/// succession are recorded as one.
@MainActor public final class StateTimeline<Subject, State: Equatable & Sendable> {
  /// The observed subject.
  public let subject: Subject

  private let read: @MainActor (Subject) -> State
  private var shown: [State] = []
  private var written: [State] = []
  /// Whether a write has begun whose result has not been read.
  private var isWriting = false
  /// Whether a reading at the next free moment of the main actor is scheduled.
  private var isSettling = false
  /// The current tracking; an earlier one that fires late is ignored.
  private var generation = 0
  private let tracks: Bool
  /// Whether something that was read has been written since.
  let hasObservedWrite = Locked(false)
  /// Whether the state between two writes of the same job is read.
  private let keepsWrites: Bool
  private var waiters: [Waiter] = []
  private var note: @MainActor (State) -> Void = { _ in }
  #if canImport(Combine)
    /// The subscription to a subject that publishes its states; it ends with the timeline.
    var publication: Publication?
  #endif

  private struct Waiter {
    let isMet: (State) -> Bool
    let signal: Signal<State>
    /// The state shown last, for the message about a wait that stalls.
    let latest: Locked<State>
    /// A state that met the condition, but was overwritten before a screen could show it.
    var missed: State?
  }

  /// Creates a timeline of an `@Observable` subject.
  ///
  /// - Parameters:
  ///   - subject: The subject to observe.
  ///   - state: The state as a value. All observable properties that it reads are tracked.
  public convenience init(of subject: Subject, _ state: @escaping @MainActor (Subject) -> State)
  where Subject: AnyObject {
    self.init(of: subject, keepingWrites: true, state)
  }

  /// Creates a timeline of an `@Observable` subject.
  ///
  /// - Parameter keepsWrites: Whether ``writes`` is complete. Without it, a state is read once for all writes before the
  ///   main actor becomes free, which saves most of the time of a timeline whose ``states`` alone are wanted.
  package init(
    of subject: Subject, keepingWrites keepsWrites: Bool, _ state: @escaping @MainActor (Subject) -> State
  )
  where Subject: AnyObject {
    self.subject = subject
    read = state
    tracks = true
    self.keepsWrites = keepsWrites
    let first = track()
    shown = [first]
    written = [first]
  }

  /// Creates a timeline of a subject that reports its own state changes, such as one with a Combine publisher.
  ///
  /// - Parameters:
  ///   - subject: The subject to observe.
  ///   - initial: The current state.
  ///   - observe: Arranges that its second argument is called with each state, on the main actor. A state counts as
  ///     shown if it is still the latest when the main actor becomes free.
  public init(
    of subject: Subject, startingWith initial: State,
    observing observe: @MainActor (Subject, _ record: @escaping @MainActor (State) -> Void) -> Void
  ) {
    self.subject = subject
    tracks = false
    keepsWrites = true
    shown = [initial]
    written = [initial]
    let latest = Latest(initial)
    read = { _ in latest.state }
    observe(subject) { [weak self] state in
      latest.state = state
      self?.record(state)
    }
  }

  /// The states that a screen would have shown so far.
  public var states: [State] {
    settle()
    return shown
  }

  /// The initial state and the state after each write so far; equal neighbours are kept.
  ///
  /// Writes from another thread are included if their result was read and differs from the state before.
  public var writes: [State] {
    settle()
    return written
  }

  /// Waits until a state that meets a condition is shown; returns at once if the current one does.
  ///
  /// The condition is evaluated after each change on the main actor, and whenever the state is read; see
  /// ``StateTimeline`` for writes from another thread.
  ///
  /// - Returns: The state.
  /// - Throws: `CancellationError` when the task is cancelled; ``UnderstudyError`` with `.stalled` and the state shown
  ///   last when no task of the process has run for 30 s. If the subject had written a state that meets the condition
  ///   and overwritten it before the main actor became free, the error has `.stateNotShown`, and the other as its
  ///   cause.
  @discardableResult public func wait(until isMet: @escaping @MainActor (State) -> Bool) async throws -> State
  {
    try await wait(for: "a state that meets the condition", until: isMet)
  }

  /// Waits until a state is shown; returns at once if it is the current one.
  ///
  /// - Throws: As ``wait(until:)``.
  public func wait(for state: State) async throws {
    try await wait(for: "the state \(state)") { $0 == state }
  }

  @discardableResult private func wait(
    for expected: String, until isMet: @escaping @MainActor (State) -> Bool
  ) async throws -> State {
    settle()
    guard let last = shown.last, !isMet(last) else { return shown[shown.count - 1] }
    let waiter = Waiter(isMet: isMet, signal: Signal(), latest: Locked(last))
    waiters.append(waiter)
    defer { waiters.removeAll { $0.signal === waiter.signal } }
    do {
      return try await waiter.signal.value(waitingFor: expected) { [latest = waiter.latest] in
        "the last state shown is \(latest.withLock(\.self))"
      }
    } catch {
      guard let missed = waiters.first(where: { $0.signal === waiter.signal })?.missed else { throw error }
      throw UnderstudyError(
        .stateNotShown,
        """
        The state that was waited for was never shown: \(missed)
        It was written, and overwritten before the main actor became free, so no screen would have shown it.
        Shown: \(shown.map { "\($0)" }.joined(separator: " → "))
        Hold the call that follows it with a Gate, or look for the state in `writes`.
        """, cause: error)
    }
  }

  /// Calls a closure with each state that has been recorded as shown, and with each later one when it is recorded.
  func noteShown(_ note: @escaping @MainActor (State) -> Void) {
    shown.forEach(note)
    self.note = note
  }

  /// Whether a change is known that is recorded when the main actor becomes free.
  var isAboutToShow: Bool { isSettling }

  // MARK: - Observation

  /// Reads the state, and tracks the next write to any property that was read.
  private func track() -> State {
    generation += 1
    let generation = generation
    return ObservedValue.read {
      read(subject)
    } onChange: { [weak self, hasObservedWrite] in
      // Called before the write takes place, on the thread that writes.
      hasObservedWrite.withLock { $0 = true }
      if MainQueue.isCurrent {
        MainActor.assumeIsolated { self?.willWrite(generation) }
      } else {
        Task { @MainActor in self?.hasWritten(generation) }
      }
    }
  }

  /// The current state is the result of the write before this one.
  private func willWrite(_ firing: Int) {
    guard firing == generation else { return }
    if keepsWrites {
      let before = track()
      if isWriting {
        written.append(before)
        noteOverwritten(before)
      }
    }
    isWriting = true
    settleSoon()
  }

  /// Handles a write from another thread, which may or may not be complete.
  private func hasWritten(_ firing: Int) {
    // A tracking fires once, so a new one is installed here unless another write has already done so.
    take(firing == generation ? track() : read(subject))
  }

  private func record(_ state: State) {
    if isSettling, let before = written.last { noteOverwritten(before) }
    written.append(state)
    settleSoon()
  }

  /// Notes a state that no screen shows, for the waits that it would have ended.
  private func noteOverwritten(_ state: State) {
    for place in waiters.indices where waiters[place].isMet(state) { waiters[place].missed = state }
  }

  /// Schedules a reading at the next free moment of the main actor.
  ///
  /// The main actor runs its jobs in the order in which they are enqueued. This job therefore runs after the job that
  /// made the change, and before anything that job waits for resumes.
  private func settleSoon() {
    if isSettling { return }
    isSettling = true
    Task { @MainActor [weak self] in
      guard let self else { return }
      isSettling = false
      settle()
    }
  }

  /// Reads the state at the next free moment, after a change of what is read, which may depend on other properties.
  func readAgain() {
    isWriting = true
    settleSoon()
  }

  /// Records the state that is shown now.
  private func settle() {
    // After a write the state is tracked again, because the properties that it reads may depend on the write. Otherwise
    // the existing tracking remains valid, and each further one would stay until the next write.
    take(tracks && isWriting ? track() : read(subject))
  }

  private func take(_ seen: State) {
    var now = seen
    if isWriting {
      written.append(now)
      isWriting = false
    } else if let last = written.last, last != now {
      // Written from another thread after the tracking began.
      if tracks { now = track() }
      written.append(now)
    }
    if shown.last != now {
      shown.append(now)
      note(now)
      for waiter in waiters { waiter.latest.withLock { $0 = now } }
    }
    let met = waiters.filter { $0.isMet(now) }
    waiters.removeAll { waiter in met.contains { $0.signal === waiter.signal } }
    for waiter in met { waiter.signal.send(now) }
  }
}

/// A value that depends on observable properties.
enum ObservedValue {
  /// Reads a value, and calls a closure at the next write to an observable property that was read.
  ///
  /// Nothing is observable before macOS 14 and iOS 17.
  static func read<Value>(_ value: () -> Value, onChange: @escaping @Sendable () -> Void) -> Value {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return value() }
    return withObservationTracking(value, onChange: onChange)
  }
}

/// The latest state that a subject reported.
@MainActor private final class Latest<State> {
  var state: State

  init(_ state: State) {
    self.state = state
  }
}

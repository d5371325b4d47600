public import Dispatch
public import Observation

/// One run of a ``Scenario``, under one schedule of faults and interruptions.
@MainActor public final class ScenarioRun {
  /// The seed of all randomness, the same in every run of a sweep.
  public nonisolated let seed: UInt64
  /// The time to inject, on a clock that advances by itself: waits take no real time.
  ///
  /// A sleep of an action, or of a task that it started, ends when nothing else in the run can make progress: answers
  /// arrive first, unless a schedule makes one late. A sweep starts the interruptions before each of them. Once nothing
  /// but sleeps is left of an action, the run goes on after those of a minute, so that polling does not keep it. They
  /// continue with the next action.
  ///
  /// Other sleeps end at once: those within a call of a base, or outside of actions. A sleep with a tolerance ends when
  /// others have advanced the time.
  public nonisolated let time: Time
  /// The faults and the interruptions, and their calls.
  package nonisolated var schedule: FaultSchedule { record.schedule }

  nonisolated let record: RunRecord
  private(set) var violations: [InvariantViolation] = []
  private(set) var invariants: Set<String> = []
  /// The invariants of every state of screens that did not change in the run, and that nothing else checked.
  private(set) var unusedInvariants: Set<String> = []
  /// Whether an invariant was checked after the first fault of the schedule had made its call fail, other than by a
  /// cancellation, of which a screen shows nothing.
  private(set) var hasCheckedFailure = false
  /// Whether the scenario has returned in a run without a fault, so that a later expectation is a mistake.
  ///
  /// With a fault, a scenario may return before its tasks end.
  var hasEnded = false
  let recorder: ScreenRecorder
  /// The present states of the watched screens.
  private var screens: [@MainActor () -> String] = []
  private var declared: [(name: String, action: @MainActor () async -> Void)] = []
  /// The number of actions so far.
  private var actions = 0
  /// Whether the watched states of a subject have changed.
  private var watched: [(subject: ObjectIdentifier, hasChanged: Locked<Bool>)] = []
  /// The checks of every state that a screen has shown so far, which return whether it has changed.
  private var stateChecks: [(invariant: String, check: @MainActor () -> Bool)] = []
  /// The invariants of every state, by the subject of the states.
  private var stateInvariants: [ObjectIdentifier: AnyObject] = [:]

  nonisolated init(_ schedule: FaultSchedule, seed: UInt64, open: OpenActions, known: KnownStates) {
    self.seed = seed
    record = RunRecord(schedule, seed: seed, open: open)
    time = TestClock(of: record).time
    recorder = ScreenRecorder(of: record, known: known)
  }

  /// Whether a fault of the run changes the events of a stream without an error: one arrives twice, after the next one,
  /// or, while the stream stays open, only once another one arrives.
  ///
  /// A screen cannot notice it, so check what it shows of a stream only without it.
  public nonisolated var altersEvents: Bool {
    schedule.entries.contains { entry in
      guard case .stream(let effect)? = entry.fault?.effect else { return false }
      return effect.symptom == .altered || effect == .unterminated
    }
  }

  /// Wraps a base whose calls become points of the sweep: they are recorded, and receive the faults of the schedule.
  ///
  /// A call of a cancelled task fails with ``Fault/cancelled`` before it reaches the base, as that of a network client
  /// does. One that is cancelled at its answer, or restarted, returns it.
  ///
  /// - Parameters:
  ///   - base: A service.
  ///   - name: The name of the base in points, unique in the scenario.
  ///   - queue: The queue on which completion handlers are called and publishers send; see
  ///     ``Interceptor/callbacks(on:)`` (default: the main queue, if the call is made there).
  public func intercepted<Base: Sendable>(
    _ base: Base, as name: String, callbacks queue: DispatchQueue? = nil
  ) -> Intercepted<Base> {
    intercepted(base, as: name, at: .service, callbacks: queue)
  }

  /// Wraps a base at any injection point.
  package func intercepted<Base: Sendable>(
    _ base: Base, as name: String, at injectionPoint: InjectionPoint, callbacks queue: DispatchQueue? = nil
  ) -> Intercepted<Base> {
    let scheduled = Interceptor<Base>(core: .scheduled(ScheduledBase(name, at: injectionPoint, in: record)))
    return Intercepted(base, by: [scheduled] + (queue.map { [.callbacks(on: $0)] } ?? []), time: time)
  }

  /// Records the states of a subject for the report.
  ///
  /// Of a subject that is not `@Observable`, only the first and the last state are recorded.
  ///
  /// - Parameters:
  ///   - subject: The subject to observe.
  ///   - state: The state as a value, whose description appears in the report. The map of the screen shows a message
  ///     apart: a member that is called `message`, or as a failure, such as `loadError`; in a description a sentence. It
  ///     groups states by what is under way: the text before `: ` in a description, such as `loading: [Milk]`, or else
  ///     an enum's case, and each Boolean that is true.
  /// - Returns: A closure that returns the states shown so far, as ``StateTimeline/states`` does.
  @discardableResult public func watch<Subject: AnyObject, State: Equatable & Sendable>(
    _ subject: Subject, _ state: @escaping @MainActor (Subject) -> State
  ) -> @MainActor () -> [State] {
    let timeline = StateTimeline(of: subject, keepingWrites: false, state)
    watched.append((ObjectIdentifier(subject), timeline.hasObservedWrite))
    recorder.record(timeline)
    screens.append { "\(state(subject))" }
    return { timeline.states }
  }

  /// Checks an invariant.
  ///
  /// - Parameters:
  ///   - invariant: Its name, such as `loading.ends`; use the same name for the same expectation.
  ///   - holds: Whether the invariant holds.
  ///   - message: The actual state. Only the first violation of an invariant is reported, with the line of its check
  ///     and the call before it.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  public func expect(
    _ invariant: String, _ holds: Bool, _ message: @autoclosure () -> String, fileID: String = #fileID,
    line: Int = #line
  ) {
    if hasEnded { return TestIssue.noteLateExpectation(invariant, of: "run", fileID, line) }
    expect(invariant, holds, message(), at: "\(fileID):\(line), \(record.step)")
  }

  private func expect(
    _ invariant: String, _ holds: Bool, _ message: @autoclosure () -> String,
    at place: @autoclosure () -> String, shown: ScreenPlace? = nil
  ) {
    invariants.insert(invariant)
    if !hasCheckedFailure { hasCheckedFailure = record.hasFailedVisibly }
    if holds || violations.contains(where: { $0.invariant == invariant }) { return }
    violations.append(
      InvariantViolation(
        invariant: invariant, message: "\(message()) (\(place()))", place: shown ?? recorder.place()))
  }

  /// Checks an invariant of every state that a screen shows.
  ///
  /// The states are those of a ``StateTimeline`` of the subject. The first one that breaks the invariant is reported at
  /// the end of the run. A sweep fails if the subject changed in none of its runs: then it is not the one that the
  /// scenario uses.
  ///
  /// - Parameters:
  ///   - invariant: Its name, such as `nothing.of.others`.
  ///   - subject: The subject to observe.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - violation: What is wrong with the state; `nil` if the invariant holds.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  public func always<Subject: AnyObject & Observable>(
    _ invariant: String, _ subject: Subject, fileID: String = #fileID, line: Int = #line,
    _ violation: @escaping @MainActor (Subject) -> String?
  ) {
    let invariants = invariants(of: subject)
    let index = invariants.add(violation)
    let identity = ObjectIdentifier(subject)
    stateChecks.append(
      (
        invariant,
        { [weak self] in
          let broken = invariants.states.lazy.compactMap { $0[index] }.first
          self?.expect(
            invariant, broken == nil, broken?.message ?? "", at: "\(fileID):\(line), \(broken?.step ?? "")",
            shown: broken?.place)
          let isWatched = self?.watched.contains { $0.subject == identity && $0.hasChanged.withLock(\.self) }
          return isWatched == true || invariants.hasChanged
        }
      ))
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  private func invariants<Subject: AnyObject & Observable>(of subject: Subject) -> StateInvariants<Subject> {
    if let known = stateInvariants[ObjectIdentifier(subject)] as? StateInvariants<Subject> { return known }
    let new = StateInvariants(of: subject, in: record, recorder)
    stateInvariants[ObjectIdentifier(subject)] = new
    return new
  }

  /// Checks every state that a screen has shown.
  func noteBrokenStates() {
    var used = invariants
    for (invariant, check) in stateChecks {
      if check() { used.insert(invariant) } else { unusedInvariants.insert(invariant) }
    }
    unusedInvariants.subtract(used)
  }

  /// Releases what the scenario has made, which may refer to the run.
  func release() {
    (screens, watched, stateChecks, stateInvariants, declared) = ([], [], [], [:], [])
    recorder.release()
    record.release()
  }

  // MARK: - Actions

  /// Runs an action of the user in a task of its own, as a button or the `task` modifier of a view does.
  ///
  /// A sweep cancels the task (`cancel`), or cancels it and starts the action again at once (`restart`), during every
  /// call that the action makes.
  ///
  /// The run goes on when the action and the tasks that it started have ended, or follow a stream. A detached task is not
  /// known: await it in the action. A task that waits for something outside of the run, such as a notification, is left
  /// as soon as the process is idle; a violation then names the action.
  ///
  /// The action must end. A screen that follows a stream without an end does so in another task, which the action starts;
  /// `cancel` does not reach that one, so declare leaving the screen as an interruption.
  ///
  /// - Parameters:
  ///   - name: What the user does, for the map of the screen, such as `rename` (default: the number of the action).
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - action: The action.
  /// - Returns: The calls of the action that failed, or whose streams failed, once everything that was in progress has
  ///   ended or waits for events. They do not include failures of interruptions, nor those of a stream that an earlier
  ///   action opened. ``failures(during:)`` around the call returns all, which is what a screen's message depends on if
  ///   the interruptions are of the same screen.
  @discardableResult public func act(
    named name: String? = nil, fileID: String = #fileID, line: Int = #line,
    _ action: @escaping @MainActor () async -> Void
  ) async -> [FailedCall] {
    let tasks = ActionTasks("", "the action at \(fileID):\(line)", in: record, action)
    actions += 1
    record.note(ScreenMap.Cause(.action, name ?? "action \(actions)"))
    record.setActing(tasks)
    tasks.start()
    await record.notedChange { tasks.hasEnded }
    await record.settle()
    record.setActing(nil)
    return record.failures.filter { $0.action == ObjectIdentifier(tasks) }
  }

  /// Declares an action that may interrupt others: of the same screen, of another one, or of another device.
  ///
  /// A sweep starts it before and after every call of the scenario and before every event of a stream, and finishes it
  /// before the call continues, or, if it waits for the call, or a call of its own is late, after that. Declare
  /// interruptions before the first call. A second tap on a button is one too.
  ///
  /// An interruption must reach the screen. A sweep reports those that, in no run, made a call, changed a watched state
  /// (``watch(_:_:)``) or changed another call: a screen refuses them, or they do not reach it.
  ///
  /// ```swift
  /// run.interruption("sign-out") { await auth.signOut() }
  /// ```
  ///
  /// - Parameters:
  ///   - name: A name of its own without white space and `@`, such as `sign-out`. `cancel` and `restart` are built in. A
  ///     sweep with another name fails after its first run.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - action: The action, which runs in a task of its own. It must end: what goes on, such as a visit to a screen,
  ///     belongs into another task.
  public func interruption(
    _ name: String, fileID: String = #fileID, line: Int = #line,
    _ action: @escaping @MainActor () async -> Void
  ) {
    if let call = record.points.first {
      return expect(
        Scenario.misnamed, false,
        """
        "\(name)" is declared after \(call.point), so it cannot interrupt that: declare interruptions before the first \
        call
        """, fileID: fileID, line: line)
    }
    let isFree =
      ![Self.cancelling, Self.restarting].contains(name) && !declared.contains { $0.name == name }
    guard isFree, !name.isEmpty, !name.contains(where: { $0.isWhitespace || $0 == "@" }) else {
      return expect(
        Scenario.misnamed, false,
        """
        An interruption cannot be called "\(name)": \
        \(isFree ? "a name has at least one character, no white space and no @, such as \"sign-out\"" : "the name is taken")
        """, fileID: fileID, line: line)
    }
    if declared.isEmpty {
      let make: @MainActor @Sendable (String) -> ActionTasks? = { [weak self] in self?.makeInterruption($0) }
      record.makeInterruption.withLock { $0 = make }
    }
    declared.append((name, action))
  }

  /// The names of the interruptions that have been started in this run, in order.
  public var interruptions: [String] { record.interruptions }

  private func makeInterruption(_ name: String) -> ActionTasks? {
    declared.first { $0.name == name }.map { interruption in
      ActionTasks(name, "the interruption \"\(name)\"", in: record) { [weak self] in
        let before = self?.screens.map { $0() }
        await interruption.action()
        if before != self?.screens.map({ $0() }) { self?.record.noteChange(by: name) }
      }
    }
  }

  /// The interruptions of the scenario, and what became of them in the run.
  var declaredInterruptions: [ScenarioOutcome.Interruption] {
    let (started, effective) = (Set(record.interruptions), record.effective)
    return declared.map {
      ScenarioOutcome.Interruption(
        name: $0.name, wasStarted: started.contains($0.name),
        hadEffect: effective.contains($0.name))
    }
  }

  /// The interruption that cancels the task of an action.
  nonisolated static let cancelling = "cancel"
  /// The interruption that cancels the task of an action and starts the action again at once.
  nonisolated static let restarting = "restart"

  /// The calls that have failed so far, in the order of their failures, with a fault or without.
  package var failures: [FailedCall] { record.failures }

  /// Runs a closure, and returns the calls that failed during it, or whose streams failed.
  public func failures<Failure: Error>(
    during body: () async throws(Failure) -> Void
  ) async throws(Failure) -> [FailedCall] {
    let before = record.failures.count
    try await body()
    return Array(record.failures.dropFirst(before))
  }

  /// Runs a closure during which calls are ignored: they are not points, and receive no fault.
  ///
  /// The closure begins once everything that was in progress has ended or waits for events. Only calls that begin in it
  /// are ignored: a stream that was opened before keeps its fault, and one that is opened in it is not a reader for
  /// ``waitForReader(orUntil:)``.
  ///
  /// An example is the reload after which a screen must show the content of the store, whatever failed before. Compare
  /// before it, too: it hides a change that the screen shows although its call failed.
  public func withoutFaults<Failure: Error>(
    _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    await record.settle()
    record.pause()
    defer { record.resume() }
    try await body()
  }

  /// Waits until a condition is met.
  ///
  /// The condition is evaluated at once, and again whenever
  /// - an observable property that it has read changes on the main actor,
  /// - a call of an ``intercepted(_:as:callbacks:)`` base begins or ends,
  /// - a reader of such a base's stream receives an event or waits for the next one, or
  /// - a nonisolated job of the run begins or ends.
  ///
  /// Other changes must be awaited separately, such as the value of a task. A run in which the condition is never met
  /// is `Scenario.stuck`.
  ///
  /// - Parameter isMet: The condition.
  /// - Returns: Whether it is met; `false` when the run is cancelled.
  @discardableResult public func wait(until isMet: () -> Bool) async -> Bool {
    while true {
      let changes = record.changes
      let isMet = ObservedValue.read(isMet) { [record] in record.noteChange() }
      if isMet || Task.isCancelled { return isMet }
      await record.change(after: changes)
      // Observation announces a property before it is written, and the caller of an ended call continues after it.
      await MainTaskExecutor.runReadyJobs()
    }
  }

  /// Waits until no call and no interruption is in progress, and either a stream reader waits for an event that has not
  /// been sent, or a condition is met.
  ///
  /// All events that were sent before have then been received, independent of the machine's load. This is exact for the
  /// calls and streams of ``intercepted(_:as:callbacks:)`` bases and for structured tasks of the run. A task that an event started
  /// with `Task {}` is awaited while a reader waits. A base that forwards events in a task of its own is not covered.
  ///
  /// - Parameter isMet: A condition that is met if no reader will wait, such as a screen that shows a failure;
  ///   evaluated as by ``wait(until:)``.
  public func waitForReader(orUntil isMet: () -> Bool) async {
    await record.settle(after: .quiet, stopsTimers: true) {
      let quietness = record.quietness
      guard quietness != .later, record.interruptionsHaveEnded else { return .later }
      let noReaderWillWait = ObservedValue.read(isMet) { [record] in record.noteChange() }
      return record.hasWaitingReader || noReaderWillWait ? quietness : .later
    }
  }

  /// Runs `body`, then waits until every task that it started has ended, except detached tasks, and every interruption of
  /// them.
  ///
  /// A screen that begins to load in its initializer is created in it.
  ///
  /// ```swift
  /// let model = await run.awaitingTasks { TodoViewModel(service: run.intercepted(store, as: "todos")) }
  /// ```
  @discardableResult public func awaitingTasks<Result, Failure: Error>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let result = try await BegunTasks.wait(for: body)
    // An interruption of one of the tasks may go on after it. An interruption itself would wait for its own end.
    if ActionTasks.current == nil { await record.settle() }
    return result
  }

  /// Runs `body` while streams deliver nothing, then delivers the held events one after another.
  ///
  /// Each event is delivered when no call is in progress and every stream reader waits. This fixes the order of the
  /// calls of a screen that also reacts to events. See ``waitForReader(orUntil:)`` for the limits.
  public func holdingEvents<Failure: Error>(
    _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    record.holdEvents(true)
    do throws(Failure) {
      try await body()
    } catch {
      await deliverEvents()
      throw error
    }
    await deliverEvents()
  }

  private func deliverEvents() async {
    repeat {
      await record.settle(after: .quiet, stopsTimers: true) { record.quietness }
    } while record.deliverEvent()
    record.holdEvents(false)
  }
}

/// A violation of an invariant in a run.
package struct InvariantViolation: Sendable, Hashable, CustomStringConvertible {
  /// The name of the invariant.
  package let invariant: String
  /// The actual state.
  package let message: String
  /// The state of a screen that was shown; `nil` for the last one.
  var place: ScreenPlace?

  /// The name and the message.
  package var description: String { "\(invariant): \(message)" }
}

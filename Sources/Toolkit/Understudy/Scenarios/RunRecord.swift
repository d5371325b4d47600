import Dispatch
import UnderstudyText

/// The record of one run, independent of the executor.
final class RunRecord: Sendable {
  private struct State: Sendable {
    var points: [SeenPoint] = []
    /// What has happened so far, for the map of the screens.
    var events: [ScreenMap.Cause] = []
    var places: [FaultPoint: Int] = [:]
    var calls: [String: Int] = [:]
    /// The operations that no fault can reach.
    var unfailing: Set<String> = []
    var failures: [FailedCall] = []
    /// What became of the faults that were injected.
    var progress: [FaultPoint: FaultProgress] = [:]
    /// The failed calls whose base was called although their faults occur before that.
    var worked: Set<FaultPoint> = []
    /// The actions that make the calls, where there is one.
    var actions: [FaultPoint: ActionTasks] = [:]
    /// The actions and interruptions that were started.
    var begun: [ActionTasks] = []
    /// The action of the user that goes on.
    var acting: ActionTasks?
    /// The names of the interruptions that were started, in order.
    var interruptions: [String] = []
    /// The actions of these interruptions.
    var started: [ActionTasks] = []
    /// The interruptions and late answers that have occurred.
    var occurred: Set<FaultSchedule.Entry> = []
    /// The names of those that have changed a watched state.
    var visible: Set<String> = []
    /// Why an interruption could not be started.
    var obstacles: [FaultSchedule.Entry: String] = [:]
    /// The calls that are held during an interruption, the latest last.
    var interrupted: [FaultSchedule.Entry] = []
    /// The interruptions for which these calls wait, where time may pass for them.
    var interrupters: [FaultSchedule.Entry: ActionTasks] = [:]
    /// The calls whose answers are held until nothing else can make progress, in order.
    var late: [FaultSchedule.Entry] = []
    /// The number of closures in progress during which calls are ignored.
    var pauses = 0
    /// The number of calls that are busy.
    var busyCalls = 0
    /// The number of stream readers that are busy.
    var busyReaders = 0
    /// The tasks of the calls that have not returned.
    var callers: [FaultPoint: TaskIdentity] = [:]
    /// The tasks of the busy readers.
    var readers: [ObjectIdentifier: TaskIdentity] = [:]
    /// The stream readers that wait for an event that has not been sent, with the actions whose tasks they are in.
    var waiting: [ObjectIdentifier: ActionTasks?] = [:]
    /// The tasks of actions that sleep on the run's clock, in the order in which they began.
    var timers: [Timer] = []
    /// The number of timers so far.
    var timerCount = 0
    /// How long timers have taken since the latest action or interruption began.
    var timerTime = Duration.zero
    /// The number of timers until then.
    var earlierTimers = 0
    /// Which task began the first timer that was one too many, in words.
    var endless: String?
    /// The number of waits for the end of everything that is in progress.
    var settling = 0
    /// Whether the run is over.
    var isReleased = false
    /// The number of jobs of the run's executor that have not run yet.
    var jobs = 0
    /// The number of changes so far.
    var changes = Changes()
    /// The waits for a change.
    var waits: [Wait] = []
    /// Whether events are held until `deliverEvent()` is called.
    var holdsEvents = false
    /// The readers of held events, in the order of the events.
    var held: [CheckedContinuation<Void, Never>] = []
    var generator: SeededGenerator
    let sleepers: Sleepers

    /// Whether the tasks of an action have ended, or follow a stream.
    func hasSettled(_ action: ActionTasks) -> Bool {
      action.haveAllEnded || waiting.values.contains { $0 === action }
        || timers.contains { $0.action === action && !isDue($0) }
    }

    /// Whether a task of an action sleeps.
    func sleeps(_ action: ActionTasks) -> Bool {
      timers.contains { $0.action === action && $0.continuation != nil }
    }

    /// Whether a timer has fired, or begins, and its task has not continued.
    var hasBusyTimer: Bool { timers.contains { $0.continuation == nil } }

    /// Whether an interruption before a timer goes on, during which no time passes.
    var isBeforeTimer: Bool { interrupted.contains { $0.point.operation == RunRecord.timerOperation } }

    /// Whether time may pass: no call is held by an interruption, or the one that continues next waits for an
    /// interruption that sleeps.
    var mayTimePass: Bool {
      guard let entry = interrupted.last else { return true }
      guard let action = interrupters[entry] else { return false }
      return timers.contains { $0.action === action && $0.continuation != nil && isDue($0) }
    }

    /// Whether a timer fires as soon as everything else is done, or has fired.
    func isDue(_ timer: Timer) -> Bool {
      timer.continuation == nil || timerTime + (timer.deadline - sleepers.now) <= RunRecord.timeAfterAction
    }

    /// Whether a timer is due; a quick answer for the many runs without one.
    var hasDueTimer: Bool { !timers.isEmpty && timers.contains { isDue($0) } }

    var isQuiet: Bool {
      busyCalls == 0 && busyReaders == 0 && jobs == 0 && interrupted.isEmpty && late.isEmpty
        && !hasDueTimer
    }

    func isMet(_ condition: ChangeCondition) -> Bool {
      switch condition {
      case .any: true
      case .noted: false
      case .withoutCalls: busyCalls == 0 && jobs == 0
      case .quiet: isQuiet
      }
    }

    /// Lets timers go on for another while.
    mutating func restartTimers() { (timerTime, earlierTimers) = (.zero, timerCount) }

    /// Takes what a timer waits with, if it still sleeps.
    mutating func wake(_ timer: Int) -> CheckedContinuation<Void, any Error>? {
      guard let place = timers.firstIndex(where: { $0.number == timer }) else { return nil }
      defer { timers[place].continuation = nil }
      return timers[place].continuation
    }

    /// Adds the next point of an operation.
    ///
    /// - Parameter interaction: The kind of its call; `nil` for a timer.
    mutating func addPoint(
      _ operation: String, _ interaction: Fault.Interaction?, _ form: CallForm = .asynchronous,
      at injectionPoint: InjectionPoint
    ) -> FaultPoint {
      let call = calls[operation, default: 0] + 1
      calls[operation] = call
      let point = FaultPoint(operation, call: call)
      places[point] = points.count
      var seen = SeenPoint(point: point, interaction: interaction, injectionPoint: injectionPoint, form: form)
      // A completion handler may go on in a job of the main queue, which is in no task.
      if let action = ActionTasks.current ?? (TaskIdentity.isInTask ? nil : acting) {
        (seen.action, seen.isRestarted) = (action.name, ActionTasks.isRestarted)
        actions[point] = action
      }
      points.append(seen)
      return point
    }

    /// Removes the waits that a change ends.
    mutating func takeEndedWaits(isNoted: Bool) -> [Wait] {
      if waits.isEmpty { return [] }
      let all = waits
      waits = isNoted ? [] : all.filter { !isMet($0.condition) }
      return isNoted ? all : all.filter { isMet($0.condition) }
    }
  }

  /// The changes so far.
  struct Changes: Equatable, Sendable {
    /// All of them: begun or ended calls, readers and jobs of the run, and noted ones.
    var all = 0
    /// Those that were noted, such as the end of an action.
    var noted = 0
  }

  /// The changes that end a wait, apart from noted ones, which end every wait.
  ///
  /// A wait is woken on the main queue, mostly from another thread, which takes longer than most calls of a double.
  enum ChangeCondition: Sendable {
    case any
    case noted
    /// One after which no call is busy and no job is ready.
    case withoutCalls
    /// One after which the run is quiet.
    case quiet
  }

  /// A task of an action that sleeps on the run's clock.
  private struct Timer: Sendable {
    let number: Int
    /// Its point; `nil` if calls are ignored.
    let point: FaultPoint?
    /// The time of the run at which it ends.
    let deadline: Duration
    let action: ActionTasks
    /// The number of busy readers in the task.
    let readers: Int
    /// `nil` once it has been resumed, until the task continues.
    var continuation: CheckedContinuation<Void, any Error>?
  }

  private struct Wait: Sendable {
    let condition: ChangeCondition
    let continuation: CheckedContinuation<Void, Never>
  }

  let schedule: FaultSchedule
  /// Creates the action of an interruption; `nil` if the scenario has none with the name.
  let makeInterruption = Locked<(@MainActor @Sendable (String) -> ActionTasks?)?>(nil)
  private let state: Locked<State>
  private let open: OpenActions
  /// What sleeps on the run's clock other than the timers of actions, and its time.
  let sleepers = Sleepers(jumps: true)

  init(_ schedule: FaultSchedule, seed: UInt64, open: OpenActions) {
    self.schedule = schedule
    self.open = open
    state = Locked(State(generator: SeededGenerator(seed: seed), sleepers: sleepers))
  }

  /// The calls, in order.
  var points: [SeenPoint] { state.withLock { $0.points } }
  /// The operations of calls that no fault can reach.
  var unfailing: Set<String> { state.withLock { $0.unfailing } }
  /// How far the run has come, in words.
  var step: String {
    let (point, begun, state) = state.withLock { ($0.points.last?.point, $0.begun, $0) }
    let step = point.map { "after \($0)" } ?? "before any call"
    guard let action = begun.first(where: { open.contains($0) && !state.hasSettled($0) }) else { return step }
    return "\(step), while a task that \(action.label) started waits for something outside of the run"
  }
  /// The failed calls, in the order of their failures.
  var failures: [FailedCall] {
    let (failures, isInterrupted) = state.withLock { ($0.failures, !$0.interruptions.isEmpty) }
    guard isInterrupted else { return failures }
    return failures.map { failure in
      var failure = failure
      failure.isInterrupted = true
      return failure
    }
  }
  /// How the first fault of the schedule made its call fail, except at an event of its stream.
  var failureOfFault: CallFailure? {
    guard let entry = schedule.entries.first, let fault = entry.fault else { return nil }
    if case .stream = fault.effect { return nil }
    return failures.first { $0.point == entry.point }.map { CallFailure(fault, $0.error) }
  }
  /// Whether it did, and other than by a cancellation.
  var hasFailedVisibly: Bool { schedule.entries.first?.fault != .cancelled && failureOfFault != nil }
  /// The names of the interruptions that were started, in order.
  var interruptions: [String] { state.withLock { $0.interruptions } }
  /// The names of the interruptions that have made a call or changed a watched state.
  var effective: Set<String> { state.withLock { $0.visible.union($0.points.compactMap(\.action)) } }

  /// Notes what may lead to another state of a screen.
  func note(_ event: ScreenMap.Cause) { state.withLock { $0.events.append(event) } }

  /// What has happened after a number of events, and the present number; `nil` if nothing has.
  func cause(since number: Int) -> (cause: ScreenMap.Cause?, events: Int) {
    state.withLock { (ScreenMap.Cause(of: $0.events[number...]), $0.events.count) }
  }

  /// Notes that an interruption has changed a watched state.
  func noteChange(by interruption: String) {
    state.withLock { _ = $0.visible.insert(interruption) }
  }

  /// The entries of the schedule that had no effect.
  var unmet: [UnmetEntry] {
    let (progress, occurred, obstacles, seen) = state.withLock {
      ($0.progress, $0.occurred, $0.obstacles, $0.points)
    }
    var points: Set<FaultPoint> = []
    return schedule.entries.compactMap { entry in
      guard let fault = entry.fault else {
        if let obstacle = obstacles[entry] { return UnmetEntry(entry: entry, reason: obstacle) }
        if occurred.contains(entry) { return nil }
        let seen = seen.first { $0.point == entry.point }
        return UnmetEntry(entry: entry, reason: seen.map { Self.reason(for: entry, at: $0) })
      }
      guard points.insert(entry.point).inserted else {
        return UnmetEntry(entry: entry, reason: "an earlier entry of the schedule has the same call")
      }
      guard let progress = progress[entry.point] else { return UnmetEntry(entry: entry, reason: nil) }
      if progress.hasTakenEffect { return nil }
      return UnmetEntry(entry: entry, reason: progress.reason(for: fault))
    }
  }

  /// Why an interruption or a late answer of a call that was made did not occur.
  private static func reason(for entry: FaultSchedule.Entry, at seen: SeenPoint) -> String {
    guard case .interruption(_, .event) = entry.disturbance else {
      return "the run ended before the call had an answer"
    }
    return "its stream delivered \(Words.count(seen.events, "event"))"
  }

  /// What may be wrong with a run that does not end, as a sentence.
  func hint(for stall: Stall) -> String {
    let (actions, started, waiting, endless) = state.withLock {
      (Array($0.actions.values), $0.started, $0.waiting.count, $0.endless)
    }
    if let endless {
      return """
        \(endless) What repeats until the screen is closed belongs into a task of its own, which the action starts.
        """
    }
    if let name = started.first(where: { !$0.name.isEmpty && !$0.hasEnded })?.name {
      return """
        The interruption "\(name)" has not ended: it must not call run.act(_:), run.withoutFaults(_:) or \
        run.waitForReader(orUntil:), nor follow a stream without an end.
        """
    }
    if waiting > 0, actions.contains(where: { !$0.hasEnded }) {
      return
        "An action has not ended, and a stream waits for an event: follow a stream without an end in a task of its own."
    }
    if case .idle = stall, let call = unansweredCallback {
      return "\(call) has not called its completion handler."
    }
    return switch stall {
    case .idle:
      """
      Look for an await that nothing ends, such as a continuation that is not resumed when its call fails, or a wait \
      for a state that is not reached.
      """
    case .processorTime: "Look for a loop that does not end."
    }
  }

  /// The first call that goes on because the base has not called its completion handler.
  private var unansweredCallback: FaultPoint? {
    state.withLock { state in
      state.points.first { point in
        point.form.isCallback && state.callers[point.point] != nil
      }?.point
    }
  }

  // MARK: - Changes

  var changes: Changes { state.withLock { $0.changes } }

  /// Returns at the first change after some others that meets a condition, at once if it has already happened, or when
  /// the task is cancelled.
  @MainActor func change(after changes: Changes, to condition: ChangeCondition = .any) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          let isOver =
            Task.isCancelled || state.changes.noted != changes.noted
            || state.changes != changes && state.isMet(condition)
          if !isOver { state.waits.append(Wait(condition: condition, continuation: continuation)) }
          return isOver
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      noteChange()
    }
  }

  /// Returns at the first noted change after which a condition is met, or when the task is cancelled.
  @MainActor func notedChange(until isMet: () -> Bool) async {
    while !Task.isCancelled {
      let changes = changes
      if isMet() { return }
      await change(after: changes, to: .noted)
    }
  }

  /// Notes another change that a wait may depend on.
  func noteChange() { change(isNoted: true) { _ in } }

  private func change<Result: Sendable>(isNoted: Bool = false, _ body: (inout State) -> Result) -> Result {
    let (result, waits): (Result, [Wait]) = state.withLock { state in
      let result = body(&state)
      state.changes.all += 1
      if isNoted { state.changes.noted += 1 }
      return (result, state.takeEndedWaits(isNoted: isNoted))
    }
    for wait in waits { Self.resume(wait.continuation) }
    return result
  }

  /// Whether a wait of a run is being resumed.
  ///
  /// The runtime may enqueue its job on the run's executor. That job is not work, and counting it would let the wait
  /// resume itself.
  @TaskLocal static var isResumingWait = false

  /// Resumes a wait of a run.
  static func resume(_ wait: CheckedContinuation<Void, Never>) {
    $isResumingWait.withValue(true) { wait.resume() }
  }

  // MARK: - Work in progress

  /// Whether no call and no stream reader is busy or held, and no job of the run is ready.
  var quietness: Readiness {
    state.withLock { state in
      guard state.isQuiet else { return .later }
      return !state.waiting.isEmpty && GlobalExecutor.hasJobs ? .ifTasksWait : .reached
    }
  }

  /// The actions that follow a stream, and have started more tasks than those that wait for an event or a timer.
  ///
  /// A task that was started at an event is one of them until it makes a call, and after its last one.
  private var busyFollowers: [ActionTasks] {
    state.withLock { state in
      let waiting = state.waiting.values.compactMap(\.self) + state.timers.map(\.action)
      return state.begun.filter { action in
        !open.contains(action) && state.waiting.values.contains { $0 === action }
          && action.begunTasks > waiting.count { $0 === action }
      }
    }
  }

  /// Whether a reader waits for an event.
  var hasWaitingReader: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Notes that an action or an interruption begins.
  func begin(_ action: ActionTasks) {
    change { state in
      state.begun.append(action)
      // Those before it go on, too.
      state.restartTimers()
    }
  }

  /// Notes that an action of the user begins, or is over.
  func setActing(_ action: ActionTasks?) { state.withLock { $0.acting = action } }

  /// The action that makes a call.
  func action(of point: FaultPoint) -> ActionTasks? { state.withLock { $0.actions[point] } }

  /// Notes that the base was called although the fault of the call would have prevented it.
  func noteWork(of point: FaultPoint) { state.withLock { _ = $0.worked.insert(point) } }

  /// Notes that a job has been enqueued on the run's executor.
  func jobIsReady() { change { $0.jobs += 1 } }

  /// Notes that a job of the run's executor has run.
  func jobHasRun() { change { $0.jobs -= 1 } }

  /// Notes that a reader is busy, in the current task.
  func begin(_ reader: ObjectIdentifier) {
    change { state in
      state.busyReaders += 1
      state.readers[reader] = .current
    }
  }

  /// Notes that a reader is no longer busy.
  func end(_ reader: ObjectIdentifier) {
    change { state in
      state.busyReaders -= 1
      state.readers[reader] = nil
    }
  }

  /// Notes that a call has an answer.
  func answer(_ point: FaultPoint) { note(ScreenMap.Cause(.answer, point.operation)) }

  /// Notes that the current task continues a call that another one has made.
  func continues(_ point: FaultPoint) {
    let task = TaskIdentity.current
    state.withLock { $0.callers[point] = task }
  }

  /// Notes that a call has returned, or failed.
  func end(_ point: FaultPoint) {
    change { state in
      state.busyCalls -= 1
      state.callers[point] = nil
    }
  }

  /// Sets whether events are held until `deliverEvent()` is called.
  func holdEvents(_ holdsEvents: Bool) { state.withLock { $0.holdsEvents = holdsEvents } }

  /// Delivers the oldest held event; its reader is busy from then on.
  ///
  /// - Returns: Whether an event was held.
  func deliverEvent() -> Bool {
    let reader = change { state -> CheckedContinuation<Void, Never>? in
      guard !state.held.isEmpty else { return nil }
      state.busyReaders += 1
      return state.held.removeFirst()
    }
    reader?.resume()
    return reader != nil
  }

  /// Notes that a busy reader now waits for an event.
  func beginWaiting(_ reader: ObjectIdentifier) {
    let action = ActionTasks.current
    change { state in
      state.busyReaders -= 1
      state.readers[reader] = nil
      state.waiting[reader] = action
    }
  }

  /// Notes that a reader has its event or the end of its stream.
  ///
  /// Returns when that is delivered; the reader is busy from then on.
  func endWaiting(_ reader: ObjectIdentifier) async {
    let task = TaskIdentity.current
    await withCheckedContinuation { continuation in
      let isHeld = change { state in
        state.waiting[reader] = nil
        state.readers[reader] = task
        if state.holdsEvents { state.held.append(continuation) } else { state.busyReaders += 1 }
        return state.holdsEvents
      }
      if !isHeld { continuation.resume() }
    }
  }

  // MARK: - Timers

  /// The operation of a timer in points.
  static let timerOperation = "time.sleep"
  /// How long the timers that nothing waits for go on after an action.
  ///
  /// It covers pauses between attempts, and ends what never ends, such as polling.
  private static let timeAfterAction = Duration.seconds(60)
  /// How many timers may begin after an action, or during it: several hours of a countdown in seconds.
  @TaskLocal static var timerLimit = 10_000
  /// Whether the current task makes a call of a base; a sleep is then a part of the call.
  @TaskLocal static var isInCall = false

  /// The action whose timer a sleep of the current task is; `nil` if it belongs to a call or to no action.
  static var timerOwner: ActionTasks? {
    isInCall || !TimeLimit.enclosing.isEmpty ? nil : ActionTasks.current
  }

  /// Sleeps until a time of the run, which comes when nothing else in the run can make progress.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, or the run is over.
  func sleep(until deadline: Duration, of action: ActionTasks) async throws {
    try Task.checkCancellation()
    guard let number = beginTimer(until: deadline, of: action) else {
      // What ignores its cancellation at the end of the run, such as endless polling, ends here. A wait for it that has
      // no end is noticed because the process is idle.
      return try await sleepers.sleep(until: ManualClock.never, inBackground: true)
    }
    defer { endTimer(number) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeps = change { state in
          guard !Task.isCancelled, !state.isReleased,
            let place = state.timers.firstIndex(where: { $0.number == number })
          else { return false }
          state.timers[place].continuation = continuation
          return true
        }
        guard sleeps else { return continuation.resume(throwing: CancellationError()) }
        _ = BegunTasks.task { await self.fire(number) }
      }
    } onCancel: {
      change { $0.wake(number) }?.resume(throwing: CancellationError())
    }
  }

  private func beginTimer(until deadline: Duration, of action: ActionTasks) -> Int? {
    change { state in
      if state.isReleased { return nil }
      if state.timerCount - state.earlierTimers >= Self.timerLimit {
        state.endless = state.endless ?? "A task of \(action.label) has slept \(Self.timerLimit) times."
        return nil
      }
      let point = state.pauses == 0 ? state.addPoint(Self.timerOperation, nil, at: .service) : nil
      // The reader of a stream that sleeps is not busy.
      let readers = state.readers.count { $0.value == .current }
      state.busyReaders -= readers
      state.timerCount += 1
      state.timers.append(
        Timer(number: state.timerCount, point: point, deadline: deadline, action: action, readers: readers))
      return state.timerCount
    }
  }

  private func endTimer(_ number: Int) {
    change(isNoted: true) { state in
      guard let place = state.timers.firstIndex(where: { $0.number == number }) else { return }
      state.busyReaders += state.timers.remove(at: place).readers
    }
  }

  /// Ends a sleep, after the interruptions before it, once it is the first and nothing else can make progress.
  @MainActor private func fire(_ number: Int) async {
    var timer: Timer?
    await settle(after: .withoutCalls) {
      state.withLock { state in
        timer = state.timers.first { $0.number == number && $0.continuation != nil }
        guard let timer else { return .reached }
        let isFirst = state.timers.allSatisfy {
          $0.continuation == nil || ($0.deadline, $0.number) >= (timer.deadline, timer.number)
        }
        // A late answer may end what waits for a timer that is not due.
        let isAwaited =
          state.isDue(timer) || state.late.isEmpty && (state.settling == 0 || !timer.action.hasEnded)
        let isNext = isFirst && isAwaited && state.mayTimePass && !state.hasBusyTimer
        return isNext && state.busyCalls == 0 && state.jobs == 0 ? .ifIdle : .later
      }
    }
    guard let timer else { return }
    change { $0.timerTime += max(.zero, timer.deadline - $0.sleepers.now) }
    if let point = timer.point, schedule.interleaves(at: point) {
      sleepers.advance(to: timer.deadline - .nanoseconds(1))
      await interrupt(point, at: .request)
    }
    let continuation = change { state in
      state.events.append(ScreenMap.Cause(.timer, Self.timerOperation))
      return state.wake(number)
    }
    guard let continuation else { return }
    sleepers.advance(to: timer.deadline)
    continuation.resume()
  }

  // MARK: - Interruptions

  /// Starts the interruptions of a busy call at a moment, and returns when each has ended or can make no progress.
  ///
  /// At its answer, a late call waits as well.
  func interrupt(_ point: FaultPoint, at moment: FaultSchedule.Moment) async {
    for entry in schedule.entries where entry.point == point {
      switch entry.disturbance {
      case .fault: continue
      case .interruption(let name, moment):
        await hold(entry) { self.start(name, for: entry) }
      case .interruption: continue
      case .late: if moment == .answer { await hold(entry) { nil } }
      }
    }
  }

  /// Holds a busy call, which is not busy meanwhile, until nothing else in the run can make progress.
  ///
  /// Of several held calls, the one that was interrupted last continues first, and late answers after all of them.
  ///
  /// - Parameter start: Starts the interruption, if it is one, and returns its action.
  private func hold(
    _ entry: FaultSchedule.Entry, _ start: @escaping @MainActor @Sendable () -> ActionTasks?
  ) async {
    let isLate = entry.disturbance == .late
    if isLate { note(ScreenMap.Cause(.late, entry.point.operation)) }
    // What waits for the call is not busy either: the reader of a stream that makes the call for an event, and a call of
    // another base that makes this one.
    let task = TaskIdentity.current
    let (calls, readers) = change { state in
      state.occurred.insert(entry)
      let (calls, readers) = (
        state.callers.count { $0.value == task }, state.readers.count { $0.value == task }
      )
      state.busyCalls -= calls
      state.busyReaders -= readers
      if isLate { state.late.append(entry) } else { state.interrupted.append(entry) }
      return (calls, readers)
    }
    // A task of its own: that of the call may be cancelled, and the order of what follows must not depend on it. A
    // wait for the tasks of the interrupted action does not include those of the interruption.
    await BegunTasks.task { [self] in
      let action = start()
      if let action, entry.disturbance.waitsForTimers {
        change { state in
          if !state.isBeforeTimer { state.interrupters[entry] = action }
        }
      }
      await settle(after: .withoutCalls) {
        state.withLock { state in
          guard state.busyCalls == 0, state.jobs == 0, !state.hasBusyTimer,
            isLate ? !state.hasDueTimer : !state.mayTimePass
          else {
            return .later
          }
          let hasEnded =
            action.map { $0.hasEnded && state.hasSettled($0) || state.isBeforeTimer && state.sleeps($0) }
            ?? true
          let isNext =
            isLate ? state.interrupted.isEmpty && state.late.first == entry : state.interrupted.last == entry
          // The interruption, or the reader of a stream, may wait for the call in another task, which is not known here.
          // On a busy machine the call may continue too early, which is another valid order.
          // A timer that fires before a late answer may be about to begin.
          return !isNext ? .later : hasEnded && state.busyReaders == 0 && !isLate ? .reached : .ifIdle
        }
      }
      change { state in
        state.busyCalls += calls
        state.busyReaders += readers
        if isLate {
          state.late.removeAll { $0 == entry }
        } else {
          state.interrupted.removeAll { $0 == entry }
          state.interrupters[entry] = nil
        }
      }
    }.value
  }

  @MainActor private func start(_ name: String, for entry: FaultSchedule.Entry) -> ActionTasks? {
    let (action, obstacle): (ActionTasks?, String?)
    note(ScreenMap.Cause(.interruption, name))
    switch name {
    case ScenarioRun.cancelling, ScenarioRun.restarting:
      action = state.withLock { $0.actions[entry.point] }
      if let action {
        obstacle =
          name == ScenarioRun.cancelling && action.hasEnded
          ? "the action that made the call had already ended" : nil
      } else {
        obstacle = "the call does not belong to run.act(_:), so there is no task to cancel"
      }
      action?.cancel()
      if name == ScenarioRun.restarting { action?.start() }
    default:
      action = makeInterruption.withLock { $0 }?(name)
      obstacle = action == nil ? "the scenario has no interruption of that name" : nil
      action?.start()
    }
    change { state in
      state.interruptions.append(name)
      // An action that is started again has its time again.
      state.restartTimers()
      if let action { state.started.append(action) }
      if let obstacle { state.obstacles[entry] = obstacle }
    }
    return action
  }

  /// Releases the actions, which refer to the record.
  func release() {
    let (actions, timers) = change(isNoted: true) { state in
      defer {
        (state.started, state.actions, state.begun, state.interrupters, state.acting) = (
          [], [:], [], [:], nil
        )
      }
      state.isReleased = true
      return (state.begun + state.actions.values, state.timers.compactMap { state.wake($0.number) })
    }
    for action in actions { action.release() }
    for timer in timers { timer.resume(throwing: CancellationError()) }
  }

  /// Whether every interruption that was started has ended.
  var interruptionsHaveEnded: Bool { state.withLock { $0.started }.allSatisfy(\.hasEnded) }

  /// The other actions and interruptions of which a task has neither ended nor waits for an event or a timer.
  private func unsettled(besides own: ActionTasks?) -> [ActionTasks] {
    state.withLock { state in state.begun.filter { $0 !== own && !state.hasSettled($0) } }
  }

  /// How long the process may be idle at a time while a task that an action has started has not ended.
  ///
  /// The task then waits for something outside of the run: what happens in the run does not leave the process idle.
  private static var patience: Duration { .seconds(1) }

  /// Returns when every interruption has ended, and everything else has ended or waits for events.
  @MainActor func settle() async {
    // An action may wait for the end of all others.
    let own = ActionTasks.current
    let watch =
      unsettled(besides: own).allSatisfy(open.contains)
      ? nil
      : StallMonitor.current.watch(
        for: Self.patience, isCharged: false, isUninterrupted: true, progress: { self.changes.all }
      ) { _ in
        self.open.insert(self.unsettled(besides: own))
        self.noteChange()
      }
    state.withLock { $0.settling += 1 }
    await settle(after: .quiet) {
      interruptionsHaveEnded && unsettled(besides: own).allSatisfy(open.contains) ? quietness : .later
    }
    change { $0.settling -= 1 }
    watch?.end()
  }

  /// Whether a state has been reached that may be lasting.
  enum Readiness {
    /// Something else has to happen first.
    case later
    case reached
    /// It has been reached if all tasks wait; some may be between two calls, on another thread.
    case ifIdle
    /// The same, and tasks that an event has started are awaited longer.
    case ifTasksWait

    /// The greatest number of rounds.
    fileprivate static let patience = 3_000

    /// Whether the ready jobs have to run once more without a change.
    ///
    /// A task that waits for another one needs a round for each.
    fileprivate func needsRound(after rounds: Int, isBusy: @autoclosure () -> Bool) -> Bool {
      switch self {
      case .later: false
      case .reached: rounds < 3
      case .ifIdle: rounds < 30
      case .ifTasksWait: rounds < 30 || rounds < Self.patience && isBusy()
      }
    }
  }

  /// Returns when a state has been reached and the jobs that are ready do not change anything.
  ///
  /// - Parameters:
  ///   - condition: The changes after which the state may have been reached.
  ///   - stopsTimers: Whether timers that are not due wait until it is known whether the state is lasting.
  ///   - readiness: Whether it has been reached.
  @MainActor func settle(
    after condition: ChangeCondition, stopsTimers: Bool = false, _ readiness: @MainActor () -> Readiness
  ) async {
    while !Task.isCancelled {
      let changes = changes
      let readiness = readiness()
      if readiness == .later {
        await change(after: changes, to: condition)
        continue
      }
      if stopsTimers { state.withLock { $0.settling += 1 } }
      var rounds = 0
      while self.changes == changes, readiness.needsRound(after: rounds, isBusy: !busyFollowers.isEmpty) {
        if readiness != .reached, GlobalExecutor.hasJobs { await MainTaskExecutor.runReadyJobsElsewhere() }
        await MainTaskExecutor.runReadyJobs()
        rounds += 1
      }
      // What still goes on waits for something outside of the run, or for a task that follows a stream.
      if rounds == Readiness.patience { open.insert(busyFollowers) }
      let isLasting = self.changes == changes
      if stopsTimers { change { $0.settling -= 1 } }
      if isLasting { return }
    }
  }

  /// Ignores calls until ``resume()`` has been called as often.
  func pause() {
    state.withLock { state in
      state.pauses += 1
      state.events.append(ScreenMap.Cause(.check, ""))
    }
  }

  /// Ends a pause.
  func resume() { state.withLock { $0.pauses -= 1 } }

  func begin(
    operation: String, _ interaction: Fault.Interaction, _ form: CallForm, at injectionPoint: InjectionPoint
  ) -> FaultPoint? {
    change { state in
      if state.pauses > 0 {
        state.events.append(ScreenMap.Cause(.check, ""))
        return nil
      }
      state.busyCalls += 1
      let point = state.addPoint(operation, interaction, form, at: injectionPoint)
      state.callers[point] = .current
      return point
    }
  }

  /// Notes a call that no fault can reach.
  func noteUnfailing(_ operation: String) {
    state.withLock { state in if state.pauses == 0 { state.unfailing.insert(operation) } }
  }

  func fault(at point: FaultPoint) -> Fault? {
    guard let fault = schedule.fault(at: point) else { return nil }
    return state.withLock { state in
      var progress = state.progress[point] ?? FaultProgress()
      defer { state.progress[point] = progress }
      if let latency = fault.latency(using: &state.generator) {
        progress.take(.effect)
        state.events.append(ScreenMap.Cause(.fault, point.operation, fault))
        return latency
      }
      return Fault(fault.effect, token: FaultToken { [self] step in note(step, of: fault, at: point) })
    }
  }

  private func note(_ step: FaultToken.Step, of fault: Fault, at point: FaultPoint) {
    state.withLock { state in
      state.progress[point]?.take(step)
      if step == .effect { state.events.append(ScreenMap.Cause(.fault, point.operation, fault)) }
    }
  }

  /// - Parameter isCancelledByApp: Whether the app has cancelled the call by other means than its task.
  func fail(_ point: FaultPoint, _ error: any Error, isCancelledByApp: Bool = false) {
    let isCancelled = Task.isCancelled || isCancelledByApp
    state.withLock { state in
      // A delay does not make a call fail, and neither does a fault that has not taken effect.
      let fault = schedule.fault(at: point).flatMap { fault in
        fault.symptom != .delayed && state.progress[point]?.hasTakenEffect == true ? fault : nil
      }
      state.events.append(
        ScreenMap.Cause(
          fault != nil ? .fault : isCancelled ? .cancellation : .failure, point.operation, fault))
      // The task of a subscription is cancelled by the app alone.
      let isUnheard =
        Task.isCancelled && state.places[point].map { state.points[$0].form.isPublisher } == true
      state.failures.append(
        FailedCall(
          point: point, fault: fault, error: error, isOfCancelledTask: isCancelled, isUnheard: isUnheard,
          hasReachedBase: state.worked.contains(point),
          action: state.actions[point].map(ObjectIdentifier.init)))
    }
  }

  /// Waits for the first event of a publisher.
  ///
  /// One that sends nothing by itself sends its events when something else happens, as a subject does. The runs of a sweep
  /// find this out once for each call.
  ///
  /// - Parameter call: The call with its arguments, in words.
  nonisolated(nonsending) func waitForEvent<Event>(
    of call: String, _ first: Signal<Event?>
  ) async throws -> Event? {
    if open.contains(call) { return first.take() ?? nil }
    // Whether the process is idle does not help here: other tests keep it busy.
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [open] in
      Self.runReadyBlocks(100) { if first.send(nil) { open.insert(call) } }
    }
    return try await first.value()
  }

  /// Calls a closure once the blocks have run that are ready on other threads, and those that they made ready.
  ///
  /// - Parameter rounds: The greatest number of blocks that make each other ready.
  private static func runReadyBlocks(_ rounds: Int, then body: @escaping @Sendable () -> Void) {
    if rounds == 0 { return body() }
    DispatchQueue.global().async { runReadyBlocks(rounds - 1, then: body) }
  }

  /// Notes that a stream has ended.
  ///
  /// A publisher of at most one value is a call, unless a fault or its subscriber has ended it.
  func noteEnd(of point: FaultPoint) {
    if Task.isCancelled || schedule.fault(at: point) != nil { return }
    state.withLock { state in
      guard let place = state.places[point], state.points[place].form.isPublisher,
        state.points[place].events < 2
      else { return }
      state.points[place].interaction = .call
      state.points[place].form = state.points[place].form.ofSingleValue
    }
  }

  /// Counts an event of a stream and returns its number.
  func countEvent(of point: FaultPoint) -> Int {
    state.withLock { state in
      guard let place = state.places[point] else { return 0 }
      state.points[place].events += 1
      state.events.append(ScreenMap.Cause(.event, point.operation))
      return state.points[place].events
    }
  }
}

/// Distinguishes the tasks that run at a time.
struct TaskIdentity: Hashable, Sendable {
  private let hash: Int?

  /// The identity of the current task.
  static var current: TaskIdentity { TaskIdentity(hash: withUnsafeCurrentTask { $0?.hashValue }) }

  /// Whether there is a current task.
  static var isInTask: Bool { withUnsafeCurrentTask { $0 != nil } }
}

/// An entry of a schedule that had no effect in a run.
struct UnmetEntry: Sendable {
  let entry: FaultSchedule.Entry
  /// Why it had no effect on the call; `nil` if the call was never made.
  let reason: String?
}

extension FaultSchedule.Disturbance {
  /// Whether a call that it interrupts waits for the timers of the interruption.
  ///
  /// A cancelled action waits for the call itself.
  fileprivate var waitsForTimers: Bool {
    if case .interruption(ScenarioRun.cancelling, _) = self { false } else { true }
  }
}

/// The interceptor of one base in a scenario's run: it records calls, injects the faults of the schedule, and starts its
/// interruptions.
final class ScheduledBase: Sendable {
  private let name: String
  private let injectionPoint: InjectionPoint
  private let record: RunRecord

  init(_ name: String, at injectionPoint: InjectionPoint, in record: RunRecord) {
    self.name = name
    self.injectionPoint = injectionPoint
    self.record = record
  }

  /// Records a call, unless calls are ignored.
  func begin(_ call: CallCore) -> FaultPoint? {
    record.begin(operation: operation(of: call), call.interaction, call.form, at: injectionPoint)
  }

  /// Notes a call that no fault can reach.
  func noteUnfailing(_ call: CallCore) { record.noteUnfailing(operation(of: call)) }

  private func operation(of call: CallCore) -> String { "\(name).\(call.operation)" }

  /// Whether the run has no fault.
  var isWithoutFaults: Bool { record.schedule.entries.isEmpty }

  /// Whether an interruption or a late answer may occur at a call.
  var interleaves: Bool { record.schedule.entries.contains { $0.fault == nil } }

  /// Whether one occurs at a call.
  func interleaves(at point: FaultPoint) -> Bool { record.schedule.interleaves(at: point) }

  /// Starts the interruptions of a call at a moment; see ``RunRecord/interrupt(_:at:)``.
  func interrupt(_ point: FaultPoint, at moment: FaultSchedule.Moment) async {
    await record.interrupt(point, at: moment)
  }

  /// The fault of a call, if any.
  ///
  /// A call of a cancelled task fails as that of a network client does, whether the base notices the cancellation or not.
  /// Where the schedule restarts the action at this call, the request has been sent, and its work is done after that of
  /// the new one.
  func fault(at point: FaultPoint, of call: CallCore) -> Fault? {
    guard Task.isCancelled, !call.form.ignoresTask else { return record.fault(at: point) }
    let restart = FaultSchedule.Entry(point, .interruption(ScenarioRun.restarting, .request))
    return record.schedule.entries.contains(restart) ? record.fault(at: point) : .cancelled
  }

  /// Records the answer of a call.
  func note(_ point: FaultPoint, _ outcome: CallOutcome, isCancelledByApp: Bool = false) {
    guard case .failed(let error) = outcome else { return record.answer(point) }
    record.fail(point, error, isCancelledByApp: isCancelledByApp)
  }

  /// Records that the base was called although the fault of the call would have prevented it.
  func noteWork(of point: FaultPoint) { record.noteWork(of: point) }

  /// The action of a call that no task of it makes; `nil` for a call in a task.
  func outerAction(of point: FaultPoint) -> ActionTasks? {
    ActionTasks.current == nil ? record.action(of: point) : nil
  }

  /// Records that the current task continues a call.
  func continues(_ point: FaultPoint) { record.continues(point) }

  /// Waits for the first event of a publisher, unless it sends none until something else happens.
  nonisolated(nonsending) func waitForEvent<Event>(of call: CallCore, _ first: Signal<Event?>) async throws
    -> Event?
  {
    try await record.waitForEvent(of: "\(name).\(call)", first)
  }

  /// Records that a call is over.
  func close(_ point: FaultPoint) { record.end(point) }

  /// Returns a stream with the same elements that counts its events and records its failure.
  func watched<Element: Sendable>(
    _ stream: AsyncThrowingStream<Element, any Error>, from point: FaultPoint
  ) -> AsyncThrowingStream<Element, any Error> {
    let reader = Reader(record)
    let identity = ObjectIdentifier(reader)
    // Iterators are not `Sendable`, but all iterators of a stream share its buffer.
    return AsyncThrowingStream(unfolding: { [record] in
      var iterator = stream.makeAsyncIterator()
      // The run's executor runs all of it: a reader whose event has been sent then has a job that is counted, until it
      // counts as busy again.
      let next = await MainTaskExecutor.run(in: record) { () async -> Result<Element?, any Error> in
        record.beginWaiting(identity)
        let next: Result<Element?, any Error>
        do { next = .success(try await iterator.next()) } catch { next = .failure(error) }
        await record.endWaiting(identity)
        return next
      }
      // Busy for as long as the stream has a reader.
      withExtendedLifetime(reader) {}
      switch next {
      case .success(.some):
        let number = record.countEvent(of: point)
        if record.schedule.interleaves(at: point) { await record.interrupt(point, at: .event(number)) }
      case .success(.none): record.noteEnd(of: point)
      case .failure(let error):
        record.noteEnd(of: point)
        record.fail(point, error)
      }
      return try next.get()
    })
  }

  /// A stream reader: busy until the stream has ended or is released, except while it waits for an event.
  private final class Reader: Sendable {
    private let record: RunRecord

    init(_ record: RunRecord) {
      self.record = record
      record.begin(ObjectIdentifier(self))
    }

    deinit {
      // The task that read the stream returns to its actor only after the stream has been released. It is the next job
      // on the main queue, so the reader stays busy for a round trip.
      _ = BegunTasks.task { [record, identity = ObjectIdentifier(self)] in
        await MainTaskExecutor.runReadyJobs()
        record.end(identity)
      }
    }
  }
}

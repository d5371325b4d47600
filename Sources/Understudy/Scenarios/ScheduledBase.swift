/// What one base of a scenario does in one run: its calls are written down, and meet what the schedule says.
final class ScheduledBase: Sendable {
  private let name: String
  private let seam: Seam
  private let record: RunRecord

  init(_ name: String, at seam: Seam, in record: RunRecord) {
    self.name = name
    self.seam = seam
    self.record = record
  }

  /// Writes a call down, unless no faults are put in now.
  func begin(_ call: CallCore) -> FaultPoint? {
    record.begin(operation: "\(name).\(call.site)", call.interaction, at: seam)
  }

  /// What a call is to meet.
  func fault(at point: FaultPoint) -> Fault? { record.fault(at: point) }

  /// Writes down that a call has come back.
  func end(_ point: FaultPoint, _ outcome: CallOutcome) {
    if case .failed(let error) = outcome { record.fail(point, error) }
    record.end()
  }

  /// The same stream, whose events are counted, and whose failure is written down.
  func watched<Element: Sendable>(
    _ stream: AsyncThrowingStream<Element, any Error>, from point: FaultPoint
  ) -> AsyncThrowingStream<Element, any Error> {
    let reader = Reader(record)
    // Iterators are not `Sendable`, but all those of one stream take from the same place.
    return AsyncThrowingStream(unfolding: { [record] in
      var iterator = stream.makeAsyncIterator()
      // On the main queue from the first to the last: between threads there are moments in which the reader would count
      // as waiting although its event is there.
      let next = await MainTaskExecutor.run { () async -> Result<Element?, any Error> in
        record.beginWaiting()
        let next: Result<Element?, any Error>
        do { next = .success(try await iterator.next()) } catch { next = .failure(error) }
        await record.endWaiting()
        return next
      }
      // Busy for as long as the stream has a reader.
      withExtendedLifetime(reader) {}
      switch next {
      case .success(.some): record.countEvent(of: point)
      case .success(.none): break
      case .failure(let error): record.fail(point, error)
      }
      return try next.get()
    })
  }

  /// Whoever reads a stream: busy until it lets the stream go, except while it waits for an event.
  private final class Reader: Sendable {
    private let record: RunRecord

    init(_ record: RunRecord) {
      self.record = record
      record.begin()
    }

    deinit { record.end() }
  }
}

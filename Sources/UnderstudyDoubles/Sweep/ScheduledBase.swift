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

  /// Writes down that a call, or the stream that it returned, failed.
  func fail(_ point: FaultPoint, _ error: any Error) { record.fail(point, error) }

  /// The same stream, whose events are counted, and whose failure is written down.
  func watched<Element: Sendable>(
    _ stream: AsyncThrowingStream<Element, any Error>, from point: FaultPoint
  ) -> AsyncThrowingStream<Element, any Error> {
    // Iterators are not `Sendable`, but all those of one stream take from the same place.
    AsyncThrowingStream(unfolding: { [record] in
      var iterator = stream.makeAsyncIterator()
      do {
        let element = try await iterator.next()
        if element != nil { record.countEvent(of: point) }
        return element
      } catch {
        record.fail(point, error)
        throw error
      }
    })
  }
}

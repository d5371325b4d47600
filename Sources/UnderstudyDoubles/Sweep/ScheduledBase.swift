import UnderstudyPrimitives
import UnderstudyTransport

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

  /// Writes a call down.
  func begin(_ call: CallCore) -> FaultPoint {
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

/// A call that failed, or whose stream did.
public struct FailedCall: Sendable, CustomStringConvertible {
  /// The call.
  public let point: FaultPoint
  /// What it was to meet; `nil` if the base failed by itself.
  public let fault: Fault?
  /// What it threw.
  public let error: any Error

  /// Whether it was cancelled, by a fault or because its task was: no failure to show.
  public var isCancellation: Bool { fault == .cancelled || error is CancellationError }

  /// The call, and what it threw.
  public var description: String { "\(point) threw \(error)" }
}

/// What is known of one run, whichever executor it happens on.
final class RunRecord: Sendable {
  private struct State: Sendable {
    var points: [SeenPoint] = []
    var places: [FaultPoint: Int] = [:]
    var calls: [String: Int] = [:]
    var failures: [FailedCall] = []
    var met: Set<FaultPoint> = []
    var generator: SeededGenerator
  }

  let schedule: FaultSchedule
  private let state: Locked<State>

  init(_ schedule: FaultSchedule, seed: UInt64) {
    self.schedule = schedule
    state = Locked(State(generator: SeededGenerator(seed: seed)))
  }

  /// The calls, in the order in which they were made.
  var points: [SeenPoint] { state.withLock { $0.points } }
  /// The calls that failed, in the order in which they did.
  var failures: [FailedCall] { state.withLock { $0.failures } }
  /// The entries of the schedule whose calls were never made.
  var unmet: [FaultSchedule.Entry] {
    let met = state.withLock { $0.met }
    return schedule.entries.filter { !met.contains($0.point) }
  }

  func begin(operation: String, _ interaction: Fault.Interaction, at seam: Seam) -> FaultPoint {
    state.withLock { state in
      let call = state.calls[operation, default: 0] + 1
      state.calls[operation] = call
      let point = FaultPoint(operation, call: call)
      state.places[point] = state.points.count
      state.points.append(SeenPoint(point: point, interaction: interaction, seam: seam))
      return point
    }
  }

  func fault(at point: FaultPoint) -> Fault? {
    guard let fault = schedule.fault(at: point) else { return nil }
    return state.withLock { state in
      state.met.insert(point)
      guard case .drawnLatency(let distribution) = fault.effect else { return fault }
      return .latency(distribution.next(using: &state.generator))
    }
  }

  func fail(_ point: FaultPoint, _ error: any Error) {
    let fault = schedule.fault(at: point)
    state.withLock { $0.failures.append(FailedCall(point: point, fault: fault, error: error)) }
  }

  func countEvent(of point: FaultPoint) {
    state.withLock { state in
      if let place = state.places[point] { state.points[place].events += 1 }
    }
  }
}

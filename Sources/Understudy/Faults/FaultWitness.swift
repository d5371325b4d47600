/// Sees the faults that plans inject in a task, for a log that names them beside the request.
package final class FaultWitness: Sendable {
  /// The one of this task; nobody pays for it where no fault is injected.
  @TaskLocal package static var current: FaultWitness?

  private let seen = Locked<[Fault]>([])

  /// One that has seen nothing.
  package init() {}

  /// What was injected, in order.
  package var faults: [Fault] { seen.withLock { $0 } }

  func saw(_ fault: Fault) {
    seen.withLock { $0.append(fault) }
  }
}

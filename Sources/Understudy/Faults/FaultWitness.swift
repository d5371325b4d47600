/// Collects the faults that plans inject in a task, for a log that shows them with the request.
package final class FaultWitness: Sendable {
  /// The collector of the current task.
  ///
  /// It costs nothing where no fault is injected.
  @TaskLocal package static var current: FaultWitness?

  private let seen = Locked<[Fault]>([])

  /// Creates an empty collector.
  package init() {}

  /// The injected faults, in order.
  package var faults: [Fault] { seen.withLock { $0 } }

  func saw(_ fault: Fault) {
    seen.withLock { $0.append(fault) }
  }
}

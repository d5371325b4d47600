/// Collects the faults of a task: those that plans inject, for a log that shows them with the request, and the calls of
/// methods that a double does not implement, for the clause that makes them.
package final class FaultWitness: Sendable {
  /// The collector of the current task.
  ///
  /// It costs nothing where no fault is injected.
  @TaskLocal package static var current: FaultWitness?

  private let seen = Locked<[Fault]>([])
  private let reasons = Locked<[Fault: String]>([:])

  /// Creates an empty collector.
  package init() {}

  /// The injected faults, in order.
  package var faults: [Fault] { seen.withLock { $0 } }

  /// Why faults had no effect, with what to use instead.
  package var obstacles: [Fault: String] { reasons.withLock { $0 } }

  /// A sentence for each method that a double does not implement and that was called, in order.
  var unimplemented: [String] {
    faults.reduce(into: []) { sentences, fault in
      if case .unimplemented(let sentence) = fault.effect, !sentences.contains(sentence) {
        sentences.append(sentence)
      }
    }
  }

  func saw(_ fault: Fault) {
    seen.withLock { $0.append(fault) }
  }

  func saw(_ fault: Fault, meeting obstacle: String) {
    reasons.withLock { $0[fault.untraced] = obstacle }
  }
}

import Understudy

/// The properties of a server's fault plans that apply before a request, updated as rules change.
final class ServerPlans: Sendable {
  private struct State: Sendable {
    var refuseConnections = false
    var endConnections = false
    var sendInACircle = false
    var observations: [Int] = []
  }

  private let plans: [FaultPlanCore]
  private let state = Locked(State())

  init(_ plans: [FaultPlanCore]) {
    self.plans = plans
    look()
  }

  /// Whether connections are refused.
  var refuseConnections: Bool { state.withLock { $0.refuseConnections } }

  /// Whether every connection closes after its first response.
  var endConnections: Bool { state.withLock { $0.endConnections } }

  /// Whether a request may be part of a redirect loop.
  var sendInACircle: Bool { state.withLock { $0.sendInACircle } }

  /// Calls an observer after each change.
  func observe(_ observer: @escaping @Sendable () -> Void) {
    let observations = plans.map { plan in
      plan.observe { [weak self] in
        self?.look()
        observer()
      }
    }
    state.withLock { $0.observations = observations }
  }

  /// Removes the observer.
  func stopObserving() {
    let observations = state.withLock { state in
      defer { state.observations = [] }
      return state.observations
    }
    for (plan, observation) in zip(plans, observations) { plan.stopObserving(observation) }
  }

  /// Reads the current plans.
  func look() {
    state.withLock { state in
      // Read under the lock, so that an older value never overwrites a newer one.
      let refusing = plans.filter(\.refusesConnections)
      for plan in refusing { plan.noteRefusedConnections() }
      let refuse = !refusing.isEmpty
      let end = plans.contains { $0.endsConnectionsWithoutAnswer }
      let circle = plans.contains { $0.sendsInACircle }
      state.sendInACircle = circle
      state.refuseConnections = refuse
      state.endConnections = end
    }
  }
}

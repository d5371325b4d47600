import Understudy

/// What a server must know of its fault plans before a request comes, kept up to date as their rules change.
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

  /// Whether nothing is to listen.
  var refuseConnections: Bool { state.withLock { $0.refuseConnections } }

  /// Whether every connection is to end with its first answer.
  var endConnections: Bool { state.withLock { $0.endConnections } }

  /// Whether a request may be on its way round a circle.
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

  /// Calls the observer no more.
  func stopObserving() {
    let observations = state.withLock { state in
      defer { state.observations = [] }
      return state.observations
    }
    for (plan, observation) in zip(plans, observations) { plan.stopObserving(observation) }
  }

  /// Sees what the plans now say.
  func look() {
    state.withLock { state in
      // Read where it is written, so that what was seen first is not written last.
      let refuse = plans.contains { $0.refusesConnections }
      let end = plans.contains { $0.endsConnectionsWithoutAnswer }
      let circle = plans.contains { $0.sendsInACircle }
      state.sendInACircle = circle
      state.refuseConnections = refuse
      state.endConnections = end
    }
  }
}

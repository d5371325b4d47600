/// What a server has to know of a plan before a request comes.
extension FaultPlanCore {
  /// Whether nothing is to listen: a rule for any request, always, says that connections are refused.
  package var refusesConnections: Bool {
    rules.contains { rule in
      guard rule.site == .any, case .always = rule.schedule, rule.condition == nil else { return false }
      return rule.fault.effect == Fault.connectionRefused.effect
    }
  }

  /// Whether a rule sends clients in a circle, which the server has to answer by itself.
  package var sendsInACircle: Bool {
    rules.contains { $0.fault.effect == .redirectLoop }
  }

  /// Whether a rule may end a connection before a byte of the answer.
  ///
  /// Most clients then send the request again, silently, if the connection has served another before.
  package var endsConnectionsWithoutAnswer: Bool {
    rules.contains { rule in
      switch rule.fault.effect {
      case .failure, .lostAnswer, .cut, .spoiled: true
      default: false
      }
    }
  }
}

extension Interceptor {
  /// The plan, if it injects faults.
  package var plan: FaultPlanCore? {
    if case .faults(let plan) = core { plan } else { nil }
  }
}

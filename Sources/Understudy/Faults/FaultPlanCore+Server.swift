/// Properties of a plan that a server needs before the first request.
extension FaultPlanCore {
  /// Whether a rule for any request always refuses connections, so that the server must not listen.
  package var refusesConnections: Bool {
    rules.contains(where: \.refusesConnections)
  }

  /// Whether a rule redirects clients in a loop, which the server has to answer itself.
  package var sendsInACircle: Bool {
    rules.contains { $0.fault.effect == .redirectLoop }
  }

  /// Whether a rule may close a connection before the first byte of the answer.
  ///
  /// Most clients then silently retry the request if the connection has already served another one.
  package var endsConnectionsWithoutAnswer: Bool {
    rules.contains { rule in
      switch rule.fault.effect {
      case .failure, .lostAnswer, .cut, .spoiled: true
      default: false
      }
    }
  }
}

extension RuleCore {
  /// Whether it always refuses connections for any request.
  var refusesConnections: Bool {
    guard operation == .any, case .always = schedule, condition == nil else { return false }
    return fault.effect == Fault.connectionRefused.effect
  }
}

extension Interceptor {
  /// The plans whose faults it injects.
  package var plans: [FaultPlanCore] {
    cores.compactMap { if case .faults(let plan) = $0 { plan } else { nil } }
  }
}

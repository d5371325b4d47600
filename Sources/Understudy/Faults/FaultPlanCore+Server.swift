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
  ///
  /// A server cannot prevent a client from resolving its name or having a network; a client that does not reach it is
  /// the nearest that it can cause.
  var refusesConnections: Bool {
    guard operation == .any, case .always = schedule, condition == nil else { return false }
    return switch fault.effect {
    case .failure(.connectionRefused), .failure(.offline), .failure(.hostNotFound): true
    default: false
    }
  }
}

extension Interceptor {
  /// The plans whose faults it injects.
  package var plans: [FaultPlanCore] {
    cores.compactMap { if case .faults(let plan) = $0 { plan } else { nil } }
  }
}

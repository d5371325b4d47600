/// One thing that an ``Intercepted`` does with each call before it reaches the base.
public struct Interceptor<Base: Sendable>: Sendable {
  let core: InterceptorCore

  /// Writes every call down, also one that another interceptor answers.
  public static func log(_ log: CallLog<Base>) -> Self { Self(core: .log(log.core)) }

  /// Makes calls fail as the plan says.
  public static func faults(_ plan: FaultPlan<Base>) -> Self { Self(core: .faults(plan.core)) }

  /// Makes calls fail as the rules say; the first that matches wins.
  public static func faults(_ rules: FaultPlan<Base>.Rule...) -> Self {
    Self(core: .faults(FaultPlan(rules: rules).core))
  }

  /// Holds calls until the test answers them.
  public static func gate(_ gate: Gate<Base>) -> Self { Self(core: .gate(gate.core)) }

  /// Makes every call take this much longer.
  public static func latency(_ duration: Duration) -> Self {
    .latency(.uniform(duration...duration), seed: 0)
  }

  /// Makes every call take longer by what is drawn for it.
  ///
  /// - Parameters:
  ///   - distribution: What the delays are drawn from.
  ///   - seed: The same seed gives the same delays, call by call.
  public static func latency(_ distribution: LatencyDistribution, seed: UInt64) -> Self {
    Self(core: .latency(Latency(distribution, seed: seed)))
  }
}

/// What an ``Interceptor`` does, whatever it stands before.
enum InterceptorCore: Sendable {
  case log(CallLogCore)
  case faults(FaultPlanCore)
  case gate(GateCore)
  case latency(Latency)
  case scheduled(ScheduledBase)
}

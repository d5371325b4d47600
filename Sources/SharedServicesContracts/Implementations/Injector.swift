import Foundation
import SharedServices
import UnderstudyContracts
import UnderstudyDoubles
import UnderstudyPrimitives
import UnderstudyTransport

/// What a trial puts before a base, and the conditions that it brings about there.
struct Injector<Base: Sendable>: Sendable {
  private let plan = FaultPlan<Base>()
  private let gate = Gate<Base>()
  private let time: Time
  let operations: [Intercepted<Base>.Operation]

  /// An injector for the calls of these operations: those that ask a server.
  init(time: ManualTime, into operations: [Intercepted<Base>.Operation] = [.any]) {
    self.time = time.time
    self.operations = operations
    gate.open()
  }

  func intercept(_ base: Base, loggedIn log: CallLog<Base>? = nil) -> Intercepted<Base> {
    Intercepted(base, by: (log.map { [.log($0)] } ?? []) + interceptors, time: time)
  }

  /// What it puts before a base.
  var interceptors: [Interceptor<Base>] { [.faults(plan), .gate(gate)] }

  /// A condition in which every call meets a fault.
  func provision(_ condition: Condition<Void>, _ fault: Fault) -> Provision {
    provision(condition, operations.map { .on($0, fault) }) {}
  }

  /// A condition in which calls meet faults, with what comes with it.
  func provision<Fixture: Sendable>(
    _ condition: Condition<Fixture>, _ rules: [FaultPlan<Base>.Rule],
    _ fixture: @escaping @Sendable () async throws -> Fixture
  ) -> Provision {
    let active = Locked<[FaultPlan<Base>.RuleID]>([])
    return .bringing(
      about: condition,
      endingWith: { [plan] in
        for id in active.withLock({ $0 }) { plan.remove(id) }
      },
      by: { [plan] in
        let value = try await fixture()
        active.withLock { $0 = rules.map { plan.add($0) } }
        return value
      })
  }

  /// What happens on the way to every server.
  var failuresOnTheWay: [Provision] {
    [
      provision(.doesNotAnswer, .timeout),
      provision(.offline, .offline),
      provision(.connectionBreaks, .connectionReset),
      provision(.answerIsLost, .emptyReply),
      provision(.answerIsUnreadable, .malformedJSON),
    ]
  }

  /// What goes wrong in the middle of every streamed answer.
  var brokenStreams: [Provision] { brokenStreams(afterChunks: 3) }

  /// The same, where nobody knows that an answer has more than a few chunks.
  func brokenStreams(afterChunks count: Int) -> [Provision] {
    let broken = BrokenStream(afterChunks: count)
    let faults: [(Condition<BrokenStream>, Fault)] = [
      (.streamDrops, .dropStream(afterEvents: broken.chunks)),
      (.streamStalls, .stallStream(afterEvents: broken.chunks)),
      (.streamIsCorrupt, .corruptEvent(broken.chunks + 1)),
      (.streamEndsEarly, .endStream(afterEvents: broken.chunks)),
    ]
    return faults.map { condition, fault in
      provision(condition, operations.map { .on($0, fault) }) { broken }
    }
  }

  /// Too many requests, with the delay that the answer names.
  var tooManyRequests: Provision {
    let delay = Duration.seconds(30)
    return provision(.tooManyRequests, operations.map { .on($0, .rateLimited(retryAfter: delay)) }) { delay }
  }

  var callsAreHeld: Provision {
    .bringing(
      about: .callsAreHeld, endingWith: { [gate] in gate.open() },
      by: { [gate] in
        gate.close()
        let arrived = Locked(0)
        return HeldCalls(
          arrival: { count in
            while arrived.withLock({ $0 }) < count, (try? await gate.next()) != nil {
              arrived.withLock { $0 += 1 }
            }
          }, release: { gate.open() })
      })
  }
}

extension Injector where Base: HTTPTransport {
  /// The token that the first request brings is refused as expired, as often as it comes.
  func tokenExpired(
    _ condition: Condition<Refreshes> = .tokenExpired, on paths: [String],
    refreshes: @escaping @Sendable () -> Refreshes
  ) -> Provision {
    let refused = Locked<String?>(nil)
    let rules: [FaultPlan<Base>.Rule] = paths.map { path in
      .on(
        .request(nil, path),
        when: { call in
          let token = call.request?.fields["Authorization"] ?? ""
          return refused.withLock { refused in
            if refused == nil { refused = token }
            return refused == token
          }
        }, .unauthorized)
    }
    return provision(condition, rules) {
      refused.withLock { $0 = nil }
      return refreshes()
    }
  }

  /// The server refuses the token, and then its exchange for another.
  func sessionEnded(on paths: [String]) -> Provision {
    provision(
      .sessionEnded,
      paths.map { .on(.request(nil, $0), .unauthorized) }
        + [.on(.post("/auth/v1/token"), .refusal(.refreshTokenNotFound))]
    ) {}
  }
}

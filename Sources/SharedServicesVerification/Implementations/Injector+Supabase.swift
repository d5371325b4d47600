import Understudy
import UnderstudyHTTP
import SharedServicesContracts
import UnderstudySupabase

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

import Foundation
public import SharedServices
import SharedServicesInMemory
import SharedServicesLive
import UnderstudyBackend
public import UnderstudyContracts
import UnderstudyDoubles
import UnderstudyTransport

extension Implementation where Subject == any AuthService {
  /// `InMemoryAuthService` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { trial in
      let backend = try TrialBackend(seed: trial.seed)
      let injector = Injector<InMemoryAuthService>(
        time: backend.time, into: [.signIn, .signOut, .refresh])
      return Stage(
        injector.intercept(backend.services.auth),
        provisions: backend.accounts + backend.sessions + injector.failuresOnTheWay
          + [
            backend.sessionEnds, backend.tokenExpires, backend.tooManyAttempts,
            injector.provision(.serverFails, .serverError),
            injector.callsAreHeld,
          ])
    }
  }

  /// `SupabaseAuthService` over HTTP.
  public static func supabase(over route: SupabaseRoute) -> Self {
    switch route {
    case .emulator: SupabaseTrials.authentication.overEmulator
    case .faults: overFaults
    }
  }

  private static var overFaults: Self {
    Implementation("supabase-over-faults") { trial in
      let backend = try TrialBackend(seed: trial.seed)
      let injector = Injector<InProcessTransport<SupabaseEmulator>>(time: backend.time)
      let client = backend.client(
        over: injector.intercept(InProcessTransport(to: backend.services.emulator, time: backend.time.time)))
      return Stage(
        SupabaseAuthService(client),
        provisions: backend.accounts + backend.sessions + injector.failuresOnTheWay
          + [
            injector.sessionEnded(on: ["/auth/v1/user"]), injector.tooManyRequests,
            injector.provision(
              .tokenExpired, [.on(.post("/auth/v1/logout"), call: 1, .refusal(.badToken))]
            ) { backend.refreshes },
            injector.provision(.serverFails, .authFailure), injector.callsAreHeld,
          ])
    }
  }
}

extension Fault {
  /// What Auth answers when it fails itself.
  static var authFailure: Fault {
    .refusal(AuthAPIError(status: 500, code: "unexpected_failure", message: "Unexpected failure"))
  }
}

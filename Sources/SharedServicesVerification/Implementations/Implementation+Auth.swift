public import SharedServices
package import SharedServicesDoubles
public import Understudy
import UnderstudyHTTP
import UnderstudySupabase

extension Implementation where Subject == any AuthService {
  /// `InMemoryAuthService` behind an `Intercepted`.
  public static var inMemory: Self { inMemory { subject, _ in subject } }

  /// The same with something around it that knows the backend: for mutants.
  package static func inMemory(
    around wrap: @escaping @Sendable (Subject, InMemorySharedServices) -> Subject
  ) -> Self {
    Implementation("in-memory") { trial in
      let backend = try TrialBackend(seed: trial.seed)
      let injector = Injector<InMemoryAuthService>(
        time: backend.time, into: [.signIn, .signOut, .refresh])
      return Stage(
        wrap(injector.intercept(backend.services.auth), backend.services),
        provisions: backend.accounts + backend.sessions + injector.failuresOnTheWay
          + [
            backend.sessionEnds, backend.tokenExpires, backend.tooManyAttempts,
            injector.provision(.serverFails, .serverError),
            injector.callsAreHeld,
          ])
    }
  }

  /// `SupabaseAuthService` over HTTP.
  public static func supabase(over route: LiveRoute) -> Self {
    SupabaseTrials.authentication.implementation(over: route)
  }
}

extension Fault {
  /// What Auth answers when it fails itself.
  static var authFailure: Fault {
    .refusal(AuthAPIError(status: 500, code: "unexpected_failure", message: "Unexpected failure"))
  }
}

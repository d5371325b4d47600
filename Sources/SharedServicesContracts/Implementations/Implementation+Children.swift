public import SharedServices
package import SharedServicesDoubles
public import Understudy
package import UnderstudySupabase

extension Implementation where Subject == any ChildrenService {
  /// `InMemoryChildrenService` behind an `Intercepted`.
  public static var inMemory: Self { inMemory() }

  /// The same on other tables, or with something around it that knows the backend: for mutants.
  package static func inMemory(
    on tables: [DatabaseTable] = .sharedServices,
    around wrap: @escaping @Sendable (Subject, InMemorySharedServices) -> Subject = { subject, _ in subject }
  ) -> Self {
    Implementation("in-memory") { trial in
      let backend = try TrialBackend(seed: trial.seed, on: tables)
      let injector = Injector<InMemoryChildrenService>(time: backend.time)
      _ = try await backend.services.auth.signIn(backend.account)
      return Stage(
        wrap(injector.intercept(backend.services.children), backend.services),
        provisions: backend.provisions(signedInWith: backend.services.auth) + injector.failuresOnTheWay
          + [
            backend.anotherUser, backend.nameIsTaken, backend.tokenExpires, backend.sessionEnds,
            backend.databaseFails(on: "children"), injector.tooManyRequests, injector.callsAreHeld,
          ])
    }
  }

  /// `SupabaseChildrenService` over HTTP.
  public static func supabase(over route: LiveRoute) -> Self {
    SupabaseTrials.children.implementation(over: route)
  }
}

extension TrialBackend {
  /// The conditions that every service with a session gets from the backend.
  func provisions(signedInWith auth: some AuthService) -> [Provision] {
    [
      .bringing(about: .signedIn) { [account] in account.userID },
      .bringing(about: .signedOut) { try await auth.signOut() },
      childOfAnotherUser, timePasses,
    ]
  }
}

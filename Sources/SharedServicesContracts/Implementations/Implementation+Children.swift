public import SharedServices
import SharedServicesInMemory
public import UnderstudyContracts
import UnderstudyDoubles

/// What a live service of a contract talks to.
public enum SupabaseRoute: Sendable, Hashable {
  /// The dialect in memory: the backend itself refuses, expires and fails; only what happens on the way is injected.
  case emulator
  /// A transport that injects every failure, before the same dialect.
  case faults
  /// URLSession, a socket, and a server before the dialect; what fails on the way fails on the server's socket.
  case socket
}

extension Implementation where Subject == any ChildrenService {
  /// `InMemoryChildrenService` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { trial in
      let backend = try TrialBackend(seed: trial.seed)
      let injector = Injector<InMemoryChildrenService>(time: backend.time)
      _ = try await backend.services.auth.signIn(backend.account)
      return Stage(
        injector.intercept(backend.services.children),
        provisions: backend.provisions(signedInWith: backend.services.auth) + injector.failuresOnTheWay
          + [
            backend.anotherUser, backend.nameIsTaken, backend.tokenExpires, backend.sessionEnds,
            backend.databaseFails(on: "children"), injector.tooManyRequests, injector.callsAreHeld,
          ])
    }
  }

  /// `SupabaseChildrenService` over HTTP.
  public static func supabase(over route: SupabaseRoute) -> Self {
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

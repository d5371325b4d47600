import Foundation
public import SharedServices
import SharedServicesInMemory
import SharedServicesLive
import UnderstudyBackend
public import UnderstudyContracts
import UnderstudyDoubles
import UnderstudyTransport

/// What a live service of a contract talks to.
public enum SupabaseRoute: Sendable, Hashable {
  /// The dialect in memory: the backend itself refuses, expires and fails; only what happens on the way is injected.
  case emulator
  /// A transport that injects every failure, before the same dialect.
  case faults
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
    switch route {
    case .emulator: SupabaseTrials.children.overEmulator
    case .faults: overFaults
    }
  }

  private static var overFaults: Self {
    Implementation("supabase-over-faults") { trial in
      let backend = try TrialBackend(seed: trial.seed)
      let injector = Injector<InProcessTransport<SupabaseEmulator>>(time: backend.time)
      let client = backend.client(
        over: injector.intercept(InProcessTransport(to: backend.services.emulator, time: backend.time.time)))
      let auth = SupabaseAuthService(client)
      _ = try await auth.signIn(backend.account)
      let path = "/rest/v1/children"
      return Stage(
        SupabaseChildrenService(client),
        provisions: backend.provisions(signedInWith: auth) + injector.failuresOnTheWay
          + [
            injector.provision(.anotherUser, [.on(.post(path), .forbidden)]) { backend.second.userID },
            injector.provision(
              .nameIsTaken, [.on(.post(path), .conflict), .on(.patch(path), .conflict)]
            ) { "Taken" },
            injector.tokenExpired(on: [path]) { backend.refreshes }, injector.sessionEnded(on: [path]),
            injector.provision(.serverFails, .serverError), injector.tooManyRequests, injector.callsAreHeld,
          ])
    }
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

import Foundation
public import SharedServices
import SharedServicesInMemory
import UnderstudyBackend
public import UnderstudyContracts
import UnderstudyDoubles
import UnderstudyTransport

// In memory only: the live service speaks over a WebSocket, which neither a transport nor a handler carries.

extension Implementation where Subject == any RealtimeService {
  /// `InMemoryRealtimeService` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { trial in
      let backend = try TrialBackend(seed: trial.seed)
      let injector = Injector<InMemoryRealtimeService>(time: backend.time)
      _ = try await backend.services.auth.signIn(backend.account)
      return Stage(
        injector.intercept(backend.services.realtime),
        provisions: backend.provisions(signedInWith: backend.services.auth) + injector.failuresOnTheWay
          + [
            backend.device(.anotherDevice, of: backend.account),
            backend.device(.deviceOfAnotherUser, of: backend.second), backend.subscriptionsAreCounted,
            backend.subscriptionsBreak, backend.sessionEnds, backend.tokenExpires,
            injector.provision(.serverFails, .serverError), injector.tooManyRequests, injector.callsAreHeld,
          ])
    }
  }
}

extension TrialBackend {
  fileprivate func device(_ condition: Condition<Device>, of account: Account) -> Provision {
    .bringing(about: condition) { [services] in
      Device(userID: account.userID, children: try await services.device(of: account).children)
    }
  }

  fileprivate var subscriptionsAreCounted: Provision {
    .bringing(about: .subscriptionsAreCounted) { [services] in
      Subscriptions { services.database.changeFeedCount }
    }
  }

  fileprivate var subscriptionsBreak: Provision {
    .bringing(about: .subscriptionsBreak) { [services] in
      services.database.breakChangeFeeds(
        with: TransportError(.connectionLost, "The subscription was broken."))
    }
  }
}

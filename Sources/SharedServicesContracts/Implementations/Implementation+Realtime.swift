import Foundation
public import SharedServices
package import SharedServicesDoubles
public import Understudy
import UnderstudyHTTP
package import UnderstudySupabase
import SharedServicesLive

extension Implementation where Subject == any RealtimeService {
  /// `InMemoryRealtimeService` behind an `Intercepted`.
  public static var inMemory: Self { inMemory() }

  /// The same on other tables, or with something around it that knows the backend: for mutants.
  package static func inMemory(
    on tables: [DatabaseTable] = .sharedServices,
    around wrap: @escaping @Sendable (Subject, InMemorySharedServices) -> Subject = { subject, _ in subject }
  ) -> Self {
    Implementation("in-memory") { trial in
      let backend = try TrialBackend(seed: trial.seed, on: tables)
      let injector = Injector<InMemoryRealtimeService>(time: backend.time)
      _ = try await backend.services.auth.signIn(backend.account)
      return Stage(
        wrap(injector.intercept(backend.services.realtime), backend.services),
        provisions: backend.provisions(ofRealtimeSignedInWith: backend.services.auth)
          + injector.failuresOnTheWay + injector.brokenSubscriptions(on: .childChanges, messagesBefore: 0)
          + [
            backend.subscriptionsAreCounted(atOnce: true), backend.sessionEnds, backend.tokenExpires,
            backend.tokenIsRefused, injector.provision(.serverFails, .serverError), injector.tooManyRequests,
            injector.callsAreHeld,
          ])
    }
  }

  /// `SupabaseRealtimeService` over a WebSocket, and HTTP beside it.
  public static func supabase(over route: LiveRoute) -> Self {
    switch route {
    case .emulator:
      Implementation("supabase-over-emulator") { trial in
        try await EmulatorRig(seed: trial.seed, tokenLifetime: TrialBackend.shortLifetime).realtimeStage()
      }
    case .socket:
      Implementation("supabase-over-socket") { trial in
        try await EmulatorRig(onSocketWith: trial.seed, tokenLifetime: TrialBackend.shortLifetime)
          .realtimeStage()
      }
    case .faults:
      Implementation("supabase-over-faults") { trial in
        let rig = try FaultsRig(seed: trial.seed, tokenLifetime: TrialBackend.shortLifetime)
        return try await rig.realtimeStage(
          [
            rig.injector.realtimeSessionEnded { rig.backend.endSession() },
            rig.injector.tokenExpired(.tokenIsRefused, on: [realtimePath]) { rig.backend.refreshes },
            rig.injector.provision(.serverFails, .serverError),
          ] + rig.injector.brokenSubscriptions(on: .get(realtimePath), messagesBefore: 2))
      }
    }
  }
}

extension EmulatorRig {
  /// A stage on which the backend itself refuses and ends what it can.
  fileprivate func realtimeStage() async throws -> Stage<any RealtimeService> {
    try await realtimeStage(
      [backend.sessionEnds, backend.tokenIsRefused, backend.databaseFails(on: "children")]
        + injector.brokenSubscriptions(on: .get(realtimePath), messagesBefore: 2))
  }
}

/// Where the WebSocket is opened.
private let realtimePath = "/realtime/v1/websocket"

extension SupabaseRig {
  /// A stage with a live service whose user is signed in.
  fileprivate func realtimeStage(_ provisions: [Provision]) async throws -> Stage<any RealtimeService> {
    let client = client
    let auth = SupabaseAuthService(client)
    _ = try await auth.signIn(backend.account)
    return Stage(
      SupabaseRealtimeService(client, over: webSockets),
      provisions: replacing(
        in: backend.provisions(ofRealtimeSignedInWith: auth) + injector.failuresOnTheWay + provisions
          + [
            backend.subscriptionsAreCounted(atOnce: false), backend.tokenRunsOut, injector.tooManyRequests,
            injector.callsAreHeld,
          ]),
      tearDown: { _ in await close() })
  }
}

extension Injector {
  /// What goes wrong in every subscription, in the place of its second change.
  ///
  /// - Parameter count: How many messages come before the first change.
  fileprivate func brokenSubscriptions(
    on operation: Intercepted<Base>.Operation, messagesBefore count: Int
  ) -> [Provision] {
    let broken = BrokenSubscription(afterChanges: 1)
    let messages = count + broken.changes
    let faults: [(Condition<BrokenSubscription>, Fault)] = [
      (.subscriptionDrops, .abortWebSocket(afterMessages: messages)),
      (.subscriptionIsClosed, .closeWebSocket(afterMessages: messages)),
      (.subscriptionIsCorrupt, .badFrame(afterMessages: messages)),
    ]
    return faults.map { condition, fault in provision(condition, [.on(operation, fault)]) { broken } }
  }
}

extension Injector where Base: HTTPTransport {
  /// The server refuses new subscriptions and new tokens, and shuts down what goes by the old one.
  fileprivate func realtimeSessionEnded(_ end: @escaping @Sendable () -> Void) -> Provision {
    provision(
      .sessionEnded,
      [
        .on(.get(realtimePath), .unauthorized),
        .on(.post("/auth/v1/token"), .refusal(.refreshTokenNotFound)),
      ], end)
  }
}

extension TrialBackend {
  /// So long does a token hold that a service exchanges it after twenty seconds: sooner than it sends a heartbeat, so that
  /// a trial need not wait for answers while it moves the time.
  fileprivate static let shortLifetime: Duration = .seconds(50)

  /// The conditions that every service of changes gets from the backend.
  fileprivate func provisions(ofRealtimeSignedInWith auth: some AuthService) -> [Provision] {
    provisions(signedInWith: auth) + [
      device(.anotherDevice, of: account), device(.deviceOfAnotherUser, of: second), subscriptionsBreak,
      .bringing(about: .anotherUserSignsIn) { [second] in _ = try await auth.signIn(second) },
    ]
  }

  private func device(_ condition: Condition<Device>, of account: Account) -> Provision {
    .bringing(about: condition) { [services] in
      Device(userID: account.userID, children: try await services.device(of: account).children)
    }
  }

  /// - Parameter atOnce: Whether a consumer that has left has ended its subscription; over a connection it takes a while.
  fileprivate func subscriptionsAreCounted(atOnce: Bool) -> Provision {
    .bringing(about: .subscriptionsAreCounted) { [services] in
      Subscriptions { expected in
        if !atOnce { await services.database.waitForChangeFeeds(expected) }
        return services.database.changeFeedCount
      }
    }
  }

  private var subscriptionsBreak: Provision {
    .bringing(about: .subscriptionsBreak) { [services] in
      services.database.breakChangeFeeds(
        with: TransportError(.connectionLost, "The subscription was broken."))
    }
  }

  /// The server takes the tokens that there are for expired; the service believes that they are good.
  fileprivate var tokenIsRefused: Provision {
    .bringing(about: .tokenIsRefused) { [services, account] in
      services.authServer.expireAccessTokens(of: account.userID)
      return refreshes
    }
  }

  /// So much time passes that a service with one subscription must exchange its token.
  fileprivate var tokenRunsOut: Provision {
    .bringing(about: .tokenExpired) { [services, time] in
      let before = services.authServer.exchangeCount
      // The server's wait for silence and its watch over the token; the service's heartbeat and its watch.
      try await time.sleepers(atLeast: 4)
      time.advance(by: Self.shortLifetime - .seconds(30))
      return Refreshes {
        await services.authServer.waitForExchanges(before + 1)
        return services.authServer.exchangeCount - before
      }
    }
  }
}

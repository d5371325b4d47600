import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import SharedServicesLive
import SharedServicesContracts

/// A backend for one trial, and a way to it over HTTP with an injector before one of its parts.
struct SupabaseRig<Base: Sendable>: Sendable {
  let backend: TrialBackend
  let streams: StreamInjector
  let injector: Injector<Base>
  /// The way to the backend.
  let transport: any HTTPTransport & WebSocketTransport
  /// Where the way begins.
  let configuration: SupabaseConfiguration
  /// What takes the place of the conditions of the same names, because this way cannot have those.
  var replacements: [Provision] = []
  /// Ends what goes on behind the client.
  var close: @Sendable () async -> Void = {}

  /// The same way.
  var webSockets: any WebSocketTransport { transport }

  /// A new client at its beginning.
  var client: SupabaseClient { client(over: transport) }

  /// A new client whose transport stands on the way.
  func client(over transport: any HTTPTransport) -> SupabaseClient {
    SupabaseClient(configuration, over: transport, time: backend.time.time)
  }

  /// The provisions, with the replacements in their places.
  func replacing(in provisions: [Provision]) -> [Provision] {
    let names = Set(replacements.map(\.condition))
    return provisions.filter { !names.contains($0.condition) } + replacements
  }
}

/// A rig that meddles with the backend's answers before they are on their way.
typealias EmulatorRig = SupabaseRig<StreamedHandler<SupabaseEmulator>>

extension EmulatorRig {
  init(seed: UInt64, tokenLifetime: Duration = .seconds(3600), startingAt date: Date? = nil) throws {
    let backend = try TrialBackend(seed: seed, tokenLifetime: tokenLifetime, startingAt: date)
    let streams = StreamInjector()
    let injector = Injector<Base>(time: backend.time)
    let handler = Base(base: backend.services.emulator, injector: streams)
    self.init(
      backend: backend, streams: streams, injector: injector,
      transport: InProcessTransport(to: injector.intercept(handler), time: backend.time.time),
      configuration: backend.nowhere)
  }
}

/// A rig that meddles with the transport.
typealias FaultsRig = SupabaseRig<StreamedTransport<InProcessTransport<SupabaseEmulator>>>

extension FaultsRig {
  init(seed: UInt64, tokenLifetime: Duration = .seconds(3600)) throws {
    let backend = try TrialBackend(seed: seed, tokenLifetime: tokenLifetime)
    let streams = StreamInjector()
    let injector = Injector<Base>(time: backend.time)
    let transport = Base(
      base: InProcessTransport(to: backend.services.emulator, time: backend.time.time), injector: streams)
    self.init(
      backend: backend, streams: streams, injector: injector, transport: injector.intercept(transport),
      configuration: backend.nowhere)
  }
}

/// How the trials of one contract use a Supabase project in memory: live, recorded or replayed.
struct SupabaseTrials<Subject: Sendable>: Sendable {
  /// Whether somebody is signed in before the clause begins.
  let signsIn: Bool
  /// The service of a client.
  let subject: @Sendable (SupabaseClient) -> Subject
  /// The conditions that the backend itself and the way to it bring about, all but holding calls.
  let ofEmulator: @Sendable (EmulatorRig, any AuthService) -> [Provision]
  /// The same, every failure being injected.
  let ofFaults: @Sendable (FaultsRig, any AuthService) -> [Provision]

  /// The live service over a route.
  func implementation(over route: LiveRoute) -> Implementation<Subject> {
    switch route {
    case .emulator:
      Implementation("supabase-over-emulator") { trial in
        try await stage(EmulatorRig(seed: trial.seed), ofEmulator)
      }
    case .faults:
      Implementation("supabase-over-faults") { trial in
        try await stage(FaultsRig(seed: trial.seed), ofFaults)
      }
    case .socket:
      Implementation("supabase-over-socket") { trial in
        try await stage(EmulatorRig(onSocketWith: trial.seed), ofEmulator)
      }
    }
  }

  private func stage<Base>(
    _ rig: SupabaseRig<Base>, _ provisions: (SupabaseRig<Base>, any AuthService) -> [Provision]
  ) async throws -> Stage<Subject> {
    let client = rig.client
    let auth = SupabaseAuthService(client)
    if signsIn { _ = try await auth.signIn(rig.backend.account) }
    return Stage(
      subject(client),
      provisions: rig.replacing(in: provisions(rig, auth) + [rig.injector.callsAreHeld]),
      tearDown: { _ in await rig.close() })
  }
}

extension SupabaseTrials where Subject == any AuthService {
  static var authentication: Self {
    SupabaseTrials(signsIn: false) {
      SupabaseAuthService($0)
    } ofEmulator: { rig, _ in
      rig.backend.accounts + rig.backend.sessions + rig.injector.failuresOnTheWay
        + [
          rig.backend.sessionEnds, rig.backend.tokenExpires, rig.backend.tooManyAttempts,
          rig.injector.provision(.serverFails, .authFailure),
        ]
    } ofFaults: { rig, _ in
      rig.backend.accounts + rig.backend.sessions + rig.injector.failuresOnTheWay
        + [
          rig.injector.sessionEnded(on: ["/auth/v1/user"]), rig.injector.tooManyRequests,
          rig.injector.provision(
            .tokenExpired, [.on(.post("/auth/v1/logout"), call: 1, .refusal(.badToken))]
          ) { rig.backend.refreshes },
          rig.injector.provision(.serverFails, .authFailure),
        ]
    }
  }
}

extension SupabaseTrials where Subject == any ChildrenService {
  static var children: Self {
    SupabaseTrials(signsIn: true) {
      SupabaseChildrenService($0)
    } ofEmulator: { rig, auth in
      rig.backend.provisions(signedInWith: auth) + rig.injector.failuresOnTheWay
        + [
          rig.backend.anotherUser, rig.backend.nameIsTaken, rig.backend.tokenExpires, rig.backend.sessionEnds,
          rig.backend.databaseFails(on: "children"), rig.injector.tooManyRequests,
        ]
    } ofFaults: { rig, auth in
      let path = "/rest/v1/children"
      return rig.backend.provisions(signedInWith: auth) + rig.injector.failuresOnTheWay
        + [
          rig.injector.provision(.anotherUser, [.on(.post(path), .forbidden)]) { rig.backend.second.userID },
          rig.injector.provision(.nameIsTaken, [.on(.post(path), .conflict), .on(.patch(path), .conflict)]) {
            "Taken"
          },
          rig.injector.tokenExpired(on: [path]) { rig.backend.refreshes },
          rig.injector.sessionEnded(on: [path]),
          rig.injector.provision(.serverFails, .serverError), rig.injector.tooManyRequests,
        ]
    }
  }
}

extension SupabaseTrials where Subject == any ConversationService {
  static var conversations: Self {
    SupabaseTrials(signsIn: true) {
      SupabaseConversationService($0)
    } ofEmulator: { rig, auth in
      rig.backend.provisions(ofConversationsSignedInWith: auth) + rig.injector.failuresOnTheWay
        + rig.injector.brokenStreams + rig.streams.provisions
        + [
          rig.backend.tokenExpires, rig.backend.sessionEnds, rig.backend.databaseFails(),
          rig.injector.tooManyRequests,
        ]
    } ofFaults: { rig, auth in
      let paths = ["/rest/v1/*", "/functions/v1/*"]
      return rig.backend.provisions(ofConversationsSignedInWith: auth) + rig.injector.failuresOnTheWay
        + rig.injector.brokenStreams + rig.streams.provisions
        + [
          rig.injector.tokenExpired(on: paths) { rig.backend.refreshes },
          rig.injector.sessionEnded(on: paths),
          rig.injector.provision(.serverFails, .serverError), rig.injector.tooManyRequests,
        ]
    }
  }
}

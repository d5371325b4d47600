import Foundation
import SharedServices
import SharedServicesInMemory
import SharedServicesLive
import UnderstudyBackend
import UnderstudyContracts
import UnderstudyDoubles
import UnderstudyTransport

/// A backend for one trial, and a way to it over HTTP on which a test can meddle.
struct EmulatorRig: Sendable {
  typealias Handler = StreamedHandler<SupabaseEmulator>

  let backend: TrialBackend
  let streams = StreamInjector()
  let injector: Injector<Handler>

  init(seed: UInt64) throws {
    backend = try TrialBackend(seed: seed)
    injector = Injector(time: backend.time)
  }

  /// The way to the backend.
  var transport: InProcessTransport<Intercepted<Handler>> {
    let handler = Handler(base: backend.services.emulator, injector: streams)
    return InProcessTransport(to: injector.intercept(handler), time: backend.time.time)
  }
}

/// How the trials of one contract use a Supabase project in memory: live, recorded or replayed.
struct SupabaseTrials<Subject: Sendable>: Sendable {
  /// Whether somebody is signed in before the clause begins.
  let signsIn: Bool
  /// The service of a client.
  let subject: @Sendable (SupabaseClient) -> Subject
  /// The conditions that the backend and the way to it bring about, all but holding calls.
  let provisions: @Sendable (EmulatorRig, SupabaseAuthService) -> [Provision]

  /// Over the emulator.
  var overEmulator: Implementation<Subject> {
    Implementation("supabase-over-emulator") { trial in
      let rig = try EmulatorRig(seed: trial.seed)
      let client = rig.backend.client(over: rig.transport)
      let auth = SupabaseAuthService(client)
      if signsIn { _ = try await auth.signIn(rig.backend.account) }
      return Stage(subject(client), provisions: provisions(rig, auth) + [rig.injector.callsAreHeld])
    }
  }
}

extension SupabaseTrials where Subject == any AuthService {
  static var authentication: Self {
    SupabaseTrials(signsIn: false) {
      SupabaseAuthService($0)
    } provisions: { rig, _ in
      rig.backend.accounts + rig.backend.sessions + rig.injector.failuresOnTheWay
        + [
          rig.backend.sessionEnds, rig.backend.tokenExpires, rig.backend.tooManyAttempts,
          rig.injector.provision(.serverFails, .authFailure),
        ]
    }
  }
}

extension SupabaseTrials where Subject == any ChildrenService {
  static var children: Self {
    SupabaseTrials(signsIn: true) {
      SupabaseChildrenService($0)
    } provisions: { rig, auth in
      rig.backend.provisions(signedInWith: auth) + rig.injector.failuresOnTheWay
        + [
          rig.backend.anotherUser, rig.backend.nameIsTaken, rig.backend.tokenExpires, rig.backend.sessionEnds,
          rig.backend.databaseFails(on: "children"), rig.injector.tooManyRequests,
        ]
    }
  }
}

extension SupabaseTrials where Subject == any ConversationService {
  static var conversations: Self {
    SupabaseTrials(signsIn: true) {
      SupabaseConversationService($0)
    } provisions: { rig, auth in
      rig.backend.provisions(ofConversationsSignedInWith: auth) + rig.injector.failuresOnTheWay
        + rig.injector.brokenStreams + rig.streams.provisions
        + [
          rig.backend.tokenExpires, rig.backend.sessionEnds, rig.backend.databaseFails(),
          rig.injector.tooManyRequests,
        ]
    }
  }
}

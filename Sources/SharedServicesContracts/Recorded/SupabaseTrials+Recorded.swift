import Foundation
import SharedServicesLive
import UnderstudyContracts
import UnderstudyDoubles
import UnderstudyRecording
import UnderstudyTransport

extension SupabaseTrials {
  /// Answers each clause from the recording of its own.
  func recorded(in folder: RecordingFolder) -> Implementation<Subject> {
    Implementation("recorded") { trial in
      let archive = try folder.recording(named: "\(trial.contract)/\(trial.clause)")
      let replayed = ReplayedTrial(archive)
      // A call that is repeated more often than it was recorded, as concurrent ones may be, is answered as the last.
      let replay = ReplayingTransport(
        archive, repetition: .repeatsLast, redaction: .ofSyntheticAccounts,
        remedy: "record the clause again with: \(folder.command)")
      let injector = Injector<ReplayingTransport>(time: replayed.time)
      let client = SupabaseClient(
        .emulator(apiKey: "redacted"), over: injector.intercept(replay, loggedIn: replayed.log),
        time: replayed.time.time)
      let auth = SupabaseAuthService(client)
      if signsIn {
        let account: [String] = try replayed.nextPayload(of: Self.signedInAs)
        _ = try await auth.signIn(email: account.first ?? "", password: account.last ?? "")
      }
      return Stage(
        subject(client),
        provisions: [signingOut(auth), injector.callsAreHeld] + FixtureCodec.all.map { $0.replay(replayed) }
          + Provision.beyondRecordings,
        seed: archive.log.seed,
        tearDown: { outcome in
          guard case .passed = outcome else { return }
          try replay.checkThatAllWasAsked(of: archive, madeBy: folder.command)
        })
    }
  }

  /// Runs each clause over the emulator and records it; what is kept by a clause that passes is written.
  func recording(into folder: RecordingFolder) -> Implementation<Subject> {
    Implementation("recorded") { trial in
      let rig = try EmulatorRig(seed: trial.seed)
      let time = rig.backend.time
      let recorder = RecordingTransport(
        around: rig.transport, time: time.time, redaction: .ofSyntheticAccounts, seed: trial.seed)
      let injector = Injector<RecordingTransport>(time: time)
      let client = rig.client(over: injector.intercept(recorder))
      let auth = SupabaseAuthService(client)
      let journal = FixtureJournal()
      if signsIn {
        let account = rig.backend.account
        journal.note(Self.signedInAs) {
          .array([.string(account.email), .string(account.password)])
        }
        _ = try await auth.signIn(account)
      }
      let provisions = ofEmulator(rig, auth).map { provision in
        FixtureCodec.all.reduce(provision) { $1.record($0, journal) }
      }
      return Stage(
        subject(client), provisions: Provision.beyondRecordings + provisions + [injector.callsAreHeld],
        tearDown: { outcome in
          // A clause that was skipped is skipped in a replay too, and for that its recording must be there.
          if case .failed = outcome { return }
          recorder.fixtures = try await journal.json()
          try recorder.write(to: folder.file(named: "\(trial.contract)/\(trial.clause)"))
        })
    }
  }

  private func signingOut(_ auth: SupabaseAuthService) -> Provision {
    .bringing(about: .signedOut) { try await auth.signOut() }
  }

  /// Who signs in before a clause begins.
  private static var signedInAs: String { "before the clause" }
}

extension Redaction {
  /// Everything that is a secret but passwords: those of the accounts in the recordings are made up, and clauses
  /// derive wrong ones from them.
  static var ofSyntheticAccounts: Redaction {
    var redaction = Redaction.standard
    redaction.fieldNames.remove("password")
    return redaction
  }
}

import Foundation
import SharedServicesLive
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import SharedServicesContracts

extension SupabaseTrials {
  /// Answers each clause from the recording of its own.
  func recorded(in folder: RecordingFolder) -> Implementation<Subject> {
    Implementation("recorded") { trial in
      let clause = try ReplayedClause(
        trial, in: folder, codecs: FixtureCodec.sharedServices, redaction: .ofSyntheticAccounts)
      let client = SupabaseClient(
        .emulator(apiKey: "redacted"), over: clause.transport, time: clause.replayed.time.time)
      let auth = SupabaseAuthService(client)
      if signsIn {
        let account: [String] = try clause.replayed.nextPayload(of: Self.signedInAs)
        _ = try await auth.signIn(email: account.first ?? "", password: account.last ?? "")
      }
      return clause.stage(
        subject(client), provisions: [signingOut(auth)], behind: Provision.beyondRecordings)
    }
  }

  /// Runs each clause over the emulator and records it; what is kept by a clause that passes is written.
  func recording(into folder: RecordingFolder) -> Implementation<Subject> {
    Implementation("recorded") { trial in
      let rig = try EmulatorRig(seed: trial.seed)
      let clause = RecordedClause(
        trial, over: rig.transport, time: rig.backend.time, codecs: FixtureCodec.sharedServices,
        redaction: .ofSyntheticAccounts)
      let client = rig.client(over: clause.transport)
      let auth = SupabaseAuthService(client)
      if signsIn {
        let account = rig.backend.account
        clause.journal.note(Self.signedInAs) {
          .array([.string(account.email), .string(account.password)])
        }
        _ = try await auth.signIn(account)
      }
      return clause.stage(
        subject(client), provisions: ofEmulator(rig, auth), after: Provision.beyondRecordings, into: folder)
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

public import SharedServices
import SharedServicesForum
public import Understudy
import UnderstudyHTTP
public import UnderstudyRecording

extension Implementation where Subject == any ForumsClient {
  /// The live client over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    Implementation("recorded") { trial in
      let clause = try ReplayedClause(trial, in: folder, codecs: FixtureCodec.sharedServices)
      return clause.stage(
        HTMLForumsClient(at: ForumRig.nowhere, over: clause.transport, time: clause.replayed.time.time))
    }
  }

  /// The live client over a replay of the recordings that come with this package.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live client over the emulator, which writes a recording of each clause that it keeps.
  public static func recording(into folder: RecordingFolder) -> Self {
    Implementation("recorded") { trial in
      let rig = ForumRig.overEmulator()
      let clause = RecordedClause(
        trial, over: rig.transport, time: rig.backend.time, codecs: FixtureCodec.sharedServices)
      return clause.stage(rig.client(over: clause.transport), provisions: rig.provisions, into: folder)
    }
  }
}

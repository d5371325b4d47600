public import SharedServices
import SharedServicesDoubles
public import Understudy
import UnderstudyHTTP
public import UnderstudyRecording
import SharedServicesLive

extension Implementation where Subject == any MessageHistoryService {
  /// The live service over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    Implementation("recorded") { trial in
      let clause = try ReplayedClause(trial, in: folder, codecs: FixtureCodec.sharedServices)
      return clause.stage(
        HTTPMessageHistoryService(
          FeedBackend.configuration(), over: clause.transport, time: clause.replayed.time.time))
    }
  }

  /// The live service over a replay of the recordings that come with this package.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live service over the emulator, which writes a recording of each clause that it keeps.
  public static func recording(into folder: RecordingFolder) -> Self {
    Implementation("recorded") { trial in
      let rig = FeedRig<MessageFeedEmulator>(seed: trial.seed)
      let clause = RecordedClause(
        trial, over: rig.transport, time: rig.backend.time, codecs: FixtureCodec.sharedServices)
      return clause.stage(rig.history(over: clause.transport), provisions: rig.provisions, into: folder)
    }
  }
}

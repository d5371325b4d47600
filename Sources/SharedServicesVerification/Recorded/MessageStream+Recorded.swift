public import SharedServices
import SharedServicesDoubles
public import Understudy
import UnderstudyHTTP
public import UnderstudyRecording
import SharedServicesLive
import SharedServicesContracts

extension Implementation where Subject == any MessageStreamService {
  /// The live service over a replay, with a recording for each clause.
  ///
  /// Whoever speaks in the session speaks to a server of the recorded seed, which nobody asks: so the messages have the
  /// ids that were recorded.
  public static func recorded(in folder: RecordingFolder) -> Self {
    Implementation("recorded") { trial in
      let clause = try ReplayedClause(trial, in: folder, codecs: FixtureCodec.sharedServices)
      // On a time of its own: a replay notices at once what was lost, so its back-offs come before what is said then.
      let backend = FeedBackend(
        seed: clause.replayed.seed, time: ManualTime(startingAt: clause.replayed.time.now))
      let (configuration, time) = (FeedBackend.configuration(), clause.replayed.time.time)
      let transport = StandingTransport(base: clause.transport)
      return clause.stage(
        WebSocketMessageStreamService(
          configuration, over: transport,
          history: HTTPMessageHistoryService(configuration, over: transport, time: time), time: time),
        provisions: [
          .unavailable(
            .followersAreCounted, because: "a replay has no server whose followers could be counted")
        ] + backend.provisions)
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
      return clause.stage(
        rig.stream(over: clause.transport), provisions: rig.streamProvisions, into: folder)
    }
  }
}

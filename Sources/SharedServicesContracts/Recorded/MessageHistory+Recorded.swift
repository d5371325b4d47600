public import SharedServices
public import UnderstudyContracts
public import UnderstudyRecording
import SharedServicesInMemory
import SharedServicesLive
import UnderstudyDoubles
import UnderstudyTransport

extension Implementation where Subject == any MessageHistoryService {
  /// The live service over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    Implementation("recorded") { trial in
      let archive = try folder.recording(named: "\(trial.contract)/\(trial.clause)")
      let replayed = ReplayedTrial(archive)
      let replay = ReplayingTransport(
        archive, repetition: .repeatsLast, remedy: "record the clause again with: \(folder.command)")
      let injector = Injector<ReplayingTransport>(time: replayed.time)
      return Stage(
        HTTPMessageHistoryService(
          FeedBackend.configuration(), over: injector.intercept(replay, loggedIn: replayed.log),
          time: replayed.time.time),
        provisions: [injector.callsAreHeld] + FixtureCodec.all.map { $0.replay(replayed) },
        seed: archive.log.seed,
        tearDown: { outcome in
          guard case .passed = outcome else { return }
          try replay.checkThatAllWasAsked(of: archive, madeBy: folder.command)
        })
    }
  }

  /// The live service over a replay of the recordings that come with this package.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live service over the emulator, which writes a recording of each clause that it keeps.
  public static func recording(into folder: RecordingFolder) -> Self {
    Implementation("recorded") { trial in
      let rig = FeedRig<MessageFeedEmulator>(seed: trial.seed)
      let recorder = RecordingTransport(
        around: rig.transport, time: rig.backend.time.time, seed: trial.seed)
      let injector = Injector<RecordingTransport>(time: rig.backend.time)
      let journal = FixtureJournal()
      let provisions = rig.provisions.map { provision in
        FixtureCodec.all.reduce(provision) { $1.record($0, journal) }
      }
      return Stage(
        rig.history(over: injector.intercept(recorder)), provisions: [injector.callsAreHeld] + provisions,
        tearDown: { outcome in
          if case .failed = outcome { return }
          recorder.fixtures = try await journal.json()
          try recorder.write(to: folder.file(named: "\(trial.contract)/\(trial.clause)"))
        })
    }
  }
}

public import Understudy
public import UnderstudyHTTP

/// A clause that is answered from the recording of its own.
public struct ReplayedClause: Sendable {
  /// What was recorded of the trial, beside the exchanges.
  public let replayed: ReplayedTrial
  private let injector: Injector<ReplayingTransport>
  private let archive: HTTPArchive
  private let replay: ReplayingTransport
  private let command: String
  private let codecs: [FixtureCodec]

  /// Reads the recording of a clause, `<contract>/<clause>.har`.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - folder: Where the recordings are.
  ///   - codecs: The conditions that a recording can bring about.
  ///   - redaction: What was redacted when it was recorded.
  /// - Throws: ``MissingRecording``, or what is wrong with the file.
  public init(
    _ trial: TrialContext, in folder: RecordingFolder, codecs: [FixtureCodec] = FixtureCodec.common,
    redaction: Redaction = .standard
  ) throws {
    self.codecs = codecs
    archive = try folder.recording(named: "\(trial.contract)/\(trial.clause)")
    command = folder.command
    replayed = ReplayedTrial(archive)
    // A call that is repeated more often than it was recorded, as concurrent ones may be, is answered as the last.
    replay = ReplayingTransport(
      archive, repetition: .repeatsLast, redaction: redaction,
      remedy: "record the clause again with: \(folder.command)")
    injector = Injector<ReplayingTransport>(time: replayed.time)
  }

  /// The replay behind what the clause puts before it.
  public var transport: Intercepted<ReplayingTransport> { injector.intercept(replay, loggedIn: replayed.log) }

  /// The stage of a clause, which must ask for all that was recorded.
  ///
  /// - Parameters:
  ///   - provisions: What comes before those of the recording.
  ///   - others: What comes behind them.
  public func stage<Subject>(
    _ subject: Subject, provisions: [Provision] = [], behind others: [Provision] = []
  ) -> Stage<Subject> {
    Stage(
      subject,
      provisions: provisions + [injector.callsAreHeld] + codecs.map { $0.replay(replayed) }
        + others,
      seed: archive.log.seed,
      tearDown: { outcome in
        guard case .passed = outcome else { return }
        try replay.checkThatAllWasAsked(of: archive, madeBy: command)
      })
  }
}

/// A clause that is recorded while it runs.
public struct RecordedClause: Sendable {
  /// What a replay has to find again.
  public let journal = FixtureJournal()
  private let recorder: RecordingTransport
  private let injector: Injector<RecordingTransport>
  private let trial: TrialContext
  private let codecs: [FixtureCodec]

  /// A clause whose exchanges go over a transport.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - transport: What is recorded.
  ///   - time: What the trial runs on.
  ///   - codecs: The conditions that a recording can bring about.
  ///   - redaction: What is redacted before it is written.
  public init(
    _ trial: TrialContext, over transport: any HTTPTransport, time: ManualTime,
    codecs: [FixtureCodec] = FixtureCodec.common, redaction: Redaction = .standard
  ) {
    self.codecs = codecs
    self.trial = trial
    recorder = RecordingTransport(
      around: transport, time: time.time, redaction: redaction, seed: trial.seed)
    injector = Injector<RecordingTransport>(time: time)
  }

  /// The recorder behind what the clause puts before it.
  public var transport: Intercepted<RecordingTransport> { injector.intercept(recorder) }

  /// The stage of a clause, whose recording is written if it is kept.
  ///
  /// - Parameters:
  ///   - provisions: Those whose fixtures a replay has to find again.
  ///   - others: What comes before them.
  public func stage<Subject>(
    _ subject: Subject, provisions: [Provision], after others: [Provision] = [], into folder: RecordingFolder
  ) -> Stage<Subject> {
    Stage(
      subject,
      // Before others that hold calls too: what is held here never reaches the recorder.
      provisions: others + [injector.callsAreHeld]
        + provisions.map { provision in codecs.reduce(provision) { $1.record($0, journal) } },
      tearDown: { outcome in
        // A clause that was skipped is skipped in a replay too, and for that its recording must be there.
        if case .failed = outcome { return }
        recorder.fixtures = try await journal.json()
        try recorder.write(to: folder.file(named: "\(trial.contract)/\(trial.clause)"))
      })
  }
}

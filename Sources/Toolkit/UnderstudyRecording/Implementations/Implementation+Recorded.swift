import Foundation
public import Understudy
public import UnderstudyHTTP

extension Implementation {
  /// Creates a live implementation over recordings, one for each clause: `<contract>/<clause>.har`.
  ///
  /// A condition restores its recorded fixture; an explicit condition handler replaces it. Calls can be held.
  ///
  /// - Parameters:
  ///   - folder: The folder of the recordings.
  ///   - matching: The rules for matching requests.
  ///   - repetition: The behaviour for a request that occurs more often than it was recorded. With `.repeatsLast`, a
  ///     request that was recorded several times may also occur less often, as concurrent calls may.
  ///   - redaction: The rules for secrets with which they were recorded.
  ///   - make: Creates the service over a transport, on a clock that starts when the clause was recorded.
  public static func recorded(
    in folder: RecordingFolder, matching: RequestMatching = RequestMatching(),
    repetition: ReplayingTransport.Repetition = .fails, redaction: Redaction = .standard,
    as make:
      @escaping @Sendable (Intercepted<ReplayingTransport>, TrialEnvironment) async throws -> Subject
  ) -> Self {
    Implementation("recorded") { given in
      let archive = try folder.recording(named: "\(given.contract)/\(given.clause)")
      return TrialEnvironment(
        contract: given.contract, clause: given.clause, seed: archive.log.seed ?? given.seed,
        clock: TestClock(
          .immediate, startingAt: archive.log.startedDateTime ?? Date(timeIntervalSince1970: 0)),
        fixtures: ReplayedFixtures(archive, madeBy: folder.command))
    } make: { trial in
      guard let recorded = trial.fixtures as? ReplayedFixtures else {
        preconditionFailure("The environment of a recorded implementation has the fixtures of its recording.")
      }
      let replay = ReplayingTransport(
        recorded.archive, matching: matching, repetition: repetition, redaction: redaction,
        remedy: "re-record the clause with: \(folder.command)")
      let transport = trial.intercept(replay, by: [.log(recorded.log)])
      trial.holdCalls(of: transport)
      trial.explainFailures { replay.unansweredRequests }
      trial.atEnd { outcome in
        guard case .passed = outcome else { return }
        try replay.checkThatAllWasAsked(of: recorded.archive, repetition, madeBy: folder.command)
      }
      return try await make(transport, trial)
    }
  }

  /// Creates a live implementation over a backend that records each clause that passes.
  ///
  /// Failures of conditions are recorded; a replay needs no lines for them.
  ///
  /// - Parameters:
  ///   - folder: The folder for the recordings.
  ///   - redaction: The rules for secrets to replace before writing.
  ///   - makeBackend: Creates a new backend for each trial.
  ///   - make: Creates the service over a transport.
  public static func recording<Backend: HTTPHandler>(
    into folder: RecordingFolder, redaction: Redaction = .standard,
    over makeBackend: @autoclosure @escaping @Sendable () throws -> Backend,
    as make:
      @escaping @Sendable (Intercepted<RecordingTransport>, TrialEnvironment) async throws -> Subject
  ) -> Self {
    .recording(into: folder, redaction: redaction, over: try makeBackend()) { transport, _, trial in
      try await make(transport, trial)
    }
  }

  /// Creates a live implementation over a backend with condition handlers that records each clause that passes.
  ///
  /// - Parameters:
  ///   - folder: The folder for the recordings.
  ///   - redaction: The rules for secrets to replace before writing.
  ///   - makeBackend: Creates a new backend for each trial.
  ///   - make: Creates the service over a transport, and defines the condition handlers of the backend.
  public static func recording<Backend: HTTPHandler>(
    into folder: RecordingFolder, redaction: Redaction = .standard,
    over makeBackend: @autoclosure @escaping @Sendable () throws -> Backend,
    as make:
      @escaping @Sendable (
        Intercepted<RecordingTransport>, Backend, TrialEnvironment
      ) async throws -> Subject
  ) -> Self {
    .recording(into: folder, redaction: redaction) { trial in
      let backend = try makeBackend()
      let transport = trial.intercept(InProcessTransport(to: backend, time: trial.time))
      trial.setUpFailures(of: transport)
      return (
        transport,
        { recorder in
          // A failure is recorded as the server's or the network's.
          trial.injectFailures(of: recorder, behind: transport)
          return try await make(recorder, backend, trial)
        }
      )
    }
  }

  /// Creates a live implementation over any transport that records each clause that passes.
  ///
  /// - Parameter prepare: Creates the transport to record, and the service over the recorder.
  package static func recording(
    into folder: RecordingFolder, redaction: Redaction = .standard,
    _ prepare:
      @escaping @Sendable (TrialEnvironment) async throws -> (
        any HTTPTransport, @Sendable (Intercepted<RecordingTransport>) async throws -> Subject
      )
  ) -> Self {
    Implementation("recorded") { given in
      TrialEnvironment(
        contract: given.contract, clause: given.clause, seed: given.seed, clock: given.clock,
        fixtures: RecordedFixtures())
    } make: { trial in
      let (transport, make) = try await prepare(trial)
      let recorder = RecordingTransport(
        around: transport, time: trial.time, redaction: redaction, seed: trial.seed)
      let intercepted = trial.intercept(recorder)
      // The innermost base that can hold calls: a held call never reaches the recorder.
      let subject = try await make(intercepted)
      trial.holdCalls(of: intercepted)
      trial.atEnd { outcome in
        // A skipped clause is also skipped in a replay, which requires its recording.
        if case .failed = outcome { return }
        recorder.fixtures = try await (trial.fixtures as? RecordedFixtures)?.json()
        try recorder.write(to: folder.file(named: "\(trial.contract)/\(trial.clause)"))
      }
      return subject
    }
  }
}

extension ReplayingTransport {
  /// Checks, after a clause that passed, that its requests are the recorded ones.
  ///
  /// A recorded response shows the effect of a request even if the request is not sent.
  ///
  /// - Parameter repetition: With `.repeatsLast`, a recorded request must have been sent at least once.
  func checkThatAllWasAsked(
    of archive: HTTPArchive, _ repetition: Repetition, madeBy command: String
  ) throws(RecordingError) {
    if let message = unansweredRequests.first { throw RecordingError(.unanswered, message) }
    var unused = unusedEntries
    if repetition == .repeatsLast {
      let numbers = Set(unused.map(\.index))
      let asked = Set(
        archive.entries.indices.filter { !numbers.contains($0) }.map { archive.entries[$0].request })
      unused.removeAll { asked.contains($0.entry.request) }
    }
    if let error = RecordingError.notRequested(
      unused, of: "the clause",
      remedy: "If the requests are no longer sent on purpose, re-record the clause with: \(command)")
    {
      throw error
    }
    if let message = unsentMessages(remedy: "re-record the clause with: \(command)") {
      throw RecordingError(.notRequested, message)
    }
  }
}

import Foundation
public import Understudy
public import UnderstudyHTTP

extension Implementation {
  /// A live service over recordings, one for each clause: `<contract>/<clause>.har`.
  ///
  /// A condition is what was recorded of it; a line for a condition takes its place. Calls can be held.
  ///
  /// - Parameters:
  ///   - folder: The folder of the recordings.
  ///   - redaction: What was redacted when they were recorded.
  ///   - make: The service over a transport, on a time that begins when the clause was recorded.
  public static func recorded(
    in folder: RecordingFolder, redaction: Redaction = .standard,
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
      let archive = try folder.recording(named: "\(trial.contract)/\(trial.clause)")
      // A call that is repeated more often than it was recorded, as concurrent ones may be, is answered as the last.
      let replay = ReplayingTransport(
        archive, repetition: .repeatsLast, redaction: redaction,
        remedy: "record the clause again with: \(folder.command)")
      let transport = trial.intercept(replay, loggedIn: trial.replayedRequests)
      trial.holdCalls(of: transport)
      trial.atEnd { outcome in
        guard case .passed = outcome else { return }
        try replay.checkThatAllWasAsked(of: archive, madeBy: folder.command)
      }
      return try await make(transport, trial)
    }
  }

  /// A live service over a backend, which writes a recording of each clause that it keeps.
  ///
  /// Failures of conditions are recorded; a replay needs no lines for them.
  ///
  /// - Parameters:
  ///   - folder: The folder that the recordings are written to.
  ///   - redaction: What is redacted before it is written.
  ///   - makeBackend: A fresh backend for each trial.
  ///   - make: The service over a transport.
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

  /// A live service over a backend with conditions of its own, which writes a recording of each clause that it keeps.
  ///
  /// - Parameters:
  ///   - folder: The folder that the recordings are written to.
  ///   - redaction: What is redacted before it is written.
  ///   - makeBackend: A fresh backend for each trial.
  ///   - make: The service over a transport; says how conditions of the backend are brought about.
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
      trial.bringAboutFailures(of: transport)
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

  /// A live service over any transport, which writes a recording of each clause that it keeps.
  ///
  /// - Parameter prepare: Makes the transport that is recorded, and the service over the recorder.
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
      // Nearer than other bases that could hold calls: what is held here never reaches the recorder.
      let subject = try await make(intercepted)
      trial.holdCalls(of: intercepted)
      trial.atEnd { outcome in
        // A clause that was skipped is skipped in a replay too, and for that its recording must be there.
        if case .failed = outcome { return }
        recorder.fixtures = try await (trial.fixtures as? RecordedFixtures)?.json()
        try recorder.write(to: folder.file(named: "\(trial.contract)/\(trial.clause)"))
      }
      return subject
    }
  }
}

extension ReplayingTransport {
  /// Checks, after a clause that passed, that it asked for what was recorded and for nothing else.
  ///
  /// The recorded answers say what a request did whether it is sent or not. Of concurrent calls some may come
  /// seldomer than they were recorded, but none may be missing.
  func checkThatAllWasAsked(of archive: HTTPArchive, madeBy command: String) throws(TransportError) {
    if let message = unansweredRequests.first { throw TransportError(.invalidRequest, message) }
    let unused = unusedEntries
    let numbers = Set(unused.map(\.index))
    let asked = Set(
      archive.entries.indices.filter { !numbers.contains($0) }.map { archive.entries[$0].request })
    if let (index, entry) = unused.first(where: { !asked.contains($0.entry.request) }) {
      throw TransportError(
        .invalidRequest,
        """
        The client did not ask for entry \(index), \(entry.request.method) \(entry.request.url), which the \
        recording has. If it is right not to ask, record the clause again with: \(command)
        """)
    }
  }
}

import Foundation
public import Understudy
public import UnderstudyHTTP

/// A session that replays or records the requests of one test, depending on its mode.
///
/// Sessions share no state, so concurrent tests use only their own recordings.
/// `withRecordingSession`, `withRecording` and the trait `.recording` begin and end a session.
public final class RecordingSession: HTTPTransport, WebSocketTransport {
  /// The session of the current test.
  @TaskLocal package static var current: RecordingSession?
  /// Whether the current task sends a request to record, which may use `URLSession.shared`.
  @TaskLocal static var isSendingUpstream = false

  /// The source of the responses.
  enum Source: Sendable {
    case replay(ReplayingTransport)
    case recorder(RecordingTransport)
    /// Replays recorded responses first, and records the others.
    case replayThenRecorder(ReplayingTransport, RecordingTransport)
    /// Records all responses; the replay only tracks which recorded exchanges are requested.
    case recorderOver(ReplayingTransport, RecordingTransport)
    /// Uses the network only.
    case network(any HTTPTransport)
    /// The recording does not exist and is not created.
    case missing(RecordingError)
  }

  /// The location of the recording.
  package let place: RecordingPlace
  /// The mode selected by the options or the environment.
  package let mode: RecordingMode
  /// The date and the clock; a replay freezes the date at the beginning of the recording.
  public let time: Time

  let source: Source
  let options: RecordingOptions
  let log: ExchangeLog
  private let warnings: [RecordingError]
  private let recorderWarnings: Locked<[RecordingError]>
  private let explanations: Explanations
  private let needsRecording: Bool
  /// The number of requests without a recorded response.
  private let newCount = Locked(0)
  private let isOver = Locked(false)

  /// Opens a session.
  ///
  /// - Parameters:
  ///   - place: The location of the recording.
  ///   - upstream: The transport for requests that are recorded; not used in a replay.
  ///   - needsRecording: Whether a missing recording is an error of this initializer instead of the first request, and
  ///     a new recording without exchanges is a failure.
  ///   - show: Reports a request without a response when it fails, before the code under test can map the error.
  ///     Returns whether it was reported; if not, it is a failure of the outcome.
  ///   - warn: Reports at once what the recorder cannot record, such as an exchange that cannot be written; `nil` adds
  ///     the warnings to the outcome, and leaves it to the end whether exchanges are lost.
  /// - Throws: ``RecordingError`` for a missing or invalid recording, an invalid mode, a recording beyond its age limit,
  ///   or a folder that is not writable.
  package init(
    _ place: RecordingPlace, options: RecordingOptions = RecordingOptions(),
    upstream: @autoclosure () -> any HTTPTransport = URLSessionTransport(), needsRecording: Bool = true,
    show: @escaping @Sendable (RecordingError) -> Bool = { _ in false },
    warn: (@Sendable (RecordingError) -> Void)? = nil
  ) throws {
    let mode = try options.mode ?? RecordingMode()
    try UsedRecordings.note(place.source)
    var recording = mode == .replace || mode == .off ? nil : try place.recording()
    var warnings: [RecordingError] = []
    var isTooOld = false
    var isReplacing = mode == .replace
    if let found = recording,
      let problem = options.ageLimit?.problem(of: found.archive, at: place, options.time.now)
    {
      isTooOld = options.ageLimit?.consequence == .fails
      if mode == .once, options.ageLimit?.consequence == .recordsAgain {
        recording = nil
        isReplacing = true
      } else {
        warnings.append(problem)
      }
    }
    warnings += (recording?.archive.warnings ?? []).lines(upTo: 20).map {
      RecordingError(.invalidRecording, $0, file: recording?.file)
    }
    let explanations = Explanations(show)
    let replay = recording.map { recording in
      ReplayingTransport(
        recording.archive, matching: options.matching, order: options.order, repetition: options.repetition,
        redaction: options.redaction, remedy: place.remedy(for: recording.file), pauses: options.pauses,
        beforeReplaying: options.beforeReplaying,
        explain: { explanations.add(RecordingError(.unanswered, $0, file: recording.file)) })
    }
    let recorderWarnings = Locked<[RecordingError]>([])
    func recorder() throws -> RecordingTransport {
      try RecordingTransport(
        around: upstream(), into: place.writableFile(), replacing: isReplacing, time: options.time,
        redaction: options.redaction, bodyLimit: options.bodyLimit, beforeWriting: options.beforeWriting,
        report: warn ?? { warning in
          guard warning.code != .notWritten else { return }
          recorderWarnings.withLock { $0.append(warning) }
        })
    }
    var time = options.time
    switch (mode, replay) {
    case (.replayOnly, _?) where recording?.isInterrupted == true: throw place.interrupted
    // The journal of an interrupted recorder is continued.
    case (.once, let replay?) where recording?.isInterrupted == true:
      source = .replayThenRecorder(replay, try recorder())
    case (.replayOnly, let replay?), (.once, let replay?):
      if isTooOld, let problem = warnings.first { throw problem }
      source = .replay(replay)
      if let start = replay.archive.start { time = Time(clock: options.time.clock) { start } }
    case (.replayOnly, nil):
      if needsRecording { throw place.missing }
      source = .missing(place.missing)
    case (.newEntries, let replay?): source = .replayThenRecorder(replay, try recorder())
    case (.all, let replay?): source = .recorderOver(replay, try recorder())
    case (.once, nil), (.newEntries, nil), (.all, nil), (.replace, _): source = .recorder(try recorder())
    case (.off, _): source = .network(upstream())
    }
    self.place = place
    self.options = options
    self.mode = mode
    self.time = time
    self.warnings = warnings
    self.recorderWarnings = recorderWarnings
    self.explanations = explanations
    self.needsRecording = needsRecording
    log = ExchangeLog(options.redaction)
  }

  /// Replays the recorded response, or sends the request and records the response.
  ///
  /// - Throws: `TransportError` with `.invalidRequest` if the recording or a matching entry is missing, or if the
  ///   session has ended; otherwise the recorded error or the error of the upstream transport.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try checkOpen()
    return try await log.noting("\(request.method)", request.url) { () async throws(TransportError) in
      switch source {
      case .replay(let replay): return try await replay.send(request)
      case .recorder(let recorder): return try await upstream { try await recorder.send(request) }
      case .replayThenRecorder(let replay, let recorder):
        if let response = try await replay.responseIfRecorded(to: request) { return response }
        newCount.withLock { $0 += 1 }
        return try await upstream { try await recorder.send(request) }
      case .recorderOver(let replay, let recorder):
        replay.supersede(request, asksForWebSocket: false)
        return try await upstream { try await recorder.send(request) }
      case .network(let network): return try await upstream { try await network.send(request) }
      case .missing(let missing): throw missingRecording(missing)
      }
    }
  }

  /// Opens the recorded WebSocket, or opens a WebSocket and records it.
  ///
  /// - Throws: The errors of ``send(_:)``.
  public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    try checkOpen()
    return try await log.noting("WebSocket", request.url) { () async throws(TransportError) in
      switch source {
      case .replay(let replay): return try await replay.connect(to: request)
      case .recorder(let recorder): return try await upstream { try await recorder.connect(to: request) }
      case .replayThenRecorder(let replay, let recorder):
        if let connection = try await replay.connectionIfRecorded(to: request) { return connection }
        newCount.withLock { $0 += 1 }
        return try await upstream { try await recorder.connect(to: request) }
      case .recorderOver(let replay, let recorder):
        replay.supersede(request, asksForWebSocket: true)
        return try await upstream { try await recorder.connect(to: request) }
      case .network(let network):
        return try await upstream { try await network.openingWebSockets().connect(to: request) }
      case .missing(let missing): throw missingRecording(missing)
      }
    }
  }

  private func upstream<Answer>(_ send: () async throws -> Answer) async throws(TransportError) -> Answer {
    do {
      return try await Self.$isSendingUpstream.withValue(true, operation: send)
    } catch {
      throw TransportError(wrapping: error)
    }
  }

  private func missingRecording(_ missing: RecordingError) -> TransportError {
    explanations.add(missing)
    return TransportError(.invalidRequest, missing.description)
  }

  /// Adds a failure of a request of the test, which is reported at once or at the end.
  func explain(_ message: String) {
    explanations.add(RecordingError(.unanswered, message, file: place.source))
  }

  /// Whether the session can record; if not, all responses are recorded ones or missing.
  package var isRecording: Bool {
    switch source {
    case .replay, .network, .missing: false
    case .recorder, .replayThenRecorder, .recorderOver: true
    }
  }

  /// The latest exchanges, one line each; secrets that a rule detects in a URL are masked.
  package var exchangeLog: String { log.text }

  /// Ends the session: checks the use of the recording, and writes the recorded exchanges.
  ///
  /// - Parameter hasPassed: Whether the test has passed so far; if not, the recorded exchanges are discarded, and the
  ///   recording is unchanged.
  /// - Throws: ``RecordingError``, or the error of Foundation, if the recording cannot be written; it then remains in
  ///   the journal beside it.
  package func finish(hasPassed: Bool = true) throws -> RecordingOutcome {
    ActiveRecordings.remove(self)
    guard
      isOver.withLock({ isOver in
        defer { isOver = true }
        return !isOver
      })
    else { return RecordingOutcome(failures: [], warnings: []) }
    var outcome = RecordingOutcome(failures: explanations.takeUnshown(), warnings: warnings)
    switch source {
    case .replay(let replay): outcome.judge(replay, of: self)
    case .recorder(let recorder), .replayThenRecorder(_, let recorder), .recorderOver(_, let recorder):
      // What a failed test recorded is not what its passing form sends.
      if !hasPassed || !outcome.failures.isEmpty {
        recorder.discard()
        if !log.isEmpty { outcome.warnings.append(notWritten) }
        return outcome
      }
    case .network, .missing: break
    }
    switch source {
    // A test without requests has no exchanges to record.
    case .recorder(let recorder) where log.isEmpty:
      recorder.discard()
      if needsRecording || place.hasRecording { outcome.failures.append(withoutRequests) }
    case .recorder(let recorder): try recorder.finish()
    // A file without new exchanges is not rewritten.
    case .replayThenRecorder(_, let recorder) where newCount.withLock({ $0 }) == 0: recorder.discard()
    case .replayThenRecorder(let replay, let recorder):
      try recorder.finish(keeping: HTTPArchive(replay.archive))
    case .recorderOver(let replay, let recorder):
      var kept = replay.archive.log
      kept["_startedDateTime"] = nil
      kept.entries = replay.unusedEntries.map(\.entry)
      try recorder.finish(keeping: HTTPArchive(log: kept))
    case .replay, .network, .missing: break
    }
    outcome.warnings += recorderWarnings.withLock(\.self)
    return outcome
  }

  private var notWritten: RecordingError {
    RecordingError(
      .notWritten,
      """
      The recording \(place.name) was not written, because the test failed. An existing recording is unchanged.
      To record it, fix the failure and run the test again: \(place.command(in: mode))
      """, file: place.source)
  }

  private var withoutRequests: RecordingError {
    let (unchanged, removal) =
      place.hasRecording ? (", and the old one is unchanged", ", and remove its file") : ("", "")
    return RecordingError(
      .notWritten,
      """
      No request reached the recording \(place.name), so it was not written\(unchanged).
      If the code under test makes a URLSession itself, pass it URLSession(configuration: .over(.recorded)), or the \
      transport .recorded.
      If it sends no request, run the test without a recording\(removal).
      """, file: place.source)
  }

  /// Ends the session, discards the recorded exchanges, and leaves the recording unchanged.
  ///
  /// - Returns: The requests without a response that were not reported yet.
  @discardableResult package func cancel() -> [RecordingError] {
    ActiveRecordings.remove(self)
    isOver.withLock { $0 = true }
    switch source {
    case .recorder(let recorder), .replayThenRecorder(_, let recorder), .recorderOver(_, let recorder):
      recorder.discard()
    case .replay, .network, .missing: break
    }
    return explanations.takeUnshown()
  }

  private func checkOpen() throws(TransportError) {
    guard isOver.withLock({ $0 }) else { return }
    throw TransportError(
      .invalidRequest,
      "The session of the recording \(place.name) has ended. Wait for the task that sends this request."
    )
  }
}

/// The messages of requests without a response, each once: reported when a request fails, or else at the end.
private final class Explanations: Sendable {
  private struct State: Sendable {
    var all: Set<String> = []
    var unshown: [RecordingError] = []
  }

  private let state = Locked(State())
  private let show: @Sendable (RecordingError) -> Bool

  init(_ show: @escaping @Sendable (RecordingError) -> Bool) {
    self.show = show
  }

  func add(_ error: RecordingError) {
    guard state.withLock({ $0.all.insert(error.message).inserted }) else { return }
    if !show(error) { state.withLock { $0.unshown.append(error) } }
  }

  func takeUnshown() -> [RecordingError] {
    state.withLock { state in
      defer { state.unshown = [] }
      return state.unshown
    }
  }
}

/// The result of a session.
package struct RecordingOutcome: Sendable {
  /// The failures, such as requests without a response and recorded exchanges that were not requested.
  package var failures: [RecordingError]
  /// The warnings, such as a recording beyond its age limit.
  package var warnings: [RecordingError]

  /// Whether there are no failures.
  package var isGood: Bool { failures.isEmpty }

  mutating func judge(_ replay: ReplayingTransport, of session: RecordingSession) {
    // After an unanswered request, the code under test may have given up.
    guard session.options.failsOnUnusedEntries, failures.isEmpty, replay.unansweredRequests.isEmpty else {
      return
    }
    let unused = replay.unusedEntries
    guard !unused.isEmpty else {
      // The server's answers to these messages may have shown their effect.
      if let message = replay.unsentMessages(remedy: "re-record with: \(session.place.command(in: .replace))")
      {
        failures.append(
          RecordingError(
            .notRequested, message + "\nTo allow them: RecordingOptions(failsOnUnusedEntries: false)",
            file: session.place.source))
      }
      return
    }
    let error = RecordingError.notRequested(
      unused, of: session.place.name, file: session.place.source,
      remedy: """
        If the requests are no longer sent on purpose, re-record with: \(session.place.command(in: .replace))
        To allow unused entries: RecordingOptions(failsOnUnusedEntries: false)
        """)
    if let error { failures.append(error) }
  }
}

import Foundation
public import Understudy
public import UnderstudyHTTP

/// The requests of one test, answered from its recording or recorded, as its mode says.
///
/// Sessions share nothing, so tests that run at the same time see only their own recordings. ``finish()`` ends a session;
/// `withRecording` and the trait `.recording` call it.
public final class RecordingSession: HTTPTransport, WebSocketTransport {
  /// The session of the test that runs.
  @TaskLocal public static var current: RecordingSession?

  /// Where the answers come from.
  enum Source: Sendable {
    case replay(ReplayingTransport)
    case recorder(RecordingTransport)
    /// The recorded answers first.
    case replayThenRecorder(ReplayingTransport, RecordingTransport)
    /// The recorder only; the replay notices which recorded exchanges are asked for again.
    case recorderOver(ReplayingTransport, RecordingTransport)
    /// There is no recording, and none is made.
    case missing(MissingRecording)
  }

  /// Where the recording is.
  public let place: RecordingPlace
  /// What the environment or the options asked for.
  public let mode: RecordingMode
  /// The date and the clock: a replay freezes the date at the beginning of the recording.
  public let time: Time

  let source: Source
  let options: RecordingOptions
  let log: ExchangeLog
  private let warnings: [RecordingFailure]
  /// How many requests the recording had no answer for.
  private let newCount = Locked(0)
  private let isOver = Locked(false)

  /// Opens a session.
  ///
  /// - Parameters:
  ///   - place: Where the recording is read and made.
  ///   - upstream: What sends the requests that are recorded; never used in a replay.
  ///   - needsRecording: Whether a missing recording is an error now, or of the first request.
  /// - Throws: ``MissingRecording``, `HTTPArchiveError` for a recording that cannot be read, ``RecordingFailure`` for a
  ///   mode that is none, a recording beyond its age limit, or a folder in which nothing can be written.
  public init(
    _ place: RecordingPlace, options: RecordingOptions = RecordingOptions(),
    upstream: @autoclosure () -> any HTTPTransport = URLSessionTransport(), needsRecording: Bool = true
  ) throws {
    let mode = try options.mode ?? RecordingMode()
    let recording = mode == .replace ? nil : try place.recording()
    var warnings: [RecordingFailure] = []
    var isTooOld = false
    if let recording,
      let problem = options.ageLimit?.problem(of: recording.archive, at: place, options.time.now)
    {
      isTooOld = options.ageLimit?.consequence == .fails
      warnings.append(problem)
    }
    let replay = recording.map { recording in
      ReplayingTransport(
        recording.archive, matching: options.matching, order: options.order, repetition: options.repetition,
        redaction: options.redaction, remedy: place.remedy(for: recording.file), pauses: options.pauses)
    }
    func recorder() throws -> RecordingTransport {
      try RecordingTransport(
        around: upstream(), into: place.writableFile(), replacing: mode == .replace, time: options.time,
        redaction: options.redaction)
    }
    var time = options.time
    switch (mode, replay) {
    case (.none, _?) where recording?.isInterrupted == true: throw place.interrupted
    // What a killed recorder has left is gone on with.
    case (.once, let replay?) where recording?.isInterrupted == true:
      source = .replayThenRecorder(replay, try recorder())
    case (.none, let replay?), (.once, let replay?):
      if isTooOld, let problem = warnings.first { throw problem }
      source = .replay(replay)
      if let start = replay.archive.start { time = Time(clock: options.time.clock) { start } }
    case (.none, nil):
      if needsRecording { throw place.missing }
      source = .missing(place.missing)
    case (.newEntries, let replay?): source = .replayThenRecorder(replay, try recorder())
    case (.all, let replay?): source = .recorderOver(replay, try recorder())
    case (.once, nil), (.newEntries, nil), (.all, nil), (.replace, _): source = .recorder(try recorder())
    }
    self.place = place
    self.options = options
    self.mode = mode
    self.time = time
    self.warnings = warnings
    log = ExchangeLog(options.redaction)
  }

  /// Answers from the recording, or sends the request and records it.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try checkOpen()
    return try await log.noting("\(request.method)", request.url) { () async throws(TransportError) in
      switch source {
      case .replay(let replay): return try await replay.send(request)
      case .recorder(let recorder): return try await recorder.send(request)
      case .replayThenRecorder(let replay, let recorder):
        if let response = try await replay.responseIfRecorded(to: request) { return response }
        newCount.withLock { $0 += 1 }
        return try await recorder.send(request)
      case .recorderOver(let replay, let recorder):
        replay.supersede(request, asksForWebSocket: false)
        return try await recorder.send(request)
      case .missing(let missing): throw TransportError(.invalidRequest, missing.description)
      }
    }
  }

  /// Opens the recorded WebSocket, or opens one and records it.
  public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    try checkOpen()
    return try await log.noting("WebSocket", request.url) { () async throws(TransportError) in
      switch source {
      case .replay(let replay): return try await replay.connect(to: request)
      case .recorder(let recorder): return try await recorder.connect(to: request)
      case .replayThenRecorder(let replay, let recorder):
        if let connection = try await replay.connectionIfRecorded(to: request) { return connection }
        newCount.withLock { $0 += 1 }
        return try await recorder.connect(to: request)
      case .recorderOver(let replay, let recorder):
        replay.supersede(request, asksForWebSocket: true)
        return try await recorder.connect(to: request)
      case .missing(let missing): throw TransportError(.invalidRequest, missing.description)
      }
    }
  }

  /// Whether anything can be recorded; else every answer comes from the recording, or there is none.
  public var isRecording: Bool {
    switch source {
    case .replay, .missing: false
    case .recorder, .replayThenRecorder, .recorderOver: true
    }
  }

  /// What was asked and answered lately, a line for each exchange; secrets that a rule finds in a URL are masked.
  public var exchangeLog: String { log.text }

  /// Ends the session: looks whether the recording was used as it should, and writes what was recorded.
  ///
  /// - Throws: ``RecordingFailure`` or what Foundation throws when the recording cannot be written; it is then still
  ///   in the journal beside it.
  public func finish() throws -> RecordingVerdict {
    guard
      isOver.withLock({ isOver in
        defer { isOver = true }
        return !isOver
      })
    else { return RecordingVerdict(failures: [], warnings: []) }
    var verdict = RecordingVerdict(failures: [], warnings: warnings)
    switch source {
    case .replay(let replay): verdict.judge(replay, of: self)
    // Of a test that asks for nothing there is nothing to record.
    case .recorder(let recorder) where log.isEmpty && mode != .replace: recorder.discard()
    case .recorder(let recorder): try recorder.finish()
    // A file that says all there is to say is not written anew.
    case .replayThenRecorder(_, let recorder) where newCount.withLock({ $0 }) == 0: recorder.discard()
    case .replayThenRecorder(let replay, let recorder):
      try recorder.finish(keeping: HTTPArchive(replay.archive))
    case .recorderOver(let replay, let recorder):
      var kept = replay.archive.log
      kept["_startedDateTime"] = nil
      kept.entries = replay.unusedEntries.map(\.entry)
      try recorder.finish(keeping: HTTPArchive(log: kept))
    case .missing(let missing):
      if !log.isEmpty { verdict.failures.append(RecordingFailure(missing.description)) }
    }
    return verdict
  }

  /// Ends the session and leaves the recording as it was, because what was recorded is of no use.
  public func cancel() {
    isOver.withLock { $0 = true }
    switch source {
    case .recorder(let recorder), .replayThenRecorder(_, let recorder), .recorderOver(_, let recorder):
      recorder.discard()
    case .replay, .missing: break
    }
  }

  private func checkOpen() throws(TransportError) {
    guard isOver.withLock({ $0 }) else { return }
    throw TransportError(
      .invalidRequest,
      "The recording \(place.name) is over: this request came after its test had ended. Wait for the task that sends it."
    )
  }
}

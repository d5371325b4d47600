public import Foundation
public import Understudy
public import UnderstudyHTTP

/// Records what another transport sends and brings back.
///
/// - A body is recorded chunk by chunk as its reader takes it, with the pauses between and how it ended. A reader that
///   leaves early leaves the rest unrecorded, and a replay says so if it is read on.
/// - An exchange without an answer is recorded as the error that was thrown.
/// - Of a WebSocket the messages of both sides are recorded with their times, and how it ended.
/// - Entries stand in the order in which their requests were sent. Any number of requests may be under way.
/// - What is handed out and written has placeholders in place of secrets (see ``Redaction``). A secret is replaced also
///   where it stood before it could be known for one.
///
/// Recorded in memory:
///
/// ```swift
/// let transport = RecordingTransport(around: URLSessionTransport())
/// try await useService(over: transport)
/// try transport.write(to: URL(filePath: "Recordings/session.har"))
/// ```
///
/// Recorded into a file, of which a crash costs nothing: each exchange is in a journal beside the file before its reader
/// sees the end of it.
///
/// ```swift
/// let transport = try RecordingTransport(around: URLSessionTransport(), into: URL(filePath: "Recordings/session.har"))
/// try await useService(over: transport)
/// try transport.finish()
/// ```
public final class RecordingTransport: HTTPTransport {
  let base: any HTTPTransport
  let time: Time
  let recorder: Recorder

  /// That of the transport that sends the requests.
  public var errorStyle: HTTPErrorStyle { base.errorStyle }

  /// A recorder in memory around a transport.
  ///
  /// - Parameters:
  ///   - base: What sends the requests; it opens WebSockets too if it is a `WebSocketTransport`.
  ///   - time: What the dates and pauses are measured by.
  ///   - redaction: What is a secret; `.off` keeps every secret in the file.
  ///   - seed: What made the random values of the client, to be written into the recording.
  public init(
    around base: any HTTPTransport, time: Time = .system, redaction: Redaction = .standard,
    seed: UInt64? = nil
  ) {
    self.base = base
    self.time = time
    recorder = Recorder(redaction: redaction, header: JournalHeader(started: time.now, seed: seed))
  }

  /// A recorder into a file around a transport.
  ///
  /// Each exchange is written to the journal of the file (``RecordingJournal``) as soon as it is over; ``finish(keeping:)``
  /// makes the file of it. A journal that a killed recorder has left is added to the file first.
  ///
  /// - Parameters:
  ///   - base: What sends the requests; it opens WebSockets too if it is a `WebSocketTransport`.
  ///   - file: The file of the recording, in a folder that is made where it is missing.
  ///   - isReplacing: Whether a recording that is there counts until this one is finished, even if it never is.
  ///   - time: What the dates and pauses are measured by.
  ///   - redaction: What is a secret; `.off` keeps every secret in the file.
  ///   - seed: What made the random values of the client, to be written into the recording.
  /// - Throws: ``RecordingError`` when somebody else is recording the same file, or it cannot be written;
  ///   `HTTPArchiveError` when a journal that is there cannot be read.
  public init(
    around base: any HTTPTransport, into file: URL, replacing isReplacing: Bool = false, time: Time = .system,
    redaction: Redaction = .standard, seed: UInt64? = nil
  ) throws {
    self.base = base
    self.time = time
    recorder = try Recorder(
      redaction: redaction,
      header: JournalHeader(started: time.now, seed: seed, isReplacing: isReplacing), recording: file)
  }

  /// Sends the request through the base, and records what comes of it.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    let number = recorder.begin(RecordedExchange(request, sent: time.now))
    let sinceRequest = time.clock.stopwatch()
    do {
      let response = try await base.send(request)
      let wait = sinceRequest()
      return recording(response, as: number, after: wait)
    } catch {
      let wait = sinceRequest()
      recorder.end(number) {
        $0.wait = wait
        $0.failure = error
      }
      throw error
    }
  }

  /// Whatever a replay should find again (`_fixtures` of the log); its secrets are replaced too.
  public var fixtures: JSONValue? {
    get { recorder.fixtures }
    set { recorder.fixtures = newValue }
  }

  /// What was recorded so far, without secrets; empty where the journal cannot be read, and after it was finished.
  ///
  /// An exchange whose answer is still awaited is not in it; a body that is still being read is unfinished.
  public var recording: HTTPArchive {
    (try? recorder.recording()) ?? HTTPArchive(log: HTTPArchive.Log())
  }

  /// Writes the recording so far to a file, in place of what is there.
  ///
  /// - Throws: What Foundation throws when the file cannot be written.
  public func write(to file: URL) throws {
    try recorder.recording().write(to: file)
  }

  /// Writes the file that this records into, in place of what is there, and removes its journal.
  ///
  /// Bodies that are still being read are unfinished in it. What is sent from now on is passed on and not recorded.
  /// Nothing happens to a recorder in memory.
  ///
  /// - Parameter older: A recording whose exchanges stay, in front of the new ones, with their placeholders.
  /// - Throws: ``RecordingError`` when something could not be written, now or while it was recorded. What was recorded is
  ///   in the journal still, and finishing can be tried again.
  public func finish(keeping older: HTTPArchive? = nil) throws {
    try recorder.finish(keeping: older)
  }

  /// Forgets what was recorded, and removes the journal; the file stays as it was.
  ///
  /// What is sent from now on is passed on and not recorded.
  public func discard() {
    recorder.discard()
  }

  /// The same response, whose body is recorded while it is read.
  private func recording(_ response: HTTP.Response, as number: Int, after wait: Duration) -> HTTP.Response {
    let head = RecordedExchange.Head(status: response.status, fields: response.fields)
    let body = response.body
    if let chunks = body.chunksInMemory {
      // It came whole, whoever reads it.
      recorder.end(number) {
        $0.wait = wait
        $0.head = head
        for chunk in chunks { $0.append(chunk, at: .zero) }
        $0.ending = .complete
      }
      return response
    }
    recorder.change(number) {
      $0.wait = wait
      $0.head = head
    }
    var response = response
    response.body = RecordedBody.recording(body, as: number, by: recorder, time.clock.stopwatch())
    return response
  }
}

extension Clock where Duration == Swift.Duration {
  /// What tells the time that has passed since now.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}

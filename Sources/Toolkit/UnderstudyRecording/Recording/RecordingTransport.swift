package import Foundation
package import Understudy
public import UnderstudyHTTP

/// A transport that records the exchanges of another transport.
///
/// - A body is recorded chunk by chunk as its reader consumes it, with the pauses and how it ended. If a reader stops
///   early, or the body exceeds a limit, the rest is not recorded, and a replay fails if it is read further.
/// - An exchange without a response is recorded as the error that was thrown.
/// - A WebSocket is recorded as the messages of both sides with their times, and how it ended.
/// - Entries are in the order in which their requests were sent. Requests may be concurrent.
/// - The recording contains placeholders in place of secrets (see ``Redaction``). A secret is also replaced where it
///   occurred before it was detected.
///
/// A recorder that `withRecordingSession` and the trait `.recording` create also has a journal beside the file, so that a
/// crash loses no completed exchange, except while a body of more than 128 KiB is written: the exchanges that end
/// meanwhile are written after it.
public final class RecordingTransport: HTTPTransport {
  let base: any HTTPTransport
  let time: Time
  let recorder: Recorder

  /// Creates a recorder in memory around a transport.
  ///
  /// - Parameters:
  ///   - base: The transport that sends the requests; it also opens WebSockets if it is a `WebSocketTransport`.
  ///   - time: The clock for dates and pauses.
  ///   - redaction: The rules for secrets.
  ///   - seed: The seed of the client's random values, stored in the recording.
  ///   - bodyLimit: The length in bytes at which a body is cut off.
  package init(
    around base: any HTTPTransport, time: Time = .system, redaction: Redaction = .standard,
    seed: UInt64? = nil, bodyLimit: Int = RecordingOptions.defaultBodyLimit
  ) {
    self.base = base
    self.time = time
    recorder = Recorder(
      redaction: redaction, header: JournalHeader(started: time.now, seed: seed), bodyLimit: bodyLimit)
  }

  /// Creates a recorder to a file around a transport.
  ///
  /// Each exchange is written to the journal of the file
  /// (`RecordingJournal`) as soon as it ends; ``finish(keeping:)`` creates the file from it. The journal of an
  /// interrupted recorder is added to the file first.
  ///
  /// - Parameters:
  ///   - base: The transport that sends the requests; it also opens WebSockets if it is a `WebSocketTransport`.
  ///   - file: The file of the recording; a missing folder is created.
  ///   - isReplacing: Whether an existing recording remains valid until this one finishes, even if it never does.
  ///   - time: The clock for dates and pauses.
  ///   - redaction: The rules for secrets.
  ///   - seed: The seed of the client's random values, stored in the recording.
  ///   - bodyLimit: The length in bytes at which a body is cut off.
  ///   - beforeWriting: Changes an exchange before it is written, or leaves it out.
  ///   - report: Receives warnings, and an exchange that could not be written when it ended, with the code `notWritten`.
  /// - Throws: ``RecordingError`` if another process is recording to the same file, it cannot be written, or an existing
  ///   journal cannot be read.
  package init(
    around base: any HTTPTransport, into file: URL, replacing isReplacing: Bool = false, time: Time = .system,
    redaction: Redaction = .standard, seed: UInt64? = nil,
    bodyLimit: Int = RecordingOptions.defaultBodyLimit, beforeWriting: RecordingOptions.ExchangeEdit? = nil,
    report: @escaping @Sendable (RecordingError) -> Void = { _ in }
  ) throws {
    self.base = base
    self.time = time
    recorder = try Recorder(
      redaction: redaction,
      header: JournalHeader(started: time.now, seed: seed, isReplacing: isReplacing), recording: file,
      bodyLimit: bodyLimit, beforeWriting: beforeWriting, report: report)
  }

  /// Sends the request through the base transport, and records the response or the error.
  ///
  /// - Throws: The error of the base transport.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    let number = recorder.begin(RecordedExchange(request, sent: time.now))
    let sinceRequest = time.clock.stopwatch()
    do {
      let response = try await base.send(request)
      let wait = sinceRequest()
      return await recording(response, as: number, after: wait)
    } catch {
      let wait = sinceRequest()
      let turn = recorder.end(number) {
        $0.wait = wait
        $0.failure = error
      }
      await recorder.finishWriting(turn)
      throw error
    }
  }

  /// Values that a replay needs (`_fixtures` of the log); their secrets are replaced too.
  package var fixtures: JSONValue? {
    get { recorder.fixtures }
    set { recorder.fixtures = newValue }
  }

  /// The exchanges recorded so far, without secrets; empty if the journal cannot be read, and after finishing.
  ///
  /// It excludes exchanges without a response yet; a body that is still being read is unfinished.
  package var recording: HTTPArchive {
    (try? recorder.recording()) ?? HTTPArchive(log: HTTPArchive.Log())
  }

  /// Writes the exchanges recorded so far to a file, and replaces an existing file.
  ///
  /// - Throws: The error of Foundation if the file cannot be written.
  package func write(to file: URL) throws {
    try recorder.recording().write(to: file)
  }

  /// Writes the file of this recorder, replaces an existing file, and removes the journal.
  ///
  /// Bodies that are still being read are marked as unfinished. Later requests are sent but not recorded. The method
  /// has no effect on a recorder in memory.
  ///
  /// - Parameter older: A recording whose exchanges precede the new ones, with their placeholders.
  /// - Throws: ``RecordingError`` if a write failed, now or while recording. The recorded exchanges are still in the
  ///   journal, and finishing can be repeated.
  package func finish(keeping older: HTTPArchive? = nil) throws {
    try recorder.finish(keeping: older)
  }

  /// Deletes the recorded exchanges and the journal; the file remains unchanged.
  ///
  /// Later requests are sent but not recorded.
  package func discard() {
    recorder.discard()
  }

  /// Returns the same response with a body that is recorded while it is read.
  private func recording(
    _ response: HTTP.Response, as number: Int, after wait: Duration
  ) async -> HTTP.Response {
    let head = RecordedExchange.Head(
      status: response.status, reason: response.reason, fields: response.fields, trailers: response.trailers,
      hasEncodedBody: response.hasEncodedBody)
    let body = response.body
    if let chunks = body.chunksInMemory {
      // The body is complete, whether or not it is read.
      await recorder.finishWriting(recorder.end(number, head: head, after: wait, chunks))
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
  /// Returns a function that returns the time since its creation.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}

extension RecordingTransport: ErrorStyled {
  package var errorStyle: HTTPErrorStyle { HTTPErrorStyle(of: base) }
}

public import Foundation
import UnderstudyPrimitives
public import UnderstudyTransport

/// Records what another transport sends and brings back.
///
/// - A body is recorded chunk by chunk as its reader takes it, with the pauses between and how it ended. A reader that
///   leaves early leaves the rest unrecorded, and a replay says so if it is read on.
/// - An exchange without an answer is recorded as the error that was thrown.
/// - Entries stand in the order in which their requests were sent. Any number of requests may be under way.
/// - What is handed out and written has placeholders in place of secrets (see ``Redaction``); until then they are in
///   memory alone. A secret is replaced also where it stood before it could be known for one.
///
/// ```swift
/// let transport = RecordingTransport(around: URLSessionTransport())
/// try await useService(over: transport)
/// try transport.write(to: URL(filePath: "Recordings/session.har"))
/// ```
public final class RecordingTransport: HTTPTransport {
  private struct State: Sendable {
    var exchanges: [RecordedExchange] = []
    var fixtures: JSONValue?
  }

  private let base: any HTTPTransport
  private let time: Time
  private let redaction: Redaction
  private let seed: UInt64?
  private let started: Date
  private let state = Locked(State())

  /// A recorder around a transport.
  ///
  /// - Parameters:
  ///   - base: What sends the requests.
  ///   - time: What the dates and pauses are measured by.
  ///   - redaction: What is a secret; `.off` keeps every secret in the file.
  ///   - seed: What made the random values of the client, to be written into the recording.
  public init(
    around base: any HTTPTransport, time: Time = .system, redaction: Redaction = .standard,
    seed: UInt64? = nil
  ) {
    self.base = base
    self.time = time
    self.redaction = redaction
    self.seed = seed
    started = time.now
  }

  /// Sends the request through the base, and records what comes of it.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let number = state.withLock { state in
      state.exchanges.append(RecordedExchange(request: request, sent: time.now))
      return state.exchanges.count - 1
    }
    let sinceRequest = time.clock.stopwatch()
    do {
      let response = try await base.send(request)
      let wait = sinceRequest()
      change(number) {
        $0.wait = wait
        $0.head = .init(status: response.status, fields: response.fields)
      }
      return recording(response, as: number)
    } catch {
      let wait = sinceRequest()
      change(number) {
        $0.wait = wait
        $0.failure = error
      }
      throw error
    }
  }

  /// Whatever a replay should find again (`_fixtures` of the log); its secrets are replaced too.
  public var fixtures: JSONValue? {
    get { state.withLock { $0.fixtures } }
    set { state.withLock { $0.fixtures = newValue } }
  }

  /// What was recorded so far, without secrets.
  ///
  /// An exchange whose answer is still awaited is not in it; a body that is still being read is unfinished.
  public var recording: HTTPArchive {
    let (exchanges, fixtures) = state.withLock { ($0.exchanges.filter(\.isAnswered), $0.fixtures) }
    var redactor = Redactor(redaction)
    for exchange in exchanges { exchange.teach(&redactor) }
    let text = fixtures.map { fixtures in
      var text = ""
      fixtures.writeIndented(into: &text)
      return text
    }
    if let text { redactor.learn(redactor.scanner.finds(in: Array(text.utf8)), from: "request fixtures") }
    redactor.assignPlaceholders()

    var log = HTTPArchive.Log(entries: exchanges.map { $0.entry(redactor) })
    log.startedDateTime = started
    log.seed = seed
    log.fixtures = text.flatMap { try? JSONValue(parsing: Data(redactor.redact($0).utf8)) }
    if !redactor.table.isEmpty {
      log["_placeholders"] = .object(redactor.table.map { .init($0.placeholder, .string($0.origin)) })
    }
    return HTTPArchive(log: log)
  }

  /// Writes the recording so far to a file, in place of what is there.
  ///
  /// - Throws: What Foundation throws when the file cannot be written.
  public func write(to file: URL) throws {
    try recording.write(to: file)
  }

  private func change(_ number: Int, _ change: @Sendable (inout RecordedExchange) -> Void) {
    state.withLock { change(&$0.exchanges[number]) }
  }

  /// The same response, whose body is recorded while it is read.
  private func recording(_ response: HTTPResponse, as number: Int) -> HTTPResponse {
    let body = response.body
    let sinceHead = time.clock.stopwatch()
    if let chunks = body.chunksInMemory {
      // It came whole, whoever reads it.
      change(number) {
        $0.chunks = chunks.map { .init(time: .zero, bytes: $0) }
        $0.ending = .complete
      }
      return response
    }
    var response = response
    let isRead = Locked(false)
    response.body = HTTPBody(perReader: { [self] in
      let next = body.makeReader()
      let isFirst = isRead.withLock { isRead in
        defer { isRead = true }
        return !isRead
      }
      guard isFirst else { return next }
      return { [self] in
        do {
          let chunk = try await next()
          let now = sinceHead()
          change(number) { exchange in
            exchange.endTime = now
            if let chunk {
              exchange.chunks.append(.init(time: now, bytes: chunk))
            } else {
              exchange.ending = .complete
            }
          }
          return chunk
        } catch {
          let now = sinceHead()
          let failure = TransportError(wrapping: error)
          // A reader that is cancelled has left; how the body would have ended, nobody saw.
          if failure.code != .cancelled {
            change(number) { exchange in
              exchange.endTime = now
              exchange.ending = .failed(failure)
            }
          }
          throw error
        }
      }
    })
    return response
  }
}

extension Clock where Duration == Swift.Duration {
  /// What tells the time that has passed since now.
  fileprivate func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}

import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// Bodies that take long to write, and bodies beyond the limit.
@Suite(.stallLimit()) struct LargeBodyTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("session.har")
  }

  private var journal: String {
    (try? String(contentsOf: RecordingJournal.url(of: file), encoding: .utf8)) ?? ""
  }

  private func paths(_ archive: HTTPArchive) -> [String] {
    archive.entries.compactMap { URL(string: $0.request.url)?.path() }
  }

  /// Answers with the path in a large body, of two chunks where the path says so, or in a small one.
  private static let backend = ScriptedTransport { request in
    let path = request.url.path()
    let text = Data("{\"path\": \"\(path)\"}".utf8)
    guard path.hasPrefix("/large") else { return HTTP.Response(status: 200, body: HTTP.Body(text)) }
    let chunks = [text, Data(repeating: 0x20, count: 200_000)]
    guard path.hasSuffix("stream") else { return HTTP.Response(status: 200, body: HTTP.Body(chunks: chunks)) }
    let rest = Locked(chunks)
    return HTTP.Response(
      status: 200, body: HTTP.Body { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
  }

  /// A recorder whose queue waits before it writes a large exchange, until it is released.
  private struct HeldRecorder {
    let recorder: RecordingTransport
    let isWriting = Latch()
    let semaphore = DispatchSemaphore(value: 0)

    init(_ file: URL) throws {
      recorder = try RecordingTransport(around: LargeBodyTests.backend, into: file) {
        [isWriting, semaphore] request, _ in
        let path = request.url.path()
        if path.hasPrefix("/large"), !path.contains("open") {
          isWriting.open()
          semaphore.wait()
        }
        return true
      }
    }

    /// Records a large exchange, which is being written when this returns.
    func large(_ path: String) async -> Task<Void, any Error> {
      let task = Task { [recorder] in _ = try await recorder.data(for: .get(path)) }
      await isWriting.wait()
      return task
    }
  }

  /// Fails with a stall if a small exchange, or a chunk of an open one, waits for the large one.
  @Test(arguments: ["/large", "/large/stream"])
  func noOtherClientWaitsUntilALargeExchangeIsWritten(_ path: String) async throws {
    let held = try HeldRecorder(file)
    let open = try await held.recorder.send(.get("/large/open/stream")).body.makeReader()
    _ = try await open()
    let large = await held.large(path)
    #expect(try await held.recorder.text(for: .get("/small")) == #"{"path": "/small"}"#)
    #expect(!journal.contains("/small"), "the large one was first")
    held.semaphore.signal()
    _ = try await large.value
    #expect(journal.contains(path), "its reader sees the end when it is written")
    #expect(try await open() != nil)
    #expect(paths(held.recorder.recording) == ["/large/open/stream", path, "/small"])
    try held.recorder.finish()
    #expect(paths(try HTTPArchive(contentsOf: file)) == ["/large/open/stream", path, "/small"])
  }

  /// After the queue has written all, a small exchange is in the journal at its end again.
  @Test func aSmallExchangeIsWrittenAtOnceAfterALargeOne() async throws {
    let recorder = try RecordingTransport(around: Self.backend, into: file)
    for round in 0..<3 {
      _ = try await recorder.data(for: .get("/large/\(round)/stream"))
      #expect(journal.contains("/large/\(round)"))
      _ = try await recorder.data(for: .get("/small/\(round)"))
      #expect(journal.contains("/small/\(round)"))
    }
    #expect(paths(recorder.recording).count == 6)
  }

  @Test func finishingWaitsForALargeExchange() async throws {
    let held = try HeldRecorder(file)
    let large = await held.large("/large")
    let second = Task { _ = try await held.recorder.data(for: .get("/large/second")) }
    _ = try await held.recorder.data(for: .get("/small"))
    let finishing = Task.detached { try held.recorder.finish() }
    for _ in 0..<2 { held.semaphore.signal() }
    try await finishing.value
    _ = try await large.value
    _ = try await second.value
    let written = paths(try HTTPArchive(contentsOf: file))
    #expect(written.contains("/large") && written.contains("/small"))
    #expect(try folder.names == ["session.har"])
  }

  /// Fails with a stall if the reader of an exchange that is discarded waits for ever.
  @Test func discardingReleasesTheReaders() async throws {
    let held = try HeldRecorder(file)
    let first = await held.large("/large")
    let second = Task { _ = try await held.recorder.data(for: .get("/large/second")) }
    let discarding = Task.detached { held.recorder.discard() }
    for _ in 0..<2 { held.semaphore.signal() }
    await discarding.value
    _ = try await first.value
    _ = try await second.value
    #expect(try folder.names.isEmpty)
  }

  /// Any number of clients, whose small and large exchanges end in any order.
  @Test func concurrentExchangesAreAllWrittenOnce() async throws {
    let recorder = try RecordingTransport(around: Self.backend, into: file)
    let count = Effort.times(10)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<6 {
        group.addTask {
          for number in 0..<count {
            let kind = (client + number).isMultiple(of: 3) ? "/large" : "/small"
            _ = try await recorder.data(for: .get("\(kind)/\(client)/\(number)"))
          }
        }
      }
      try await group.waitForAll()
    }
    try recorder.finish()
    let written = paths(try HTTPArchive(contentsOf: file))
    #expect(written.count == 6 * count && Set(written).count == written.count)
  }

  // MARK: The limit

  /// The body arrives in chunks, or is in memory.
  @Test(arguments: [true, false]) func aBodyBeyondTheLimitIsCutOff(_ isStream: Bool) async throws {
    let chunks = ["0123456", "789abc", "def"].map { Data($0.utf8) }
    let rest = Locked(chunks)
    let warnings = Locked<[RecordingError]>([])
    let recorder = try RecordingTransport(
      around: ScriptedTransport { _ in
        let stream = HTTP.Body { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        return HTTP.Response(status: 200, body: isStream ? stream : HTTP.Body(chunks: chunks))
      }, into: file, bodyLimit: 10, report: { warning in warnings.withLock { $0.append(warning) } })
    let next = try await recorder.send(.get("/long?token=secret-of-the-url-1")).body.makeReader()
    var received: [Data] = []
    while let chunk = try await next() {
      received.append(chunk)
      if received.count == 2 { #expect(journal.contains("0123456789"), "no more is kept in memory") }
    }
    #expect(received == chunks, "the client receives all of it")
    try recorder.finish()
    let archive = try HTTPArchive(contentsOf: file)
    let content = try #require(archive.entries.first).response.content
    #expect(archive.entries.count == 1 && content.text == "0123456789")
    #expect(content.stream?.chunks.map(\.size) == [7, 3])
    let warning = try #require(warnings.withLock { $0.first })
    #expect(warnings.withLock { $0.count } == 1)
    #expect(
      warning.message.hasPrefix(
        "GET https://api.example/long?token=redacted-1 was cut off at the limit of 10 B for a recorded body"))

    let replayed = await ReadBody(
      try ReplayingTransport(archive).send(.get("/long?token=secret-of-the-url-1")).body)
    #expect(replayed.texts == ["0123456", "789"])
    #expect(replayed.failure == .bodyTooLarge)
    #expect(replayed.message?.contains("it was cut off here at the limit of 10 B.") == true)
    #expect(replayed.message?.contains("RecordingOptions(bodyLimit:), or record --body-limit") == true)
  }

  @Test func aBodyAtTheLimitIsWhole() async throws {
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in .json("0123456789") }, bodyLimit: 10)
    #expect(try await recorder.text(for: .get("/")) == "0123456789")
    let archive = recorder.recording
    #expect(await ReadBody(try ReplayingTransport(archive).send(.get("/")).body).failure == nil)
  }

  /// A body without end: what is behind the limit is not kept, and other requests are recorded meanwhile.
  @Test func anEndlessBodyIsWrittenAtTheLimit() async throws {
    let recorder = try RecordingTransport(
      around: ScriptedTransport { request in
        guard request.url.path() == "/endless" else { return .json("1") }
        return HTTP.Response(status: 200, body: HTTP.Body { Data(repeating: 0x61, count: 1000) })
      }, into: file, bodyLimit: 2_500)
    let next = try await recorder.send(.get("/endless")).body.makeReader()
    for _ in 0..<100 { #expect(try await next()?.count == 1000) }
    _ = try await recorder.data(for: .get("/other"))
    #expect(try await next() != nil)
    let archive = recorder.recording
    #expect(paths(archive) == ["/endless", "/other"])
    #expect(archive.entries.first?.response.content.size == 2_500)
  }

  @Test func theMessagesOfAWebSocketAreCutOff() async throws {
    let warnings = Locked<[String]>([])
    let recorder = try RecordingTransport(
      around: InProcessTransport(to: Chat(), time: TestClock(.immediate).time), into: file, bodyLimit: 10,
      report: { warning in warnings.withLock { $0.append(warning.message) } })
    let socket = try await recorder.connect(to: .get("/socket"))
    for _ in 0..<4 { #expect(try await socket.receive() == .text("four")) }
    try recorder.finish()
    let archive = try HTTPArchive(contentsOf: file)
    let entry = try #require(archive.entries.first)
    #expect(entry.webSocketMessages.map(\.data) == ["four", "four"])
    #expect(warnings.withLock { $0.count } == 1)

    let replayed = try await ReplayingTransport(archive).connect(to: .get("/socket"))
    for _ in 0..<2 { _ = try await replayed.receive() }
    let error = await #expect(throws: TransportError.self) { try await replayed.receive() }
    #expect(error?.code == .bodyTooLarge && error?.message.contains("the limit of 10 B") == true)
  }

  /// Sends the same message for ever.
  private struct Chat: HTTPHandler {
    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      .webSocket { socket in
        while true { try await socket.send(.text("four")) }
      }
    }
  }

  /// A secret is replaced in a long line wherever it is, also between two parts of the index.
  @Test(arguments: [false, true]) func aSecretThatIsRevealedLaterIsReplacedInALongLine(_ isBinary: Bool)
    async throws
  {
    // At the end of a part, of which each has 128 KiB, and somewhere else.
    let filler = String(repeating: "0123456789abcde ", count: 8_192)
    let body =
      (isBinary ? "\u{0}" : "") + filler.dropLast(9) + "hunter22-late-secret" + filler
      + "hunter22-late-secret"
    let bytes = Data(body.utf8) + (isBinary ? [0xFF] : [])
    let recorder = try RecordingTransport(
      around: ScriptedTransport { request in
        request.url.path() == "/long"
          ? HTTP.Response(status: 200, body: HTTP.Body(bytes))
          : .json(#"{"access_token": "hunter22-late-secret"}"#)
      }, into: file)
    _ = try await recorder.data(for: .get("/long"))
    let before = journal
    #expect(before.contains(isBinary ? bytes.base64EncodedString() : "hunter22"))
    _ = try await recorder.data(for: .get("/reveal"))
    #expect(!journal.contains("hunter22") && !journal.contains(bytes.base64EncodedString()))
    let content = try #require(recorder.recording.entries.first?.response.content.body)
    #expect(String(decoding: content, as: UTF8.self).components(separatedBy: "redacted-1").count == 3)
  }
}

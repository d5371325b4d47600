import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// From the journal to the file.
@Suite(.stallLimit()) struct FinishingTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("a/session.har")
  }

  private var journal: String {
    (try? String(contentsOf: RecordingJournal.url(of: file), encoding: .utf8)) ?? ""
  }

  /// Except for the name of the journal, the file equals a recording of the same exchanges in memory.
  @Test func theFileEqualsARecordingInMemory() async throws {
    let manual = TestClock(.immediate)
    let backend = ScriptedTransport { request in
      if request.url.path() == "/offline" { throw TransportError(.offline, "No network.") }
      return HTTP.Response(
        status: 200, fields: ["Set-Cookie": "a=secret-cookie"],
        body: HTTP.Body(chunks: [Data("{\"late\":\"hunter22-early\"}".utf8), Data([0xFF, 0x00])]))
    }
    let memory = RecordingTransport(around: backend, time: manual.time, seed: 1)
    let disk = try RecordingTransport(around: backend, into: file, time: manual.time, seed: 1)
    for recorder in [memory, disk] {
      recorder.fixtures = .object([.init("password", .string("of the fixtures")), .init("empty", .array([]))])
      _ = try await recorder.data(for: .get("/a?x=%20&y"))
      _ = try? await recorder.data(for: .get("/offline"))
      _ = try await recorder.data(for: .post("/b", #"{"password": "hunter22-early"}"#))
    }
    #expect(disk.recording == memory.recording)
    let expected = memory.recording
    try disk.finish()
    var archive = try HTTPArchive(contentsOf: file)
    #expect(try Data(contentsOf: file) == archive.data)
    #expect(archive.log["_journal"] != nil)
    archive.log["_journal"] = nil
    #expect(archive == expected)
    #expect(archive.data.firstRange(of: Data("hunter22".utf8)) == nil)
  }

  @Test func requestsAfterFinishingAreNotRecorded() async throws {
    let recorder = try RecordingTransport(around: ScriptedTransport { _ in .json("1") }, into: file)
    try recorder.finish()
    #expect(try await recorder.text(for: .get("/")) == "1")
    try recorder.finish()
    #expect(try HTTPArchive(contentsOf: file).entries.isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "a").path).count == 1)
  }

  /// The journal contains the exchange before its reader sees the end, for each kind of end.
  @Test(arguments: [nil, TransportError.Code.connectionLost]) func isWrittenBeforeTheReaderSeesTheEnd(
    _ code: TransportError.Code?
  ) async throws {
    let recorder = try RecordingTransport(
      around: ScriptedTransport { _ in
        let isSent = Locked(false)
        return HTTP.Response(
          status: 200,
          body: HTTP.Body {
            let isFirst = isSent.withLock { sent in
              defer { sent = true }
              return !sent
            }
            if isFirst { return Data("chunk".utf8) }
            if let code { throw TransportError(code, "It broke.") }
            return nil
          })
      }, into: file)
    var reader = try await recorder.send(.get("/")).body.makeAsyncIterator()
    #expect(try await reader.next() != nil)
    #expect(!journal.contains("chunk"))
    _ = try? await reader.next()
    #expect(journal.contains(#""code":"\#(code?.description ?? "complete")""#))
  }

  /// A secret that a later exchange reveals had a harmless name before: as text, in base64, and shorter than its
  /// placeholder so often that the line becomes longer.
  @Test(arguments: [
    #"["hunter22-late"]"#, "\u{0}hunter22-late\u{0}", String(repeating: "hunter22-late ", count: 100),
    String(repeating: "hunt-22 ", count: 100),
  ]) func theJournalContainsNoSecretThatIsRevealedLater(_ body: String) async throws {
    let secret = body.contains("hunt-22") ? "hunt-22" : "hunter22-late"
    let bytes = Data(body.utf8) + (body.hasPrefix("\u{0}") ? [0xFF] : [])
    let backend = ScriptedTransport { request in
      switch request.url.path() {
      case "/early": HTTP.Response(status: 200, body: HTTP.Body(bytes))
      case "/reveal": .json(#"{"access_token": "\#(secret)"}"#)
      default: .json(#"{"other": "text"}"#)
      }
    }
    let memory = RecordingTransport(around: backend)
    let disk = try RecordingTransport(around: backend, into: file)
    for recorder in [memory, disk] {
      for path in ["/first", "/early", "/between", "/reveal", "/early"] {
        _ = try await recorder.data(for: .get(path))
      }
    }
    let encoded = bytes.base64EncodedString()
    #expect(journal.contains("/early") && journal.contains("/between"))
    #expect(!journal.contains(secret) && !journal.contains(encoded), "\(journal)")
    #expect(disk.recording.entries.map(\.request) == memory.recording.entries.map(\.request))
    #expect(
      disk.recording.entries.map(\.response.content) == memory.recording.entries.map(\.response.content))
    #expect(
      try HTTPArchive(recordingAt: file).entries.map(\.request.url)
        == disk.recording.entries.map(\.request.url))
    try disk.finish()
    #expect(
      try HTTPArchive(contentsOf: file).entries.map(\.response.content)
        == memory.recording.entries.map(\.response.content))
  }

  /// Each exchange reveals the secret of the one before, and only that one is written again.
  ///
  /// To write the whole journal for each would take many minutes with full effort.
  @Test func revealingSecretsTakesLinearTime() async throws {
    let count = Effort.number(100, of: 2_000)
    let backend = ScriptedTransport { request in
      let number = Int(request.url.path().dropFirst()) ?? 0
      return .json(#"{"next": "ticket-\#(number + 1)-x", "access_token": "ticket-\#(number)-x"}"#)
    }
    let recorder = try RecordingTransport(around: backend, into: file)
    for number in 0..<count { _ = try await recorder.data(for: .get("/\(number)")) }
    // The last one is not revealed yet.
    #expect(journal.components(separatedBy: "ticket-").count == 2)
    #expect(journal.contains("ticket-\(count)-x"))
    try recorder.finish()
  }

  @Test func aReleasedReaderEndsTheExchangeAtOnce() async throws {
    let recorder = try RecordingTransport(around: Endless(), into: file)
    let response = try await recorder.send(.get("/"))
    for try await _ in response.body { break }
    #expect(journal.contains(#""code":"unfinished""#), "though the response is still here")
    _ = try await recorder.send(.get("/unread"))
    #expect(journal.contains("/unread"))
    withExtendedLifetime(response) {}
  }

  @Test func aCancelledReaderEndsTheExchangeAtOnce() async throws {
    let recorder = try RecordingTransport(around: Endless(), into: file)
    let began = Latch()
    let reading = Task {
      for try await _ in try await recorder.send(.get("/")).body { began.open() }
    }
    await began.wait()
    reading.cancel()
    _ = await reading.result
    #expect(journal.contains(#""code":"unfinished""#))
  }

  /// One chunk, without an end.
  private struct Endless: HTTPTransport {
    func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
      let isSent = Locked(false)
      return HTTP.Response(
        status: 200,
        body: HTTP.Body {
          let isFirst = isSent.withLock { sent in
            defer { sent = true }
            return !sent
          }
          if isFirst { return Data("chunk".utf8) }
          for await _ in AsyncStream<Never>.makeStream().stream {}
          throw CancellationError()
        })
    }
  }

  /// Exchanges end in another order than their requests were sent; one is still open, and one has no response.
  @Test func entriesAreInTheOrderOfTheRequests() async throws {
    let gate = Latch()
    let recorder = try RecordingTransport(
      around: ScriptedTransport { request in
        if request.url.path() == "/never" { await gate.wait() }
        guard request.url.path() == "/open" else { return .json("1") }
        return HTTP.Response(status: 200, body: HTTP.Body { Data("part".utf8) })
      }, into: file)
    let response = try await recorder.send(.get("/open"))
    var reader = response.body.makeAsyncIterator()
    _ = try await reader.next()
    _ = try await recorder.send(.get("/second"))
    let waiting = Task { _ = try await recorder.send(.get("/never")) }
    _ = try await recorder.send(.get("/third"))
    try recorder.finish()
    gate.open()
    _ = await waiting.result
    _ = try await reader.next()
    let archive = try HTTPArchive(contentsOf: file)
    #expect(archive.entries.map { URL(string: $0.request.url)?.path() } == ["/open", "/second", "/third"])
    #expect(archive.entries.first?.response.content.text == "part")
    guard case .unfinished? = archive.entries.first?.response.content.stream?.ending else {
      return #expect(Bool(false), "its end was not recorded")
    }
  }

  /// The older recording has the same placeholders for other secrets, and the new client sends one of those.
  @Test func placeholdersOfAnOlderRecordingStay() async throws {
    let backend = ScriptedTransport { request in
      .json(#"{"access_token": "token-\#(request.url.lastPathComponent)-1234"}"#)
    }
    let first = RecordingTransport(around: backend)
    _ = try await first.data(for: .get("/old", fields: ["apikey": "old-project-key"]))
    let older = first.recording
    let recorder = try RecordingTransport(around: backend, into: file)
    _ = try await recorder.data(for: .get("/new", fields: ["apikey": "new-project-key"]))
    _ = try await recorder.data(for: .get("/mixed", fields: ["Authorization": "Bearer redacted-2"]))
    try recorder.finish(keeping: older)
    let archive = try HTTPArchive(contentsOf: file)
    #expect(archive.entries.prefix(1) == older.entries[...])
    func value(_ entry: Int) -> String? { archive.entries[entry].request.headers.first?.value }
    func token(_ entry: Int) -> String? { archive.entries[entry].response.content.text }
    #expect(value(0) == "redacted-1" && token(0) == #"{"access_token": "redacted-2"}"#)
    #expect(value(2) == "Bearer redacted-2", "the client sent that itself")
    let all = [value(0), value(1), token(0), token(1), token(2)]
    #expect(Set(all).count == all.count, "\(all)")
    for (name, origin) in older.log.placeholders { #expect(archive.log.placeholders[name] == origin) }
    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: .get("/new", fields: ["apikey": "another-key"])) == token(1))
  }

  /// The older recording was made with other rules: new secrets are replaced there too, and no placeholder changes
  /// its meaning.
  @Test func newSecretsAreReplacedInAnOlderRecording() async throws {
    let backend = ScriptedTransport { request in .json(#"{"echo": "\#(request.url.lastPathComponent)"}"#) }
    var before = Redaction()
    before.headerNames = ["apikey"]
    let first = RecordingTransport(around: backend, redaction: before)
    _ = try await first.data(for: .get("/hunter22", fields: ["apikey": "old-project-key"]))
    _ = try await first.data(for: .get("/ticket-7", fields: ["X-Note": "by Mia"]))
    _ = try await first.data(for: .get("/plain", fields: ["Token": "late-s3cr3t-7x9q"]))
    var now = before
    now.literals = ["Mia"]
    now.fieldNames = ["password", "token"]
    now.rules = [Redaction.Rule("ticket") { $0.ranges(of: /ticket-[0-9]/) }]
    let recorder = try RecordingTransport(around: backend, into: file, redaction: now)
    _ = try await recorder.data(
      for: .post("/new", #"{"password": "hunter22"}"#, fields: ["apikey": "new-project-key"]))
    _ = try await recorder.data(for: .get("/late-s3cr3t-7x9q", fields: ["X-Note": "redacted-1"]))
    try recorder.finish(keeping: first.recording)
    let archive = try HTTPArchive(contentsOf: file)
    let text = String(decoding: archive.data, as: UTF8.self)
    for part in ["hunter22", "ticket-7", "Mia", "late-s3cr3t-7x9q", "project-key"] {
      #expect(!text.contains(part), "\(part) in \(text)")
    }
    func header(_ entry: Int) -> String? { archive.entries[entry].request.headers.first?.value }
    #expect(header(0) == "redacted-1", "the old key")
    #expect(header(4) == "redacted-1", "sent by the client")
    let password = try #require(archive.entries[3].request.postData?.text?.dropFirst(14).dropLast(2))
    #expect(archive.entries[0].request.url == "https://api.example/\(password)")
    #expect(archive.entries[4].request.url == "https://api.example/\(try #require(header(2)))")
    let names = [header(0), header(2), header(3), String(password)]
    #expect(Set(names).count == 4, "\(names)")
    for name in names { #expect(archive.log.placeholders[name ?? ""] != nil, "\(names)") }
    #expect(archive.secrets(by: now) == [])
  }

  /// The client sends a text that is already used as a placeholder: the placeholder is renamed.
  @Test func aPlaceholderThatTheClientSendsIsRenamed() async throws {
    let recorder = RecordingTransport(around: ScriptedTransport { _ in .json("1") })
    let secrets = ["first-api-key", "second-api-key", "first-api-key"]
    for secret in secrets { _ = try await recorder.data(for: .get("/", fields: ["apikey": secret])) }
    _ = try await recorder.data(for: .get("/", fields: ["apikey": "redacted-1"]))
    _ = try await recorder.data(for: .get("/", fields: ["apikey": "first-api-key"]))
    let keys = recorder.recording.entries.compactMap { $0.request.headers.first?.value }
    #expect(keys == ["redacted-3", "redacted-2", "redacted-3", "redacted-1", "redacted-3"])
    #expect(recorder.recording.log.placeholders.count == 3)
  }

  /// The second placeholder in the request is the new name that the first one has just received.
  @Test func twoPlaceholdersThatTheClientSendsAreRenamed() async throws {
    let recorder = RecordingTransport(around: ScriptedTransport { _ in .json("1") })
    for secret in ["first-api-key", "second-api-key"] {
      _ = try await recorder.data(for: .get("/", fields: ["apikey": secret]))
    }
    _ = try await recorder.data(for: .get("/", fields: ["apikey": "redacted-1", "X-API-Key": "redacted-3"]))
    _ = try await recorder.data(for: .get("/", fields: ["apikey": "first-api-key"]))
    let keys = recorder.recording.entries.map { $0.request.headers.map(\.value) }
    #expect(keys == [["redacted-4"], ["redacted-2"], ["redacted-1", "redacted-3"], ["redacted-4"]])
  }

  /// A disk that is full for a while loses no exchange; each is reported at once, and at the end if it remains full.
  @Test func failedWritesAreRepeatedLater() async throws {
    let reports = Locked<[RecordingError]>([])
    let recorder = try RecordingTransport(
      around: ScriptedTransport { _ in .json("1") }, into: file,
      report: { report in reports.withLock { $0.append(report) } })
    _ = try await recorder.data(for: .get("/before"))
    let refusing = try RefusingFile(RecordingJournal.url(of: file))
    _ = try await recorder.data(for: .get("/first?token=secret-of-the-url-1"))
    #expect(reports.withLock { $0.map(\.code) } == [.notWritten])
    #expect(
      reports.withLock { $0.first?.message }?.hasPrefix(
        "GET https://api.example/first?token=redacted-1 was not written: Bad file descriptor. ") == true)
    _ = try await recorder.data(for: .get("/second"))
    #expect(reports.withLock { $0.count } == 2)
    #expect(recorder.recording.entries.count == 3)
    let error = #expect(throws: RecordingError.self) { try recorder.finish() }
    #expect(error?.code == .inaccessible)
    #expect((error?.cause as? NSError)?.domain == NSPOSIXErrorDomain)
    #expect(
      error?.message == """
        2 of 3 exchanges were not written: Bad file descriptor.
          GET https://api.example/first?token=redacted-1
          GET https://api.example/second
        \(RecordingJournal.url(of: file).path(percentEncoded: false)) has the others, 1 of them.
        """)
    refusing.end()
    try recorder.finish()
    let paths = try HTTPArchive(contentsOf: file).entries.map { URL(string: $0.request.url)?.path() }
    #expect(paths == ["/before", "/first", "/second"])
  }

  /// A secret that is revealed while earlier lines cannot be changed is replaced in them at the end.
  @Test func finishingReplacesSecretsThatRemainedInTheJournal() async throws {
    let backend = ScriptedTransport { request in
      .json(request.url.path() == "/reveal" ? #"{"token": "hunter22-late"}"# : #"["hunter22-late"]"#)
    }
    let recorder = try RecordingTransport(around: backend, into: file)
    _ = try await recorder.data(for: .get("/written"))
    let refusing = try RefusingFile(RecordingJournal.url(of: file))
    _ = try await recorder.data(for: .get("/refused"))
    _ = try await recorder.data(for: .get("/reveal"))
    refusing.end()
    _ = try await recorder.data(for: .get("/other"))
    #expect(journal.contains("hunter22"))
    try recorder.finish()
    let bodies = try HTTPArchive(contentsOf: file).entries.map(\.response.content.text)
    #expect(
      bodies == [#"["redacted-1"]"#, #"["redacted-1"]"#, #"{"token": "redacted-1"}"#, #"["redacted-1"]"#])
  }

  /// An exchange that ends while the recording is read occurs in it once.
  @Test func aRecordingThatIsReadMeanwhileHasEachExchangeOnce() async throws {
    let count = Effort.times(10)
    let recorder = try RecordingTransport(around: ScriptedTransport { _ in .json("1") }, into: file)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<4 {
        group.addTask {
          for number in 0..<count { _ = try await recorder.data(for: .get("/\(client)/\(number)")) }
        }
      }
      group.addTask {
        for _ in 0..<count {
          let urls = recorder.recording.entries.map(\.request.url)
          #expect(Set(urls).count == urls.count)
        }
      }
      try await group.waitForAll()
    }
    #expect(recorder.recording.entries.count == 4 * count)
  }
}

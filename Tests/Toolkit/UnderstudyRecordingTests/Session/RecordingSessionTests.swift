import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct RecordingSessionTests {
  /// A service that counts its calls, and returns the number in each response.
  private final class Service: HTTPTransport {
    let calls = Locked<[String]>([])

    func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
      let number = calls.withLock { calls in
        calls.append(request.url.path())
        return calls.count
      }
      return .json(#"{"call":\#(number)}"#)
    }
  }

  /// The responses and the outcome of one session in a mode.
  private func session(
    _ mode: RecordingMode, at file: URL, over service: Service, _ paths: String...,
    options: RecordingOptions = RecordingOptions()
  ) async throws -> (answers: [String], outcome: RecordingOutcome) {
    var options = options
    options.mode = mode
    let session = try RecordingSession(
      RecordingPlace(file: file, madeBy: "make it"), options: options, upstream: service)
    var answers: [String] = []
    for path in paths { answers.append(try await session.text(for: .get(path))) }
    return (answers, try session.finish())
  }

  private func paths(in file: URL) throws -> [String] {
    try HTTPArchive(contentsOf: file).entries.map {
      String($0.request.url.dropFirst("https://api.example".count))
    }
  }

  @Test func withoutAModeTheRecordingMustExist() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("none.har")
    let service = Service()
    await #expect {
      _ = try await session(.replayOnly, at: file, over: service, "/a")
    } throws: { error in
      "\(error)" == "Recording not found: \(file.path()). To record it: make it"
    }
    #expect(service.calls.withLock { $0 }.isEmpty)
  }

  @Test func modeOnceRecordsFirstAndReplaysThen() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("a/once.har"), Service())
    let first = try await session(.once, at: file, over: service, "/a", "/b")
    let second = try await session(.once, at: file, over: service, "/b", "/a")
    #expect(first.answers == [#"{"call":1}"#, #"{"call":2}"#])
    #expect(second.answers == [#"{"call":2}"#, #"{"call":1}"#])
    #expect(first.outcome.isGood && second.outcome.isGood)
    #expect(service.calls.withLock { $0 } == ["/a", "/b"])
    await #expect(throws: TransportError.self) {
      _ = try await session(.once, at: file, over: service, "/c")
    }
    #expect(try paths(in: file) == ["/a", "/b"])
  }

  @Test func newEntriesAreAddedAndTheOldOnesReplayed() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("new.har"), Service())
    _ = try await session(.newEntries, at: file, over: service, "/a")
    let second = try await session(.newEntries, at: file, over: service, "/b", "/a", "/c")
    #expect(second.answers == [#"{"call":2}"#, #"{"call":1}"#, #"{"call":3}"#])
    #expect(try paths(in: file) == ["/a", "/b", "/c"])
    #expect(try await session(.replayOnly, at: file, over: service, "/c", "/a", "/b").outcome.isGood)
    #expect(service.calls.withLock { $0 } == ["/a", "/b", "/c"])
  }

  @Test func modeReplaceRemovesTheOldRecording() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("replace.har"), Service())
    _ = try await session(.once, at: file, over: service, "/a", "/b")
    let again = try await session(.replace, at: file, over: service, "/b", "/c")
    #expect(again.answers == [#"{"call":3}"#, #"{"call":4}"#])
    #expect(try paths(in: file) == ["/b", "/c"])
  }

  /// Catches a client that does not send over the recording, whose good recording is replaced by an empty one.
  @Test(arguments: [true, false]) func modeReplaceKeepsARecordingThatNoRequestReached(isNeeded: Bool)
    async throws
  {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("kept.har"), Service())
    _ = try await session(.once, at: file, over: service, "/a")
    let before = try Data(contentsOf: file)
    func replaceWithoutRequests() throws -> RecordingOutcome {
      try RecordingSession(
        RecordingPlace(file: file, madeBy: ""), options: RecordingOptions(mode: .replace), upstream: service,
        needsRecording: isNeeded
      ).finish()
    }
    let failure = try #require(try replaceWithoutRequests().failures.first)
    #expect(
      failure.description.contains("No request reached the recording kept, so it was not written, and the"))
    #expect(try Data(contentsOf: file) == before)
    try FileManager.default.removeItem(at: file)
    #expect(try replaceWithoutRequests().isGood == !isNeeded)
  }

  @Test func modeAllReplacesTheSameRequestsAndKeepsTheOthers() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("all.har"), Service())
    _ = try await session(.once, at: file, over: service, "/a", "/b")
    let again = try await session(.all, at: file, over: service, "/b", "/c")
    #expect(again.answers == [#"{"call":3}"#, #"{"call":4}"#])
    #expect(try paths(in: file) == ["/a", "/b", "/c"])
    let replay = try await session(.replayOnly, at: file, over: service, "/a", "/b", "/c")
    #expect(replay.answers == [#"{"call":1}"#, #"{"call":3}"#, #"{"call":4}"#])
  }

  @Test func modeAllReplacesResponsesToAnotherToken() async throws {
    // Each session signs in again and receives another token.
    let number = Locked(0)
    let service = ScriptedTransport { request in
      let call = number.withLock { number in
        number += 1
        return number
      }
      return request.url.path() == "/token"
        ? .json(#"{"access_token":"opensesame-\#(call)"}"#) : .json("\(call)")
    }
    let folder = try TemporaryFolder()
    let file = folder.file("all.har")
    func visit(_ mode: RecordingMode) async throws -> String {
      let session = try RecordingSession(
        RecordingPlace(file: file, madeBy: ""), options: RecordingOptions(mode: mode), upstream: service)
      let token = try JSONValue(parsing: try await session.data(for: .get("/token")).0)["access_token"]?
        .stringValue
      var answer = ""
      for _ in 0..<(mode == .once ? 2 : 1) {
        answer = try await session.text(
          for: .get("/todos", fields: ["Authorization": "Bearer \(token ?? "")"]))
      }
      #expect(try session.finish().isGood)
      return answer
    }
    _ = try await visit(.once)
    let answer = try await visit(.all)
    #expect(try HTTPArchive(contentsOf: file).entries.count == 2)
    #expect(try await visit(.replayOnly) == answer)
  }

  @Test func anInterruptedRecordingIsContinued() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("interrupted.har"), Service())
    do {
      // Ends without finishing, like a process that is killed.
      let recorder = try RecordingTransport(around: service, into: file)
      _ = try await recorder.text(for: .get("/a"))
    }
    #expect(try folder.names == ["interrupted.har.journal"])
    await #expect {
      _ = try await session(.replayOnly, at: file, over: service, "/a")
    } throws: { error in
      "\(error)".hasPrefix("The recording interrupted was interrupted and is incomplete: ")
    }
    let answers = try await session(.once, at: file, over: service, "/a", "/b").answers
    #expect(answers == [#"{"call":1}"#, #"{"call":2}"#])
    #expect(try paths(in: file) == ["/a", "/b"])
    #expect(try folder.names == ["interrupted.har"])
  }

  @Test func withoutNewExchangesTheFileIsUnchanged() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("same.har")
    _ = try await session(.once, at: file, over: Service(), "/a")
    let before = try Data(contentsOf: file)
    _ = try await session(.newEntries, at: file, over: Service(), "/a")
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func aCancelledSessionLeavesTheRecordingUnchanged() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("cancelled.har"), Service())
    _ = try await session(.once, at: file, over: service, "/a")
    let before = try Data(contentsOf: file)
    let session = try RecordingSession(
      RecordingPlace(file: file, madeBy: ""), options: RecordingOptions(mode: .replace), upstream: service)
    _ = try await session.text(for: .get("/b"))
    session.cancel()
    #expect(try Data(contentsOf: file) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == ["cancelled.har"])
  }

  @Test func unusedEntriesAreReportedUnlessAllowed() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("unused.har"), Service())
    _ = try await session(.once, at: file, over: service, "/a", "/b", "/c")
    let outcome = try await session(.replayOnly, at: file, over: service, "/b").outcome
    #expect(
      outcome.failures.map(\.description) == [
        """
        2 recorded exchanges of unused were not requested:
          entry 0: GET https://api.example/a
          entry 2: GET https://api.example/c
        If the requests are no longer sent on purpose, re-record with: make it
        To allow unused entries: RecordingOptions(failsOnUnusedEntries: false)
        """
      ])
    let lenient = try await session(
      .replayOnly, at: file, over: service, "/b", options: RecordingOptions(failsOnUnusedEntries: false))
    #expect(lenient.outcome.isGood)
  }

  /// The recorded messages of the server show the effect of messages that the client no longer sends.
  @Test func unsentMessagesOfAWebSocketAreReported() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("unsent.har")
    try HTTPArchive([.webSocket([">join", "<joined", ">leave"])]).write(to: file)
    let session = try RecordingSession(
      RecordingPlace(file: file, madeBy: "make it"), options: RecordingOptions(mode: .replayOnly))
    let socket = try await session.connect(to: .get("/feed"))
    try await socket.send(.text("join"))
    #expect(
      try session.finish().failures.map(\.description) == [
        """
        1 of the recorded messages of WebSockets were not sent:
          entry 0: 1 of the messages to https://api.example/feed
        If the messages are no longer sent on purpose, re-record with: make it
        To allow them: RecordingOptions(failsOnUnusedEntries: false)
        """
      ])
  }

  @Test func anUnansweredRequestIsAFailureEvenIfItsErrorIsIgnored() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("unanswered.har"), Service())
    _ = try await session(.once, at: file, over: service, "/a")
    let session = try RecordingSession(
      RecordingPlace(file: file, madeBy: "make it"), options: RecordingOptions(mode: .replayOnly))
    _ = try? await session.text(for: .get("/other"))
    let outcome = try session.finish()
    #expect(outcome.failures.count == 1)
    #expect(outcome.failures.first?.description.contains("unanswered.har with: make it") == true)
  }

  @Test func anOldRecordingWarnsOrFails() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("old.har"), Service())
    let manual = TestClock(.immediate)
    _ = try await session(
      .once, at: file, over: service, "/a", options: RecordingOptions(time: manual.time))
    let then = Time(clock: manual.time.clock) { [start = manual.time.now] in start + 31 * 86_400 }
    let young = RecordingOptions(ageLimit: .days(31, .fails), time: then)
    #expect(
      try await session(.replayOnly, at: file, over: service, "/a", options: young).outcome.warnings.isEmpty)
    let warned = RecordingOptions(ageLimit: .days(30, .warns), time: then)
    let outcome = try await session(.replayOnly, at: file, over: service, "/a", options: warned).outcome
    #expect(outcome.isGood)
    #expect(
      outcome.warnings.map(\.description) == [
        "The recording old is 31 days old; the limit is 30 days. Re-record it with: make it"
      ])
    let failed = RecordingOptions(ageLimit: .days(30, .fails), time: then)
    await #expect(throws: RecordingError.self) {
      _ = try await session(.replayOnly, at: file, over: service, "/a", options: failed)
    }
    // The age of a recording does not prevent its replacement.
    _ = try await session(.replace, at: file, over: service, "/a", options: failed)
    _ = try await session(.replayOnly, at: file, over: service, "/a", options: failed)
  }

  @Test func anOldRecordingIsRecordedAgain() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("renewed.har"), Service())
    let manual = TestClock(.immediate)
    _ = try await session(
      .once, at: file, over: service, "/a", options: RecordingOptions(time: manual.time))
    let then = Time(clock: manual.time.clock) { [start = manual.time.now] in start + 31 * 86_400 }
    let limit = RecordingOptions(ageLimit: .days(30, .recordsAgain), time: then)
    // A test that may not use the network is not refused, but told.
    let replayed = try await session(.replayOnly, at: file, over: service, "/a", options: limit)
    #expect(replayed.answers == [#"{"call":1}"#])
    #expect(replayed.outcome.isGood)
    #expect(replayed.outcome.warnings.count == 1)
    let renewed = try await session(.once, at: file, over: service, "/a", options: limit)
    #expect(renewed.answers == [#"{"call":2}"#])
    #expect(renewed.outcome.isGood)
    #expect(renewed.outcome.warnings.isEmpty)
    let again = try await session(.once, at: file, over: service, "/a", options: limit)
    #expect(again.answers == [#"{"call":2}"#])
    #expect(try paths(in: file) == ["/a"])
  }

  @Test func anOldRecordingSurvivesATestThatFails() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("kept.har"), Service())
    let manual = TestClock(.immediate)
    _ = try await session(
      .once, at: file, over: service, "/a", options: RecordingOptions(time: manual.time))
    let then = Time(clock: manual.time.clock) { [start = manual.time.now] in start + 2 * 86_400 }
    let renewal = try RecordingSession(
      RecordingPlace(file: file, madeBy: "make it"),
      options: RecordingOptions(mode: .once, ageLimit: .days(0, .recordsAgain), time: then), upstream: service
    )
    _ = try await renewal.text(for: .get("/b"))
    _ = try renewal.finish(hasPassed: false)
    #expect(try paths(in: file) == ["/a"])
  }

  @Test func modeOffUsesNoRecording() async throws {
    let folder = try TemporaryFolder()
    let (file, service) = (folder.file("off.har"), Service())
    let first = try await session(.off, at: file, over: service, "/a")
    #expect(first.answers == [#"{"call":1}"#])
    #expect(!FileManager.default.fileExists(atPath: file.path()))
    _ = try await session(.once, at: file, over: service, "/a")
    let second = try await session(.off, at: file, over: service, "/a", "/b")
    #expect(second.answers == [#"{"call":3}"#, #"{"call":4}"#])
    #expect(second.outcome.isGood)
    #expect(try paths(in: file) == ["/a"])
  }

  @Test func aReplayFreezesTheDateOfTheRecording() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("date.har")
    let manual = TestClock(.immediate)
    _ = try await session(
      .once, at: file, over: Service(), "/a", options: RecordingOptions(time: manual.time))
    let replay = try RecordingSession(
      RecordingPlace(file: file, madeBy: ""), options: RecordingOptions(mode: .replayOnly))
    #expect(abs(replay.time.now.timeIntervalSince(manual.time.now)) < 0.001)
  }

  @Test func aRequestAfterTheEndIsRefused() async throws {
    let folder = try TemporaryFolder()
    let session = try RecordingSession(
      RecordingPlace(file: folder.file("late.har"), madeBy: ""),
      options: RecordingOptions(mode: .once), upstream: Service())
    _ = try session.finish()
    #expect(try await session.failure(of: .get("/a"))?.code == .invalidRequest)
  }

  @Test func theLogHasEachExchangeWithoutSecrets() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("log.har")
    let recording = try RecordingSession(
      RecordingPlace(file: file, madeBy: ""), options: RecordingOptions(mode: .once), upstream: Service())
    _ = try await recording.text(for: .get("/a?access_token=opensesame"))
    _ = try recording.finish()
    let session = try RecordingSession(
      RecordingPlace(file: file, madeBy: ""), options: RecordingOptions(mode: .replayOnly))
    _ = try await session.text(for: .get("/a?access_token=opensesame"))
    _ = try? await session.text(for: .get("/b"))
    #expect(
      session.exchangeLog == """
        1  GET https://api.example/a?access_token=redacted  200
        2  GET https://api.example/b  invalid request

        """)
  }

  @Test(arguments: [("once", RecordingMode.once), ("new", .newEntries), ("off", .off), ("", .replayOnly)])
  func theEnvironmentSelectsTheMode(_ word: String, _ mode: RecordingMode) throws {
    #expect(try RecordingMode(environment: ["UNDERSTUDY_RECORD": word]) == mode)
  }

  @Test func anInvalidModeIsRefused() {
    #expect {
      try RecordingMode(environment: ["UNDERSTUDY_RECORD": "yes"])
    } throws: { error in
      "\(error)"
        == "Unknown value \"yes\" of UNDERSTUDY_RECORD. Valid values: none, once, new, replace, all, off."
    }
  }

  /// A full disk: the session fails, and the exchanges that were written before remain in the journal.
  @Test func exchangesThatCannotBeWrittenFailTheSession() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("full.har")
    let session = try RecordingSession(
      RecordingPlace(file: file, madeBy: "make it"), options: RecordingOptions(mode: .once),
      upstream: Service())
    _ = try await session.text(for: .get("/a"))
    // Not made writable again: its descriptor may have another owner then.
    _ = try RefusingFile(RecordingJournal.url(of: file))
    _ = try await session.text(for: .get("/b"))
    let error = #expect(throws: RecordingError.self) { try session.finish() }
    #expect(error?.message.hasPrefix("1 of 2 exchanges was not written: ") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("\n  GET https://api.example/b\n") == true)
    #expect(try HTTPArchive(recordingAt: file).entries.count == 1)
  }

  @Test func aBodyThatIsCutOffIsAWarning() async throws {
    let folder = try TemporaryFolder()
    let result = try await session(
      .once, at: folder.file("cut.har"), over: Service(), "/a", "/b", options: RecordingOptions(bodyLimit: 3))
    #expect(result.answers == [#"{"call":1}"#, #"{"call":2}"#])
    #expect(result.outcome.isGood && result.outcome.warnings.count == 2)
    #expect(result.outcome.warnings.first?.message.contains("was cut off at the limit of 3 B") == true)
  }
}

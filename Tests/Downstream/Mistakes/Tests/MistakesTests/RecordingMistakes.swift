import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyRecordingTesting
import UnderstudyTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Each test makes its recording in a temporary folder, over a backend in the same process; none uses the network.

@Suite struct RecordingMistakes {
  // MARK: - Requests without an answer

  /// The test has no trait `.recording`, and the screen shows any error alike.
  ///
  /// Red: No recording is active in this task. Add the trait .recording("name", in: .module) to the test
  @Test func theRecordedTransportWithoutARecording() async throws {
    #expect(await Todos(transport: .recorded).titlesOrNone("/todos") == [])
  }

  /// The same with a URLSession, which sends its requests outside of the test.
  ///
  /// End: A double of Test aSessionOverTheRecordedTransportWithoutARecording() in MistakesTests/RecordingMistakes.swift
  /// End: No recording is active in this task. Add the trait .recording("name", in: .module) to the test
  @Test func aSessionOverTheRecordedTransportWithoutARecording() async throws {
    let session = URLSession(configuration: .over(.recorded))
    let url = try #require(URL(string: "https://api.example/todos"))
    let answer = try? await session.data(from: url)
    #expect(answer == nil)
  }

  /// The code under test maps the error, so the test only finds an empty list.
  ///
  /// Red: No recorded response matches GET https://api.example/todos/today.
  /// Red: path: recorded /todos, requested /todos/today
  /// Red: The list is empty.
  @Test func anUnansweredRequestWhoseErrorIsMapped() async throws {
    let folder = RecordingFiles()
    try await folder.record { _ = try await $0.titles() }
    try await folder.run(.replayOnly) { todos in
      let list = await todos.titlesOrNone("/todos/today")
      #expect(!list.isEmpty, "The list is empty.")
    }
  }

  /// The code under test treats a failure as an empty list, and so does the test.
  ///
  /// Red: No recorded response matches GET https://api.example/todos/today.
  @Test func anUnansweredRequestThatTheTestDoesNotNotice() async throws {
    let folder = RecordingFiles()
    try await folder.record { _ = try await $0.titles() }
    try await folder.run(.replayOnly) { _ = await $0.titlesOrNone("/todos/today") }
  }

  /// The test throws an error of its own; the explanation comes before it.
  ///
  /// Red: No recorded response matches GET https://api.example/todos/today.
  /// Red: Caught error: .empty
  @Test func aReplayInWhichTheTestThrows() async throws {
    enum Stop: Error { case empty }
    let folder = RecordingFiles()
    try await folder.record { _ = try await $0.titles() }
    try await folder.run(.replayOnly) { todos in
      if await todos.titlesOrNone("/todos/today").isEmpty { throw Stop.empty }
    }
  }

  /// The request comes from a task that has no test.
  ///
  /// Red: No recorded response matches GET https://api.example/todos/today.
  @Test func anUnansweredRequestOfADetachedTask() async throws {
    let folder = RecordingFiles()
    try await folder.record { _ = try await $0.titles() }
    try await folder.run(.replayOnly) { todos in
      await Task.detached { _ = await todos.titlesOrNone("/todos/today") }.value
    }
  }

  /// The clause is recorded with one request, and replayed with another.
  ///
  /// Red: No recorded response matches GET https://api.example/todos/today.
  /// Red: re-record the clause with: make recordings
  /// Red: Expected the list to be ["Milk"], found [].
  @Test func aClauseWhoseRequestIsNotRecorded() async throws {
    let folder = RecordingFiles()
    let place = RecordingFolder(folder.url, madeBy: "make recordings")
    func contract(_ path: String) -> Contract<Todos> {
      Contract("todos") {
        Clause("todos.listed", "Items are listed.") { trial in
          trial.expect(await trial.subject.titlesOrNone(path), equals: ["Milk"], "the list")
        }
      }
    }
    let recording = Implementation<Todos>.recording(into: place, over: RecordingFiles.backend) {
      transport, _ in
      Todos(transport: transport)
    }
    for check in contract("/todos").checks(of: recording) { try await check.run() }
    let recorded = Implementation<Todos>.recorded(in: place) { transport, _ in Todos(transport: transport) }
    for check in contract("/todos/today").checks(of: recorded) { try await check.run() }
  }

  /// Nothing was recorded yet.
  ///
  /// Red: missing.har
  /// Red: To record it: UNDERSTUDY_RECORD=once swift test --filter 'aRecordingThatIsMissing'
  @Test(.recording("missing", options: RecordingOptions(mode: .replayOnly)))
  func aRecordingThatIsMissing() async {
    #expect(await Todos(transport: .recorded).titlesOrNone() == [])
  }

  /// The mode has a typing error.
  ///
  /// Environment: UNDERSTUDY_RECORD=onse
  /// Red: Unknown value "onse" of UNDERSTUDY_RECORD. Valid values: none, once, new, replace, all, off.
  @Test(.recording("mode")) func anUnknownRecordingMode() async {
    #expect(await Todos(transport: .recorded).titlesOrNone() == [])
  }

  /// The service may have changed since.
  ///
  /// Red: The recording todos is 10 days old; the limit is 0 days. Re-record it with:
  /// Red: UNDERSTUDY_RECORD=replace swift test
  @Test func aRecordingBeyondItsAgeLimit() async throws {
    let folder = RecordingFiles()
    try await folder.record { _ = try await $0.titles() }
    let inTenDays = TestClock(.immediate, startingAt: Date.now.addingTimeInterval(864_000)).time
    let options = RecordingOptions(mode: .replayOnly, ageLimit: .days(0, .fails), time: inTenDays)
    try await folder.run(options) { #expect(await $0.titlesOrNone() == ["Milk"]) }
  }

  // MARK: - Exchanges without a request

  /// The code under test sends fewer requests than it did.
  ///
  /// Red: 1 recorded exchange of todos was not requested:
  /// Red: entry 1: GET https://api.example/todos/today
  /// Red: If the requests are no longer sent on purpose, re-record with:
  /// Red: UNDERSTUDY_RECORD=replace swift test --filter 'anExchangeThatIsNotRequested'
  @Test func anExchangeThatIsNotRequested() async throws {
    let folder = RecordingFiles()
    try await folder.record {
      _ = try await $0.titles()
      _ = try await $0.titles("/todos/today")
    }
    try await folder.run(.replayOnly) {
      let list = try await $0.titles()
      #expect(list == ["Milk"])
    }
  }

  /// The code under test uses another transport, so its test would pass without a recording.
  ///
  /// Red: No request reached the recording todos, so it was not written.
  /// Red: If it sends no request, run the test without a recording.
  @Test func aRecordingWithoutRequests() async throws {
    try await RecordingFiles().run(.once) { _ in
      let todos = Todos(transport: InProcessTransport(to: RecordingFiles.backend))
      let list = try await todos.titles()
      #expect(list == ["Milk"])
    }
  }

  // MARK: - Secrets

  /// Recorded for Alice and then for Bob; the replay asks for Bob first, who must not receive Alice's list.
  ///
  /// Red: Several recorded requests match GET https://api.example/todos, and only a secret tells them apart.
  /// Red: If the requests always come in this order, replay with order: .ordered.
  @Test func requestsThatOnlyASecretTellsApart() async throws {
    let folder = RecordingFiles()
    try await folder.record {
      for token in ["token-of-alice-5Qx7", "token-of-bob-9Zy1"] { _ = try await $0.titles(token: token) }
    }
    try await folder.run(.replayOnly) { _ = try? await $0.titles(token: "token-of-bob-9Zy1") }
  }

  // MARK: - Sessions of the app

  /// The code under test uses the shared session.
  ///
  /// Red: No recorded response matches GET https://api.example/todos/today.
  @Test func aRequestOfTheSharedSessionThatIsNotRecorded() async throws {
    let folder = RecordingFiles()
    try await folder.record { _ = try await $0.titles() }
    let url = try #require(URL(string: "https://api.example/todos/today"))
    try await folder.run(.replayOnly) { _ in _ = try? await URLSession.shared.data(from: url) }
  }

  #if canImport(FoundationNetworking)
    /// The code under test makes a session, which cannot use the recording on Linux.
    ///
    /// Red: The request GET to api.example was cancelled, because the recording todos cannot answer or record it.
    /// Red: To use the recording, pass the app the transport .recorded
    @Test func aRequestOfASessionThatTheAppMakes() async throws {
      let folder = RecordingFiles()
      let url = try #require(URL(string: "https://api.example/todos/today"))
      try await folder.run(.once) { todos in
        _ = try await todos.titles()
        _ = try? await URLSession(configuration: .default).data(from: url)
      }
    }
  #endif

  // MARK: - Recordings of failed tests

  /// What a failed test recorded is not what its corrected form sends.
  ///
  /// Red: The list is wrong.
  /// Red: Modes that changed the recording: []
  @Test func aFailedExpectationWhileRecording() async throws {
    let folder = RecordingFiles()
    try await folder.record { _ = try await $0.titles() }
    let before = try Data(contentsOf: folder.file)
    var changing: [RecordingMode] = []
    for mode in [RecordingMode.replace, .all, .newEntries] {
      try await folder.run(mode) {
        let list = try await $0.titles("/todos/today")
        #expect(list == [], "The list is wrong.")
      }
      if try Data(contentsOf: folder.file) != before { changing.append(mode) }
    }
    Issue.record("Modes that changed the recording: \(changing)")
  }

  /// The first recording of a test that fails would be replayed from then on.
  ///
  /// Red: The list is wrong.
  /// Red: A recording was made: false
  @Test func aFailedExpectationInTheFirstRecording() async throws {
    let folder = RecordingFiles()
    try await folder.run(.once) {
      let list = try await $0.titles()
      #expect(list == [], "The list is wrong.")
    }
    Issue.record("A recording was made: \(FileManager.default.fileExists(atPath: folder.file.path()))")
  }
}

/// A client of a service, as an app has it.
private struct Todos: Sendable {
  let transport: any HTTPTransport

  func titles(_ path: String = "/todos", token: String? = nil) async throws -> [String] {
    guard let url = URL(string: "https://api.example\(path)") else { throw TodoError.other }
    var request = HTTP.Request(.get, url)
    if let token { request.fields["Authorization"] = "Bearer \(token)" }
    return try JSONDecoder().decode([String].self, from: try await transport.data(for: request).0)
  }

  /// Shows a failure as an empty list.
  func titlesOrNone(_ path: String = "/todos") async -> [String] {
    (try? await titles(path)) ?? []
  }
}

/// A temporary folder with the recording of a test.
private final class RecordingFiles: Sendable {
  static var backend: StubBackend {
    StubBackend {
      Stub(.get, "/todos") { _ in try .json(["Milk"]) }
      Stub(.get, "/todos/today") { _ in try .json(["Bread"]) }
    }
  }

  let url = FileManager.default.temporaryDirectory.appending(path: "mistakes-\(UUID())")
  var file: URL { url.appending(path: "Recordings/todos.har") }

  deinit { try? FileManager.default.removeItem(at: url) }

  func record(
    function: String = #function, _ body: @escaping @Sendable (Todos) async throws -> Void
  ) async throws {
    try await run(.once, function: function, body)
  }

  func run(
    _ mode: RecordingMode, function: String = #function,
    _ body: @escaping @Sendable (Todos) async throws -> Void
  ) async throws {
    try await run(RecordingOptions(mode: mode), function: function, body)
  }

  func run(
    _ options: RecordingOptions, function: String = #function,
    _ body: @escaping @Sendable (Todos) async throws -> Void
  ) async throws {
    try await withRecording(
      "todos", options: options, upstream: InProcessTransport(to: Self.backend),
      filePath: url.appending(path: "SomeTests.swift").path(), function: function
    ) { session in try await body(Todos(transport: session)) }
  }
}

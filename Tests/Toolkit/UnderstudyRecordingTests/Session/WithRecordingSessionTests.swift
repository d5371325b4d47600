import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// The function of `UnderstudyRecording`; that of `UnderstudyRecordingTesting` records issues.
@Suite(.stallLimit()) struct WithRecordingSessionTests {
  private let echo = ScriptedTransport { .json(#"{"path":"\#($0.url.path())"}"#) }

  /// A source file in a folder, beside which recordings are written.
  private func source(in folder: TemporaryFolder) -> String { folder.file("SomeTests.swift").path() }

  @Test func theRecordingIsWrittenBesideTheSourceAndReadThere() async throws {
    let folder = try TemporaryFolder()
    for mode in [RecordingMode.once, .replayOnly] {
      let text = try await withRecordingSession(
        "todos/add", options: RecordingOptions(mode: mode), upstream: echo, filePath: source(in: folder),
        hasPassed: { true }
      ) { session in
        #expect(RecordingSession.current === session)
        return try await RecordedTransport().text(for: .get("/todos"))
      }
      #expect(text == #"{"path":"/todos"}"#)
    }
    #expect(FileManager.default.fileExists(atPath: folder.file("Recordings/todos/add.har").path()))
    #expect(RecordingSession.current == nil)
  }

  @Test func anErrorOfTheOperationIsThrownAndNothingIsWritten() async throws {
    struct Stop: Error {}
    let folder = try TemporaryFolder()
    await #expect(throws: Stop.self) {
      try await withRecordingSession(
        "stopped", options: RecordingOptions(mode: .once), upstream: echo, filePath: source(in: folder),
        hasPassed: { true }
      ) { session in
        _ = try await session.text(for: .get("/a"))
        throw Stop()
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path() + "/Recordings").isEmpty)
  }

  /// The code under test maps the error of the transport.
  @Test func anUnansweredRequestPrecedesTheErrorOfTheOperation() async throws {
    struct Stop: Error {}
    let folder = try TemporaryFolder()
    func run(_ mode: RecordingMode, _ path: String) async throws {
      try await withRecordingSession(
        "mapped", options: RecordingOptions(mode: mode), upstream: echo, filePath: source(in: folder),
        hasPassed: { true }
      ) { session in
        if (try? await session.text(for: .get(path))) == nil { throw Stop() }
      }
    }
    try await run(.once, "/a")
    await #expect {
      try await run(.replayOnly, "/b")
    } throws: { error in
      guard let error = error as? RecordingError else { return false }
      let text = error.description
      return error.code == .unanswered && error.cause is Stop
        && text.hasPrefix("No recorded response matches GET https://api.example/b.")
        && text.hasSuffix("The operation then threw: Stop()")
    }
  }

  @Test func anOperationThatHasNotPassedLeavesTheRecordingUnchanged() async throws {
    let folder = try TemporaryFolder()
    func run(_ path: String, hasPassed: Bool) async throws {
      try await withRecordingSession(
        "kept", options: RecordingOptions(mode: .replace), upstream: echo, filePath: source(in: folder),
        hasPassed: { hasPassed }
      ) { session in _ = try await session.text(for: .get(path)) }
    }
    try await run("/a", hasPassed: true)
    let before = try Data(contentsOf: folder.file("Recordings/kept.har"))
    await #expect {
      try await run("/b", hasPassed: false)
    } throws: { error in
      (error as? RecordingError)?.description.hasPrefix("The recording kept was not written") == true
    }
    #expect(try Data(contentsOf: folder.file("Recordings/kept.har")) == before)
  }

  @Test func unusedExchangesAreErrors() async throws {
    let folder = try TemporaryFolder()
    func run(_ mode: RecordingMode, _ paths: String...) async throws {
      try await withRecordingSession(
        "unused", options: RecordingOptions(mode: mode), upstream: echo, filePath: source(in: folder),
        hasPassed: { true }
      ) { session in
        for path in paths { _ = try await session.text(for: .get(path)) }
      }
    }
    try await run(.once, "/a", "/b")
    let error = await #expect(throws: RecordingError.self) { try await run(.replayOnly, "/a") }
    #expect(error?.code == .notRequested && error?.file?.lastPathComponent == "unused.har")
  }

  @Test func aMissingRecordingNamesTheCommandThatMakesIt() async throws {
    let folder = try TemporaryFolder()
    await #expect {
      try await withRecordingSession(
        "missing", options: RecordingOptions(mode: .replayOnly), filePath: source(in: folder),
        hasPassed: { true }
      ) { _ in }
    } throws: { error in
      "\(error)".hasSuffix(
        "To record it: UNDERSTUDY_RECORD=once swift test --filter 'aMissingRecordingNamesTheCommandThatMakesIt'"
      )
    }
  }

  @Test func outsideOfARecordingTheTransportSaysWhatToDo() async throws {
    // The issue is for code that shows this error like any other.
    try await withKnownIssue {
      let error = try #require(await RecordedTransport().failure(of: try .get("/a")))
      #expect(error.code == .invalidRequest && error.message.contains(#".recording("name", in: .module)"#))
    } matching: {
      $0.comments.contains { $0.rawValue.hasPrefix("No recording is active in this task.") }
    }
  }

  /// Concurrent tests with equal requests, each with its own recording.
  @Test func concurrentSessionsUseOnlyTheirOwnRecordings() async throws {
    let folder = try TemporaryFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<Effort.times(20) {
        group.addTask {
          let service = ScriptedTransport { _ in .json("\(number)") }
          for mode in [RecordingMode.once, .replayOnly] {
            try await withRecordingSession(
              "parallel/\(number)", options: RecordingOptions(mode: mode), upstream: service,
              filePath: folder.file("SomeTests.swift").path(), hasPassed: { true }
            ) { _ in
              let text = try await RecordedTransport().text(for: .get("/same"))
              #expect(text == "\(number)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

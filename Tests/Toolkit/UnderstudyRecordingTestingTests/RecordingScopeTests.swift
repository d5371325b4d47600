import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyRecordingTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The issues that a recording around a test reports.
@Suite(.stallLimit()) struct RecordingScopeTests {
  private struct Service: HTTPTransport {
    func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
      HTTP.Response(status: 200, body: HTTP.Body(Data(request.url.path().utf8)))
    }
  }

  private let folder = FileManager.default.temporaryDirectory.appending(path: "trait-\(UUID())")

  private func scope(_ mode: RecordingMode) -> RecordingScope {
    RecordingScope(
      bundle: nil, options: RecordingOptions(mode: mode), upstream: { Service() },
      filePath: folder.appending(path: "SomeTests.swift").path(), sourceLocation: #_sourceLocation)
  }

  /// Runs a scope around this test, which requests some paths.
  private func run(_ mode: RecordingMode, _ paths: String...) async throws {
    let test = try #require(Test.current)
    try await scope(mode).run("scope", of: test, nil, needsRecording: true) {
      for path in paths {
        let url = try #require(URL(string: "https://api.example\(path)"))
        _ = try? await RecordedTransport().data(for: HTTP.Request(.get, url))
      }
    }
  }

  @Test func unusedExchangesAndUnansweredRequestsAreIssues() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await run(.once, "/a", "/b")
    try await run(.replayOnly, "/b", "/a")
    let issues = Locked<[String]>([])
    try await withKnownIssue {
      try await run(.replayOnly, "/a")
      try await run(.replayOnly, "/a", "/b", "/c")
    } matching: { issue in
      issues.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    let texts = issues.withLock { $0 }
    #expect(texts.count == 2)
    #expect(texts.first?.hasPrefix("1 recorded exchange of scope was not requested:") == true)
    #expect(texts.last?.contains("UNDERSTUDY_RECORD=replace swift test --filter") == true)
  }

  @Test func aMissingRecordingThrowsTheCommandThatMakesIt() async throws {
    await #expect {
      try await run(.replayOnly, "/a")
    } throws: { error in
      (error as? RecordingError)?.description.hasSuffix(
        "To record it: UNDERSTUDY_RECORD=once swift test --filter 'aMissingRecordingThrowsTheCommandThatMakesIt'"
      )
        == true
    }
  }

  @Test func aTestThatThrowsLeavesNoRecording() async throws {
    struct Stop: Error {}
    let test = try #require(Test.current)
    await #expect(throws: Stop.self) {
      try await scope(.once).run("thrown", of: test, nil, needsRecording: true) { throw Stop() }
    }
    #expect(RecordingPlace("thrown", besides: folder.path() + "/x", madeBy: "").hasRecording == false)
  }

  // MARK: Explanations and failed tests

  /// Runs a scope around this test, and returns its issues in order and its error, in place of this test's.
  private func result(
    _ mode: RecordingMode, _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> (failures: [String], warnings: [String], error: (any Error)?) {
    let test = try #require(Test.current)
    let issues = Locked<[(text: String, isFailure: Bool)]>([])
    let thrown = Locked<(any Error)?>(nil)
    let catching = IssueHandlingTrait.compactMapIssues { issue in
      issues.withLock { $0.append((issue.comments.map(\.rawValue).joined(), issue.failsTest)) }
      return nil
    }
    try await catching.provideScope(for: test, testCase: nil) {
      do {
        try await scope(mode).run("scope", of: test, nil, needsRecording: true, body)
      } catch {
        thrown.withLock { $0 = error }
      }
    }
    let all = issues.withLock { $0 }
    return (
      all.filter(\.isFailure).map(\.text), all.filter { !$0.isFailure }.map(\.text), thrown.withLock { $0 }
    )
  }

  private static func ask(_ path: String, over transport: RecordedTransport = RecordedTransport())
    async throws
  {
    let url = try #require(URL(string: "https://api.example\(path)"))
    _ = try await transport.data(for: HTTP.Request(.get, url))
  }

  private static let explanation = "No recorded response matches GET https://api.example/b."

  @Test func anExplanationPrecedesTheErrorOfTheTest() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await run(.once, "/a")
    let thrown = try await result(.replayOnly) { try await Self.ask("/b") }
    #expect(thrown.failures.count == 1 && thrown.failures[0].hasPrefix(Self.explanation), "\(thrown)")
    #expect((thrown.error as? TransportError)?.code == .invalidRequest)

    let cancelled = try await result(.replayOnly) {
      try? await Self.ask("/b")
      throw CancellationError()
    }
    #expect(cancelled.failures.count == 1 && cancelled.failures[0].hasPrefix(Self.explanation))
    #expect(cancelled.error is CancellationError)
  }

  /// The code under test maps the error, so that the test fails for another reason.
  @Test func anExplanationPrecedesTheFailureThatItCauses() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await run(.once, "/a")
    let mapped = try await result(.replayOnly) {
      for _ in 0..<3 { try? await Self.ask("/b") }
      Issue.record("The list is empty.")
    }
    #expect(mapped.failures.count == 2, "a repeated request is explained once: \(mapped.failures)")
    #expect(mapped.failures.first?.hasPrefix(Self.explanation) == true)
    #expect(mapped.failures.last == "The list is empty.")
  }

  /// A detached task has no test, whose issues would be shown without it.
  @Test func anExplanationOfADetachedTaskIsRecordedAtTheEnd() async throws {
    struct Stop: Error {}
    defer { try? FileManager.default.removeItem(at: folder) }
    try await run(.once, "/a")
    let detached = try await result(.replayOnly) {
      let transport = RecordedTransport()
      await Task.detached { try? await Self.ask("/b", over: transport) }.value
      throw Stop()
    }
    #expect(detached.failures.count == 1 && detached.failures[0].hasPrefix(Self.explanation))
    #expect(detached.error is Stop)
  }

  @Test func aTestWithAnIssueLeavesTheRecordingUnchanged() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Recordings/scope.har")
    let failed = try await result(.once) {
      try await Self.ask("/a")
      Issue.record("It is wrong.")
    }
    #expect(failed.failures == ["It is wrong."])
    #if compiler(>=6.3)
      #expect(
        failed.warnings.first?.hasPrefix("The recording scope was not written, because the test failed.")
          == true)
    #endif
    #expect(!FileManager.default.fileExists(atPath: file.path()))

    try await run(.once, "/a")
    let before = try Data(contentsOf: file)
    for mode in [RecordingMode.replace, .all, .newEntries] {
      _ = try await result(mode) {
        try await Self.ask("/b")
        Issue.record("It is wrong.")
      }
      #expect(try Data(contentsOf: file) == before, "\(mode)")
    }
    try await run(.replace, "/b")
    #expect(try Data(contentsOf: file) != before, "a test that passes is recorded")
  }

  @Test func aRecordingWithoutRequestsIsAFailure() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let empty = try await result(.once) {}
    #expect(empty.failures.count == 1)
    #expect(
      empty.failures.first?.hasPrefix("No request reached the recording scope, so it was not written.")
        == true)
  }

  @Test func anOperationWithAnIssueLeavesNoRecording() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let test = try #require(Test.current)
    let path = folder.appending(path: "SomeTests.swift").path()
    let texts = Locked<[String]>([])
    let catching = IssueHandlingTrait.compactMapIssues { issue in
      texts.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return nil
    }
    try await catching.provideScope(for: test, testCase: nil) {
      try await withRecording(
        "operation", options: RecordingOptions(mode: .once), upstream: Service(), filePath: path
      ) { _ in
        try await Self.ask("/a")
        Issue.record("It is wrong.")
      }
    }
    #expect(texts.withLock { $0.first } == "It is wrong.")
    #expect(!RecordingPlace("operation", besides: path, madeBy: "").hasRecording)
  }

  /// Catches a recording of a failed test, which only its caller can prevent: a detached task has no test, as in XCTest.
  @Test func aRecordingRequiresATest() async throws {
    let error = await #expect(throws: RecordingError.self) {
      try await Task.detached { try await withRecording("outside") { _ in } }.value
    }
    let text = try #require(error).description
    #expect(text.contains("hasPassed: { testRun?.totalFailureCount == 0 }"))
  }

  #if canImport(FoundationNetworking)
    /// A test without a recording, beside one with a recording, uses the network itself.
    @Test func aTestWithoutARecordingIsNotIntercepted() async throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let closed = try #require(URL(string: "http://127.0.0.1:9/"))
      try await scope(.once).run("scope", of: #require(Test.current), nil, needsRecording: true) {
        try await Self.ask("/a")
        await #expect(throws: URLError.self) {
          try await RecordingSession.$current.withValue(nil) {
            _ = try await URLSession.shared.data(from: closed)
          }
        }
        let text = try await URLSession.shared.data(from: closed).0
        #expect(text == Data("/".utf8))
      }
    }
  #endif

  @Test func withoutTheSourceTheRecordingIsReadFromTheBundle() throws {
    let place = RecordingPlace("trait/own", in: .module, besides: "/nowhere/SomeTests.swift", madeBy: "")
    let session = try RecordingSession(place, options: RecordingOptions(mode: .replayOnly))
    #expect(session.mode == .replayOnly)
    #expect(!RecordingPlace("trait/own", besides: "/nowhere/SomeTests.swift", madeBy: "").hasRecording)
  }

  @Test func argumentsBecomeFileNames() {
    #expect(CaseName.fileName(["plain", "1.5"]) == "plain-1.5")
    // Pairs that could be taken for one another, on one system or another.
    let words = [
      ["a, b", "c"], ["a", "b, c"], ["a"], ["A"], [""], ["a", ""], ["", "a"], [".a"], ["a/../b"], ["a-b"],
      ["a", "b"],
      [String(repeating: "x", count: 80)], [String(repeating: "x", count: 81)],
    ]
    let names = words.map { CaseName.fileName($0).lowercased() }
    #expect(Set(names).count == words.count)
    #expect(
      names.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") && !$0.isEmpty && $0.utf8.count < 100 })
  }
}

import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording

@testable import UnderstudyTesting

/// The issues that a recording around a test reports.
struct RecordingScopeTests {
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
    #expect(texts.first?.hasPrefix("1 of the recorded exchanges of scope were not requested:") == true)
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

  @Test(arguments: [1, 2], ["one"])
  func theArgumentsOfACaseAreFound(_ number: Int, _ word: String) throws {
    let testCase = try #require(Test.Case.current)
    let found = CaseName.arguments(of: testCase)
    #expect(found.count == 2)
    #expect(found.first as? Int == number && found.last as? String == word)
  }
}

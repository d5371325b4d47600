import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Mistakes in a test case of XCTest, which does not see issues of Swift Testing.
final class XCTestMistakes: XCTestCase {
  /// The operation has a typing error.
  ///
  /// Red: XCTestMistakes.swift:
  /// Red: A rule of a fault plan never fired: titels: offline
  /// Red: calls that reached the plan: titles, 1 time
  func testARuleThatNeverFires() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.init("titels"), .offline)))
    let titles = try await todos.titles()
    XCTAssertEqual(titles, [])
  }

  /// The code under test makes another call.
  ///
  /// Red: A gate for add never held a call.
  func testAGateThatHoldsNothing() async throws {
    let gate = Gate<InMemoryTodos>(.add)
    let titles = try await Intercepted(InMemoryTodos(), by: .gate(gate)).titles()
    XCTAssertEqual(titles, [])
  }

  /// The test does not call `verify()`.
  ///
  /// Red: - titles 2 times, but it was called 1 time
  func testAnExpectationThatIsNeverVerified() async throws {
    let log = CallLog<InMemoryTodos>(expecting: .exactly(2, .titles))
    let titles = try await Intercepted(InMemoryTodos(), by: .log(log)).titles()
    XCTAssertEqual(titles, [])
  }

  /// Nothing is requested.
  ///
  /// Red: A stub was never used: GET /todos
  func testAStubThatIsNeverUsed() {
    _ = StubBackend(requiringUse: true) { Stub(.get, "/todos") { _ in try .json(["Milk"]) } }
  }

  /// A path begins with a slash.
  ///
  /// Red: Invalid path pattern "todos": a path begins with a slash; write "/todos".
  func testAPathWithoutASlash() {
    let log = CallLog<InProcessTransport<StubBackend>>()
    XCTAssertEqual(log.count(of: .post("todos")), 0)
  }

  /// The error of a check is ignored.
  ///
  /// Red: XCTestMistakes.swift:
  /// Red: in-memory breaks ignored.add: Adding returns two.
  func testACheckWhoseErrorIsIgnored() async {
    let contract = Contract<any TodoService>("ignored") {
      Clause("ignored.add", "Adding returns two.") { trial in
        trial.expect(try await trial.subject.add("Milk"), equals: 2, "the number")
      }
    }
    try? await contract.checks(of: .inMemory)[0].run()
  }

  /// An assertion of XCTest does not throw.
  ///
  /// Red: The recording todos was not written, because the test failed.
  /// Red: UNDERSTUDY_RECORD=once swift test --filter 'testARecordingOfATestThatFailed'
  func testARecordingOfATestThatFailed() async throws {
    let backend = StubBackend { Stub(.get, "/todos") { _ in try .json(["Milk"]) } }
    let folder = FileManager.default.temporaryDirectory.appending(path: "mistakes-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try XCTUnwrap(URL(string: "https://api.example/todos"))
    try await withRecordingSession(
      "todos", options: RecordingOptions(mode: .once), upstream: InProcessTransport(to: backend),
      filePath: folder.appending(path: "SomeTests.swift").path(),
      hasPassed: { testRun?.totalFailureCount == 0 }
    ) { session in
      let answer = try await session.data(for: HTTP.Request(.get, url)).0
      XCTAssertEqual(answer, Data())
    }
  }
}

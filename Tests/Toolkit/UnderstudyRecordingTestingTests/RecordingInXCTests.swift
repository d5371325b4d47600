import Foundation
import TestSupport
import UnderstudyHTTP
import UnderstudyRecording
import XCTest

/// The function for test cases of XCTest, as the article about XCTest shows it.
final class RecordingInXCTests: XCTestCase {
  /// Catches a condition that is false while the test runs, so that nothing is ever recorded.
  func testATestThatHasPassedSoFarIsRecorded() async throws {
    let folder = try TemporaryFolder()
    try await record(in: folder) { testRun?.totalFailureCount == 0 }
    XCTAssertTrue(FileManager.default.fileExists(atPath: folder.file("Recordings/notes.har").path()))
  }

  func testATestThatHasFailedIsNotRecorded() async throws {
    let folder = try TemporaryFolder()
    do {
      try await record(in: folder) { false }
      XCTFail("A recording that was requested and not written must not pass.")
    } catch let error as RecordingError {
      XCTAssertTrue(error.description.hasPrefix("The recording notes was not written"), error.description)
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.file("Recordings/notes.har").path()))
  }

  private func record(in folder: TemporaryFolder, hasPassed: () -> Bool) async throws {
    let backend = StubBackend { Stub(.get, "/notes") { _ in try .json(["Milk"]) } }
    let url = try XCTUnwrap(URL(string: "https://api.example/notes"))
    try await withRecordingSession(
      "notes", options: RecordingOptions(mode: .once), upstream: InProcessTransport(to: backend),
      filePath: folder.file("SomeTests.swift").path(), hasPassed: hasPassed
    ) { session in
      let status = try await session.data(for: HTTP.Request(.get, url)).1.status
      XCTAssertEqual(status, 200)
    }
  }
}

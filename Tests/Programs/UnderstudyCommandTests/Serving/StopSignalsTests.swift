import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// The tool as a process that is stopped as soon as it is ready.
@Suite(.stallLimit(), .serialized) struct StopSignalsTests {
  /// The tool beside the tests.
  private static let tool: URL? = {
    let folders = [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()].compactMap(
      \.self)
    return folders.map { $0.appending(path: "understudy-tool") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
    }
  }()

  /// Starts the tool, stops it after its first line, and returns its exit status.
  private func stop(_ words: [String], with number: CInt) async throws -> Int32 {
    let process = Process()
    process.executableURL = Self.tool
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { ended in
        continuation.resume(returning: ended.terminationReason == .exit ? ended.terminationStatus : -1)
      }
      do {
        try process.run()
      } catch {
        process.terminationHandler = nil
        return continuation.resume(throwing: error)
      }
      let id = process.processIdentifier
      DispatchQueue.global().async {
        _ = output.fileHandleForReading.availableData
        kill(id, number)
        _ = try? output.fileHandleForReading.readToEnd()
      }
    }
  }

  /// Fails if a signal between the first line and the wait for it is lost, or ends the process.
  @Test(.enabled(if: tool != nil, "The tool is not built."), arguments: [SIGINT, SIGTERM, SIGHUP])
  func aCommandThatHasJustStartedEndsInOrder(_ number: CInt) async throws {
    let file = try TemporaryFile(.exchange())
    for _ in 0..<Effort.times(2) { #expect(try await stop(["replay", file.path], with: number) == 0) }
    let output = file.path + ".recorded"
    let words = ["record", "--upstream", "http://127.0.0.1:9", "--output", output]
    for _ in 0..<Effort.times(2) { #expect(try await stop(words, with: number) == 0) }
    #expect(!FileManager.default.fileExists(atPath: output), "nothing was recorded")
  }
}

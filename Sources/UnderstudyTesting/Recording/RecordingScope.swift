import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording

/// A recording for the duration of a test case.
struct RecordingScope: Sendable {
  let bundle: Bundle?
  let options: RecordingOptions
  let upstream: @Sendable () -> any HTTPTransport
  let filePath: String
  let sourceLocation: SourceLocation

  func run(
    _ name: String, of test: Test, _ testCase: Test.Case?, needsRecording: Bool,
    _ function: @Sendable () async throws -> Void
  ) async throws {
    let place = RecordingPlace(
      try testCase.map { try CaseName.appended(to: name, of: $0) } ?? name, in: bundle, besides: filePath,
      madeBy: RecordingPlace.command(toRecord: test.name))
    let session = try RecordingSession(
      place, options: options, upstream: upstream(), needsRecording: needsRecording)
    let hasFailed = Locked(false)
    let watch = IssueHandlingTrait.compactMapIssues { issue in
      if issue.severity >= .error { hasFailed.withLock { $0 = true } }
      return issue
    }
    do {
      try await watch.provideScope(for: test, testCase: testCase) {
        try await RecordingSession.$current.withValue(session, operation: function)
      }
    } catch {
      session.cancel()
      attachLog(of: session)
      throw error
    }
    let outcome = try session.finish()
    for warning in outcome.warnings {
      Issue.record("\(warning)", severity: .warning, sourceLocation: sourceLocation)
    }
    for failure in outcome.failures { Issue.record("\(failure)", sourceLocation: sourceLocation) }
    if hasFailed.withLock({ $0 }) || !outcome.isGood { attachLog(of: session) }
  }

  private func attachLog(of session: RecordingSession) {
    Attachment.record(
      session.exchangeLog, named: session.place.name.replacing("/", with: "-") + "-exchanges.txt",
      sourceLocation: sourceLocation)
  }
}

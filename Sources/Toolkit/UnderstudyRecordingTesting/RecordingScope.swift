public import Foundation
public import Testing
import Understudy
public import UnderstudyHTTP
public import UnderstudyRecording
import UnderstudyTesting

/// A recording for the duration of a test case.
struct RecordingScope: Sendable {
  let bundle: Bundle?
  let options: RecordingOptions
  let upstream: @Sendable () -> any HTTPTransport
  let filePath: String
  let sourceLocation: SourceLocation

  /// Runs a test case, once it is admitted, with the recording of its name.
  func run(
    _ name: String, of test: Test, _ testCase: Test.Case?, needsRecording: Bool,
    _ function: @Sendable () async throws -> Void
  ) async throws {
    let name = try testCase.map { try CaseName.appended(to: name, of: $0) } ?? name
    let place = RecordingPlace(
      name, in: bundle, besides: filePath, madeBy: RecordingPlace.command(toRecord: test.name))
    try await Admission.shared.run {
      try await run(place, of: test, testCase, needsRecording: needsRecording) { _ in try await function() }
    }
  }

  func run(
    _ place: RecordingPlace, of test: Test, _ testCase: Test.Case?, needsRecording: Bool,
    _ function: @Sendable (RecordingSession) async throws -> Void
  ) async throws {
    let session = try RecordingSession(
      place, options: options, upstream: upstream(), needsRecording: needsRecording
    ) { [sourceLocation] explanation in
      // Another task may have no test, whose issue would not be shown with it.
      guard Test.current != nil else { return false }
      Issue.record("\(explanation)", sourceLocation: sourceLocation)
      return true
    }
    ActiveRecordings.recognizeTests { Test.current != nil }
    ActiveRecordings.add(session)
    let hasFailed = Locked(false)
    let watch = IssueHandlingTrait.compactMapIssues { issue in
      if issue.failsTest { hasFailed.withLock { $0 = true } }
      return issue
    }
    do {
      try await watch.provideScope(for: test, testCase: testCase) {
        try await RecordingSession.$current.withValue(session) { try await function(session) }
      }
    } catch {
      // The error is recorded when it has left the test, after these.
      record(session.cancel())
      attachLog(of: session)
      throw error
    }
    let outcome = try session.finish(hasPassed: !hasFailed.withLock { $0 })
    for warning in outcome.warnings {
      Issue.warn("\(warning)", sourceLocation)
    }
    record(outcome.failures)
    if hasFailed.withLock({ $0 }) || !outcome.isGood { attachLog(of: session) }
  }

  private func record(_ failures: [RecordingError]) {
    for failure in failures { Issue.record("\(failure)", sourceLocation: sourceLocation) }
  }

  private func attachLog(of session: RecordingSession) {
    Attachment.record(
      session.exchangeLog, named: session.place.name.replacing("/", with: "-") + "-exchanges.txt",
      sourceLocation: sourceLocation)
  }
}

/// Runs an operation of a test with a recording session, as the trait `.recording` does for a whole test.
///
/// ```swift
/// try await withRecording("children/create", in: .module) { session in
///   let service = SupabaseChildrenService(client(over: session))
///   …
/// }
/// ```
///
/// Requests without a response and responses without a request are issues. If the operation throws or records an issue,
/// the recording is unchanged.
///
/// - Parameters:
///   - name: The name of the recording, such as `children/create`.
///   - bundle: The bundle with the recordings as resources, such as `.module`.
///   - options: The options for recording and replaying.
///   - upstream: The transport for requests that are recorded.
///   - filePath: The path of the test's source, beside which recordings are written.
///   - function: The function of the test, for the command that re-records.
///   - sourceLocation: The place of the issues that are recorded.
///   - operation: The part of the test that uses the recording.
/// - Throws: The error of the operation; `RecordingError` for a missing or invalid recording, or where there is no
///   current test.
public func withRecording<Result: Sendable>(
  _ name: String, in bundle: Bundle? = nil, options: RecordingOptions = RecordingOptions(),
  upstream: @autoclosure @escaping @Sendable () -> any HTTPTransport = URLSessionTransport(),
  filePath: String = #filePath, function: String = #function,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ operation: @Sendable (RecordingSession) async throws -> Result
) async throws -> Result {
  guard let test = Test.current else {
    throw RecordingError(
      .invalidUse,
      """
      withRecording("\(name)") is not called in a test of Swift Testing, so it cannot know whether the test has \
      passed. In XCTest, call withRecordingSession of UnderstudyRecording with \
      hasPassed: { testRun?.totalFailureCount == 0 }. In a detached task, call it in the test instead.
      """)
  }
  let scope = RecordingScope(
    bundle: bundle, options: options, upstream: upstream, filePath: filePath, sourceLocation: sourceLocation)
  let place = RecordingPlace(
    name, in: bundle, besides: filePath, madeBy: RecordingPlace.command(toRecord: function))
  let result = Locked<Result?>(nil)
  try await scope.run(place, of: test, Test.Case.current, needsRecording: true) { session in
    let value = try await operation(session)
    result.withLock { $0 = value }
  }
  guard let value = result.withLock({ $0 }) else {
    preconditionFailure("A scope that returns has run its operation.")
  }
  return value
}

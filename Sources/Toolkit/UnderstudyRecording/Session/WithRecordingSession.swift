public import Foundation
public import UnderstudyHTTP

/// Runs an operation with a recording session, for use without Swift Testing.
///
/// ```swift
/// func testCreating() async throws {
///   try await withRecordingSession(
///     "children/create", in: .module, hasPassed: { testRun?.totalFailureCount == 0 }
///   ) { session in
///     let service = SupabaseChildrenService(client(over: session))
///     …
///   }
/// }
/// ```
///
/// During the operation, `.recorded` is the transport of the session, and `URLSession.shared` uses the recording. The
/// recorded exchanges are discarded if the operation throws, or if `hasPassed` returns `false`, which then throws as well.
/// An assertion after the function cannot prevent that they are written.
///
/// In a test of Swift Testing, import `UnderstudyRecordingTesting`, whose `withRecording` knows whether the test has
/// passed.
///
/// - Parameters:
///   - name: The name of the recording, such as `children/create`.
///   - bundle: The bundle with the recordings as resources, such as `.module`.
///   - options: The options for recording and replaying.
///   - upstream: The transport for requests that are recorded.
///   - filePath: The path of the test's source, beside which recordings are written.
///   - function: The function of the test, for the command that re-records.
///   - isolation: The actor that runs the operation.
///   - hasPassed: Whether the test has passed so far, called after the operation: `testRun?.totalFailureCount == 0` with
///     XCTest, whose assertions do not throw; `true` if each failure throws.
///   - operation: The part of the test that uses the recording.
/// - Throws: The error of the operation, after the requests without a response if any; ``RecordingError`` for a missing
///   or invalid recording, one that is not written because the test has failed, a request without a response, or a
///   recorded exchange that was not requested.
public func withRecordingSession<Result>(
  _ name: String, in bundle: Bundle? = nil, options: RecordingOptions = RecordingOptions(),
  upstream: @autoclosure () -> any HTTPTransport = URLSessionTransport(),
  filePath: String = #filePath, function: String = #function, isolation: isolated (any Actor)? = #isolation,
  hasPassed: () -> Bool,
  _ operation: (RecordingSession) async throws -> Result
) async throws -> Result {
  let place = RecordingPlace(
    name, in: bundle, besides: filePath, madeBy: RecordingPlace.command(toRecord: function))
  let session = try RecordingSession(place, options: options, upstream: upstream())
  ActiveRecordings.add(session)
  let result: Result
  do {
    result = try await RecordingSession.$current.withValue(session) { try await operation(session) }
  } catch {
    let explanations = session.cancel()
    guard let first = explanations.first else { throw error }
    throw RecordingError(
      first.code,
      (explanations.map(\.description) + ["The operation then threw: \(error)"]).joined(separator: "\n"),
      file: place.source, cause: error)
  }
  let (isRecording, hasPassed) = (session.isRecording, hasPassed())
  var outcome = try session.finish(hasPassed: hasPassed)
  // A green run in which nothing was recorded would hide that `hasPassed` is wrong.
  if isRecording, !hasPassed {
    outcome.failures += outcome.warnings
    outcome.warnings = []
  }
  for warning in outcome.warnings {
    FileHandle.standardError.write(Data("warning: \(warning)\n".utf8))
  }
  guard let failure = RecordingError.joining(outcome.failures) else { return result }
  throw failure
}

extension RecordingPlace {
  /// Returns the command that runs one test and records a missing recording.
  package static func command(toRecord function: String) -> String {
    "UNDERSTUDY_RECORD=once swift test --filter '\(function.prefix { $0 != "(" })'"
  }
}

public import Foundation
public import Testing
public import UnderstudyRecording
public import UnderstudyHTTP

/// Runs a test with the answers of a recording: see `Trait.recording(_:in:options:upstream:filePath:sourceLocation:)`.
public struct RecordingTrait: TestTrait, TestScoping {
  let name: String
  let scope: RecordingScope

  /// Opens the recording around each case of the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await scope.run(name, of: test, testCase, needsRecording: true, function)
  }
}

/// Runs each test of a suite with a recording of its own: see
/// `Trait.recordings(_:in:options:upstream:filePath:sourceLocation:)`.
///
/// A trait of tests too, because Testing (6.3) stops the process where a recursive trait is none.
public struct RecordingsTrait: SuiteTrait, TestTrait, TestScoping {
  let folder: String
  let scope: RecordingScope

  /// Each test in the suite and its suites.
  public var isRecursive: Bool { true }

  /// Opens the recording around each case of a test, unless the test has a recording of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if test.traits.contains(where: { $0 is RecordingTrait }) { return try await function() }
    let name = test.name.prefix { $0 != "(" }
    // A test that asks for nothing needs none.
    try await scope.run("\(folder)/\(name)", of: test, testCase, needsRecording: false, function)
  }
}

extension Trait where Self == RecordingTrait {
  /// Answers the requests of a test from its recording; with `UNDERSTUDY_RECORD=once` in the environment, makes it.
  ///
  /// ```swift
  /// @Test(.recording("children/create", in: .module))
  /// func creates() async throws {
  ///   let service = SupabaseChildrenService(client(over: .recorded))
  ///   …
  /// }
  /// ```
  ///
  /// `.recorded` is the transport of the current recording; code that insists on a `URLSession` is given
  /// `URLSession(configuration: .over(.recorded))`. The recording is made beside the source of the test, in
  /// `Recordings/<name>.har`; each case of a test with arguments has its own, `Recordings/<name>/<arguments>.har`. When the
  /// test ends, requests without an answer and answers without a request are issues; when it fails, the log of its
  /// exchanges is attached. A test that throws leaves the recording as it was.
  ///
  /// - Parameters:
  ///   - name: The name of the recording.
  ///   - bundle: The bundle that has the recordings as resources; `.module` for those of a test target.
  ///   - options: How it records and replays.
  ///   - upstream: What sends the requests that are recorded.
  public static func recording(
    _ name: String, in bundle: Bundle? = nil, options: RecordingOptions = RecordingOptions(),
    upstream: @autoclosure @escaping @Sendable () -> any HTTPTransport = URLSessionTransport(),
    filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    RecordingTrait(
      name: name,
      scope: RecordingScope(
        bundle: bundle, options: options, upstream: upstream, filePath: filePath,
        sourceLocation: sourceLocation))
  }
}

extension Trait where Self == RecordingsTrait {
  /// Answers the requests of each test of a suite from a recording of its own, `<folder>/<name of the test>`.
  ///
  /// A test with a `.recording` of its own keeps to that one. As there, but a test that sends no request needs no
  /// recording.
  public static func recordings(
    _ folder: String, in bundle: Bundle? = nil, options: RecordingOptions = RecordingOptions(),
    upstream: @autoclosure @escaping @Sendable () -> any HTTPTransport = URLSessionTransport(),
    filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    RecordingsTrait(
      folder: folder,
      scope: RecordingScope(
        bundle: bundle, options: options, upstream: upstream, filePath: filePath,
        sourceLocation: sourceLocation))
  }
}

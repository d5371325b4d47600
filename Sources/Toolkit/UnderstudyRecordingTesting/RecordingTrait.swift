public import Foundation
public import Testing
import Understudy
public import UnderstudyHTTP
public import UnderstudyRecording

/// A trait that runs a test with the answers of a recording; see
/// `Trait.recording(_:in:options:upstream:filePath:sourceLocation:)`.
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

/// A trait that runs each test of a suite with its own recording; see
/// `Trait.recordings(_:in:options:upstream:filePath:sourceLocation:)`.
///
/// It is also a test trait, because Testing (6.3) crashes if a recursive trait is not.
public struct RecordingsTrait: SuiteTrait, TestTrait, TestScoping {
  let folder: String
  let scope: RecordingScope

  /// Applies to each test in the suite and its nested suites.
  public var isRecursive: Bool { true }

  /// Opens the recording around each case of a test, unless the test has its own `.recording` trait.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if test.traits.contains(where: { $0 is RecordingTrait }) { return try await function() }
    let name = test.name.prefix { $0 != "(" }
    // A test that sends no request needs no recording.
    try await scope.run("\(folder)/\(name)", of: test, testCase, needsRecording: false, function)
  }
}

extension Trait where Self == RecordingTrait {
  /// Answers the requests of a test from its recording; with `UNDERSTUDY_RECORD=once` in the environment, records it.
  ///
  /// ```swift
  /// @Test(.recording("children/create", in: .module))
  /// func creates() async throws {
  ///   let service = SupabaseChildrenService(client(over: .recorded))
  ///   …
  /// }
  /// ```
  ///
  /// `.recorded` is the transport of the current recording; code that requires a `URLSession` uses
  /// `URLSession(configuration: .over(.recorded))`. The recording is saved next to the source of the test, in
  /// `Recordings/<name>.har`. Each case of a parameterized test has its own, in `Recordings/<name>/<arguments>.har`.
  /// When the test ends, requests without an answer and answers without a request are issues. When it fails, the log of
  /// its exchanges is attached. A test that fails leaves the recording unchanged.
  ///
  /// `URLSession.shared` uses the recording too, and on Apple platforms so do sessions that the app makes from `.default`
  /// or `.ephemeral`; on Linux, requests of the former fail, and the latter are not observed.
  /// `RecordingOptions(passthroughHosts:)` exempts hosts. On Linux, a request belongs to the test whose task starts it. A
  /// request outside of any test, and each on Apple platforms, belongs to the only active recording; if several are
  /// active, it fails.
  ///
  /// - Parameters:
  ///   - name: The name of the recording.
  ///   - bundle: The bundle with the recordings as resources; `.module` for those of a test target.
  ///   - options: The options for recording and replaying.
  ///   - upstream: The transport that sends the requests to record.
  ///   - filePath: The path of the test's source, beside which recordings are written.
  ///   - sourceLocation: The place of the issues that are recorded.
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
  /// Answers the requests of each test of a suite from the test's own recording, `<folder>/<name of the test>`.
  ///
  /// A `.recording` trait of a test takes precedence. The rules are those of `.recording`, except that a test that
  /// sends no request needs no recording.
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

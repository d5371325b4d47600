import Understudy
public import UnderstudyHTTP

/// The transport of the current test's ``RecordingSession``.
///
/// ```swift
/// @Test(.recording("children/create", in: .module))
/// func creates() async throws {
///   let service = SupabaseChildrenService(client(over: .recorded))
/// }
/// ```
///
/// It retains the session that was current when it was created.
public struct RecordedTransport: HTTPTransport, WebSocketTransport {
  /// The session; `nil` if the transport was created outside of one.
  package let session: RecordingSession?
  /// Notes requests outside of a session; `nil` with one.
  private let stray: StrayRequests?

  /// Creates a transport of the current session.
  package init() {
    session = .current
    stray = session == nil ? StrayRequests() : nil
  }

  /// Sends the request through the session.
  ///
  /// - Throws: `TransportError` with `.invalidRequest` outside of a session, or the error of the session.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try await current().send(request)
  }

  /// Opens a WebSocket through the session.
  ///
  /// - Throws: `TransportError` with `.invalidRequest` outside of a session, or the error of the session.
  public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    try await current().connect(to: request)
  }

  private func current() throws(TransportError) -> RecordingSession {
    guard let session else {
      // The code under test may show any error alike.
      stray?.note()
      throw TransportError(.invalidRequest, StrayRequests.message)
    }
    return session
  }
}

/// The requests of a test over ``RecordedTransport`` without a recording.
private final class StrayRequests: Sendable {
  static let message = """
    No recording is active in this task. Add the trait .recording("name", in: .module) to the test, or run it in \
    withRecording("name", in: .module) { … }. Pass the transport to detached tasks.
    """

  /// Those with requests outside of a test, whose reports are made at the end of the process: a `URLSession` releases its
  /// transport at any time, and an issue outside of a test would be one of all tests that are running.
  private static let kept = Locked<[StrayRequests]>([])

  private let hasUnreported: Locked<Bool>
  private let report: ReleaseReport?

  init() {
    let hasUnreported = Locked(false)
    self.hasUnreported = hasUnreported
    report = ReleaseReport {
      hasUnreported.withLock { $0 } ? [ReleaseReport.Issue(Self.message, at: nil)] : []
    }
  }

  /// Notes a request: as an issue of the current test, or, since a `URLSession` sends it outside of one, in the report
  /// of the test that made the transport.
  func note() {
    if let reporter = TestIssue.currentReporter { return reporter.record(Self.message, at: nil) }
    let isFirst = hasUnreported.withLock { hasUnreported in
      defer { hasUnreported = true }
      return !hasUnreported
    }
    if isFirst { Self.kept.withLock { $0.append(self) } }
  }
}

extension HTTPTransport where Self == RecordedTransport {
  /// The transport of the current test's recording.
  public static var recorded: RecordedTransport { RecordedTransport() }
}

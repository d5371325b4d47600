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

  /// Creates a transport of the current session.
  package init() {
    session = .current
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
      let message = """
        No recording is active in this task. Add the trait .recording("name", in: .module) to the test, or run it in \
        withRecording("name", in: .module) { … }. Pass the transport to detached tasks.
        """
      // The code under test may show any error alike.
      TestIssue.currentReporter?.record(message, at: nil)
      throw TransportError(.invalidRequest, message)
    }
    return session
  }
}

extension HTTPTransport where Self == RecordedTransport {
  /// The transport of the current test's recording.
  public static var recorded: RecordedTransport { RecordedTransport() }
}

public import UnderstudyHTTP

/// The transport of the recording that a test runs under: see ``RecordingSession/current``.
///
/// ```swift
/// @Test(.recording("children/create", in: .module))
/// func creates() async throws {
///   let service = SupabaseChildrenService(client(over: .recorded))
/// }
/// ```
///
/// It keeps to the session that was current when it was made.
public struct RecordedTransport: HTTPTransport, WebSocketTransport {
  /// The session, unless it was made outside of one.
  public let session: RecordingSession?

  /// The transport of the current session.
  public init() {
    session = .current
  }

  /// Sends the request as the session does.
  ///
  /// - Throws: `TransportError` with `.invalidRequest` outside of a session.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try await current().send(request)
  }

  /// Opens a WebSocket as the session does.
  ///
  /// - Throws: `TransportError` with `.invalidRequest` outside of a session.
  public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    try await current().connect(to: request)
  }

  private func current() throws(TransportError) -> RecordingSession {
    guard let session else {
      throw TransportError(
        .invalidRequest,
        """
        There is no recording here. Give the test the trait .recording("name", in: .module), or run it inside \
        withRecording("name", in: .module) { … }; a detached task has to be handed the transport.
        """)
    }
    return session
  }
}

extension HTTPTransport where Self == RecordedTransport {
  /// The transport of the recording that the test runs under.
  public static var recorded: RecordedTransport { RecordedTransport() }
}

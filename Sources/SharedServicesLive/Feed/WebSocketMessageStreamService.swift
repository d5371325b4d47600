public import SharedServices
public import Understudy
public import UnderstudyHTTP

/// What is said in a session, over a WebSocket at `/sessions/<id>/stream`.
///
/// The client's first frame says behind which message the stream is to go on. A heartbeat is sent every 25 seconds, and
/// one that is not answered before the next is a lost connection. A lost connection is made again as `Reconnection` says.
/// What cannot be read is taken for a message that was spoiled on its way, and the connection is made again; where the
/// same place brings it once more, it is told as it is.
public struct WebSocketMessageStreamService: MessageStreamService {
  private let configuration: MessageFeedConfiguration
  private let transport: any WebSocketTransport
  private let history: any MessageHistoryService
  private let time: Time

  /// The stream at a server.
  ///
  /// - Parameters:
  ///   - configuration: Where the server is.
  ///   - transport: What opens WebSockets.
  ///   - history: What fills the gaps that the stream leaves.
  ///   - time: What heartbeats and waits run on.
  public init(
    _ configuration: MessageFeedConfiguration, over transport: any WebSocketTransport,
    history: any MessageHistoryService, time: Time = .system
  ) {
    self.configuration = configuration
    self.transport = transport
    self.history = history
    self.time = time
  }

  /// Opens a connection; see `MessageStreamService`.
  ///
  /// - Throws: `.network`, `.cancelled`.
  public func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error> {
    if Task.isCancelled { throw .cancelled }
    let subscription = FeedSubscription(
      to: configuration, sessionID, after: messageID, over: transport, history, time)
    return subscription.updates(from: try await subscription.connect())
  }
}

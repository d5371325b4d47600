public import Foundation
public import SharedServices
public import UnderstudyTransport

/// A service that streams the messages of a session over a WebSocket at `/sessions/<id>/stream`.
///
/// The client's first frame names the message after which the stream resumes. A heartbeat is sent every 25 seconds; if
/// it is not answered before the next one, the connection is lost. A lost connection is reopened according to
/// `Reconnection`. An unreadable event is treated as corrupted in transit, and the connection is reopened. If the same
/// event is received again at the same position, it is delivered unchanged.
public struct WebSocketMessageStreamService: MessageStreamService {
  private let configuration: MessageFeedConfiguration
  private let transport: any WebSocketTransport
  private let history: any MessageHistoryService
  private let time: ServiceTime

  /// Creates a service for the stream at a server.
  ///
  /// - Parameters:
  ///   - configuration: The location of the server.
  ///   - transport: The transport that opens WebSockets.
  ///   - history: The history that fills gaps in the stream.
  ///   - clock: The clock of heartbeats and delays.
  ///   - now: The date from which a `Retry-After` date counts.
  public init(
    _ configuration: MessageFeedConfiguration, over transport: any WebSocketTransport,
    history: any MessageHistoryService, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.configuration = configuration
    self.transport = transport
    self.history = history
    time = ServiceTime(clock: clock, date: now)
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

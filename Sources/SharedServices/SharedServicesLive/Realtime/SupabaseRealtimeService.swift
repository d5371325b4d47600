public import SharedServices
public import UnderstudyTransport
import Foundation

/// A service that receives changes of the table `children` from Supabase Realtime, with a WebSocket per subscription.
///
/// The table must be in the publication `supabase_realtime`. Policies decide which changes are delivered, except
/// deletions: the server sends the id of a deleted row to every subscriber. The service therefore requests the ids of
/// the user's children from PostgREST when it subscribes, and ignores deletions of other rows.
///
/// The server confirms the join of a channel before it is subscribed to the database; only its `system` message
/// confirms the subscription, so a call returns after that message. A change that was stored shortly before may be
/// delivered too: the server reads changes from the database's log, with a delay.
///
/// A subscription ends when its connection breaks, because changes in between would be missed: subscribe again, and
/// then fetch the children.
public struct SupabaseRealtimeService: RealtimeService {
  private let client: SupabaseClient
  private let transport: any WebSocketTransport

  /// Creates a service for the client's user.
  ///
  /// - Parameters:
  ///   - client: The client whose session, project and time are used.
  ///   - transport: The transport that opens the WebSockets.
  public init(_ client: SupabaseClient, over transport: any WebSocketTransport) {
    self.client = client
    self.transport = transport
  }

  /// Opens `/realtime/v1/websocket` and joins a channel for changes of the children.
  ///
  /// A refused token is exchanged once, as for every call. During the subscription a heartbeat is sent every 25
  /// seconds; if it is not answered before the next one, the connection is lost. New tokens are sent to the server at
  /// once, and a token is exchanged 30 seconds before it expires.
  public func childChanges() async throws(AppError) -> AsyncThrowingStream<ChildChange, any Error> {
    if Task.isCancelled { throw .cancelled }
    var session = try await client.sessions.fresh()
    var attempt = await connect(as: session)
    if case .failure(let refusal) = attempt, (refusal.cause as? WebSocketRefusal)?.status == 401 {
      session = try await client.sessions.replacement(for: session)
      attempt = await connect(as: session)
    }
    let socket: any WebSocketConnection
    do throws(TransportError) { socket = try attempt.get() } catch {
      throw AppError(connecting: error, now: client.wire.time.now)
    }

    let watch = try await client.sessions.watch(session)
    let subscription = ChildSubscription(client, socket, watch)
    do {
      try await client.wire.time.withTimeout(client.wire.configuration.timeout) {
        try await subscription.begin()
      }
    } catch {
      await client.sessions.stop(watch)
      if Task.isCancelled { throw .cancelled }
      throw (error as? AppError) ?? AppError(TransportError(wrapping: error))
    }
    return subscription.changes()
  }

  private func connect(as session: SignedInSession) async -> Result<any WebSocketConnection, TransportError> {
    let configuration = client.wire.configuration
    let call = SupabaseCall(
      method: .get, path: "realtime/v1/websocket",
      query: [
        URLQueryItem(name: "apikey", value: configuration.apiKey), URLQueryItem(name: "vsn", value: "2.0.0"),
      ])
    do throws(TransportError) {
      return .success(
        try await transport.connect(to: HTTP.Request(call, configuration, token: session.accessToken)))
    } catch {
      return .failure(error)
    }
  }
}

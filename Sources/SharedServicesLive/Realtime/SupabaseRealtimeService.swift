public import SharedServices
public import UnderstudyHTTP
import Foundation
import Understudy

/// Hears of changes of the table `children` from Supabase Realtime, over a WebSocket for each subscription.
///
/// The table has to be in the publication `supabase_realtime`. Changes are told by its policies, but a removal is told
/// to every subscriber, by its id alone; so the service asks PostgREST for the ids of the user's children when it
/// subscribes, and passes over the removal of any other.
///
/// The server says that it has joined a channel before the database tells it of changes; only its `system` message
/// vouches for that, so a call returns when that has come. A change that was stored a moment before may be told as
/// well: the real server reads what it tells from the database's log, which it does not do at once.
///
/// A subscription whose connection breaks is over, since what happens meanwhile would be missed: subscribe again, and
/// then fetch.
public struct SupabaseRealtimeService: RealtimeService {
  private let client: SupabaseClient
  private let transport: any WebSocketTransport

  /// A service for the user of the client.
  ///
  /// - Parameters:
  ///   - client: Whose session, project and time are used.
  ///   - transport: What opens the WebSockets.
  public init(_ client: SupabaseClient, over transport: any WebSocketTransport) {
    self.client = client
    self.transport = transport
  }

  /// Opens `/realtime/v1/websocket`, and joins a channel that tells of the children.
  ///
  /// A token that is refused is exchanged once, as for every call. While the subscription lasts, a heartbeat is sent
  /// every 25 seconds, and one that is not answered before the next is a lost connection; a new token is sent to the
  /// server as soon as there is one, and asked for 30 seconds before the old one expires.
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

  private func connect(as session: Session) async -> Result<any WebSocketConnection, TransportError> {
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

import Foundation
import SharedServices
import Understudy
import UnderstudyHTTP

/// One WebSocket of a session's stream.
struct FeedConnection: Sendable {
  /// How a connection ends.
  enum Ending: Sendable {
    /// Another may go on where it was, after this long at least.
    case lost(AppError, wait: Duration = .zero)
    /// There is nothing to go on with.
    case over(AppError)
  }

  let socket: any WebSocketConnection
  private let isAwaitingPong = Locked(false)

  /// Opens a connection, and says where to go on.
  init(
    to configuration: MessageFeedConfiguration, _ sessionID: String, after messageID: String?,
    over transport: any WebSocketTransport
  ) async throws(TransportError) {
    let request = HTTP.Request(
      .get, configuration.url(of: sessionID, "stream"), timeout: configuration.timeout)
    socket = try await transport.connect(to: request)
    try await socket.send(
      .text(
        JSONValue.object([
          .init("type", .string("resume")), .init("lastMessageId", messageID.map { .string($0) } ?? .null),
        ]).compactText))
  }

  /// The next event but heartbeats, which are answered.
  func nextEvent() async throws(TransportError) -> StreamEvent? {
    while true {
      let event: StreamEvent
      switch try await socket.receive() {
      case nil: return nil
      case .text(let text)?: event = StreamEvent(frame: text)
      case .binary(let bytes)?: event = .unreadable(String(decoding: bytes, as: UTF8.self))
      }
      // Whatever comes says that somebody is there.
      isAwaitingPong.withLock { $0 = false }
      switch event {
      case .control(.ping): try await socket.send(.text("{\"type\":\"pong\"}"))
      case .control(.pong): break
      default: return event
      }
    }
  }

  /// Sends heartbeats until one goes unanswered.
  func sendHeartbeats(every interval: Duration, on time: Time) async -> Ending {
    while (try? await time.sleep(inBackgroundFor: interval)) != nil {
      let isUnanswered = isAwaitingPong.withLock { isAwaiting in
        defer { isAwaiting = true }
        return isAwaiting
      }
      if isUnanswered { break }
      do throws(TransportError) { try await socket.send(.text("{\"type\":\"ping\"}")) } catch { break }
    }
    return Task.isCancelled ? .over(.cancelled) : .lost(.network(.connectionLost))
  }
}

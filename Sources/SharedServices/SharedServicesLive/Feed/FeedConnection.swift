import Foundation
import SharedServices
import UnderstudyTransport

/// A WebSocket of a session's stream.
struct FeedConnection: Sendable {
  /// The way in which a connection ends.
  enum Ending: Sendable {
    /// The connection is lost; another one may resume after this delay at the earliest.
    case lost(AppError, wait: Duration = .zero)
    /// The stream cannot be resumed.
    case over(AppError)
  }

  let socket: any WebSocketConnection
  private let isAwaitingPong = Guarded(false)

  /// Opens a connection and sends the position from which to resume.
  init(
    to configuration: MessageFeedConfiguration, _ sessionID: String, after messageID: String?,
    over transport: any WebSocketTransport
  ) async throws(TransportError) {
    let request = HTTP.Request(
      .get, configuration.url(of: sessionID, "stream"), timeout: configuration.timeout)
    socket = try await transport.connect(to: request)
    try await socket.send(
      .text(
        FeedValue.object([
          ("type", .string("resume")), ("lastMessageId", messageID.map { .string($0) } ?? .null),
        ]).compactText))
  }

  /// Returns the next event other than heartbeats, which it answers.
  func nextEvent() async throws(TransportError) -> StreamEvent? {
    while true {
      let event: StreamEvent
      switch try await socket.receive() {
      case nil: return nil
      case .text(let text)?: event = StreamEvent(frame: text)
      case .binary(let bytes)?: event = .unreadable(String(decoding: bytes, as: UTF8.self))
      }
      // Any received frame shows that the server responds.
      isAwaitingPong.withLock { $0 = false }
      switch event {
      case .control(.ping): try await socket.send(.text("{\"type\":\"pong\"}"))
      case .control(.pong): break
      default: return event
      }
    }
  }

  /// Sends heartbeats until one is not answered.
  func sendHeartbeats(every interval: Duration, on time: ServiceTime) async -> Ending {
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

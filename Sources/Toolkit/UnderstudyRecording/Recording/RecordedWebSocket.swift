import Understudy
import UnderstudyHTTP

/// A WebSocket whose messages are recorded.
final class RecordedWebSocket: WebSocketConnection {
  private let base: any WebSocketConnection
  private let number: Int
  private let recorder: Recorder
  private let time: Time
  /// The number of messages so far.
  private let count = Locked(0)
  /// Whether this side has started to close; another task may see the end first.
  private let isLeaving = Locked(false)

  init(_ base: any WebSocketConnection, _ number: Int, _ recorder: Recorder, _ time: Time) {
    self.base = base
    self.number = number
    self.recorder = recorder
    self.time = time
  }

  deinit {
    end()
  }

  var subprotocol: String? { base.subprotocol }
  var closure: WebSocketClosure? { base.closure }

  func send(_ message: WebSocketMessage) async throws(TransportError) {
    // Recorded before it is sent, because a response may arrive before this call returns.
    let place = note(message, .send)
    do {
      try await base.send(message)
    } catch {
      recorder.change(number) { exchange in
        exchange.socket?.remove(place)
      }
      // After a close frame, further messages may still arrive.
      if base.closure == nil { end(with: error) }
      throw error
    }
  }

  func receive() async throws(TransportError) -> WebSocketMessage? {
    do {
      guard let message = try await base.receive() else {
        end()
        return nil
      }
      _ = note(message, .receive)
      return message
    } catch {
      end(with: error)
      throw error
    }
  }

  func ping() async throws(TransportError) {
    do {
      try await base.ping()
    } catch {
      if base.closure == nil { end(with: error) }
      throw error
    }
  }

  func close(_ closure: WebSocketClosure) async {
    let isFirst = base.closure == nil
    if isFirst { isLeaving.withLock { $0 = true } }
    await base.close(closure)
    guard isFirst, let sent = base.closure else { return }
    let now = time.now
    recorder.change(number) { $0.socket?.end = .init(.closed(by: .client, sent), at: now) }
  }

  // MARK: Recording

  /// - Returns: The number of the message.
  private func note(
    _ message: WebSocketMessage, _ direction: HTTPArchive.WebSocketMessage.Direction
  ) -> Int {
    let place = count.withLock { count in
      defer { count += 1 }
      return count
    }
    let now = time.now
    recorder.take(.init(message, direction, at: now), place, of: number, at: now)
    return place
  }

  /// Ends recording the WebSocket.
  private func end() {
    let now = time.now
    let side: HTTPArchive.WebSocketEnd.Side = isLeaving.withLock { $0 } ? .client : .server
    let cause = base.closure.map { HTTPArchive.WebSocketEnd.Cause.closed(by: side, $0) } ?? .unfinished
    recorder.end(number) { exchange in
      // Keeps an earlier close frame of this side.
      if exchange.socket?.end == nil { exchange.socket?.end = .init(cause, at: now) }
    }
  }

  private func end(with error: TransportError) {
    // Cancellation aborts the connection; how it would have ended is unknown.
    guard error.code != .cancelled else { return end() }
    let now = time.now
    recorder.end(number) { $0.socket?.end = .init(.failed(error), at: now) }
  }
}

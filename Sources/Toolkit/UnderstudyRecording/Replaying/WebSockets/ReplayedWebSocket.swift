import Understudy
import UnderstudyHTTP

/// The client's side of a WebSocket that is replayed in memory.
final class ReplayedWebSocket: WebSocketConnection {
  let subprotocol: String?
  private let conversation: ReplayedConversation
  /// The request, for messages.
  private let target: String
  private let goodbye = Locked<WebSocketClosure?>(nil)

  init(_ conversation: ReplayedConversation, subprotocol: String?, target: String) {
    self.conversation = conversation
    self.subprotocol = subprotocol
    self.target = target
  }

  var closure: WebSocketClosure? { goodbye.withLock { $0 } }

  func send(_ message: WebSocketMessage) async throws(TransportError) {
    try checkCancellation()
    try conversation.hear(message)
  }

  func receive() async throws(TransportError) -> WebSocketMessage? {
    switch try await conversation.next() {
    case .message(let message):
      return message
    case .end(.closed(_, let closure)):
      goodbye.withLock { $0 = $0 ?? closure.asSent }
      return nil
    case .end(.failed(let error)):
      throw error
    case .end(.cutOff(let limit)):
      throw .cutOff("WebSocket of \(target)", at: limit)
    case .end(.unfinished):
      throw TransportError(
        .unknown,
        """
        The recording of the WebSocket of \(target) ends here without a close frame, but the client waits for a \
        message. Re-record the session with a client that closes the WebSocket.
        """)
    }
  }

  func ping() async throws(TransportError) {
    try checkCancellation()
    try conversation.answerPing()
  }

  func close(_ closure: WebSocketClosure) async {
    // A concurrent receiver may have received the close frame first.
    if conversation.leave(closure.asSent) { goodbye.withLock { $0 = $0 ?? closure.asSent } }
  }

  private func checkCancellation() throws(TransportError) {
    guard Task.isCancelled else { return }
    conversation.breakOff()
    throw TransportError(.cancelled, "The task was cancelled.", cause: CancellationError())
  }
}

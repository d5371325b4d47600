import UnderstudyHTTP
import Understudy

extension Connection {
  /// Opens the WebSocket that a response accepts, and serves it until the connection ends.
  func serve(
    _ service: WebSocketService, _ head: ResponseHead, _ parser: inout RequestParser,
    _ output: inout ResponseBuffer
  ) async throws {
    output.begin()
    output.write(head, date: server.time.now)
    try await send(output.bytes)
    if upgrade(to: service) { Task { await service.goAway() } }
    await service.run(after: parser.takeUnread())
  }

  var webSocketSettings: WebSocketSettings {
    WebSocketSettings(
      limits: WebSocketParser.Limits(message: server.limits.messageBytes), time: server.time)
  }
}

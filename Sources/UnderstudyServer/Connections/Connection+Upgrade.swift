import Foundation
import UnderstudySockets
import UnderstudyTransport

extension Connection {
  /// Opens a WebSocket that the handler has agreed to, and gives the connection to its session.
  ///
  /// - Returns: Whether another request may follow.
  func open(
    _ session: @escaping WebSocketSession, _ response: HTTPResponse, for request: HTTPRequest,
    _ parser: inout RequestParser, _ output: inout ResponseBuffer
  ) throws -> Bool {
    throw RequestRefusal(501, "This server does not open WebSockets yet.")
  }
}

import Foundation
import UnderstudyHTTP

/// A wrapper of a body's reader that reports how much was read.
final class ObservedBody: Sendable {
  private let read: @Sendable () async throws -> Data?
  private let length: Int?
  private let observation: Observation

  /// - Parameter length: The content length in bytes; the server does not read beyond it.
  init(_ read: @escaping @Sendable () async throws -> Data?, _ length: Int?, _ observation: Observation) {
    self.read = read
    self.length = length
    self.observation = observation
  }

  deinit {
    if let length, observation.bytes >= length { observation.end(as: .complete) }
  }

  @Sendable func next() async throws -> Data? {
    do {
      let chunk = try await read()
      if let chunk { observation.sent(chunk.count) } else { observation.end(as: .complete) }
      return chunk
    } catch {
      observation.end(as: .init(error))
      throw error
    }
  }
}

/// The server's side of a WebSocket, which reports how much was sent and received.
final class ObservedSocket: WebSocketConnection {
  private let base: any WebSocketConnection
  private let observation: Observation

  init(_ base: any WebSocketConnection, _ observation: Observation) {
    self.base = base
    self.observation = observation
  }

  var subprotocol: String? { base.subprotocol }
  var closure: WebSocketClosure? { base.closure }

  func send(_ message: WebSocketMessage) async throws(TransportError) {
    try await base.send(message)
    let size =
      switch message {
      case .text(let text): text.utf8.count
      case .binary(let bytes): bytes.count
      }
    observation.sent(size)
  }

  func receive() async throws(TransportError) -> WebSocketMessage? {
    let message = try await base.receive()
    if message != nil { observation.receivedMessage() }
    return message
  }

  func ping() async throws(TransportError) { try await base.ping() }
  func close(_ closure: WebSocketClosure) async { await base.close(closure) }
}

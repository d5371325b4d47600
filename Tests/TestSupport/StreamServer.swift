import Foundation
package import UnderstudyHTTP
package import UnderstudyServer

/// Answers one request over a stream with a handler, as far as a WebSocket requires it.
package struct StreamServer {
  private let handler: any HTTPHandler
  private let settings: WebSocketSettings

  package init(handler: any HTTPHandler, settings: WebSocketSettings = .timeless) {
    self.handler = handler
    self.settings = settings
  }

  /// Returns once the connection has ended.
  package func serve(_ stream: any ByteStream) async {
    do {
      var bytes: [UInt8] = []
      while !bytes.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
        guard let more = try await stream.read() else { return await stream.close() }
        bytes += more
      }
      let request = try Self.request(bytes)
      let response = try await handler.respond(to: request).answeringHandshake(of: request)
      var head = "HTTP/1.1 \(response.status) \r\n"
      for field in response.fields { head += "\(field.name): \(field.value)\r\n" }
      try await stream.write(Array((head + "\r\n").utf8))
      if let service = WebSocketService(response, on: stream, settings) {
        await service.run()
      } else {
        await stream.close()
      }
    } catch {
      stream.abort()
    }
  }

  private static func request(_ head: [UInt8]) throws -> HTTP.Request {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let parts = lines.first?.split(separator: " ") ?? []
    guard parts.count == 3, let url = URL(string: "http://server.test\(parts[1])") else {
      throw TransportError(.invalidRequest, "No request.")
    }
    var fields = HTTP.Fields()
    for line in lines.dropFirst() {
      let field = line.split(separator: ":", maxSplits: 1)
      fields.append(
        name: String(field[0]), value: field.count > 1 ? field[1].trimmingCharacters(in: .whitespaces) : "")
    }
    return HTTP.Request(HTTP.Method(rawValue: String(parts[0])), url, fields: fields)
  }
}

/// Opens WebSockets to a handler over streams in memory, which behave like a real connection without a socket.
package struct StreamTransport: WebSocketTransport {
  private let handler: any HTTPHandler
  private let settings: WebSocketSettings
  private let capacity: Int
  private let piece: Int

  package init(
    handler: any HTTPHandler, settings: WebSocketSettings = .timeless, capacity: Int = 64 << 10,
    piece: Int = .max
  ) {
    self.handler = handler
    self.settings = settings
    self.capacity = capacity
    self.piece = piece
  }

  package func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    let (client, server) = MemoryByteStream.pair(capacity: capacity, piece: piece)
    let serving = StreamServer(handler: handler, settings: settings)
    Task { await serving.serve(server) }
    return try await StreamWebSocket.open(request, over: client, settings)
  }
}

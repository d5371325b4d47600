import Foundation
import Understudy
import UnderstudyHTTP

extension Connection {
  /// Passes a request to the responder and sends the response.
  ///
  /// - Returns: Whether another request may follow.
  nonisolated(nonsending) func answer(
    _ head: RequestHead, _ body: Data?, _ parser: inout RequestParser, _ output: inout ResponseBuffer
  ) async throws -> Bool {
    enter(.answer, (head.method, head.url))
    // The client's own timeout is unknown.
    var request = HTTP.Request(head.method, head.url, fields: head.fields, body: body, timeout: nil)
    // HTTP/1.0 does not support upgrades (RFC 9110 §7.8).
    if head.minorVersion == 0 { request.fields["Upgrade"] = nil }
    var response: HTTP.Response
    do {
      response = try await server.handler.respondOnWire(to: request)
    } catch {
      return try await breakOff(as: error, framing: nil)
    }
    if response.webSocketSession != nil { response = response.answeringHandshake(of: request) }
    if let problem = response.problem { response = Self.failure(problem) }
    if response.webSocketSession != nil,
      let service = WebSocketService(response, on: socket, webSocketSettings)
    {
      try await serve(service, ResponseHead(response, to: head, isLast: false), &parser, &output)
      return false
    }
    let responseHead = ResponseHead(response, to: head, isLast: isClosing || server.plans.endConnections)
    output.begin()
    output.write(responseHead, date: server.time.now)
    let isWhole: Bool
    if let chunks = response.body.chunksInMemory {
      for chunk in chunks {
        if output.isFull { try await flush(&output) }
        try await write(chunk, to: &output)
      }
      isWhole = output.endBody(response.trailers)
    } else {
      do {
        isWhole = try await stream(response.body, response.trailers, &output)
      } catch let error as SourceFailure {
        return try await breakOff(as: error.error, framing: responseHead.framing)
      }
    }
    let goesOn = isWhole && !responseHead.closes
    if goesOn, !parser.hasUnread {
      try await sendEnd(output.bytes)
    } else {
      try await send(output.bytes)
    }
    return goesOn
  }

  /// Writes a chunk, and sends all but its last window.
  private nonisolated(nonsending) func write(_ chunk: Data, to output: inout ResponseBuffer) async throws {
    output.write(chunk)
    var count = 0
    while output.hasPending {
      // Yields, because sending never suspends while a client reads as fast.
      count += 1
      if count.isMultiple(of: 16) { await Task.yield() }
      try await flush(&output)
    }
  }

  private nonisolated(nonsending) func flush(_ output: inout ResponseBuffer) async throws {
    try await send(output.bytes)
    output.begin()
  }

  /// An error thrown by a body's source, as opposed to a socket error.
  private struct SourceFailure: Error {
    let error: any Error
  }

  /// Sends the contents of the buffer, then each chunk once it is available and the previous one is sent.
  ///
  /// The end of the body is left in the buffer.
  ///
  /// - Returns: As `ResponseBuffer.endBody()`.
  private nonisolated(nonsending) func stream(
    _ body: HTTP.Body, _ trailers: HTTP.Trailers?, _ output: inout ResponseBuffer
  ) async throws -> Bool {
    try await send(output.bytes)
    let next = body.makeReader()
    var count = 0
    while !output.isBodyComplete {
      // Yields, so that a body and a client that are always ready do not starve the other connections.
      count += 1
      if count.isMultiple(of: 16) { await Task.yield() }
      enter(.answer)
      let chunk: Data?
      do { chunk = try await next() } catch { throw SourceFailure(error: error) }
      output.begin()
      guard let chunk else { break }
      try await write(chunk, to: &output)
      try await send(output.bytes)
    }
    output.begin()
    return output.endBody(trailers)
  }

  /// The response that replaces one that HTTP cannot carry.
  static func failure(_ problem: String) -> HTTP.Response {
    HTTP.Response(status: 500, body: Data("\(problem)\n".utf8), contentType: "text/plain; charset=utf-8")
  }

  // MARK: - Aborting

  /// Aborts the connection as specified by an error thrown in place of a response or of the rest of one.
  ///
  /// - Parameter framing: The framing of the body that has begun.
  /// - Returns: `false`, because no request may follow.
  private nonisolated(nonsending) func breakOff(
    as error: any Error, framing: ResponseHead.Framing?
  ) async throws -> Bool {
    switch Self.connectionBreak(error, framing) {
    case .reset:
      socket.abort()
    case .close:
      await socket.close()
    case .silence:
      if enter(.silence), !isClosing { await socket.waitForHangUp() }
      socket.abort()
    case .bytes(let bytes):
      try await send(Array(bytes))
      await socket.close()
    case .truncatedChunk:
      // Only the chunk size, without data: the client must not receive bytes that the handler did not send.
      try await sendChunk("10\r\n", framing)
    case .malformedChunk:
      try await sendChunk("no size\r\n", framing)
    }
    return false
  }

  /// Sends the first line of a chunk and closes.
  ///
  /// Sends a response head first if none was sent.
  private nonisolated(nonsending) func sendChunk(
    _ line: String, _ framing: ResponseHead.Framing?
  ) async throws {
    var bytes: [UInt8] = []
    if framing == nil {
      StatusLine.write(200, to: &bytes)
      bytes += "Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n".utf8
    }
    // In a body that is not chunked, the line would be read as part of the body.
    if framing == nil || framing == .chunked { bytes += line.utf8 }
    try await send(bytes)
    await socket.close()
  }

  private static func connectionBreak(
    _ error: any Error, _ framing: ResponseHead.Framing?
  ) -> ConnectionBreak {
    if let error = error as? ConnectionBreak { return error }
    guard let error = error as? TransportError else { return .close }
    return switch error.code {
    case .timedOut: .silence
    // In a body delimited by its length, all bytes are valid.
    case .unreadableResponse:
      switch framing {
      case nil: .bytes(Data("\u{1}\u{2}\u{3} This is not HTTP.\r\n\r\n".utf8))
      case .chunked: .malformedChunk
      default: .close
      }
    default: .close
    }
  }
}

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
      limits: WebSocketParser.Limits(message: server.limits.messageBytes), time: server.time,
      unfinishedMessages: server.unfinishedMessages)
  }
}

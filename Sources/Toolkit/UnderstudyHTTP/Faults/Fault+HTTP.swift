import Foundation
package import Understudy

extension Fault {
  /// Applies the fault to an HTTP exchange.
  ///
  /// - Parameters:
  ///   - request: The request into which the fault is injected.
  ///   - injectionPoint: The injection point. On the wire, an exchange is broken by a `ConnectionBreak`, which the
  ///     server carries out.
  ///   - style: The error style of the backend.
  ///   - time: The clock of pauses and timeouts.
  ///   - forward: Calls the base.
  nonisolated(nonsending) func respond(
    to request: HTTP.Request, at injectionPoint: InjectionPoint, in style: HTTPErrorStyle, on time: Time,
    forwarding forward: nonisolated(nonsending) () async throws -> HTTP.Response
  ) async throws -> HTTP.Response {
    switch effect {
    case .failure(.cancelled) where injectionPoint == .wire:
      noteObstacle(
        "only a client can cancel its call, so the server reset the connection; inject it into the client's transport"
      )
    // Their effect depends on the answer, and on its reader.
    case .stream, .cut, .spoiled, .dribble, .lostAnswer, .unreadable, .silence(workIsDone: true): break
    default: noteEffect()
    }
    let breaks = injectionPoint == .wire ? Breaks.wire : .errors(request.timeout, time)
    if let response = response(in: style, to: request) { return response }
    switch effect {
    case .refusal, .answer, .handed:
      preconditionFailure("\(self) is an answer, and was not handled as one.")
    case .failure, .unimplemented:
      // A server cannot cause those outside of it; the client does not receive a byte either way.
      if injectionPoint == .wire { throw ConnectionBreak.reset }
      throw transportError ?? Self.cutOff
    case .silence(let workIsDone):
      if workIsDone {
        _ = try await forward()
        noteEffect()
      }
      throw try await breaks.error(for: .silence)
    case .lostAnswer:
      _ = try await forward()
      noteEffect()
      throw try await breaks.error(for: .close)
    case .redirectLoop:
      guard injectionPoint == .wire else {
        throw TransportError(.tooManyRedirects, "The redirects form a loop.")
      }
      return Self.redirectToItself
    case .cut(let count, let cut):
      return try await cutting(try await forward(), afterBytes: count, cut, breaks, request)
    case .spoiled(let spoiling):
      let response = try await forward()
      noteEffect()
      return try await spoiling.spoil(response, breaks, request)
    case .unreadable:
      var response = try await forward()
      noteEffect()
      if !response.hasBody(inAnswerTo: request) { response.status = 200 }
      response.webSocketSession = nil
      response.fields["Content-Length"] = nil
      response.fields["Content-Type"] = "application/json; charset=utf-8"
      response.body = HTTP.Body(Data(#"{"unfinished": ["#.utf8))
      return response
    case .latency(let delay):
      try await time.sleep(for: delay)
      return try await forward()
    case .drawnLatency(let distribution):
      try await time.sleep(for: distribution.median)
      return try await forward()
    case .dribble(let bytes, let pause):
      var response = try await forward()
      if response.webSocketSession != nil || response.status == 101 || !response.hasBody(inAnswerTo: request)
      {
        noteObstacle("the answer has no body")
      }
      token?.note(.stream)
      response.body = response.body.dribbled(bytes: bytes, pause: pause, on: time, noteEffect)
      return response
    case .stream(let effect):
      var response = try await forward()
      if let session = response.webSocketSession {
        if isOfBytes {
          noteObstacle(Self.messageIsComplete)
          return response
        }
        response.webSocketSession =
          FaultyWebSocketSession(session, self, effect, at: injectionPoint, on: time).serve
        return response
      }
      if effect == .splitCharacters || response.framing != nil && response.hasBody(inAnswerTo: request) {
        response.fields["Content-Length"] = nil
        response.body = response.body.meeting(effect, of: token, framing: response.framing ?? .chunks) {
          try await breaks.error(for: .silence)
        }
        return response
      }
      guard let nearest = effect.effectOnWholeAnswer else {
        noteObstacle(
          """
          the answer is not a stream of events; declare the framing of its body with eventFraming, or use a fault of a \
          whole answer, such as .unreadableAnswer
          """)
        return response
      }
      return try await Fault(nearest, token: token).respond(
        to: request, at: injectionPoint, in: style, on: time
      ) {
        response
      }
    }
  }

  /// Applies the fault to the handshake of a client, or to the connection that it opens.
  ///
  /// - Parameters:
  ///   - request: The handshake into which the fault is injected.
  ///   - style: The error style of the backend.
  ///   - time: The clock of pauses and timeouts.
  ///   - forward: Opens a connection of the base.
  nonisolated(nonsending) func connect(
    to request: HTTP.Request, in style: HTTPErrorStyle, on time: Time,
    forwarding forward: nonisolated(nonsending) () async throws -> any WebSocketConnection
  ) async throws -> any WebSocketConnection {
    if case .stream(let effect) = effect {
      let connection = try await forward()
      if isOfBytes {
        noteObstacle(Self.messageIsComplete)
        return connection
      }
      return FaultyWebSocket(connection, effect, of: token, on: time)
    }
    // A handshake is handled as a call whose answer has no body; the connection is kept separately.
    var connection: (any WebSocketConnection)?
    let response = try await respond(to: request, at: .transport, in: style, on: time) {
      connection = try await forward()
      return HTTP.Response(status: 101)
    }
    guard response.status == 101, let connection else {
      throw TransportError.refusingWebSocket(response.status, response.fields)
    }
    return connection
  }

  /// Truncates the answer after its first bytes.
  private func cutting(
    _ response: HTTP.Response, afterBytes count: Int, _ cut: Cut, _ breaks: Breaks, _ request: HTTP.Request
  ) async throws -> HTTP.Response {
    guard response.hasBody(inAnswerTo: request) else {
      // Without a body there is no chunk to truncate.
      noteEffect()
      throw try await breaks.error(for: cut == .withinChunk ? .close : cut)
    }
    var response = response
    let length = response.body.chunksInMemory?.reduce(0) { $0 + $1.count }
    response.fields["Content-Length"] = cut == .withinChunk ? nil : length.map(String.init)
    token?.note(.stream)
    response.body = response.body.cut(afterBytes: count) {
      noteEffect()
      return try await breaks.error(for: cut)
    }
    return response
  }

  /// Whether it concerns the bytes of a stream: a message of a WebSocket has no terminator to omit, and its characters
  /// are not split.
  private var isOfBytes: Bool { [.stream(.unterminated), .stream(.splitCharacters)].contains(effect) }

  static let messageIsComplete =
    "a message of a WebSocket is complete and arrives at once; use .abortWebSocket() or .corruptEvent()"

  static let cutOff = TransportError(
    .connectionLost, "The connection broke before the complete answer arrived.")
}

/// How an exchange is broken at each injection point.
enum Breaks: Sendable {
  /// The errors that a transport throws; silence lasts until the timeout.
  case errors(Duration?, Time)
  /// The actions of a server on its socket.
  ///
  /// Silence does not end, because the server does not know the client's timeout.
  case wire

  /// The error that breaks an exchange; waits for the timeout first.
  func error(for cut: Fault.Cut) async throws -> any Error {
    switch (self, cut) {
    case (.wire, .close): return ConnectionBreak.close
    case (.wire, .withinChunk): return ConnectionBreak.truncatedChunk
    case (.wire, .reset): return ConnectionBreak.reset
    case (.wire, .silence): return ConnectionBreak.silence
    case (.errors(let timeout, let time), .silence):
      guard let timeout else {
        try await time.stall()
        return Fault.cutOff
      }
      try await time.sleep(for: timeout)
      return TransportError(.timedOut, "Nothing arrived for \(timeout).")
    case (.errors, _): return Fault.cutOff
    }
  }
}

extension HTTP.Response {
  /// Whether a client would read a body (RFC 9110 §6.4.1), and the response has one.
  func hasBody(inAnswerTo request: HTTP.Request) -> Bool {
    request.method != .head && status != 204 && status != 304 && body.chunksInMemory != []
  }
}

extension HTTP.Body {
  /// The first bytes, followed by the error.
  func cut(afterBytes count: Int, _ error: @escaping @Sendable () async throws -> any Error) -> HTTP.Body {
    HTTP.Body(
      breaksOff: true,
      perReader: {
        let next = makeReader()
        let left = Locked(count)
        return {
          if left.withLock({ $0 }) > 0, let chunk = try await next() {
            return left.withLock { left in
              let kept = chunk.prefix(left)
              left -= kept.count
              return Data(kept)
            }
          }
          throw try await error()
        }
      })
  }

  /// The same bytes in pieces, with a pause before each.
  fileprivate func dribbled(
    bytes: Int, pause: Duration, on time: Time, _ noteEffect: @escaping @Sendable () -> Void
  ) -> HTTP.Body {
    HTTP.Body(
      breaksOff: breaksOff,
      perReader: {
        let next = makeReader()
        let rest = Locked(Data())
        return {
          while rest.withLock({ $0.isEmpty }) {
            guard let chunk = try await next() else { return nil }
            rest.withLock { $0 = chunk }
            noteEffect()
          }
          try await time.sleep(for: pause)
          return rest.withLock { rest in
            let piece = Data(rest.prefix(bytes))
            rest = Data(rest.dropFirst(bytes))
            return piece
          }
        }
      })
  }
}

extension Fault.Spoiling {
  /// The answer in a form that cannot be parsed.
  ///
  /// Only the wire sends the form itself. At other injection points the reader receives the error that a client reports
  /// for it.
  func spoil(_ response: HTTP.Response, _ breaks: Breaks, _ request: HTTP.Request) async throws
    -> HTTP.Response
  {
    var response = response
    guard case .wire = breaks else {
      switch self {
      case .chunk(let count) where response.hasBody(inAnswerTo: request):
        response.body = response.body.cut(afterBytes: count) { Self.unreadable }
        return response
      case .gzip:
        if !response.hasBody(inAnswerTo: request) { response.status = 200 }
        response.webSocketSession = nil
        response.body = HTTP.Body(chunks: [], endingWith: Self.unreadable)
        return response
      case .garbage, .chunk: throw Self.unreadable
      }
    }
    switch self {
    case .chunk(let count) where response.hasBody(inAnswerTo: request):
      response.fields["Content-Length"] = nil
      response.body = response.body.cut(afterBytes: count) { ConnectionBreak.malformedChunk }
      return response
    case .gzip:
      if !response.hasBody(inAnswerTo: request) { response.status = 200 }
      response.webSocketSession = nil
      response.fields["Content-Length"] = nil
      response.fields["Content-Encoding"] = "gzip"
      response.body = HTTP.Body(Self.noGzip)
      return response
    case .garbage, .chunk: throw ConnectionBreak.bytes(Self.noHTTP)
    }
  }

  private static let unreadable = TransportError(
    .unreadableResponse, "The received bytes are not a valid HTTP response.")

  /// A gzip header (RFC 1952 §2.3), followed by a block of the reserved type, which is an error (RFC 1951 §3.2.3).
  private static let noGzip = Data(
    [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0xFF] + [UInt8](repeating: 0xFF, count: 32))

  /// Bytes that begin neither a status line nor a TLS record.
  private static let noHTTP = Data(
    (0..<64).map { UInt8(truncatingIfNeeded: 0x80 &+ $0 &* 37) | 0x80 } + [13, 10])
}

extension Fault {
  /// The target of ``redirectLoop`` on the wire, for any rule: the server answers it itself.
  package static let redirectLoopPath = "/.understudy/redirect-loop"

  /// The answer to every request for this target; 307 preserves the method (RFC 9110 §15.4.8).
  package static var redirectToItself: HTTP.Response {
    HTTP.Response(status: 307, fields: ["Location": redirectLoopPath])
  }
}

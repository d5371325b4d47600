public import UnderstudyTransport

extension Fault {
  // The faults of a WebSocket, whose messages from the server are its events: those of a stream happen to them, too.
  // They are counted from the opening, with what a protocol answers before the first that an app is told. On an answer
  // of HTTP, and at a service, the first two are a `dropStream` and the third a `corruptEvent`.

  /// Some messages come, and a close frame with a code where the next one would begin (RFC 6455 §7.4).
  ///
  /// The app has what came before, and then a lost connection, whatever the code. A connection that brings no more is
  /// left as it is.
  public static func closeWebSocket(
    code: WebSocketClosure.Code = .goingAway, afterMessages count: Int = 1
  ) -> Fault {
    Fault(
      "WebSocket closed with \(code.rawValue) after \(max(0, count)) message(s)",
      .stream(.close(code, after: max(0, count))))
  }

  /// Some messages come, and the connection breaks without a close frame where the next one would begin.
  ///
  /// The app has what came before, and then a lost connection. A connection that brings no more is left as it is.
  public static func abortWebSocket(afterMessages count: Int = 1) -> Fault {
    Fault("WebSocket aborted after \(max(0, count)) message(s)", .stream(.abort(after: max(0, count))))
  }

  /// Some messages come, and where the next one would begin what is no frame (RFC 6455 §5.2).
  ///
  /// The app has what came before, and then what cannot be read. A connection that brings no more is left as it is.
  public static func badFrame(afterMessages count: Int = 1) -> Fault {
    Fault("bad frame after \(max(0, count)) message(s)", .stream(.badFrame(after: max(0, count))))
  }

  /// Realises the fault in the handshake of a client, or in the connection that it opens.
  ///
  /// - Parameters:
  ///   - request: The handshake that meets the fault.
  ///   - time: What pauses and time-outs run on.
  ///   - forward: Opens a connection of the base.
  func connect(
    to request: HTTPRequest, on time: Time, forwarding forward: () async throws -> any WebSocketConnection
  ) async throws -> any WebSocketConnection {
    if case .stream(let effect) = effect {
      let connection = try await forward()
      switch effect {
      // A message is whole, so there is no last one without an end, and no character to split.
      case .unterminated, .splitCharacters: return connection
      default: return FaultyWebSocket(connection, effect, on: time)
      }
    }
    // A handshake is a call whose answer has no body, up to the connection that comes with it.
    var connection: (any WebSocketConnection)?
    let response = try await respond(to: request, at: .transport, on: time) {
      connection = try await forward()
      return HTTPResponse(status: 101)
    }
    guard response.status == 101, let connection else {
      throw TransportError.refusingWebSocket(response.status, response.fields)
    }
    return connection
  }
}

public import Understudy

extension Intercepted: ErrorStyled {
  /// The error style of the base.
  public var errorStyle: HTTPErrorStyle { HTTPErrorStyle(of: base) }
}

extension Intercepted: HTTPTransport where Base: HTTPTransport {
  /// Sends a request through the interceptors.
  ///
  /// A fault becomes the response, or the error, that a client would receive.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    do {
      return try await exchange(request, at: .transport) { try await base.send(request) }
    } catch {
      throw TransportError(wrapping: error)
    }
  }
}

extension Intercepted: HTTPHandler where Base: HTTPHandler {
  /// Answers a request through the interceptors.
  ///
  /// A fault becomes the response, or breaks the exchange.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    try await exchange(request, at: .handler) { try await base.respond(to: request) }
  }

  /// Answers a request for a server, which breaks the exchange on its socket.
  ///
  /// - Throws: `ConnectionBreak` for a fault, or the error of the base.
  package nonisolated(nonsending) func respondOnWire(
    to request: HTTP.Request
  ) async throws -> HTTP.Response {
    try await exchange(request, at: .wire) { try await base.respond(to: request) }
  }
}

extension Intercepted: WebSocketTransport where Base: WebSocketTransport {
  /// Opens a WebSocket through the interceptors, which receive the handshake as a GET request.
  ///
  /// A fault of a call makes the handshake fail. A fault of a stream or of a WebSocket applies to the messages that the
  /// connection receives.
  public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    var last: (any WebSocketConnection)?
    do {
      return try await pass(chain.enter(CallCore(request, interaction: .webSocket))) {
        let connection = try await base.connect(to: request)
        last = connection
        return connection
      } realising: { fault, isAnswered in
        try await fault.connect(to: request, in: errorStyle, on: chain.time) {
          if isAnswered, let last { last } else { try await base.connect(to: request) }
        }
      }
    } catch {
      throw TransportError(wrapping: error)
    }
  }
}

extension Intercepted {
  /// Makes an exchange through the interceptors.
  ///
  /// It is inlined, so that a request that no interceptor affects needs no frames between the caller and the base.
  @inline(__always)
  private nonisolated(nonsending) func exchange(
    _ request: HTTP.Request, at injectionPoint: InjectionPoint,
    _ forward: nonisolated(nonsending) () async throws -> HTTP.Response
  ) async throws -> HTTP.Response {
    let passage = chain.enter(CallCore(request))
    if passage.detour != nil {
      return try await detour(passage, of: request, at: injectionPoint, forward)
    }
    do {
      let response = try await forward()
      chain.end(passage)
      return response
    } catch {
      chain.end(passage, error)
      throw error
    }
  }

  private nonisolated(nonsending) func detour(
    _ passage: InterceptorChain.Passage, of request: HTTP.Request, at injectionPoint: InjectionPoint,
    _ forward: nonisolated(nonsending) () async throws -> HTTP.Response
  ) async throws -> HTTP.Response {
    var last: HTTP.Response?
    return try await pass(passage) {
      let response = try await forward()
      if chain.isOpen { last = response }
      return response
    } realising: { fault, isAnswered in
      try await fault.respond(to: request, at: injectionPoint, in: errorStyle, on: chain.time) {
        if isAnswered, let last { last } else { try await forward() }
      }
    }
  }

  /// Makes a call through the rest of the interceptors.
  ///
  /// - Parameters:
  ///   - forward: Calls the base.
  ///   - realise: Applies a fault to the call. If an interceptor threw the fault after the base answered, the base's
  ///     last answer is reused.
  private nonisolated(nonsending) func pass<Answer>(
    _ passage: InterceptorChain.Passage, _ forward: nonisolated(nonsending) () async throws -> Answer,
    realising realise: nonisolated(nonsending) (_ fault: Fault, _ isAnswered: Bool) async throws -> Answer
  ) async throws -> Answer {
    do {
      let answer = try await chain.calling(passage) { () async throws -> Answer in
        if chain.isOpen, let detour = passage.detour {
          do {
            return try await chain.run(detour) { fault in
              if let fault { try await realise(fault, false) } else { try await forward() }
            }
          } catch let fault as Fault {
            return try await realise(fault, true)
          }
        }
        if let fault = await chain.wait(passage.detour) { return try await realise(fault, false) }
        return try await forward()
      }
      chain.end(passage)
      return answer
    } catch {
      chain.end(passage, error)
      throw error
    }
  }
}

// The same member for the two injection points with requests. A member of `HeldCall` itself would also be available for
// services.

extension Gate.HeldCall where Base: HTTPHandler {
  /// Answers the request in place of the base.
  ///
  /// - Returns: Whether this answered the call; `false` if it was already answered or cancelled.
  @discardableResult public func answer(with response: HTTP.Response) -> Bool {
    fail(with: Fault(.handed(Fault.HandedAnswer(response))))
  }
}

extension Gate.HeldCall where Base: HTTPTransport {
  /// Answers the request in place of the base.
  ///
  /// - Returns: Whether this answered the call; `false` if it was already answered or cancelled.
  @discardableResult public func answer(with response: HTTP.Response) -> Bool {
    fail(with: Fault(.handed(Fault.HandedAnswer(response))))
  }
}

#if canImport(Darwin)
  import Foundation

  extension URLSessionTransport: WebSocketTransport {
    /// Opens a WebSocket, and returns when the server has accepted the handshake.
    ///
    /// It uses `URLSessionWebSocketTask` with `ws` or `wss`, which delivers no messages after this side's own close
    /// frame, and whose errors for a server without WebSocket support vary. On Linux, where URLSession does not open
    /// WebSockets, `UnderstudyServer` provides this conformance with its own sockets.
    ///
    /// - Throws: The same errors as ``WebSocketTransport/connect(to:)``.
    public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
      let request = try request.forWebSocket()
      if Task.isCancelled {
        throw TransportError(.cancelled, "The request was cancelled before it was sent.")
      }
      return try await URLSessionWebSocket.open(request, in: session)
    }
  }

  /// A WebSocket over a URLSession task.
  final class URLSessionWebSocket: WebSocketConnection {
    let subprotocol: String?
    private let task: URLSessionWebSocketTask
    private let events: URLSessionWebSocketEvents

    private init(_ task: URLSessionWebSocketTask, _ events: URLSessionWebSocketEvents, subprotocol: String?) {
      self.task = task
      self.events = events
      self.subprotocol = subprotocol
    }

    deinit {
      // After a close frame, messages sent before it are still delivered.
      if events.closure == nil { task.cancel() }
    }

    /// Opens a WebSocket.
    ///
    /// - Parameter request: A request for an `http` or `https` URL, without the fields that URLSession adds itself.
    static func open(
      _ request: HTTP.Request, in session: URLSession
    ) async throws(TransportError) -> URLSessionWebSocket {
      let timeout = request.timeout
      var request = request
      // URLSession would also apply it to silence on the open connection.
      request.timeout = nil
      if var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) {
        parts.scheme = parts.scheme?.lowercased() == "https" ? "wss" : "ws"
        request.url = parts.url ?? request.url
      }
      let task = session.webSocketTask(with: URLRequest(request))
      task.maximumMessageSize = WebSocketMessage.sizeLimit
      let events = URLSessionWebSocketEvents()
      task.delegate = events
      do {
        let subprotocol = try await opened(task, events, within: timeout)
        try request.checkSubprotocol(subprotocol)
        return URLSessionWebSocket(task, events, subprotocol: subprotocol)
      } catch {
        task.cancel()
        if Task.isCancelled { throw TransportError(.cancelled, "The task was cancelled.", cause: error) }
        if let answer = task.response as? HTTPURLResponse, answer.statusCode != 101 {
          throw .refusingWebSocket(answer.statusCode, HTTP.Fields(answer))
        }
        throw Self.failure(error, task)
      }
    }

    /// Returns the subprotocol, if any, when the server has accepted the handshake.
    private static func opened(
      _ task: URLSessionWebSocketTask, _ events: URLSessionWebSocketEvents, within timeout: Duration?
    ) async throws -> String? {
      try await withThrowingTaskGroup(of: String?.self) { group in
        defer { group.cancelAll() }
        group.addTask {
          try await withTaskCancellationHandler {
            try await events.opened { task.resume() }
          } onCancel: {
            task.cancel()
          }
        }
        if let timeout {
          group.addTask {
            try await Task.sleep(for: timeout)
            throw TransportError(.timedOut, "The server did not answer the handshake for \(timeout).")
          }
        }
        return try await group.next() ?? nil
      }
    }

    var closure: WebSocketClosure? { events.closure }

    func send(_ message: WebSocketMessage) async throws(TransportError) {
      try await run {
        if self.closure != nil { throw TransportError.webSocketClosed }
        switch message {
        case .text(let text): try await self.task.send(.string(text))
        case .binary(let bytes): try await self.task.send(.data(bytes))
        }
      }
    }

    func receive() async throws(TransportError) -> WebSocketMessage? {
      try await run {
        do {
          switch try await self.task.receive() {
          case .string(let text): return .text(text)
          case .data(let bytes): return .binary(bytes)
          @unknown default:
            throw TransportError(.unreadableResponse, "URLSession received an unknown message.")
          }
        } catch {
          // URLSession reports a close frame as an error, possibly before the delegate is called.
          self.events.note(self.task)
          guard self.closure == nil || Task.isCancelled else { return nil }
          throw error
        }
      }
    }

    func ping() async throws(TransportError) {
      try await run {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          // When the connection fails, URLSession may call the handler more than once.
          let waiting = Guarded<CheckedContinuation<Void, any Error>?>(continuation)
          self.task.sendPing { error in
            let pong = waiting.withLock { $0.take() }
            if let error { pong?.resume(throwing: error) } else { pong?.resume() }
          }
        }
      }
    }

    func close(_ closure: WebSocketClosure) async {
      let closure = closure.asSent
      guard events.note(closure),
        let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(closure.code.rawValue))
      else { return }
      task.cancel(with: code, reason: closure.reason.isEmpty ? nil : Data(closure.reason.utf8))
    }

    private func run<Result: Sendable>(
      _ operation: @Sendable () async throws -> Result
    ) async throws(TransportError) -> Result {
      do {
        return try await Self.cancelling({ [task] in task.cancel() }, operation)
      } catch {
        if let cause = error.cause, error.code == .unknown { throw Self.failure(cause, task) }
        throw error
      }
    }

    /// The error to throw for an error of URLSession.
    private static func failure(_ error: any Error, _ task: URLSessionTask) -> TransportError {
      if let error = error as? TransportError { return error }
      let failure = URLSessionFailure(error, url: task.originalRequest?.url, fields: nil, received: 0)
      return switch failure.code {
      // If this side ended the connection, the waiting task was not cancelled.
      case .cancelled, .connectionLost:
        TransportError(
          .connectionLost,
          "\(TransportError.webSocketLost.message) (\(failure.platformCode): \(failure.detail))",
          cause: error)
      case .bodyTooLarge:
        TransportError(.bodyTooLarge, "A message exceeds the size limit.", cause: error)
      default: TransportError(failure.code, failure.message, cause: error)
      }
    }
  }

  /// The delegate of one task, which records how it was opened and closed.
  final class URLSessionWebSocketEvents: NSObject, URLSessionWebSocketDelegate, Sendable {
    private struct State: Sendable {
      /// The result of opening.
      var outcome: Result<String?, any Error>?
      var opener: CheckedContinuation<String?, any Error>?
      var closure: WebSocketClosure?
    }

    private let state = Guarded(State())

    var closure: WebSocketClosure? { state.withLock { $0.closure } }

    /// Returns the subprotocol, if any, when the server has accepted the handshake.
    func opened(_ start: () -> Void) async throws -> String? {
      start()
      return try await withCheckedThrowingContinuation { opener in
        let outcome = state.withLock { state in
          if state.outcome == nil { state.opener = opener }
          return state.outcome
        }
        if let outcome { opener.resume(with: outcome) }
      }
    }

    private func open(_ outcome: Result<String?, any Error>) {
      let opener = state.withLock { state in
        if state.outcome == nil { state.outcome = outcome }
        defer { state.opener = nil }
        return state.opener
      }
      opener?.resume(with: outcome)
    }

    /// - Returns: Whether this is the first close frame.
    @discardableResult func note(_ closure: WebSocketClosure) -> Bool {
      state.withLock { state in
        guard state.closure == nil else { return false }
        state.closure = closure
        return true
      }
    }

    /// Records the close frame that a task has received.
    func note(_ task: URLSessionWebSocketTask) {
      if task.closeCode != .invalid { note(task.closeCode, task.closeReason) }
    }

    private func note(_ code: URLSessionWebSocketTask.CloseCode, _ reason: Data?) {
      guard let number = UInt16(exactly: code.rawValue), number != 1006 else { return }
      note(
        WebSocketClosure(
          WebSocketClosure.Code(rawValue: number), String(decoding: reason ?? Data(), as: UTF8.self)))
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol subprotocol: String?
    ) {
      open(.success(subprotocol))
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
      note(closeCode, reason)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      open(.failure(error ?? TransportError.webSocketLost))
    }
  }
#endif

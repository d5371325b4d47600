import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
  import Synchronization
#endif

/// One request and its response: a buffer between the delegate and the reader.
final class URLSessionExchange: Sendable {
  private struct State: Sendable {
    var head: (status: Int, fields: HTTP.Fields)?
    /// The continuation that waits for the head.
    var opener: CheckedContinuation<Void, any Error>?
    /// The unread chunks, and the index of the next one.
    var chunks: [Data] = []
    var position = 0
    var unread = 0
    var received = 0
    /// The continuations that wait for a chunk, in order.
    var readers: [CheckedContinuation<Data?, any Error>] = []
    /// The result of the exchange; what arrives afterwards is dropped.
    var end: Result<Void, TransportError>?
    var isSuspended = false
  }

  private let task: URLSessionDataTask
  private let calls: DispatchQueue
  private let state = Guarded(State())
  /// Whether the delegate has received the end of the task.
  ///
  /// Held while the task is cancelled: Foundation on Linux traps if it removes a task while `cancel()` is running. It
  /// removes the task after the delegate has returned from the end, so the delegate waits for this lock.
  private let isComplete = Guarded(false)
  #if canImport(FoundationNetworking)
    /// The queue of the task, on which its loader is used.
    private let queue: DispatchQueue
    /// The object that loads the task, until the head has arrived.
    private let loader = Mutex<URLProtocol?>(nil)
  #endif

  /// - Parameter calls: The queue on which the task is started and cancelled.
  init(_ task: URLSessionDataTask, calls: DispatchQueue) {
    self.task = task
    self.calls = calls
    #if canImport(FoundationNetworking)
      // Before the task starts, because it changes its properties on this queue.
      queue = task.reflectedQueue ?? calls
    #endif
  }

  // MARK: Delegate events

  #if canImport(FoundationNetworking)
    /// Retains the object that loads the task, which the task drops before the delegate is called.
    ///
    /// Call this on the task's queue while it creates that object.
    func keepLoader() {
      queue.async { [self] in loader.withLock { $0 = task.reflectedProtocol } }
    }
  #endif

  func receive(_ response: HTTPURLResponse) {
    // On Linux the delegate also receives interim responses (RFC 9110 §15.2).
    guard response.statusCode >= 200 else { return }
    let head = (response.statusCode, HTTP.Fields(response))
    #if canImport(FoundationNetworking)
      loader.withLock { $0 = nil }
    #endif
    state.withLock { state in
      guard state.end == nil else { return nil as CheckedContinuation<Void, any Error>? }
      state.head = head
      defer { state.opener = nil }
      return state.opener
    }?.resume()
  }

  func receive(_ data: Data) {
    guard !data.isEmpty else { return }
    state.withLock { state in
      guard state.end == nil else { return nil as CheckedContinuation<Data?, any Error>? }
      state.received += data.count
      if !state.readers.isEmpty { return state.readers.removeFirst() }
      state.chunks.append(data)
      state.unread += data.count
      holdBackOrGoOn(&state)
      return nil
    }?.resume(returning: data)
  }

  func complete(_ error: (any Error)?) {
    isComplete.withLock { $0 = true }
    #if canImport(FoundationNetworking)
      if state.withLock({ $0.head == nil }) {
        let response = error == nil ? task.response as? HTTPURLResponse : nil
        queue.async { [self] in
          let body = loader.withLock { loader in
            defer { loader = nil }
            return loader?.reflectedRedirectBody
          }
          if let response { completeRedirect(response, body) }
        }
        if response != nil { return }
      }
    #endif
    end(with: error)
  }

  #if canImport(FoundationNetworking)
    /// Completes a redirect without a usable `Location`, of which Foundation reports only the end.
    ///
    /// - Parameter body: The body; `nil` if Foundation does not reveal it.
    private func completeRedirect(_ response: HTTPURLResponse, _ body: Data?) {
      receive(response)
      let isEmpty =
        task.originalRequest?.httpMethod == "HEAD" || HTTP.Fields(response)["Content-Length"] == "0"
      if let body = body ?? (isEmpty ? Data() : nil) {
        receive(body)
        end(with: nil)
      } else {
        let message =
          "URLSession discarded the body of a redirect that has no usable Location. "
          + "Use a session configuration without a cache and without protocol classes of its own."
        end { _ in .failure(TransportError(.unreadableResponse, message)) }
      }
    }
  #endif

  private func end(with error: (any Error)?) {
    let url = task.originalRequest?.url
    end { state in
      guard let error else { return .success(()) }
      let failure = URLSessionFailure(
        error, url: url, fields: state.head?.fields, received: state.received)
      return .failure(TransportError(failure.code, failure.message, cause: error))
    }
  }

  /// Ends the exchange for its readers and the network, unless it has already ended.
  func cancel() {
    let isFirst = end { state in
      state.chunks = []
      state.position = 0
      return .failure(TransportError(.cancelled, "The request was cancelled."))
    }
    guard isFirst else { return }
    calls.async { [self] in
      isComplete.withLock { isComplete in
        if !isComplete { task.cancel() }
      }
    }
  }

  /// - Returns: Whether this call ended the exchange.
  @discardableResult private func end(_ outcome: (inout State) -> Result<Void, TransportError>) -> Bool {
    let (isFirst, end, opener, readers) = state.withLock { state in
      let waiting = (state.opener, state.readers)
      state.opener = nil
      state.readers = []
      let isFirst = state.end == nil
      let end = state.end ?? outcome(&state)
      state.end = end
      return (isFirst, end, waiting.0, waiting.1)
    }
    switch end {
    case .success:
      // Neither a head nor an error: the server closed the connection without an answer.
      opener?.resume(throwing: TransportError(.connectionLost, "The connection ended without an answer."))
      for reader in readers { reader.resume(returning: nil) }
    case .failure(let error):
      opener?.resume(throwing: error)
      for reader in readers { reader.resume(throwing: error) }
    }
    return isFirst
  }

  // MARK: Reading

  /// Returns the response, once its head has arrived.
  func response() async throws -> HTTP.Response {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (opener: CheckedContinuation<Void, any Error>) in
        let known: Result<Void, any Error>? = state.withLock { state in
          if state.head != nil { return .success(()) }
          switch state.end {
          case .success:
            return .failure(TransportError(.connectionLost, "The connection ended without an answer."))
          case .failure(let error): return .failure(error)
          case nil:
            state.opener = opener
            return nil
          }
        }
        if let known { opener.resume(with: known) }
      }
    } onCancel: {
      cancel()
    }
    guard let head = state.withLock({ $0.head }) else {
      throw TransportError(.connectionLost, "The connection ended without an answer.")
    }
    let lease = Lease(exchange: self)
    return HTTP.Response(
      status: head.status, fields: head.fields,
      body: HTTP.Body(unfolding: { try await lease.exchange.next() }))
  }

  /// A token held by the only reader of the body; releasing it cancels the exchange.
  private final class Lease: Sendable {
    let exchange: URLSessionExchange

    init(exchange: URLSessionExchange) {
      self.exchange = exchange
    }

    deinit {
      exchange.cancel()
    }
  }

  private func next() async throws -> Data? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (reader: CheckedContinuation<Data?, any Error>) in
        let known: Result<Data?, any Error>? = state.withLock { state in
          if state.position < state.chunks.count { return .success(takeChunk(&state)) }
          switch state.end {
          case .success: return .success(nil)
          case .failure(let error): return .failure(error)
          case nil:
            state.readers.append(reader)
            return nil
          }
        }
        if let known { reader.resume(with: known) }
      }
    } onCancel: {
      cancel()
    }
  }

  private func takeChunk(_ state: inout State) -> Data {
    let chunk = state.chunks[state.position]
    state.chunks[state.position] = Data()
    state.position += 1
    state.unread -= chunk.count
    if state.position == state.chunks.count {
      state.chunks = []
      state.position = 0
    }
    holdBackOrGoOn(&state)
    return chunk
  }

  /// Suspends or resumes the task, where a suspended task keeps its connection.
  ///
  /// It is called under the lock so that the two cannot be reordered; neither calls the delegate.
  private func holdBackOrGoOn(_ state: inout State) {
    guard let bound = URLSessionTask.unreadBytesBeforeSuspension else { return }
    let limit = state.isSuspended ? bound / 2 : bound
    let suspends = state.end == nil && state.unread > limit
    guard suspends != state.isSuspended else { return }
    state.isSuspended = suspends
    if suspends { task.suspend() } else { task.resume() }
  }
}

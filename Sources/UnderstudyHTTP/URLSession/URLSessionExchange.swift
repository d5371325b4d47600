import Foundation
import Understudy

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its response: what the delegate brings, until the reader comes for it.
final class URLSessionExchange: Sendable {
  private struct State: Sendable {
    var head: (status: Int, fields: HTTP.Fields)?
    /// Whoever waits for the head.
    var opener: CheckedContinuation<Void, any Error>?
    /// Chunks that nobody has read yet, and where the next one stands.
    var chunks: [Data] = []
    var position = 0
    var unread = 0
    var received = 0
    /// Whoever waits for a chunk, in order.
    var readers: [CheckedContinuation<Data?, any Error>] = []
    /// How the exchange ended; what arrives afterwards is dropped.
    var end: Result<Void, TransportError>?
    var isSuspended = false
  }

  private let task: URLSessionDataTask
  private let state = Locked(State())

  init(_ task: URLSessionDataTask) {
    self.task = task
  }

  // MARK: What the delegate brings

  func receive(_ response: HTTPURLResponse) {
    // Linux brings interim answers too (RFC 9110 §15.2).
    guard response.statusCode >= 200 else { return }
    let head = (response.statusCode, HTTP.Fields(response))
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
    let isSecure = task.originalRequest?.url?.scheme?.lowercased() == "https"
    end { state in
      guard let error else { return .success(()) }
      let failure = URLSessionFailure(
        error, isSecure: isSecure, fields: state.head?.fields, received: state.received)
      return .failure(TransportError(failure.code, failure.message, cause: error))
    }
  }

  /// Ends the exchange for whoever reads it, and for the network; nothing happens to one that has ended.
  func cancel() {
    end { state in
      state.chunks = []
      state.position = 0
      return .failure(TransportError(.cancelled, "The request was cancelled."))
    }
    task.cancel()
  }

  private func end(_ outcome: (inout State) -> Result<Void, TransportError>) {
    let (end, opener, readers) = state.withLock { state in
      let waiting = (state.opener, state.readers)
      state.opener = nil
      state.readers = []
      let end = state.end ?? outcome(&state)
      state.end = end
      return (end, waiting.0, waiting.1)
    }
    switch end {
    case .success:
      // No head and no error: a server has answered nothing at all.
      opener?.resume(throwing: TransportError(.connectionLost, "The connection ended without an answer."))
      for reader in readers { reader.resume(returning: nil) }
    case .failure(let error):
      opener?.resume(throwing: error)
      for reader in readers { reader.resume(throwing: error) }
    }
  }

  // MARK: What the reader comes for

  /// The response, once its head has come.
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

  /// Held by the one reader of the body; when it goes, nobody can want the rest.
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

  #if canImport(Darwin)
    /// How far the reader may lag behind before the sender is held back, in bytes.
    private static let bound = 1 << 20

    /// Called under the lock, so that a suspension and its end cannot change places; neither calls the
    /// delegate.
    private func holdBackOrGoOn(_ state: inout State) {
      let limit = state.isSuspended ? Self.bound / 2 : Self.bound
      let suspends = state.end == nil && state.unread > limit
      guard suspends != state.isSuspended else { return }
      state.isSuspended = suspends
      if suspends { task.suspend() } else { task.resume() }
    }
  #else
    /// Nothing can be done here: a task that was suspended starts the whole request again, and times out
    /// meanwhile.
    private func holdBackOrGoOn(_ state: inout State) {}
  #endif
}

import Understudy
package import UnderstudyServer

/// One end of a connection in memory that behaves like TCP: it buffers a limited number of unread bytes, and delivers
/// them in other pieces than they were written in.
package final class MemoryByteStream: ByteStream {
  private let outgoing: Pipe
  private let incoming: Pipe

  private init(_ outgoing: Pipe, _ incoming: Pipe) {
    self.outgoing = outgoing
    self.incoming = incoming
  }

  /// Creates both ends of a connection.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of unread bytes in each direction, above which the writer waits.
  ///   - piece: The maximum number of bytes that one read returns.
  package static func pair(capacity: Int = 64 << 10, piece: Int = .max) -> (
    MemoryByteStream, MemoryByteStream
  ) {
    let (one, other) = (Pipe(capacity, piece), Pipe(capacity, piece))
    return (MemoryByteStream(one, other), MemoryByteStream(other, one))
  }

  package func read() async throws(SocketError) -> [UInt8]? {
    try await Self.typed { try await self.incoming.read() }
  }

  package func write(_ bytes: [UInt8]) async throws(SocketError) {
    try await Self.typed { try await self.outgoing.write(bytes) }
  }

  package func endWriting() {
    outgoing.finish(nil)
  }

  package func close() async {
    outgoing.finish(nil)
    incoming.finish(SocketError(.closed, "This side has closed the connection."))
  }

  package func abort() {
    outgoing.finish(SocketError(.connectionReset, "The peer has reset the connection."))
    incoming.finish(SocketError(.connectionReset, "This side has reset the connection."))
  }

  private static func typed<Result: Sendable>(
    _ operation: () async throws -> Result
  ) async throws(SocketError) -> Result {
    do {
      return try await operation()
    } catch {
      throw error as? SocketError ?? SocketError(.cancelled, "\(error)")
    }
  }
}

/// One direction.
private final class Pipe: Sendable {
  private struct State: Sendable {
    var bytes: [UInt8] = []
    var isEnded = false
    /// Why it ended other than well.
    var error: SocketError?
    var reader: CheckedContinuation<Void, Never>?
    var writer: CheckedContinuation<Void, Never>?
  }

  private let capacity: Int
  private let piece: Int
  private let state = Locked(State())

  init(_ capacity: Int, _ piece: Int) {
    self.capacity = capacity
    self.piece = piece
  }

  func read() async throws -> [UInt8]? {
    while true {
      let found: Result<[UInt8]?, SocketError>? = state.withLock { state in
        // A reset discards unread bytes.
        if let error = state.error { return .failure(error) }
        guard !state.bytes.isEmpty else { return state.isEnded ? .success(nil) : nil }
        let bytes = Array(state.bytes.prefix(piece))
        state.bytes.removeFirst(bytes.count)
        return .success(bytes)
      }
      if let found {
        wake(\.writer)
        return try found.get()
      }
      try await wait(\.reader) { $0.bytes.isEmpty && !$0.isEnded }
    }
  }

  func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let taken: Result<Int, SocketError> = state.withLock { state in
        if state.isEnded {
          return .failure(state.error ?? SocketError(.connectionReset, "The peer is gone."))
        }
        let count = min(rest.count, max(0, capacity - state.bytes.count))
        state.bytes += rest.prefix(count)
        return .success(count)
      }
      rest = rest.dropFirst(try taken.get())
      wake(\.reader)
      if !rest.isEmpty {
        try await wait(\.writer) { [capacity] in $0.bytes.count >= capacity && !$0.isEnded }
      }
    }
  }

  /// The first end counts.
  func finish(_ error: SocketError?) {
    state.withLock { state in
      guard !state.isEnded else { return }
      state.error = error
      state.isEnded = true
    }
    wake(\.reader)
    wake(\.writer)
  }

  private typealias Waiter = any WritableKeyPath<State, CheckedContinuation<Void, Never>?> & Sendable

  private func wait(_ waiter: Waiter, while isBlocked: @Sendable (State) -> Bool) async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let waits = state.withLock { state in
          guard isBlocked(state), !Task.isCancelled else { return false }
          state[keyPath: waiter] = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      wake(waiter)
    }
    if Task.isCancelled { throw SocketError(.cancelled, "The task was cancelled.") }
  }

  private func wake(_ waiter: Waiter) {
    state.withLock { state in
      defer { state[keyPath: waiter] = nil }
      return state[keyPath: waiter]
    }?.resume()
  }
}

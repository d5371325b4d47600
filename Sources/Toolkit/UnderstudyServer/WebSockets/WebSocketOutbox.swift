import Understudy
import UnderstudyHTTP

/// The outgoing frames of a WebSocket until its writer takes them.
///
/// Frames are sent in the order of their calls, in batches of all queued frames. Every sender waits for its own frame,
/// so there are never more frames than senders.
final class WebSocketOutbox: Sendable {
  typealias Sender = CheckedContinuation<Void, any Error>

  /// The bytes of one write.
  struct Batch: Sendable {
    var bytes: [UInt8] = []
    /// The senders that wait for the batch.
    var senders: [Sender] = []
    /// Whether the batch ends the sending side.
    var isLast = false
  }

  private typealias Writer = CheckedContinuation<Batch?, Never>
  private typealias Woken = (writer: Writer, batch: Batch)

  private struct State: Sendable {
    var batch = Batch()
    /// Responses to pings; they may overtake messages.
    var pongs: [[UInt8]] = []
    /// The error that ended the outbox.
    var end: TransportError?
    /// The continuation of the writer while the outbox is empty.
    var writer: Writer?

    var isEmpty: Bool { batch.bytes.isEmpty && pongs.isEmpty && !batch.isLast }

    /// Passes the queued frames to a waiting writer.
    mutating func takeWriter() -> Woken? {
      guard !isEmpty, let writer else { return nil }
      self.writer = nil
      return (writer, takeBatch())
    }

    mutating func takeBatch() -> Batch {
      var taken = batch
      batch = Batch()
      // A close frame is the last frame (RFC 6455 §5.5.1), so pongs precede it.
      if !pongs.isEmpty {
        taken.bytes = pongs.flatMap { $0 } + taken.bytes
        pongs = []
      }
      return taken
    }
  }

  /// The maximum number of queued pongs.
  ///
  /// A peer that sends more pings before it reads receives responses to the latest ones, as RFC 6455 §5.5.3 allows.
  private static let mostPongs = 16

  private let state = Locked(State())

  /// Sends bytes and returns once they are written.
  ///
  /// - Parameter isLast: Whether nothing is sent after them.
  func send(_ bytes: [UInt8], isLast: Bool = false) async throws {
    try await withCheckedThrowingContinuation { (sender: Sender) in
      if let error = put(bytes, isLast, sender) { sender.resume(throwing: error) }
    }
  }

  /// Enqueues bytes without waiting; does nothing after the end.
  func post(_ bytes: [UInt8], isLast: Bool = false) {
    _ = put(bytes, isLast, nil)
  }

  /// Responds to a ping as soon as there is space.
  func answer(with pong: [UInt8]) {
    let woken = state.withLock { state -> Woken? in
      guard state.end == nil else { return nil }
      if state.pongs.count == Self.mostPongs { state.pongs.removeFirst() }
      state.pongs.append(pong)
      return state.takeWriter()
    }
    woken?.writer.resume(returning: woken?.batch)
  }

  private func put(_ bytes: [UInt8], _ isLast: Bool, _ sender: Sender?) -> TransportError? {
    let (woken, error) = state.withLock { state -> (Woken?, TransportError?) in
      if let end = state.end { return (nil, end) }
      if state.batch.bytes.isEmpty {
        state.batch.bytes = bytes
      } else {
        state.batch.bytes += bytes
      }
      if let sender { state.batch.senders.append(sender) }
      if isLast {
        state.batch.isLast = true
        state.end = .webSocketClosed
      }
      return (state.takeWriter(), nil)
    }
    woken?.writer.resume(returning: woken?.batch)
    return error
  }

  /// The next batch to write, once there is one; `nil` after the end.
  func next() async -> Batch? {
    await withCheckedContinuation { writer in
      let known: Batch?? = state.withLock { state in
        if !state.isEmpty { return .some(state.takeBatch()) }
        if state.end != nil { return .some(nil) }
        state.writer = writer
        return nil
      }
      if let known { writer.resume(returning: known) }
    }
  }

  /// Resumes all waiters with an error and discards the queued frames.
  func finish(_ error: TransportError) {
    let (writer, senders) = state.withLock { state -> (Writer?, [Sender]) in
      defer {
        state.end = error
        state.writer = nil
        state.batch = Batch()
        state.pongs = []
      }
      return (state.writer, state.batch.senders)
    }
    writer?.resume(returning: nil)
    for sender in senders { sender.resume(throwing: error) }
  }
}

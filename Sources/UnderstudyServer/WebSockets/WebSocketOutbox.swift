import Understudy
import UnderstudyHTTP

/// What one side of a WebSocket wants to send, until its writer takes it.
///
/// Frames leave in the order in which they were put in, as many at once as have come together. Every sender waits
/// for its own frame, so there are never more frames than senders.
final class WebSocketOutbox: Sendable {
  typealias Sender = CheckedContinuation<Void, any Error>

  /// What is written at once.
  struct Batch: Sendable {
    var bytes: [UInt8] = []
    /// Who waits for it.
    var senders: [Sender] = []
    /// Whether it ends what this side sends.
    var isLast = false
  }

  private typealias Writer = CheckedContinuation<Batch?, Never>
  private typealias Woken = (writer: Writer, batch: Batch)

  private struct State: Sendable {
    var batch = Batch()
    /// Answers to pings; they may overtake messages.
    var pongs: [[UInt8]] = []
    /// Why nothing more is taken in.
    var end: TransportError?
    /// The writer, while it has nothing to do.
    var writer: Writer?

    var isEmpty: Bool { batch.bytes.isEmpty && pongs.isEmpty && !batch.isLast }

    /// Hands what is there to a writer that waits for it.
    mutating func takeWriter() -> Woken? {
      guard !isEmpty, let writer else { return nil }
      self.writer = nil
      return (writer, takeBatch())
    }

    mutating func takeBatch() -> Batch {
      var taken = batch
      batch = Batch()
      // A close frame comes last (RFC 6455 §5.5.1), so pongs come first.
      if !pongs.isEmpty {
        taken.bytes = pongs.flatMap { $0 } + taken.bytes
        pongs = []
      }
      return taken
    }
  }

  /// How many pings are answered at once.
  ///
  /// A peer that sends more before it reads gets answers to the latest, which is all that it may ask for
  /// (RFC 6455 §5.5.3).
  private static let mostPongs = 16

  private let state = Locked(State())

  /// Returns once the bytes are on their way.
  ///
  /// - Parameter isLast: Whether nothing is sent after them.
  func send(_ bytes: [UInt8], isLast: Bool = false) async throws {
    try await withCheckedThrowingContinuation { (sender: Sender) in
      if let error = put(bytes, isLast, sender) { sender.resume(throwing: error) }
    }
  }

  /// Sends without waiting; nothing happens if no more can be sent.
  func post(_ bytes: [UInt8], isLast: Bool = false) {
    _ = put(bytes, isLast, nil)
  }

  /// Answers a ping as soon as there is room.
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

  /// What is to be written next, once there is something; `nil` when nothing will come any more.
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

  /// Ends the waiting of everybody: what has not been taken is not sent.
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

/// What a stream has delivered, collected by a task of its own.
final class EventLog: Sendable {
  struct Contents: Sendable {
    var values: [any Sendable] = []
    var trees: [ValueTree] = []
    /// The end; `nil` while the stream is open.
    var end: Answer?
  }

  private struct State {
    var contents = Contents()
    var reading: Task<Void, Never>?
    /// Whether the program has ended; what arrives later is of the cancellation.
    var isOver = false
    /// A wait for a number of events.
    var waiting: (count: Int, signal: Signal<Void>)?
  }

  private let state = Locked(State())
  private let read: @Sendable (EventLog) async -> Void

  init<Stream: AsyncSequence & Sendable>(reading stream: Stream) where Stream.Element: Sendable {
    read = { log in
      do {
        for try await event in stream { log.note(event) }
        log.note(end: Answer(tree: .text("ended"), value: .noted))
      } catch {
        log.note(end: Answer(threw: error))
      }
    }
  }

  /// Creates the log of a stream that could not be opened.
  init(failedBy error: any Error) {
    read = { $0.note(end: Answer(threw: error)) }
  }

  var contents: Contents { state.withLock(\.contents) }

  /// Begins to read, in a task of a program.
  func begin(in queue: ProgramQueue) {
    let reading = queue.start { [self] in await read(self) }
    state.withLock { $0.reading = reading }
  }

  func cancel() {
    let reading = state.withLock { state in
      state.isOver = true
      return state.reading
    }
    reading?.cancel()
  }

  private func note(_ event: some Sendable) {
    let tree = ValueTree(of: event)
    change { contents in
      contents.values.append(event)
      contents.trees.append(tree)
    }
  }

  private func note(end: Answer) { change { $0.end = end } }

  private func change(_ body: (inout Contents) -> Void) {
    let signal = state.withLock { state -> Signal<Void>? in
      if state.isOver { return nil }
      body(&state.contents)
      guard let waiting = state.waiting, state.contents.hasReached(waiting.count) else { return nil }
      state.waiting = nil
      return waiting.signal
    }
    signal?.send(())
  }

  /// Sends a signal once there are this many events, or the end.
  func whenReached(_ count: Int, _ signal: Signal<Void>) {
    let isReached = state.withLock { state in
      if state.contents.hasReached(count) { return true }
      state.waiting = (count, signal)
      return false
    }
    if isReached { signal.send(()) }
  }
}

extension EventLog.Contents {
  func hasReached(_ count: Int) -> Bool { values.count >= count || end != nil }
}

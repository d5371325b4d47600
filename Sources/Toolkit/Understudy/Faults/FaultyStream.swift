/// The elements of a stream with a fault among them, pulled one by one.
///
/// It requests an element only when its reader does, unless the fault requires the next one. It releases the source
/// when the stream has ended.
package final class FaultyStream<Element: Sendable>: Sendable {
  package typealias Pull = @Sendable () async throws -> Element?

  /// How an injection point implements the effects that do more than drop, repeat or reorder elements.
  package struct Realisation: Sendable {
    /// Whether an element counts as an event; other elements pass unchanged.
    package var isEvent: @Sendable (Element) -> Bool
    /// Runs where the stream is truncated: it throws an error, or returns to end the stream.
    package var cut: @Sendable () async throws -> Void
    /// Returns the replacement of an event that cannot be decoded.
    package var corrupted: @Sendable (Element) throws -> Element
    /// Returns the replacement of a last event that is not terminated.
    package var unterminated: @Sendable (Element) throws -> Element

    package init(
      isEvent: @escaping @Sendable (Element) -> Bool, cut: @escaping @Sendable () async throws -> Void,
      corrupted: @escaping @Sendable (Element) throws -> Element,
      unterminated: @escaping @Sendable (Element) throws -> Element
    ) {
      self.isEvent = isEvent
      self.cut = cut
      self.corrupted = corrupted
      self.unterminated = unterminated
    }
  }

  private struct State {
    /// `nil` once the stream has ended.
    var pull: Pull?
    var events = 0
    /// The elements to return before another one is pulled.
    var ready: [Element] = []
    /// How many elements to return before the second one of a duplicate.
    var beforeCopy: Int?
    /// The event that waits for the next one, and the elements after it that are not events.
    var held: [Element] = []
    /// The error to throw after the ready elements.
    var error: (any Error)?
  }

  private let effect: StreamEffect
  private let realisation: Realisation
  private let token: FaultToken?
  private let state: Locked<State>

  /// Creates a stream with a fault.
  ///
  /// - Parameter token: The token of the fault, which is noted when the fault takes effect.
  package init(
    _ pull: @escaping Pull, _ effect: StreamEffect, of token: FaultToken?, _ realisation: Realisation
  ) {
    self.effect = effect
    self.realisation = realisation
    self.token = token
    state = Locked(State(pull: pull))
    token?.note(.stream)
  }

  /// The next element; `nil` at the end, and on every call after the end or an error.
  package func next() async throws -> Element? {
    while true {
      let (ready, pull, isCopy) = try state.withLock { state throws(any Error) -> (Element?, Pull?, Bool) in
        if !state.ready.isEmpty {
          defer { state.beforeCopy = state.beforeCopy.flatMap { $0 > 0 ? $0 - 1 : nil } }
          return (state.ready.removeFirst(), nil, state.beforeCopy == 0)
        }
        if let error = state.error {
          state.error = nil
          throw error
        }
        return (nil, state.pull, false)
      }
      if isCopy { token?.note(.effect) }
      if let ready { return ready }
      guard let pull else { return nil }
      do {
        if let element = try await pull() { try await take(element) } else { try end() }
      } catch {
        if !Task.isCancelled { token?.note(.end(after: state.withLock(\.events))) }
        // The held elements arrived before the error.
        state.withLock { state in
          state.pull = nil
          state.ready += state.held
          state.held = []
          state.error = error
        }
      }
    }
  }

  /// Processes an element of the source.
  private func take(_ element: Element) async throws {
    guard realisation.isEvent(element) else {
      state.withLock { state in
        if state.held.isEmpty { state.ready.append(element) } else { state.held.append(element) }
      }
      return
    }
    let number = state.withLock { state in
      state.events += 1
      return state.events
    }
    token?.note(.event(number))
    switch effect {
    case .drop(let count), .end(let count), .stall(let count), .close(_, let count), .abort(let count),
      .badFrame(let count):
      if number <= count { return emit([element]) }
      token?.note(.effect)
      try await realisation.cut()
      close()
    case .corrupt(number):
      token?.note(.effect)
      emit([try realisation.corrupted(element)])
    case .duplicate(number):
      emit([element, element])
      // A reader that stops before the copy has not been tested with it.
      state.withLock { $0.beforeCopy = $0.ready.count - 1 }
    case .reorder(number): hold(element)
    case .unterminated:
      emit([])
      hold(element)
    case .reorder:
      if state.withLock({ !$0.held.isEmpty }) { token?.note(.effect) }
      emit([element], first: true)
    case .corrupt, .duplicate, .splitCharacters: emit([element])
    }
  }

  /// Processes the end of the source.
  private func end() throws {
    // A cancelled source has not reached its last event.
    if Task.isCancelled { return close() }
    token?.note(.end(after: state.withLock(\.events)))
    guard effect == .unterminated else { return close() }
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    guard let last = held.first else { return close() }
    token?.note(.effect)
    emit([try realisation.unterminated(last)])
    close()
  }

  private func hold(_ element: Element) {
    state.withLock { $0.held = [element] }
  }

  /// Appends elements to the ready ones, before or after those that were held.
  private func emit(_ elements: [Element], first: Bool = false) {
    state.withLock { state in
      state.ready += first ? elements + state.held : state.held + elements
      state.held = []
    }
  }

  private func close() {
    state.withLock { state in
      state.ready += state.held
      state.held = []
      state.pull = nil
    }
  }
}

/// The effect of a ``Fault`` on the events of a stream, or on the messages that a WebSocket receives.
package enum StreamEffect: Hashable, Sendable {
  /// The connection breaks where the next event would begin.
  case drop(after: Int)
  /// The stream ends there as if it were complete.
  case end(after: Int)
  /// Nothing arrives from there on.
  case stall(after: Int)
  /// The event with this number, from one, cannot be decoded.
  case corrupt(Int)
  /// The last event lacks its terminator, so that a reader must discard it (WHATWG HTML §9.2.6).
  case unterminated
  /// The event with this number arrives twice.
  case duplicate(Int)
  /// The event with this number arrives after the next one.
  case reorder(Int)
  /// The bytes of each character arrive in several chunks.
  case splitCharacters
  /// A WebSocket's close frame with this code arrives where the next message would begin.
  case close(UInt16, after: Int)
  /// A WebSocket breaks there without a close frame.
  case abort(after: Int)
  /// The bytes that arrive there are not a WebSocket frame.
  case badFrame(after: Int)

  package var symptom: Fault.Symptom {
    switch self {
    case .drop, .end, .unterminated, .close, .abort: .connectionLost
    case .stall: .timedOut
    case .corrupt, .badFrame: .unreadable
    case .duplicate, .reorder: .altered
    case .splitCharacters: .delayed
    }
  }

  package var reach: Fault.Reach {
    switch self {
    case .drop, .end, .stall, .corrupt, .unterminated, .close, .abort, .badFrame: .after
    case .duplicate, .reorder, .splitCharacters: .passes
    }
  }

  /// The nearest effect on an answer that is not a stream of events; `nil` if the answer is unchanged.
  package var effectOnWholeAnswer: Fault.Effect? {
    switch self {
    case .drop, .end, .unterminated, .close, .abort: .cut(afterBytes: 1, .close)
    case .stall: .cut(afterBytes: 1, .silence)
    case .corrupt, .badFrame: .unreadable
    case .duplicate, .reorder, .splitCharacters: nil
    }
  }
}

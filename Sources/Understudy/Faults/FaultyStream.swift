/// The elements of a stream with a fault among them, pulled one by one.
///
/// It asks for no element before its reader does, except where the fault needs the next one to be known, and lets go
/// of the source once it has ended.
package final class FaultyStream<Element: Sendable>: Sendable {
  package typealias Pull = @Sendable () async throws -> Element?

  /// How a injectionPoint realises what is more than leaving out, repeating or moving elements.
  package struct Realisation: Sendable {
    /// Whether an element counts as an event; the others pass.
    package var isEvent: @Sendable (Element) -> Bool
    /// What comes where the stream is cut: an error, or the end.
    package var cut: @Sendable () async throws -> Void
    /// What comes in place of an event that cannot be read.
    package var corrupted: @Sendable (Element) throws -> Element
    /// What comes in place of a last event that is not terminated.
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
    /// What comes before anything else is pulled.
    var ready: [Element] = []
    /// The event that waits for the next one, and what came after it that is none.
    var held: [Element] = []
    /// What comes after what is ready.
    var error: (any Error)?
  }

  private let effect: StreamEffect
  private let realisation: Realisation
  private let state: Locked<State>

  package init(_ pull: @escaping Pull, _ effect: StreamEffect, _ realisation: Realisation) {
    self.effect = effect
    self.realisation = realisation
    state = Locked(State(pull: pull))
  }

  /// The next element; `nil` at the end, and ever after it or after an error.
  package func next() async throws -> Element? {
    while true {
      let (ready, pull) = try state.withLock { state throws(any Error) -> (Element?, Pull?) in
        if !state.ready.isEmpty { return (state.ready.removeFirst(), nil) }
        if let error = state.error {
          state.error = nil
          throw error
        }
        return (nil, state.pull)
      }
      if let ready { return ready }
      guard let pull else { return nil }
      do {
        if let element = try await pull() { try await take(element) } else { try end() }
      } catch {
        // What was held had come before the error.
        state.withLock { state in
          state.pull = nil
          state.ready += state.held
          state.held = []
          state.error = error
        }
      }
    }
  }

  /// Decides what an element of the source becomes.
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
    switch effect {
    case .drop(let count), .end(let count), .stall(let count), .close(_, let count), .abort(let count),
      .badFrame(let count):
      if number <= count { return emit([element]) }
      try await realisation.cut()
      close()
    case .corrupt(number): emit([try realisation.corrupted(element)])
    case .duplicate(number): emit([element, element])
    case .reorder(number): hold(element)
    case .unterminated:
      emit([])
      hold(element)
    case .reorder: emit([element], first: true)
    case .corrupt, .duplicate, .splitCharacters: emit([element])
    }
  }

  /// The end of the source.
  private func end() throws {
    // A source that was cancelled has not come to its last event.
    guard effect == .unterminated, !Task.isCancelled else { return close() }
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    guard let last = held.first else { return close() }
    emit([try realisation.unterminated(last)])
    close()
  }

  private func hold(_ element: Element) {
    state.withLock { $0.held = [element] }
  }

  /// Makes elements ready, before or after those that were held.
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

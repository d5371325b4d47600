import UnderstudyPrimitives

/// The state of a ``Gate``, which outlives it in the ``Intercepted`` that it stands before.
final class GateCore<Base: Sendable>: Sendable {
  typealias Call = Intercepted<Base>.Call
  typealias Operation = Intercepted<Base>.Operation

  /// What to do with a held call: let it go on if `nil`, else make it fail.
  typealias Verdict = Fault?

  /// A call that is held, until its task has its answer.
  struct Ticket: Sendable {
    let number: Int
    let call: Call
    let answer = Signal<Verdict>()
  }

  private struct Waiter {
    let operation: Operation
    let signal: Signal<Ticket?>
  }

  private struct State {
    var isOpen = false
    var nextNumber = 0
    /// Held and not answered yet, oldest first.
    var held: [Ticket] = []
    /// Those of them that the test has not been handed.
    var unseen: Set<Int> = []
    var waiters: [Waiter] = []
  }

  private let operation: Operation
  private let state = Locked(State())

  init(_ operation: Operation) {
    self.operation = operation
  }

  // MARK: - The side of the call

  /// Holds a call if the gate is closed for it.
  ///
  /// - Returns: What to wait for; `nil` if the call may pass.
  func arrive(_ call: Call) -> Ticket? {
    guard operation.matches(call.operation) else { return nil }
    return state.withLock { state in
      guard !state.isOpen else { return nil }
      let ticket = Ticket(number: state.nextNumber, call: call)
      state.nextNumber += 1
      state.held.append(ticket)
      state.unseen.insert(ticket.number)
      while let index = state.waiters.firstIndex(where: { $0.operation.matches(call.operation) }) {
        // A waiter who has given up does not take the call.
        if state.waiters.remove(at: index).signal.send(ticket) {
          state.unseen.remove(ticket.number)
          break
        }
      }
      return ticket
    }
  }

  /// Waits for the answer; ``Fault/cancelled`` if the task is cancelled first.
  nonisolated(nonsending) func wait(_ ticket: Ticket) async -> Verdict {
    do {
      return try await ticket.answer.value()
    } catch {
      forget(ticket.number)
      return .cancelled
    }
  }

  // MARK: - The side of the test

  /// The oldest call of an operation that has not been handed out, once there is one; `nil` once the gate is open.
  func next(_ operation: Operation) async throws -> Ticket? {
    let signal = Signal<Ticket?>()
    state.withLock { state in
      if let ticket = state.held.first(where: {
        state.unseen.contains($0.number) && operation.matches($0.call.operation)
      }) {
        state.unseen.remove(ticket.number)
        signal.send(ticket)
      } else if state.isOpen {
        signal.send(nil)
      } else {
        state.waiters.append(Waiter(operation: operation, signal: signal))
      }
    }
    defer { state.withLock { $0.waiters.removeAll { $0.signal === signal } } }
    return try await signal.value()
  }

  func answer(_ ticket: Ticket, _ verdict: Verdict) -> Bool {
    forget(ticket.number)
    return ticket.answer.send(verdict)
  }

  func open() {
    let (held, waiters) = state.withLock { state in
      defer {
        state.isOpen = true
        state.held = []
        state.unseen = []
        state.waiters = []
      }
      return (state.held, state.waiters.map(\.signal))
    }
    for ticket in held { ticket.answer.send(nil) }
    for signal in waiters { signal.send(nil) }
  }

  func close() {
    state.withLock { $0.isOpen = false }
  }

  var held: [Call] {
    state.withLock { $0.held.map(\.call) }
  }

  private func forget(_ number: Int) {
    state.withLock { state in
      state.held.removeAll { $0.number == number }
      state.unseen.remove(number)
    }
  }
}

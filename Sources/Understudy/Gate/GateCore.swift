/// The state of a ``Gate``.
///
/// The ``Intercepted`` keeps it alive after the gate is deallocated.
@usableFromInline final class GateCore: Sendable {
  /// What to do with a held call: `nil` lets it continue, a fault is injected.
  typealias Answer = Fault?

  /// A call that is held until it is answered.
  @usableFromInline struct Ticket: Sendable {
    let number: Int
    let call: CallCore
    let answer = Signal<Answer>()
  }

  private struct Waiter {
    let operation: OperationCore
    let signal: Signal<Ticket?>
  }

  private struct State {
    var isOpen = false
    var nextNumber = 0
    /// The held calls without an answer, oldest first.
    var held: [Ticket] = []
    /// The held calls that the test has not received.
    var unseen: Set<Int> = []
    var waiters: [Waiter] = []
    /// The tickets handed to waiters that have not resumed yet.
    var handed: [ObjectIdentifier: Ticket] = [:]
    /// The calls that were not held, while the gate is to report that it held none.
    var seen = SeenCalls()

    /// Hands an unseen call to the first waiter, if any.
    mutating func offer(_ ticket: Ticket) {
      while let index = waiters.firstIndex(where: { $0.operation.matches(ticket.call.operation) }) {
        if hand(ticket, to: waiters.remove(at: index).signal) { return }
      }
    }

    /// - Returns: Whether the waiter takes the call; a cancelled waiter does not.
    @discardableResult mutating func hand(_ ticket: Ticket, to signal: Signal<Ticket?>) -> Bool {
      guard signal.send(ticket) else { return false }
      unseen.remove(ticket.number)
      handed[ObjectIdentifier(signal)] = ticket
      return true
    }

    /// Takes back the ticket of a waiter that was cancelled before it resumed, for the next waiter.
    mutating func takeBack(from signal: Signal<Ticket?>) {
      guard let ticket = handed[ObjectIdentifier(signal)],
        held.contains(where: { $0.number == ticket.number })
      else { return }
      unseen.insert(ticket.number)
      offer(ticket)
    }
  }

  private let operation: OperationCore
  private let state: Locked<State>
  /// The report of a gate that must hold a call.
  private let report: ReleaseReport?

  init(_ operation: OperationCore, isOptional: Bool, place: CodePlace? = nil) {
    let state = Locked(State())
    self.operation = operation
    self.state = state
    report = isOptional ? nil : ReleaseReport { Self.issues(operation, state, at: place) }
  }

  /// That the gate never held a call.
  private static func issues(
    _ operation: OperationCore, _ state: Locked<State>, at place: CodePlace?
  ) -> [ReleaseReport.Issue] {
    let (held, seen) = state.withLock { ($0.nextNumber, $0.seen) }
    if held > 0 { return [] }
    let nearest = seen.nearest(to: operation)
    let reason =
      seen.count(of: operation) > 0
      ? "the matching calls are synchronous, or were made while the gate was open, as it is once it is released"
      : "no call matches its operation" + (nearest.map { "; the nearest one is \($0)" } ?? "")
    return [
      ReleaseReport.Issue(
        """
        A gate for \(operation) never held a call.
          reason: \(reason)
          calls that reached the gate: \(seen.description)
        Correct the operation or remove the gate; if it may or may not hold a call, make it with isOptional: true.
        """, at: place)
    ]
  }

  /// Notes a call that is not held, for the message about a gate that never held one.
  func note(_ call: CallCore, remark: String? = nil) {
    if report == nil { return }
    let operation = call.operation
    state.withLock { $0.seen.count(operation, remark: remark) }
  }

  // MARK: - Use by the call

  /// Holds a call if the gate is closed for it.
  ///
  /// - Returns: The ticket to wait for; `nil` if the call may pass.
  func arrive(_ call: CallCore) -> Ticket? {
    guard operation.matches(call.operation) else {
      note(call)
      return nil
    }
    let ticket = state.withLock { state -> Ticket? in
      guard !state.isOpen else { return nil }
      let ticket = Ticket(number: state.nextNumber, call: call)
      state.nextNumber += 1
      state.held.append(ticket)
      state.unseen.insert(ticket.number)
      state.offer(ticket)
      return ticket
    }
    if ticket == nil { note(call, remark: "while the gate was open") }
    return ticket
  }

  /// Waits for the answer; returns ``Fault/cancelled`` if the task is cancelled first.
  nonisolated(nonsending) func wait(_ ticket: Ticket) async -> Answer {
    do {
      return try await ticket.answer.value()
    } catch {
      forget(ticket.number)
      return .cancelled
    }
  }

  // MARK: - Use by the test

  /// Waits for the oldest call of an operation that has not been returned yet; `nil` once the gate is open.
  func next(_ operation: OperationCore) async throws -> Ticket? {
    let signal = Signal<Ticket?>()
    state.withLock { state in
      if let ticket = state.held.first(where: {
        state.unseen.contains($0.number) && operation.matches($0.call.operation)
      }) {
        state.hand(ticket, to: signal)
      } else if state.isOpen {
        signal.send(nil)
      } else {
        state.waiters.append(Waiter(operation: operation, signal: signal))
      }
    }
    defer {
      state.withLock { state in
        state.waiters.removeAll { $0.signal === signal }
        state.handed[ObjectIdentifier(signal)] = nil
      }
    }
    do {
      return try await signal.value(waitingFor: "a call of \(operation) at a gate") { [self] in
        "the gate holds \(held.isEmpty ? "no call" : held.map { "\($0)" }.joined(separator: ", "))"
      }
    } catch {
      state.withLock { $0.takeBack(from: signal) }
      throw error
    }
  }

  func answer(_ ticket: Ticket, _ answer: Answer) -> Bool {
    forget(ticket.number)
    return ticket.answer.send(answer)
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

  /// The number of calls that have been held.
  var heldCount: Int { state.withLock(\.nextNumber) }

  var held: [CallCore] {
    state.withLock { $0.held.map(\.call) }
  }

  private func forget(_ number: Int) {
    state.withLock { state in
      state.held.removeAll { $0.number == number }
      state.unseen.remove(number)
    }
  }
}

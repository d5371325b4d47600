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

  /// What resumes the waiter that has taken a call.
  private typealias Handover = Signal<Ticket?>.Resumption

  /// The calls and those that wait for them.
  ///
  /// Every call is handed to at most one waiter, and stays unseen until it is:
  ///
  /// - Which waiter takes a call is decided in one step, under the lock of the gate: the waiter is removed, its signal is
  ///   settled, and the call is no longer unseen. Only the resumption follows after the lock.
  /// - The signal decides between the call and a cancellation. If the cancellation is first, the signal is not settled,
  ///   and the next waiter is asked. If the waiter already waits, its settled signal resumes it with the call, and a later
  ///   cancellation has no effect. If it does not wait yet, a cancellation before that makes it throw, and it returns the
  ///   call itself, which `handed` has until then.
  /// - An executor that runs the waiter during the resumption finds the gate unlocked, and all of this done.
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
    mutating func offer(_ ticket: Ticket) -> Handover? {
      while let index = waiters.firstIndex(where: { $0.operation.matches(ticket.call) }) {
        if let handover = hand(ticket, to: waiters.remove(at: index).signal) { return handover }
      }
      return nil
    }

    /// Hands an unseen call to a waiter, unless that is cancelled.
    mutating func hand(_ ticket: Ticket, to signal: Signal<Ticket?>) -> Handover? {
      guard let handover = signal.settle(with: ticket) else { return nil }
      unseen.remove(ticket.number)
      handed[ObjectIdentifier(signal)] = ticket
      return handover
    }

    /// Takes back the ticket of a waiter that was cancelled before it resumed, for the next waiter.
    mutating func takeBack(from signal: Signal<Ticket?>) -> Handover? {
      guard let ticket = handed[ObjectIdentifier(signal)],
        held.contains(where: { $0.number == ticket.number })
      else { return nil }
      unseen.insert(ticket.number)
      return offer(ticket)
    }
  }

  /// Where the gate is made, if it is one of a test.
  let place: CodePlace?
  private let operation: OperationCore
  private let state: Locked<State>
  /// The report of a gate that must hold a call.
  private let report: ReleaseReport?

  init(_ operation: OperationCore, isOptional: Bool, place: CodePlace? = nil) {
    let state = Locked(State())
    self.place = place
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
    guard operation.matches(call) else {
      note(call)
      return nil
    }
    let (ticket, handover) = state.withLock { state -> (Ticket?, Handover?) in
      guard !state.isOpen else { return (nil, nil) }
      let ticket = Ticket(number: state.nextNumber, call: call)
      state.nextNumber += 1
      state.held.append(ticket)
      state.unseen.insert(ticket.number)
      return (ticket, state.offer(ticket))
    }
    handover?()
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
    let handover = state.withLock { state -> Handover? in
      if let ticket = state.held.first(where: {
        state.unseen.contains($0.number) && operation.matches($0.call)
      }) {
        return state.hand(ticket, to: signal)
      }
      if state.isOpen { return signal.settle(with: nil) }
      state.waiters.append(Waiter(operation: operation, signal: signal))
      return nil
    }
    handover?()
    defer {
      state.withLock { state in
        state.waiters.removeAll { $0.signal === signal }
        state.handed[ObjectIdentifier(signal)] = nil
      }
    }
    do {
      return try await signal.value(waitingFor: "a call of \(operation) at a gate", at: place) { [self] in
        "the gate holds \(held.isEmpty ? "no call" : held.map { "\($0)" }.joined(separator: ", "))"
      }
    } catch {
      let handover = state.withLock { $0.takeBack(from: signal) }
      handover?()
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

/// The state of a ``Gate``, which outlives it in the ``Intercepted`` that it stands before.
@usableFromInline final class GateCore: Sendable {
  /// What to do with a held call: let it go on if `nil`, else make it fail.
  typealias Verdict = Fault?

  /// A call that is held, until its task has its answer.
  @usableFromInline struct Ticket: Sendable {
    let number: Int
    let call: CallCore
    let answer = Signal<Verdict>()
  }

  private struct Waiter {
    let site: Site
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
    /// What was handed to those whose wait has not come back.
    var handed: [ObjectIdentifier: Ticket] = [:]

    /// Hands a call that is unseen to the first who waits for it, if there is one.
    mutating func offer(_ ticket: Ticket) {
      while let index = waiters.firstIndex(where: { $0.site.matches(ticket.call.site) }) {
        if hand(ticket, to: waiters.remove(at: index).signal) { return }
      }
    }

    /// - Returns: Whether the call is taken; a waiter who has given up does not take it.
    @discardableResult mutating func hand(_ ticket: Ticket, to signal: Signal<Ticket?>) -> Bool {
      guard signal.send(ticket) else { return false }
      unseen.remove(ticket.number)
      handed[ObjectIdentifier(signal)] = ticket
      return true
    }

    /// Leaves what was handed to a waiter, who was cancelled before it got there, to the next.
    mutating func takeBack(from signal: Signal<Ticket?>) {
      guard let ticket = handed[ObjectIdentifier(signal)],
        held.contains(where: { $0.number == ticket.number })
      else { return }
      unseen.insert(ticket.number)
      offer(ticket)
    }
  }

  private let site: Site
  private let state = Locked(State())

  init(_ site: Site) {
    self.site = site
  }

  // MARK: - The side of the call

  /// Holds a call if the gate is closed for it.
  ///
  /// - Returns: What to wait for; `nil` if the call may pass.
  func arrive(_ call: CallCore) -> Ticket? {
    guard site.matches(call.site) else { return nil }
    return state.withLock { state in
      guard !state.isOpen else { return nil }
      let ticket = Ticket(number: state.nextNumber, call: call)
      state.nextNumber += 1
      state.held.append(ticket)
      state.unseen.insert(ticket.number)
      state.offer(ticket)
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
  func next(_ site: Site) async throws -> Ticket? {
    let signal = Signal<Ticket?>()
    state.withLock { state in
      if let ticket = state.held.first(where: {
        state.unseen.contains($0.number) && site.matches($0.call.site)
      }) {
        state.hand(ticket, to: signal)
      } else if state.isOpen {
        signal.send(nil)
      } else {
        state.waiters.append(Waiter(site: site, signal: signal))
      }
    }
    defer {
      state.withLock { state in
        state.waiters.removeAll { $0.signal === signal }
        state.handed[ObjectIdentifier(signal)] = nil
      }
    }
    do {
      return try await signal.value()
    } catch {
      state.withLock { $0.takeBack(from: signal) }
      throw error
    }
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

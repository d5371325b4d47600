import UnderstudyPrimitives

/// What a ``CallLog`` holds.
final class CallLogCore: Sendable {
  typealias Outcome = CallOutcome

  struct Record: Sendable {
    let call: CallCore
    var outcome: Outcome
  }

  private struct Waiter {
    let site: Site
    let count: Int
    let signal: Signal<Void>
  }

  private struct State {
    var records: [Record] = []
    var waiters: [Waiter] = []

    func count(of site: Site) -> Int {
      records.count { site.matches($0.call.site) }
    }
  }

  private let state = Locked(State())

  var records: [Record] { state.withLock { $0.records } }

  func count(of site: Site) -> Int {
    state.withLock { $0.count(of: site) }
  }

  /// Writes a call down.
  ///
  /// - Returns: What ``end(_:_:)`` finds it by.
  func begin(_ call: CallCore) -> Int {
    let (ticket, isAwaited) = state.withLock { state in
      state.records.append(Record(call: call, outcome: .underWay))
      return (state.records.count - 1, !state.waiters.isEmpty)
    }
    if isAwaited { signal() }
    return ticket
  }

  private func signal() {
    let due = state.withLock { state in
      state.waiters.filter { state.count(of: $0.site) >= $0.count }.map(\.signal)
    }
    for signal in due { signal.send(()) }
  }

  /// Writes down how it went.
  func end(_ ticket: Int, _ outcome: Outcome) {
    state.withLock { $0.records[ticket].outcome = outcome }
  }

  func wait(for site: Site, calls count: Int) async throws {
    let signal = Signal<Void>()
    let isThere = state.withLock { state in
      let isThere = state.count(of: site) >= count
      if !isThere { state.waiters.append(Waiter(site: site, count: count, signal: signal)) }
      return isThere
    }
    if isThere { return }
    defer { state.withLock { $0.waiters.removeAll { $0.signal === signal } } }
    try await signal.value()
  }
}

import Understudy

/// A place at which tasks wait until the test lets them through.
final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    var arrived = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  /// Waits here until the gate is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let woken = state.withLock { state in
        state.arrived += 1
        let arrived = state.arrived
        var woken = state.watchers.filter { $0.count <= arrived }.map(\.wake)
        state.watchers.removeAll { $0.count <= arrived }
        if state.isOpen { woken.append(continuation) } else { state.waiting.append(continuation) }
        return woken
      }
      for continuation in woken { continuation.resume() }
    }
  }

  /// Returns once so many have come to the gate.
  func arrivals(_ count: Int) async {
    await withCheckedContinuation { wake in
      let isThere = state.withLock { state in
        if state.arrived >= count { return true }
        state.watchers.append((count, wake))
        return false
      }
      if isThere { wake.resume() }
    }
  }

  /// Lets everybody through, now and later.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

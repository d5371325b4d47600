import Understudy

/// A place at which tasks wait until the test lets them through.
final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    var arrived = 0
    var waiting: [Signal<Void>] = []
    var watchers: [(count: Int, wake: Signal<Void>)] = []
  }

  private let state = Locked(State())

  /// Waits here until the gate is open, or the task is cancelled.
  func pass() async {
    let opened = Signal<Void>()
    let watching = state.withLock { state in
      state.arrived += 1
      let arrived = state.arrived
      let watching = state.watchers.filter { $0.count <= arrived }.map(\.wake)
      state.watchers.removeAll { $0.count <= arrived }
      if state.isOpen { opened.send(()) } else { state.waiting.append(opened) }
      return watching
    }
    for watcher in watching { watcher.send(()) }
    try? await opened.value()
  }

  /// Returns once so many have come to the gate, or the task is cancelled.
  func arrivals(_ count: Int) async {
    let wake = Signal<Void>()
    let isThere = state.withLock { state in
      if state.arrived >= count { return true }
      state.watchers.append((count, wake))
      return false
    }
    if !isThere { try? await wake.value() }
  }

  /// Lets everybody through, now and later.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for opened in waiting { opened.send(()) }
  }
}

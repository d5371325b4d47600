import Foundation

/// Admits as many tests and trials at once as the machine can carry, in the order in which they ask.
///
/// `UNDERSTUDY_SHUFFLE` sets the seed of a random order, which shows tests that depend on others. The same seed does not
/// repeat it exactly, because the order in which tests ask differs from run to run.
///
/// Swift Testing starts all tests of a run at once. On a busy machine, thousands of them then share two cores, and each
/// takes as long as all of them together.
///
/// A test that starts a trial is admitted once: what runs inside an admitted operation never waits. A detached task does
/// not inherit this. So that it cannot deadlock with a test that waits for it, one more operation is admitted whenever
/// the process has been idle for half a second.
package final class Admission: Sendable {
  /// The admission of the process; its width is `UNDERSTUDY_WIDTH`, or twice the number of cores.
  package static let shared = Admission(
    width: width(in: ProcessInfo.processInfo.environment),
    order: ProcessInfo.processInfo.environment.positiveNumber("UNDERSTUDY_SHUFFLE"))

  /// The admission by which this task's operation was admitted.
  @TaskLocal private static var current: Admission?

  private struct State {
    var running = 0
    /// The places that were added for operations that wait for others in the queue.
    var extra = 0
    /// Those that wait, the first at the end.
    var waiting: [Signal<Void>] = []
    /// Draws the places of those that wait; `nil` if they keep the order in which they ask.
    var generator: SeededGenerator?

    mutating func append(_ signal: Signal<Void>) {
      var place = 0
      if var drawn = generator {
        place = Int.random(in: 0...waiting.count, using: &drawn)
        generator = drawn
      }
      waiting.insert(signal, at: place)
    }

    /// Gives a place to the first that waits.
    ///
    /// - Returns: What resumes it, after the lock.
    mutating func admitNext() -> Signal<Void>.Resumption? {
      for index in waiting.indices.reversed() {
        // A cancelled wait does not take the place. It leaves the list itself, and knows by that that it had no place.
        guard let resumption = waiting[index].settle(with: ()) else { continue }
        waiting.remove(at: index)
        running += 1
        return resumption
      }
      return nil
    }
  }

  private let width: Int
  private let state = Locked(State())

  /// - Parameter order: The seed of a random order; `nil` for the order in which operations ask.
  init(width: Int, order: Int? = nil) {
    self.width = width
    state.withLock { $0.generator = order.map { SeededGenerator(seed: UInt64($0)) } }
  }

  /// The number of operations that run at once.
  package static func width(in environment: [String: String]) -> Int {
    environment.positiveNumber("UNDERSTUDY_WIDTH") ?? max(2, ProcessInfo.processInfo.activeProcessorCount) * 2
  }

  /// Runs an operation once it is admitted.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits, and the errors of the operation.
  package nonisolated(nonsending) func run<Value>(
    _ operation: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    if Self.current === self { return try await operation() }
    try await enter()
    let watch = StallMonitor.current.watchWithoutLimit()
    defer {
      watch.end()
      leave()
    }
    return try await Self.$current.withValue(self, operation: operation)
  }

  private nonisolated(nonsending) func enter() async throws {
    let signal = Signal<Void>()
    let isAdmitted = state.withLock { state in
      if state.running < width {
        state.running += 1
        return true
      }
      state.append(signal)
      return false
    }
    if isAdmitted { return }
    do {
      try await signal.value()
    } catch {
      let wasWaiting = state.withLock { state in
        let count = state.waiting.count
        state.waiting.removeAll { $0 === signal }
        return state.waiting.count < count
      }
      // The place was handed over just before the cancellation.
      if !wasWaiting { leave() }
      throw error
    }
  }

  private func leave() {
    let admitted = state.withLock { state in
      state.running -= 1
      var admitted: [Signal<Void>.Resumption] = []
      while state.running < width + state.extra, let next = state.admitNext() { admitted.append(next) }
      if state.waiting.isEmpty { state.extra = 0 }
      return admitted
    }
    for resume in admitted { resume() }
  }

  /// Adds a place, if an operation waits for one.
  func admitOneMore() {
    let admitted = state.withLock { state in
      let admitted = state.admitNext()
      if admitted != nil { state.extra += 1 }
      return admitted
    }
    admitted?()
  }
}

extension [String: String] {
  /// The number in an environment variable; `nil` if it is not set, or not an integer of at least 1.
  package func positiveNumber(_ name: String) -> Int? {
    self[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }
}

import Dispatch
import Foundation
import Understudy

/// The signals that stop a command.
///
/// They are kept from the first statement of the process on, so that a command that has just started ends in order too.
enum StopSignals {
  /// A pipe with a byte for each signal, because a handler may only use calls that are safe in it.
  private struct Pipe: Sendable {
    let read: CInt
    let write: CInt

    init() {
      var ends: [CInt] = [-1, -1]
      _ = pipe(&ends)
      (read, write) = (ends[0], ends[1])
    }
  }

  private static let signals = Pipe()

  /// Keeps SIGINT, SIGTERM and SIGHUP for `handled(by:during:)` instead of ending the process.
  static func keep() {
    // Created here, and not in a handler.
    guard signals.write >= 0 else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let former = signal(number) { _ in
        let error = errno
        var byte: UInt8 = 1
        _ = write(StopSignals.signals.write, &byte, 1)
        errno = error
      }
      // The program `nohup` has the signal ignored, so that a command outlives its terminal.
      if number == SIGHUP, unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }

  /// Calls a function for each signal since `keep()`, while an operation runs.
  ///
  /// Later ones are ignored, because the command is about to end.
  ///
  /// - Returns: The result of `operation`.
  static func handled<Result>(
    by function: @escaping @Sendable () -> Void, during operation: () async -> Result
  ) async -> Result {
    keep()
    let descriptor = signals.read
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "stop signals"))
    source.setEventHandler {
      var byte: UInt8 = 0
      if read(descriptor, &byte, 1) == 1 { function() }
    }
    source.activate()
    defer { source.cancel() }
    return await operation()
  }
}

/// A latch that holds a command until it is stopped.
final class StopLatch: Sendable {
  private struct State: Sendable {
    var count = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Ends the wait.
  ///
  /// - Returns: The number of calls, including this one.
  @discardableResult func stop() -> Int {
    let (count, waiter) = state.withLock { state in
      state.count += 1
      defer { state.waiter = nil }
      return (state.count, state.waiter)
    }
    waiter?.resume()
    return count
  }

  /// Returns after a call of `stop()`; one task may wait.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.count > 0 { return true }
        state.waiter = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}

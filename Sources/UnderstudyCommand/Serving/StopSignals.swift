import Dispatch
import Foundation

/// The signals by which a person or a script stops a command that goes on for ever.
enum StopSignals {
  /// Has a function called for each SIGINT and SIGTERM, in place of the end of the process.
  ///
  /// - Returns: What `operation` returns; from then on, the signals do what they did before.
  static func handled<Result>(
    by function: @escaping @Sendable () -> Void, during operation: () async -> Result
  ) async -> Result {
    let queue = DispatchQueue(label: "stop signals")
    let sources = [SIGINT, SIGTERM].map { number in
      // Before the source begins: on Linux, it then puts a handler of its own in this one's place, and on Apple
      // platforms it hears of what is ignored.
      let action = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: function)
      source.activate()
      return (number, source, action)
    }
    defer {
      for (number, source, action) in sources {
        source.cancel()
        signal(number, action)
      }
    }
    return await operation()
  }
}

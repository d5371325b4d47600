#if canImport(Darwin)
  import Foundation
#else
  import Dispatch
#endif

/// Checks whether synchronous code runs on the main actor, without the trap of `MainActor.assumeIsolated`.
enum MainQueue {
  #if canImport(Darwin)
    static var isCurrent: Bool { Thread.isMainThread }
  #else
    // On Linux the main thread ends once `dispatchMain` serves the main queue, and any thread may then serve it. A
    // queue-specific value therefore identifies the queue.
    private static let mark: DispatchSpecificKey<Bool> = {
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }
  #endif
}

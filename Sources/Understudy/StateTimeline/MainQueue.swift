#if canImport(Darwin)
  import Foundation
#else
  import Dispatch
#endif

/// Tells whether synchronous code runs on the main actor, without the trap of `MainActor.assumeIsolated`.
enum MainQueue {
  #if canImport(Darwin)
    static var isCurrent: Bool { Thread.isMainThread }
  #else
    // On Linux the main thread ends once `dispatchMain` serves the main queue, and any thread may then serve it. So
    // the queue is marked, and its mark is looked for.
    private static let mark: DispatchSpecificKey<Bool> = {
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }
  #endif
}

import Understudy
import SharedServicesContracts

extension Injector {
  /// What goes wrong in the middle of every streamed answer.
  var brokenStreams: [Provision] { brokenStreams(afterChunks: 3) }

  /// The same, where nobody knows that an answer has more than a few chunks.
  func brokenStreams(afterChunks count: Int) -> [Provision] {
    let broken = BrokenStream(afterChunks: count)
    let faults: [(Condition<BrokenStream>, Fault)] = [
      (.streamDrops, .dropStream(afterEvents: broken.chunks)),
      (.streamStalls, .stallStream(afterEvents: broken.chunks)),
      (.streamIsCorrupt, .corruptEvent(broken.chunks + 1)),
      (.streamEndsEarly, .endStream(afterEvents: broken.chunks)),
    ]
    return faults.map { condition, fault in
      provision(condition, operations.map { .on($0, fault) }) { broken }
    }
  }
}

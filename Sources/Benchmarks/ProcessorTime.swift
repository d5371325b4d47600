import Foundation

enum ProcessorTime {
  /// The processor time of this process in microseconds, which is independent of load on the machine.
  static var now: Double { Double(clock()) * 1_000_000 / Double(CLOCKS_PER_SEC) }
}

import Foundation

enum ProcessorTime {
  /// What this process has used, in microseconds: on a busy machine the time that passes says little.
  static var now: Double { Double(clock()) * 1_000_000 / Double(CLOCKS_PER_SEC) }
}

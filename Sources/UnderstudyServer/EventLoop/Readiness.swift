/// What a descriptor has become ready for since it was last told.
struct Readiness: OptionSet, Sendable {
  let rawValue: UInt8

  /// There may be bytes, or connections, or the end.
  static let readable = Readiness(rawValue: 1)
  /// There may be room for bytes, or a connection attempt is over.
  static let writable = Readiness(rawValue: 2)
  /// The peer has ended its side; bytes that it sent before may still be there.
  static let ended = Readiness(rawValue: 4)
  /// Both sides are over: reset, or failed.
  static let failed = Readiness(rawValue: 8)
}

/// Something with a descriptor that an ``EventLoop`` watches.
protocol ReadinessObserver: AnyObject, Sendable {
  /// Called on the loop's thread.
  func handle(_ readiness: Readiness)

  /// The loop ends, and the descriptor with it.
  func loopEnds()
}

/// The readiness changes of a descriptor since the last event.
struct Readiness: OptionSet, Sendable {
  let rawValue: UInt8

  /// There may be bytes, a connection or the end of the stream to read.
  static let readable = Readiness(rawValue: 1)
  /// There may be space to write, or a connection attempt has completed.
  static let writable = Readiness(rawValue: 2)
  /// The peer has closed its side; bytes that it sent earlier may still be unread.
  static let ended = Readiness(rawValue: 4)
  /// Both directions are closed by a reset or a failure.
  static let failed = Readiness(rawValue: 8)
}

/// An object that receives readiness events from an ``EventLoop``.
protocol ReadinessObserver: AnyObject, Sendable {
  /// Handles an event; called on the event loop's thread.
  func handle(_ readiness: Readiness)

  /// Called when the event loop ends; the descriptor receives no further events.
  func loopEnds()
}

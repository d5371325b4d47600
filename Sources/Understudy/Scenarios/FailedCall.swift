/// A call that failed, or whose stream did.
public struct FailedCall: Sendable, CustomStringConvertible {
  /// The call.
  public let point: FaultPoint
  /// What it was to meet; `nil` if the base failed by itself.
  public let fault: Fault?
  /// What it threw.
  public let error: any Error

  /// Whether it was cancelled, by a fault or because its task was: no failure to show.
  public var isCancellation: Bool { fault == .cancelled || error is CancellationError }

  /// Whether the base may have done its work: its answer was lost or spoiled, and a write has happened all the same.
  public var mayHaveWorked: Bool { fault?.reachesBase == true }

  /// The call, and what it threw.
  public var description: String { "\(point) threw \(error)" }
}

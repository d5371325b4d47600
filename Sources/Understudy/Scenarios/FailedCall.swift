/// A call that failed, or whose stream failed.
public struct FailedCall: Sendable, CustomStringConvertible {
  /// The call.
  public let point: FaultPoint
  /// The fault of the schedule; `nil` if the base itself failed.
  public let fault: Fault?
  /// The thrown error.
  public let error: any Error

  /// Whether the call was cancelled, by a fault or with its task.
  ///
  /// An app shows no error.
  public var isCancellation: Bool { fault == .cancelled || error is CancellationError }

  /// Whether the base may have done its work: its answer was lost or invalid, but a write may have happened.
  public var mayHaveWorked: Bool { fault?.reachesBase == true }

  /// The call and the thrown error.
  public var description: String { "\(point) threw \(error)" }
}

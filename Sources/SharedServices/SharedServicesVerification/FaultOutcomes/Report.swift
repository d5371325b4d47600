/// The outcome of a call with a fault: for the calling code and for the user.
public struct Report<Failure: Error & Equatable>: Equatable, Sendable, CustomStringConvertible {
  /// The error that the service threw, at the call or in its stream; `nil` if it did not fail.
  public var error: Failure?
  /// The parts of a streamed answer; `nil` for a call without one.
  public var pieces: [String]?
  /// The final content of the screen.
  public var screen: String
  /// Whether the backend performed the call.
  public var isStored: Bool

  /// Creates a report.
  public init(_ error: Failure?, pieces: [String]? = nil, screen: String, isStored: Bool) {
    self.error = error
    self.pieces = pieces
    self.screen = screen
    self.isStored = isStored
  }

  /// The report in one line.
  public var description: String {
    // Without the names of the module and of the outer type, which add no information.
    let result = error.map { "\($0)".replacing(/SharedServices\.\w+/, with: "") } ?? "success"
    let stream = pieces.map { " after \($0.count) event(s)" } ?? ""
    return "\(result)\(stream), “\(screen)”\(isStored ? ", stored" : "")"
  }
}

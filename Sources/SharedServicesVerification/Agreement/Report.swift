/// What is reported of one call that meets a fault: to the code that made it, and to whoever looks at the screen.
public struct Report<Failure: Error & Equatable>: Equatable, Sendable, CustomStringConvertible {
  /// What the service threw, at the call or in its stream; `nil` if it did not fail.
  public var error: Failure?
  /// The pieces of a streamed answer, `nil` for a call that has none.
  public var pieces: [String]?
  /// What the screen shows in the end.
  public var screen: String
  /// Whether the backend did the work.
  public var isStored: Bool

  /// A report.
  public init(_ error: Failure?, pieces: [String]? = nil, screen: String, isStored: Bool) {
    self.error = error
    self.pieces = pieces
    self.screen = screen
    self.isStored = isStored
  }

  /// All of it in one line.
  public var description: String {
    // Without the names of the module and of the nested type, which tell nobody anything here.
    let result = error.map { "\($0)".replacing(/SharedServices\.\w+/, with: "") } ?? "success"
    let stream = pieces.map { " after \($0.count) event(s)" } ?? ""
    return "\(result)\(stream), “\(screen)”\(isStored ? ", stored" : "")"
  }
}

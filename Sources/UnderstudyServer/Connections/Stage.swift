/// What a connection is about.
enum Stage: Sendable, Hashable {
  /// It waits for a request.
  case idle
  /// A request has begun.
  case head
  /// The body of a request is under way.
  case body
  /// The handler makes its answer.
  case answer
  /// The client does not read the answer as fast as it comes.
  case sending
  /// A fault keeps it silent until the client leaves.
  case silence
  /// It waits until the client has read the last answer.
  case farewell
  /// It speaks another protocol.
  case upgraded

  /// How long it may last; `nil` for ever.
  func limit(_ limits: ServerLimits) -> Duration? {
    switch self {
    case .idle: limits.idleTime
    case .head: limits.headTime
    case .body: limits.bodyTime
    case .sending: limits.writeTime
    case .farewell: .seconds(2)
    case .answer, .silence, .upgraded: nil
    }
  }
}

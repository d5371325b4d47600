/// Why the todos cannot be had.
public enum TodoError: Error, Hashable, Sendable {
  case duplicate
  case notFound
  case offline
  case timedOut
  case connectionLost
  /// The server takes no more calls for so many seconds, if it says how many.
  case busy(seconds: Int?)
  case unreadable
  case unavailable
  case cancelled

  /// The message for the user.
  public var message: String {
    switch self {
    case .duplicate: "There is already one."
    case .notFound: "It no longer exists."
    case .offline: "You are offline."
    case .timedOut: "That took too long. Please try again."
    case .connectionLost: "The connection was lost. Please try again."
    case .busy(let seconds?): "Please try again in \(seconds) seconds."
    case .busy: "Please try again later."
    case .unreadable, .unavailable: "Something is wrong at our end. Please try again later."
    case .cancelled: "Cancelled."
    }
  }
}

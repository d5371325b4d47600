public import Todos
public import UnderstudyDoubles

extension TodoError {
  /// What a fault means to the app when a double throws it: what the live service would make of it.
  public init(_ fault: Fault) {
    switch fault.symptom {
    case .status(404): self = .notFound
    case .status(409): self = .duplicate
    case .status(429):
      self = .busy(seconds: fault.answer?.retryAfter.map { Int($0.components.seconds) })
    case .status(200..<300), .unreadable: self = .unreadable
    case .transport(.offline), .transport(.hostNotFound), .transport(.connectionRefused): self = .offline
    case .transport(.timedOut): self = .timedOut
    case .transport(.connectionLost): self = .connectionLost
    case .transport(.cancelled): self = .cancelled
    case .transport(.tooManyRedirects), .transport(.unreadableResponse): self = .unreadable
    default: self = .unavailable
    }
  }
}

public import Todos
public import Understudy

extension TodoError {
  /// What a fault means to the app when a double throws it: what the live service would make of it.
  public init(_ fault: Fault) {
    switch fault.symptom {
    case .notFound: self = .notFound
    case .conflict: self = .duplicate
    case .rateLimited(let delay): self = .busy(seconds: delay.map { Int($0.components.seconds) })
    case .unreadable: self = .unreadable
    case .offline, .unreachable: self = .offline
    case .timedOut: self = .timedOut
    case .connectionLost: self = .connectionLost
    case .cancelled: self = .cancelled
    default: self = .unavailable
    }
  }
}

public import SharedServices
import SharedServicesLive
public import UnderstudyDoubles
import UnderstudyTransport

extension AppError {
  /// What a fault means to the app when a double throws it: what a live service would make of it.
  public init(_ fault: Fault) {
    switch fault.symptom {
    case .status(let status):
      self.init(
        Refusal(
          status: status, code: fault.answer?.code, message: fault.answer?.message ?? "",
          retryAfter: fault.answer?.retryAfter))
    case .transport(let code): self.init(TransportError(code, "\(fault)"))
    case .unreadable: self = .network(.unreadableAnswer)
    // These fail nothing, so nobody has a name for their error.
    case .delay, .altered: self = .unknown(TransportError(.unknown, "\(fault) makes no call fail."))
    }
  }
}

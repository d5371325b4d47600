public import SharedServices
public import Understudy

extension AppError {
  /// Creates the error that a double throws for a fault: that of a live service which observes the same.
  public init(_ fault: Fault) {
    switch fault.symptom {
    case .unauthorized: self = .network(.unauthorized)
    case .forbidden: self = .network(.forbidden)
    case .notFound: self = .network(.notFound)
    case .conflict: self = .network(.conflict)
    case .unprocessable: self = .validation(.malformed(field: nil))
    case .rateLimited(let delay): self = .network(.rateLimited(retryAfter: delay))
    case .serverError, .unavailable: self = .network(.serverError)
    case .timedOut: self = .network(.timeout)
    case .offline, .unreachable: self = .network(.noConnection)
    case .connectionLost: self = .network(.connectionLost)
    case .cancelled: self = .cancelled
    case .unreadable: self = .network(.unreadableAnswer)
    // The answer of Supabase where a single row is missing (PGRST116).
    case .refused where fault.effect == .refusal(.notAcceptable): self = .network(.notFound)
    // A refusal for any other reason, a double that does not implement the call, and faults with which a call succeeds.
    case .refused, .unimplemented, .delayed, .altered: self = .unknown(fault)
    }
  }
}

extension DataError {
  /// Creates the error that the client of the forum's pages throws for a fault.
  ///
  /// A page that is not the forum's becomes a parsing error, and an answer that is not one of HTTP a network error.
  public init(_ fault: Fault) {
    switch fault.effect {
    case .redirectLoop, .spoiled, .stream(.badFrame): self.init(AppError(fault))
    case _ where fault.symptom == .unreadable: self = .parsingError("\(fault)")
    default: self.init(AppError(fault))
    }
  }

  /// Creates the error that a repository throws for a fault: every fault but a cancellation is a failure of the store.
  ///
  /// All of these are equal, as a file has no status: a sweep need not pair each of them.
  public init(ofStore fault: Fault) {
    self = fault == .cancelled ? .cancelled : .storeError("A fault was injected into the store.")
  }
}

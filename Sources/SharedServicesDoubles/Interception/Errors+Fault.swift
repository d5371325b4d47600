import Foundation
public import SharedServices
public import Understudy
import UnderstudyHTTP
import UnderstudySupabase

extension AppError {
  /// What a fault means to the app when a double throws it: what a live service would make of it.
  public init(_ fault: Fault) {
    if let response = fault.response(in: .supabase) {
      let body = (response.body.chunksInMemory ?? []).reduce(Data(), +)
      let refusal = try? JSONDecoder().decode(PostgRESTError.self, from: body)
      let seconds = response.fields["Retry-After"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
      self.init(
        Refusal(
          status: response.status, code: refusal?.code, message: refusal?.message ?? "",
          retryAfter: seconds.map { .seconds($0) }))
      return
    }
    switch fault.symptom {
    case .timedOut: self = .network(.timeout)
    case .offline, .unreachable: self = .network(.noConnection)
    case .connectionLost: self = .network(.connectionLost)
    case .cancelled: self = .cancelled
    case .unreadable: self = .network(.unreadableAnswer)
    // A double that does not implement the call, and faults with which a call succeeds.
    default: self = .unknown(fault)
    }
  }
}

extension DataError {
  /// Creates the error that the client of the forum's pages throws for a fault.
  ///
  /// An unreadable page, and a page that a fault returns with a success status, becomes a parsing error.
  public init(_ fault: Fault) {
    if fault.symptom == .unreadable, fault.transportError == nil {
      self = .parsingError("\(fault)")
    } else {
      self.init(AppError(fault))
    }
  }
}

extension DataError {
  /// Creates the error that a repository throws for a fault: every fault but a cancellation is a failure of the store.
  ///
  /// All of these are equal, as a file has no status: a sweep need not pair each of them.
  public init(ofStore fault: Fault) {
    self = fault == .cancelled ? .cancelled : .storeError("A fault was injected into the store.")
  }
}

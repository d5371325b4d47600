import Foundation
public import SharedServices
public import Understudy
import UnderstudyHTTP

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
  public init(ofStore fault: Fault) {
    self = fault == .cancelled ? .cancelled : .storeError("The store failed with a fault: \(fault).")
  }
}

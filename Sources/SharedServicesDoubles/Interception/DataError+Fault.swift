import Foundation
public import SharedServices
public import Understudy
import UnderstudyHTTP

extension DataError {
  /// What a fault means to the app when a double throws it: what the client of the forum's pages would make of it.
  ///
  /// A page that makes no sense, and one that a fault hands in with a success, is none that the forum knows.
  public init(_ fault: Fault) {
    if fault.symptom == .unreadable, fault.transportError == nil {
      self = .parsingError("\(fault)")
    } else {
      self.init(AppError(fault))
    }
  }
}

extension DataError {
  /// What a fault means to the app when the double of a repository throws it: the store failed, whatever it is.
  public init(ofStore fault: Fault) {
    self = fault == .cancelled ? .cancelled : .storeError("The store met a fault: \(fault).")
  }
}

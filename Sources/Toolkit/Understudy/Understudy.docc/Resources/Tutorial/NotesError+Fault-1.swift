public import Notes
public import Understudy

extension NotesError {
  /// What the live service would throw for a fault.
  public init(_ fault: Fault) {
    self =
      switch fault.symptom {
      case .unauthorized: .sessionExpired
      case .conflict: .duplicate
      case .offline: .offline
      case .timedOut: .timedOut
      default: .unavailable
      }
  }
}

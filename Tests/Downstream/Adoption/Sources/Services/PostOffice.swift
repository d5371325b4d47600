/// A model of a package that was written before Swift 6, so that nothing says that it is `Sendable`.
public final class Parcel {
  /// In grams.
  public var weight: Int

  /// A parcel of a weight.
  public init(weight: Int) {
    self.weight = weight
  }
}

/// How to send.
public enum Postage {
  case economy, express
}

/// Why a parcel is not sent.
public enum PostError: Error {
  case offline, full
}

/// Why nothing is known of a parcel.
public enum TrackingError: Error {
  case offline, unknownNumber
}

/// A type alias in the protocol, parameters that are not `Sendable`, and an error for each method.
public protocol PostOffice: Sendable {
  typealias Events = [String]

  func send(_ parcel: Parcel, by postage: Postage) async throws(PostError) -> Int
  func events(of number: Int) async throws(TrackingError) -> Events
}

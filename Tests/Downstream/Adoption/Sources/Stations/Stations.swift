public import Foundation

/// Isolated to the main actor by default, as are the targets of its doubles and tests.
public protocol StationService: Refreshing {
  /// Stations near a place.
  func stations(near place: Place) async throws(StationError) -> [Station]
  /// Saves a station.
  func save(_ station: Station) async throws(StationError)
  /// The stations of the last call.
  func cached() -> [Station]
  /// The station of the user.
  var selected: Station? { get }
}

/// A service that can be refreshed.
public protocol Refreshing {
  /// Reads everything again.
  func refresh() async
}

/// Opted out of the isolation.
public nonisolated protocol MapLoader: Sendable {
  /// The image of a tile.
  func tile(_ number: Int) async throws -> Data
  /// The part that is loaded.
  func progress() -> AsyncStream<Double>
}

/// A station.
public struct Station: Equatable {
  /// Its name.
  public let name: String

  /// A station.
  public init(name: String) {
    self.name = name
  }
}

/// A place.
public nonisolated struct Place: Hashable, Sendable {
  /// In degrees.
  public let latitude: Double
  /// In degrees.
  public let longitude: Double

  /// A place.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// What a service throws.
public enum StationError: Error {
  /// The failures.
  case offline, notFound, unknown(String)
}

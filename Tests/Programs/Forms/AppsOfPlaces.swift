// Services as those of apps for maps, weather and travel.

import Foundation

enum PlaceError: Error {
  case denied, notFound
  case server(status: Int)
}

struct Coordinate: Hashable, Sendable {
  var latitude: Double
  var longitude: Double
}

struct Place: Identifiable, Hashable, Sendable {
  let id: Int
  let name: String
  let coordinate: Coordinate
}

struct Route {
  let steps: [String]
  let distance: Measurement<UnitLength>
}

// generated
// logged: distance
protocol MapService: Sendable {
  func places(near coordinate: Coordinate, within radius: Double) async throws(PlaceError) -> [Place]
  func place(_ id: Place.ID) async throws(PlaceError) -> Place
  func distance(from one: Coordinate, to other: Coordinate) -> Double
  func geocode(_ address: String) async -> Result<[Place], PlaceError>
}

// generated --failure PlaceError.init
// logged: cancel
protocol RoutePlanner {
  func route(
    from start: Coordinate, to end: Coordinate, via stops: [Coordinate],
    completion: @escaping (Route?, Error?) -> Void)
  func eta(to end: Coordinate, completion: @escaping (Result<Date, PlaceError>) -> Void)
  func cancel()
}

struct Forecast: Hashable, Sendable {
  struct Day: Hashable, Sendable {
    let date: Date
    let high: Double
  }

  let days: [Day]
}

// generated --failure PlaceError.init
// delayed: alerts
protocol WeatherService: Sendable {
  func forecast(for place: Place, days: Int, units: String) async throws -> Forecast
  func current(at coordinate: Coordinate) async throws(PlaceError) -> Forecast.Day?
  func alerts() async -> [String]
  func radar(at coordinate: Coordinate) -> AsyncThrowingStream<Data, any Error>
}

// generated
// logged: isAuthorized, stop
// delayed: requestAuthorization
@MainActor protocol LocationProvider: AnyObject {
  var isAuthorized: Bool { get }
  func requestAuthorization() async -> Bool
  func location() async throws(PlaceError) -> Coordinate
  func locations() -> AsyncStream<Coordinate>
  func stop()
}

// refused --write unimplemented: TransitService: a where clause constrains its associated types
// generated --write intercepted
// logged: name
protocol TransitService: Sendable {
  associatedtype Stop: Identifiable & Sendable where Stop.ID == Int
  var name: String { get }
  func departures(from stop: Stop.ID) async throws(PlaceError) -> [Date]
}

// generated
protocol TravelBooking: Sendable {
  func search(_ query: (from: String, to: String, on: Date)) async throws(PlaceError) -> [Int: Decimal]
  func book(_ offer: Int, passengers: [String], seat: String?) async throws(PlaceError) -> UUID
  func cancel(_ booking: UUID, reason: String?, completion: @escaping @Sendable (PlaceError?) -> Void)
  func boardingPass(_ booking: UUID) throws(PlaceError) -> Data
}

// generated --failure PlaceError.init
// logged: drivers
protocol RideService: Sendable {
  func request(from start: Coordinate, to end: Coordinate) async throws -> Int
  func drivers(near place: Coordinate, handler: @escaping @Sendable ([Coordinate]) -> Void)
  func cancel(_ ride: Int) async throws(PlaceError)
  func rate(
    _ ride: Int, stars: Int, comment: String?, completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
}

import Foundation

/// Not isolated, and tested by a target that is isolated to the main actor by default.
protocol TrainService: Sendable {
  /// The departures of a station; the next one first.
  func departures(from station: String, after date: Date) async throws(TrainError) -> [Departure]
  func changes() -> AsyncThrowingStream<Departure, any Error>
  func isCached(_ station: String) -> Bool
  var home: String { get async throws(TrainError) }
}

struct Departure: Codable, Equatable, Sendable {
  let id: UUID
  var platform: Int
}

enum TrainError: Error {
  case offline, server(Int)
}

/// Without an error of its own: the errors are those of the session.
protocol TicketClient {
  func buy(_ departure: Departure) async throws -> Data
  /// The error among its parameters is `Sendable`, and it is not.
  func prices() async throws -> Prices<Decimal, any Error>
}

final class Prices<Price, Failure: Error> {
  var latest: Price?
}

/// Failures that are returned.
protocol SeatService: Sendable {
  func seats(of train: String) async -> Result<[Int], TrainError>
  func reserve(_ seat: Int) async -> Result<Void, TrainError>
}

/// On the main actor, although its module is not.
@MainActor protocol TrainBoard: AnyObject {
  var title: String { get set }
  func show(_ departures: [Departure])
  func refresh() async throws
}

/// An error for each method.
protocol LuggageStore: Sendable {
  func store(_ weight: Double) async throws(TrainError) -> UUID
  func fetch(_ id: UUID) async throws(LuggageError)
}

struct LuggageError: Error, Equatable {
  var message: String
}

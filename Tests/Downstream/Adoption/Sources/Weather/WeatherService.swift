public import Foundation

/// Plain throws: the errors are those of the session.
public protocol WeatherService: Sendable {
  /// The forecast of the next days at a place.
  func forecast(latitude: Double, longitude: Double) async throws -> [Forecast]
  /// Warnings, as they are issued.
  func warnings() -> AsyncThrowingStream<String, any Error>
}

/// The weather of a day.
public struct Forecast: Codable, Sendable {
  /// The day.
  public let day: Date
  /// The highest temperature.
  public let high: Double

  /// A forecast.
  public init(day: Date, high: Double) {
    self.day = day
    self.high = high
  }
}

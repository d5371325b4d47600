public import Foundation

/// Streams of every spelling beside calls.
public protocol OrderFeed: Sendable {
  func orders(of customer: UUID) -> AsyncThrowingStream<Order, any Error>
  func connection() async -> AsyncStream<Bool>
  func changes(since date: Date) async throws -> AsyncThrowingStream<[Order], any Error>
  var prices: AsyncStream<Decimal> { get }
  func anything() -> any AsyncSequence<Order, any Error> & Sendable
  func cancel(_ id: Order.ID) async throws
}

/// An order.
public struct Order: Codable, Sendable, Identifiable {
  /// Whether it was sent.
  public enum State: String, Codable, Sendable {
    case open, sent
  }

  /// The number.
  public let id: UUID
  /// Whether it was sent.
  public var state: State

  /// An order.
  public init(id: UUID, state: State) {
    self.id = id
    self.state = state
  }
}

/// Why the feed broke.
public enum OrderFeedError: Error {
  case noConnection, timeout, malformedMessage, serverError(code: Int, message: String), cancelled
}

// Calls that answer more than once, or later.

import Foundation

enum FeedError: Error {
  case closed
}

struct Ticks: AsyncSequence, AsyncIteratorProtocol, Sendable {
  mutating func next() async -> Int? { nil }
  func makeAsyncIterator() -> Self { self }
}

// generated
protocol Streams: Sendable {
  func updates() -> AsyncStream<Int>
  func updates(after id: Int) async -> AsyncStream<[String]>
  var events: AsyncStream<String> { get }
}

// generated --failure FeedError.init
protocol ThrowingStreams: Sendable {
  func updates() -> AsyncThrowingStream<Int, any Error>
  func pages(of name: String) async throws -> AsyncThrowingStream<String, Error>
  var live: AsyncThrowingStream<Int, any Error> { get }
}

// generated
protocol ThrowingCallOfStream: Sendable {
  func subscribe(to topic: String) async throws(FeedError) -> AsyncStream<Int>
}

// generated --failure FeedError.init
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
protocol AnySequence: Sendable {
  func numbers() async throws -> any AsyncSequence<Int, any Error> & Sendable
  func ticks() -> any AsyncSequence<Int, Never> & Sendable
}

// generated --failure FeedError.init
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
protocol AnySequenceWithoutConstraints {
  func numbers() -> any AsyncSequence<Int, any Error>
  func ticks() -> any AsyncSequence<Int, Never>
}

// generated --failure FeedError.init
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
protocol SomeSequence: Sendable {
  func upload(_ parts: some AsyncSequence<Data, Never> & Sendable) async throws -> Int
}

// generated
// logged: ticks, optional
protocol OwnSequence: Sendable {
  func ticks() -> Ticks
  func optional() -> AsyncStream<Int>?
}

// generated
// logged: updates
protocol AssociatedSequence: Sendable {
  associatedtype Updates: AsyncSequence & Sendable
  func updates() -> Updates
}

// generated --failure FeedError.init
protocol ReturnsTask: Sendable {
  func download(_ name: String) -> Task<Data, Error>
  @discardableResult func refresh() -> Task<Void, any Error>
}

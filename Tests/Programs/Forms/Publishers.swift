// Calls that return a publisher of Combine, whose stand-in is compiled here.

import Combine

enum FeedError: Error {
  case offline
}

enum CacheError: Error {
  case full
}

struct Post: Sendable {
  let text: String
}

class Draft {
  var text = ""
}

typealias Response<Value> = AnyPublisher<Value, FeedError>

// generated
protocol PublishesWithOneError: Sendable {
  func posts() -> AnyPublisher<[Post], FeedError>
  func post(_ id: Int, in folder: String) -> AnyPublisher<Post?, FeedError>
  func remove(_ id: Int) -> Response<Void>
  var unread: AnyPublisher<Int, FeedError> { get }
}

// generated --failure FeedError.init
protocol PublishesWithAnyError {
  func posts() -> AnyPublisher<[Post], Error>
  func drafts() -> AnyPublisher<[Draft], any Error>
}

// generated
protocol PublishesWithoutError: AnyObject {
  var isOnline: AnyPublisher<Bool, Never> { get }
  func counts(of name: String) -> AnyPublisher<Int, Never>
}

// generated
protocol PublishesWithTwoErrors {
  func posts() -> AnyPublisher<[Post], FeedError>
  func store(_ post: Post) -> AnyPublisher<Void, CacheError>
  func save(_ post: Post) async throws(CacheError)
}

// generated
protocol PublishesAnyPublisher {
  func posts() -> any Publisher<[Post], FeedError>
  var unread: any Publisher<Int, Never> { get }
}

// generated --failure FeedError.init
protocol PublishesGenerically {
  func load<Value: Decodable & Sendable>(_ type: Value.Type) -> AnyPublisher<Value, Error>
}

// generated
protocol PublishesForArgumentsThatAreNotSendable {
  func store(_ draft: Draft) -> AnyPublisher<Void, FeedError>
  func map(_ transform: @escaping (Post) -> Post) -> AnyPublisher<[Post], FeedError>
}

// generated
// logged: posts
@MainActor protocol PublishesOnMainActor {
  func posts() -> AnyPublisher<[Post], FeedError>
}

// generated --failure FeedError.init
// logged: subject
protocol PublishesInOtherWays {
  var subject: PassthroughSubject<Int, Never> { get }
  func later() async throws -> AnyPublisher<Int, Never>
}

// generated
protocol PublishesAssociatedType {
  associatedtype Entity: Sendable
  func all() -> AnyPublisher<[Entity], FeedError>
}

// generated
struct PublishingClient {
  var posts: @Sendable () -> AnyPublisher<[Post], FeedError>
  var post: @Sendable (_ id: Int) -> AnyPublisher<Post, FeedError>
}

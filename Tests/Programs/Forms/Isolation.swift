// Where calls run.

import Foundation

enum ScreenError: Error {
  case gone
}

@globalActor actor StoreActor {
  static let shared = StoreActor()
}

// generated
// logged: close
protocol ClassBound: AnyObject {
  func load() async throws(ScreenError) -> Int
  func close()
}

// generated
// logged: close
protocol ClassBoundAndSendable: AnyObject, Sendable {
  func load() async throws(ScreenError) -> Int
  func close()
}

// generated --failure ScreenError.init
// logged: title, show
@MainActor protocol OnMainActor {
  var title: String { get }
  func load() async throws -> [String]
  func show(_ text: String)
  func check() throws(ScreenError)
}

// generated
// logged: title, setTitle, prefetch
@MainActor protocol ClassOnMainActor: AnyObject {
  var title: String { get set }
  func load(completion: @escaping @MainActor (Result<String, ScreenError>) -> Void)
  nonisolated func prefetch()
}

// generated
// logged: name
@MainActor protocol NonisolatedMembers: Sendable {
  nonisolated var name: String { get }
  nonisolated func prefetch() async throws(ScreenError)
  nonisolated func check() throws(ScreenError)
  func load() async throws(ScreenError)
}

// generated
// logged: show, isShown
protocol MembersOnMainActor: Sendable {
  @MainActor func show(_ text: String)
  @MainActor func load() async throws(ScreenError) -> String
  @MainActor var isShown: Bool { get }
  func save() async throws(ScreenError)
}

// generated
// logged: size
@StoreActor protocol OnOwnActor: Sendable {
  func store(_ bytes: [UInt8]) async throws(ScreenError) -> Int
  func size() -> Int
}

// generated
// logged: count
protocol ActorProtocol: Actor {
  func load() async throws(ScreenError) -> Int
  func count() -> Int
}

// generated --failure ScreenError.init
// logged: name, subscript
protocol ActorOfManyForms: Actor {
  associatedtype Entry: Sendable
  nonisolated var name: String { get }
  static var kind: String { get }
  subscript(_ number: Int) -> Int { get }
  func check() throws(ScreenError)
  func store(_ entry: Entry) throws -> Int
  func last() -> Result<Entry, ScreenError>
  func entries() -> AsyncThrowingStream<Entry, Error>
  func entry(_ id: Int, named name: String) async throws -> Entry
}

// generated
// logged: count, count, reset
protocol ActorThatRefinesAnother: ActorProtocol {
  func reset()
}

// refused: replace(completion:): it is isolated to its actor
// refused: title: it is isolated to its actor
protocol ActorWithHandler: Actor {
  var title: String { get set }
  func replace(completion: @escaping @Sendable (Result<Int, ScreenError>) -> Void)
}

// generated
protocol StaysWithCaller: Sendable {
  nonisolated(nonsending) func load(_ name: String) async throws(ScreenError) -> Int
  @concurrent func compute(_ number: Int) async throws(ScreenError) -> Int
}

// generated
// logged: show
nonisolated protocol NonisolatedProtocol: Sendable {
  func load() async throws(ScreenError)
  @MainActor func show()
}

// generated
@preconcurrency protocol BeforeConcurrency: AnyObject {
  func load(completion: @escaping @Sendable (Result<Int, ScreenError>) -> Void)
}

// Associated types.

import Foundation

enum RepositoryError: Error {
  case missing
}

// generated --failure RepositoryError.init
protocol AssociatedType {
  associatedtype Entity
  func save(_ entity: Entity) async throws
  func all() async throws -> [Entity]
}

// generated --failure RepositoryError.init
protocol AssociatedTypeWithID: Sendable {
  associatedtype Entity: Identifiable & Sendable
  func save(_ entity: Entity) async throws
  func entity(_ id: Entity.ID) async throws -> Entity?
  func remove(_ ids: [Entity.ID]) async throws
}

// generated --failure RepositoryError.init
protocol PrimaryAssociatedType<Item>: Sendable {
  associatedtype Item: Hashable & Sendable
  func save(_ item: Item) async throws
  func all() async throws(RepositoryError) -> [Self.Item]
}

// generated
// logged: latest
protocol TwoAssociatedTypes<Key, Value>: Sendable {
  associatedtype Key: Hashable, Sendable
  associatedtype Value: Sendable = String
  func value(for key: Key) async throws(RepositoryError) -> Value?
  func set(_ values: [Key: Value]) async throws(RepositoryError)
  var latest: Value? { get }
}

// refused --write unimplemented: ConstrainedAssociatedType: a where clause constrains its associated types
// generated --write intercepted
protocol ConstrainedAssociatedType: Sendable {
  associatedtype Items: Collection & Sendable where Items.Element == String
  func save(_ items: Items) async throws(RepositoryError)
}

// refused: run(): it throws an associated type
protocol AssociatedError: Sendable {
  associatedtype Failure: Error
  func run() async throws(Failure)
}

// generated --failure RepositoryError.init
protocol AssociatedTypeInCompletion {
  associatedtype Model
  func load(completion: @escaping (Result<Model, Error>) -> Void)
  func loadAll(completion: @escaping ([Model]?, RepositoryError?) -> Void)
}

// refused --write unimplemented: AssociatedProtocol: a where clause constrains its associated types
// generated --write intercepted
// logged: store
protocol AssociatedProtocol: Sendable {
  associatedtype Store: PrimaryAssociatedType<String>
  var store: Store { get }
  func reset(_ item: Store.Item) async throws(RepositoryError)
}

// refused --write unimplemented --failure RepositoryError.init: SettlesAssociatedType: a where clause constrains its associated types
// generated --write intercepted --failure RepositoryError.init
protocol SettlesAssociatedType: PrimaryAssociatedType where Item == Int {
  func sum() async throws(RepositoryError) -> Item
}

// generated --failure RepositoryError.init
@MainActor protocol AssociatedTypeOnMainActor: AnyObject {
  associatedtype Row: Identifiable
  func rows() async throws -> [Row]
  func row(_ id: Row.ID) throws -> Row
}

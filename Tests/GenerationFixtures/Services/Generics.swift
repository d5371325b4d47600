/// Generic methods.
public protocol Coding: Sendable {
  func encode<Value: Encodable & Sendable>(_ value: Value) async throws -> String
  func decode<Value>(_ type: Value.Type, from text: String) async throws -> Value
  where Value: Decodable, Value: SendableMetatype
  func describe(_ values: some Sequence<Int> & Sendable) async throws -> String
  func join<each Part: Sendable>(_ part: repeat each Part) async throws -> Int
}

/// Associated types.
public protocol Repository<Item>: Sendable {
  associatedtype Item: Hashable & Sendable
  associatedtype Marker: Sendable = Int
  func save(_ item: Item) async throws
  func all() async throws(TodoError) -> [Self.Item]
  func first(where isIncluded: @Sendable (Item) -> Bool) async -> Item?
}

/// Two protocols may have associated types of the same name.
public protocol Cache<Item>: Sendable {
  associatedtype Item: Sendable
  func cached() async throws -> Item?
}

/// An associated type may be settled by a protocol that refines another.
public protocol Numbers: Repository where Item == Int {
  func sum() async throws(TodoError) -> Item
}

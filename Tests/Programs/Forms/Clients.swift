// Structures of closures, which have the place of a protocol in some apps.

import Foundation

enum ItemError: Error {
  case offline
}

struct Item: Hashable, Identifiable, Sendable {
  let id: Int
}

// generated --failure ItemError.init
struct ItemClient: Sendable {
  var fetch: @Sendable (Int) async throws -> Item
  var save: @Sendable (Item) async throws -> Void
}

// generated
struct TypedClient: Sendable {
  var fetch: @Sendable (_ id: Item.ID) async throws(ItemError) -> Item
  var all: @Sendable () async throws(ItemError) -> [Item]
}

// generated --failure ItemError.init
// logged: now, track
// delayed: count
struct MixedClient: Sendable {
  var baseURL: URL
  var now: @Sendable () -> Date
  var count: @Sendable () async -> Int
  var check: @Sendable (String) throws -> Void
  var price: @Sendable (Item) -> Result<Int, ItemError>
  var updates: @Sendable () -> AsyncStream<Item>
  var pages: @Sendable (_ size: Int) -> AsyncThrowingStream<[Item], any Error>
  var load: @Sendable (_ id: Int, _ completion: @escaping @Sendable (Result<Item, ItemError>) -> Void) -> Void
  var track: @Sendable (_ name: String, _ values: [String: String]) -> Void
}

// refused --failure ItemError.init: fetch: it is a constant
// refused --failure ItemError.init: remove: it is a constant
struct ClientOfConstants: Sendable {
  let fetch: @Sendable (Int) async throws -> Item
  let remove: @Sendable (Item) throws -> Void
}

// refused: ClientWithoutSendable: it is not Sendable
struct ClientWithoutSendable {
  var fetch: (Int) async throws(ItemError) -> Item
}

// generated
// logged: show
@MainActor struct ClientOnMainActor {
  var fetch: @MainActor (Int) async throws(ItemError) -> Item
  var show: @MainActor (Item) -> Void
}

// generated
struct ClientWithInitializer: Sendable {
  var names: @Sendable () async throws(ItemError) -> [String]
  private var cache: [String] = []

  init(names: @escaping @Sendable () async throws(ItemError) -> [String]) {
    self.names = names
  }
}

enum Feature {
  // generated
  struct Client: Sendable {
    var fetch: @Sendable (Int) async throws(ItemError) -> Item
  }
}

import Understudy

/// A service whose ids are numbers.
protocol CounterService: Sendable {
  func items() async throws -> [CountedItem]
  func add(_ name: String) async throws -> CountedItem
  func remove(id: Int) async throws
}

struct CountedItem: Codable, Equatable, Sendable {
  let id: Int
  let name: String
}

enum CounterError: Error { case missing }

enum CounterMistake { case removesTheLast }

final class NumberedItems: CounterService {
  private let mistake: CounterMistake?
  private let state: Locked<(items: [CountedItem], next: Int)>

  init(from first: Int, _ mistake: CounterMistake?) {
    self.mistake = mistake
    state = Locked(([], first))
  }

  func items() async throws -> [CountedItem] { state.withLock(\.items) }

  func add(_ name: String) async throws -> CountedItem {
    state.withLock { state in
      defer { state.next += 1 }
      state.items.append(CountedItem(id: state.next, name: name))
      return state.items[state.items.count - 1]
    }
  }

  func remove(id: Int) async throws {
    let isKnown = state.withLock { state in
      guard let place = state.items.firstIndex(where: { $0.id == id }) else { return false }
      state.items.remove(at: mistake == .removesTheLast ? state.items.count - 1 : place)
      return true
    }
    if !isKnown { throw CounterError.missing }
  }
}

extension Intercepted: CounterService where Base: CounterService {
  func items() async throws -> [CountedItem] {
    try await intercept(Operation("items"), failure: { $0 as any Error }) { base throws in
      try await base.items()
    }
  }

  func add(_ name: String) async throws -> CountedItem {
    try await intercept(Operation("add"), name, failure: { $0 as any Error }) { base, name throws in
      try await base.add(name)
    }
  }

  func remove(id: Int) async throws {
    try await intercept(Operation("remove"), id, failure: { $0 as any Error }) { base, id throws in
      try await base.remove(id: id)
    }
  }
}

extension ServiceOperations where Subject == any CounterService {
  static var counter: Self {
    Self(
      observing: { base, observer in
        func observed(_ base: some CounterService) -> any CounterService {
          Intercepted(base, by: .observer(observer))
        }
        return observed(base)
      },
      ServiceOperation("items()") { base in try await base.items() },
      ServiceOperation("add(_:)") { base, name in try await base.add(name) },
      ServiceOperation("remove(id:)") { base, id in try await base.remove(id: id) })
  }
}

extension Implementation where Subject == any CounterService {
  static func counter(_ name: String, from first: Int, _ mistake: CounterMistake? = nil) -> Self {
    .double(name, NumberedItems(from: first, mistake)) { $0 }
  }
}

extension Contract where Subject == any CounterService {
  static var counter: Self {
    Contract("counter") {
      Clause("counter.remove", "A removed item is not listed.") { trial in
        let item = try await trial.subject.add("Milk")
        try await trial.subject.remove(id: item.id)
        trial.expect(try await trial.subject.items(), equals: [])
      }
    }
  }
}

extension Condition where Fixture == Book {
  /// The shelf has a book.
  static var hasBook: Self { Condition("the shelf has a book") }
}

extension Implementation where Subject == any ShelfService {
  /// An implementation that supports ``Condition/hasBook``.
  static func owned(_ name: String, _ mistake: Mistake? = nil) -> Self {
    .double(name, Shelf(mistake)) { shelf, trial in
      trial.on(.hasBook) {
        try await shelf.base.add(Draft(title: "Lady Susan", note: "Letters.", pages: 100))
      }
      return shelf
    }
  }
}

extension Contract where Subject == any ShelfService {
  static var owned: Self {
    Contract("shelf") {
      Clause("shelf.owned", "A book of the shelf can be updated.") { trial in
        var book = try await trial.given(.hasBook)
        book.pages = 3
        try await trial.subject.update(book)
        trial.expect(try await trial.subject.books(), equals: [book])
      }
    }
  }
}

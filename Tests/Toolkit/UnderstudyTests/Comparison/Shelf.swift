import Foundation

@testable import Understudy

/// A service for comparisons, with ids that it makes, a nested error, a list as argument and a stream that stays open.
protocol ShelfService: Sendable {
  /// All books, the oldest first.
  func books() async throws(ShelfError) -> [Book]
  /// Stores a book; titles are unique, scalar for scalar.
  func add(_ draft: Draft) async throws(ShelfError) -> Book
  /// Replaces a book.
  func update(_ book: Book) async throws(ShelfError)
  /// Removes all of the books or, if one is missing, none.
  func remove(_ ids: [UUID]) async throws(ShelfError)
  /// The first books, at least one.
  func first(_ count: Int) async throws(ShelfError) -> [Book]
  /// What changes from now on.
  func changes() -> AsyncStream<ShelfChange>
}

struct Draft: Codable, Equatable, Sendable {
  var title: String
  var note: String?
  var pages: Int
}

struct Book: Codable, Equatable, Sendable {
  var id: UUID
  var title: String
  var note: String?
  var pages: Int
}

enum ShelfChange: Codable, Equatable, Sendable {
  case added(Book)
  case updated(Book)
  case removed(ids: [UUID])
}

enum ShelfError: Error, Equatable, CustomStringConvertible {
  enum Network { case offline, server }

  case network(Network)
  case taken(title: String)
  case notFound, invalid

  init(_ fault: Fault) { self = .network(fault.symptom == .offline ? .offline : .server) }

  /// A text for users, which hides the case.
  var description: String { "The book was not stored." }
}

/// What a wrong twin does.
enum Mistake: CaseIterable, Sendable {
  case comparesCanonically, composesTitles, allowsDuplicates, trimsTitles, truncatesTitles, emptiesNotes,
    clampsPages
  case newestFirst, firstIsOneShort, acceptsNothing, refusesWithAnotherError, removesBeforeItFails
  case updateKeepsNote, keepsRemovedTitles, missesARemoval, reportsFailedUpdates, reportsInReverse
  case waitsForNothing
}

/// The service in memory, right or wrong.
final class Shelf: ShelfService {
  struct State: Sendable {
    var books: [Book] = []
    var titles: Set<[UInt8]> = []
    var generator = SeededGenerator(seed: 0)
    var readers: [AsyncStream<ShelfChange>.Continuation] = []
    var removed: Set<String> = []
  }

  private let mistake: Mistake?
  private let state: Locked<State>

  init(_ mistake: Mistake? = nil, in state: Locked<State> = Locked(State())) {
    (self.mistake, self.state) = (mistake, state)
  }

  func books() async throws(ShelfError) -> [Book] {
    state.withLock { mistake == .newestFirst ? $0.books.reversed() : $0.books }
  }

  func add(_ draft: Draft) async throws(ShelfError) -> Book {
    if mistake == .waitsForNothing, draft.pages > 1_000 {
      let (nothing, continuation) = AsyncStream<Never>.makeStream()
      for await _ in nothing {}
      continuation.finish()
    }
    let result = state.withLock { state -> Result<Book, ShelfError> in
      var book = Book(id: state.nextID(), title: draft.title, note: draft.note, pages: draft.pages)
      guard !book.title.isEmpty, book.pages > 0 else {
        return .failure(mistake == .refusesWithAnotherError && book.pages <= 0 ? .notFound : .invalid)
      }
      let isTaken = state.books.contains {
        mistake == .comparesCanonically
          ? $0.title == book.title : $0.title.utf8.elementsEqual(book.title.utf8)
      }
      let wasTaken = mistake == .keepsRemovedTitles && state.removed.contains(book.title)
      if isTaken && mistake != .allowsDuplicates || wasTaken { return .failure(.taken(title: book.title)) }
      switch mistake {
      case .composesTitles: book.title = book.title.precomposedStringWithCanonicalMapping
      case .trimsTitles: book.title = book.title.trimmingCharacters(in: .whitespaces)
      case .truncatesTitles: book.title = String(book.title.prefix(255))
      case .emptiesNotes: book.note = book.note ?? ""
      case .clampsPages: book.pages = min(book.pages, Int(Int32.max))
      default: break
      }
      state.books.append(book)
      state.tell(.added(book))
      return .success(book)
    }
    return try result.get()
  }

  func update(_ book: Book) async throws(ShelfError) {
    let result = state.withLock { state -> Result<Void, ShelfError> in
      guard let place = state.books.firstIndex(where: { $0.id == book.id }) else {
        if mistake == .reportsFailedUpdates { state.tell(.updated(book)) }
        return .failure(.notFound)
      }
      guard !book.title.isEmpty, book.pages > 0 else { return .failure(.invalid) }
      if state.books.contains(where: { $0.id != book.id && $0.title.utf8.elementsEqual(book.title.utf8) }) {
        return .failure(.taken(title: book.title))
      }
      var book = book
      if mistake == .updateKeepsNote { book.note = book.note ?? state.books[place].note }
      state.books[place] = book
      state.tell(.updated(book))
      return .success(())
    }
    try result.get()
  }

  func remove(_ ids: [UUID]) async throws(ShelfError) {
    let result = state.withLock { state -> Result<Void, ShelfError> in
      if ids.isEmpty { return mistake == .acceptsNothing ? .success(()) : .failure(.invalid) }
      let isKnown = ids.allSatisfy { id in state.books.contains { $0.id == id } }
      guard isKnown || mistake == .removesBeforeItFails else { return .failure(.notFound) }
      state.removed.formUnion(state.books.filter { ids.contains($0.id) }.map(\.title))
      state.books.removeAll { ids.contains($0.id) }
      guard isKnown else { return .failure(.notFound) }
      if mistake != .missesARemoval {
        state.tell(.removed(ids: mistake == .reportsInReverse ? ids.reversed() : ids))
      }
      return .success(())
    }
    try result.get()
  }

  func first(_ count: Int) async throws(ShelfError) -> [Book] {
    guard count > 0 else { throw .invalid }
    return state.withLock { Array($0.books.prefix(mistake == .firstIsOneShort ? max(1, count - 1) : count)) }
  }

  /// Forwarded by a task of its own, as doubles often do.
  func changes() -> AsyncStream<ShelfChange> {
    let (source, continuation) = AsyncStream<ShelfChange>.makeStream()
    state.withLock { $0.readers.append(continuation) }
    return AsyncStream { reader in
      let task = Task {
        for await change in source { reader.yield(change) }
        reader.finish()
      }
      reader.onTermination = { _ in task.cancel() }
    }
  }
}

extension Shelf.State {
  fileprivate mutating func nextID() -> UUID { UUID(uuidString: generator.nextUUIDString()) ?? UUID() }

  fileprivate func tell(_ change: ShelfChange) {
    for reader in readers { reader.yield(change) }
  }
}

extension Intercepted: ShelfService where Base: ShelfService {
  func books() async throws(ShelfError) -> [Book] {
    try await intercept(Operation("books"), failure: ShelfError.init) { base throws(ShelfError) in
      try await base.books()
    }
  }

  func add(_ draft: Draft) async throws(ShelfError) -> Book {
    try await intercept(Operation("add"), draft, failure: ShelfError.init) { base, draft throws(ShelfError) in
      try await base.add(draft)
    }
  }

  func update(_ book: Book) async throws(ShelfError) {
    try await intercept(Operation("update"), book, failure: ShelfError.init) {
      base, book throws(ShelfError) in
      try await base.update(book)
    }
  }

  func remove(_ ids: [UUID]) async throws(ShelfError) {
    try await intercept(Operation("remove"), ids, failure: ShelfError.init) { base, ids throws(ShelfError) in
      try await base.remove(ids)
    }
  }

  func first(_ count: Int) async throws(ShelfError) -> [Book] {
    try await intercept(Operation("first"), count, failure: ShelfError.init) {
      base, count throws(ShelfError) in
      try await base.first(count)
    }
  }

  func changes() -> AsyncStream<ShelfChange> {
    interceptStream(Operation("changes")) { base in base.changes() }
  }
}

extension ServiceOperations where Subject == any ShelfService {
  static var shelfService: Self {
    Self(
      observing: { base, observer in
        func observed(_ base: some ShelfService) -> any ShelfService {
          Intercepted(base, by: .observer(observer))
        }
        return observed(base)
      },
      ServiceOperation("books()") { base in try await base.books() },
      ServiceOperation("add(_:)") { base, draft in try await base.add(draft) },
      ServiceOperation("update(_:)") { base, book in try await base.update(book) },
      ServiceOperation("remove(_:)") { base, ids in try await base.remove(ids) },
      ServiceOperation("first(_:)") { base, count in try await base.first(count) },
      ServiceOperation(stream: "changes()") { base in base.changes() })
  }
}

extension Implementation where Subject == any ShelfService {
  static func shelf(
    _ mistake: Mistake? = nil, named name: String = "in-memory",
    firstID: UInt64 = 0, in state: Locked<Shelf.State>? = nil
  ) -> Self {
    Implementation(name) { trial in
      // The ids differ from those of another implementation with the same seed.
      let own = Locked(Shelf.State(generator: SeededGenerator(seed: trial.seed &+ firstID)))
      let shelf = trial.intercept(Shelf(mistake, in: state ?? own))
      trial.setUpFailures(of: shelf)
      return shelf
    }
  }
}

extension Contract where Subject == any ShelfService {
  /// Clauses that each mistake passes.
  static var shelfService: Self {
    Contract("shelf") {
      Clause("shelf.add", "An added book is listed.") { trial in
        let shelf = trial.subject
        let book = try await shelf.add(Draft(title: "Emma", note: "Read.", pages: 500))
        trial.expect(try await shelf.books(), equals: [book])
        await trial.expect(throws: ShelfError.invalid) {
          try await shelf.add(Draft(title: "", note: nil, pages: 1))
        }
      }
      Clause("shelf.update", "An updated book has its new pages.") { trial in
        let shelf = trial.subject
        var book = try await shelf.add(Draft(title: "Persuasion", note: nil, pages: 250))
        book.pages = 300
        try await shelf.update(book)
        trial.expect(try await shelf.first(10), equals: [book])
      }
      Clause("shelf.remove", "A removed book is not listed.") { trial in
        let shelf = trial.subject
        let book = try await shelf.add(Draft(title: "Sanditon", note: nil, pages: 100))
        let changes = shelf.changes()
        try await shelf.remove([book.id])
        trial.expect(try await shelf.books(), equals: [])
        withExtendedLifetime(changes) {}
      }
    }
  }
}

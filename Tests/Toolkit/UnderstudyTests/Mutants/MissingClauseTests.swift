import TestSupport
import Testing
import Understudy
import UnderstudyTesting

private struct Bookmark: Codable, Hashable, Sendable {
  var title: String
  var page: String
}

private enum BookmarkError: Error { case duplicate, notFound, unreachable }

private protocol BookmarkService: Sendable {
  func add(_ bookmark: Bookmark) async throws(BookmarkError)
  func rename(_ title: String, to other: String) async throws(BookmarkError)
  func remove(_ title: String) async throws(BookmarkError)
  /// The last ones first, whatever the case of the text.
  func search(_ text: String, limit: Int) async throws(BookmarkError) -> [Bookmark]
}

private final class InMemoryBookmarks: BookmarkService {
  private let all = Locked<[Bookmark]>([])

  func add(_ bookmark: Bookmark) async throws(BookmarkError) {
    let isNew = all.withLock { all in
      if all.contains(where: { $0.title == bookmark.title }) { return false }
      all.insert(bookmark, at: 0)
      return true
    }
    if !isNew { throw .duplicate }
  }

  func rename(_ title: String, to other: String) async throws(BookmarkError) {
    try change(title) { $0[$1].title = other }
  }

  func remove(_ title: String) async throws(BookmarkError) { try change(title) { $0.remove(at: $1) } }

  private func change(_ title: String, _ change: (inout [Bookmark], Int) -> Void) throws(BookmarkError) {
    let isKnown = all.withLock { all in
      guard let place = all.firstIndex(where: { $0.title == title }) else { return false }
      change(&all, place)
      return true
    }
    if !isKnown { throw .notFound }
  }

  func search(_ text: String, limit: Int) async throws(BookmarkError) -> [Bookmark] {
    all.withLock { all in
      Array(all.filter { text.isEmpty || $0.title.lowercased().contains(text.lowercased()) }.prefix(limit))
    }
  }
}

extension Intercepted.Operation where Base: BookmarkService {
  fileprivate static var add: Self { Self("add") }
  fileprivate static var rename: Self { Self("rename") }
  fileprivate static var remove: Self { Self("remove") }
  fileprivate static var search: Self { Self("search") }
}

extension Intercepted: BookmarkService where Base: BookmarkService {
  func add(_ bookmark: Bookmark) async throws(BookmarkError) {
    try await intercept(.add, bookmark, failure: { _ in .unreachable }) {
      base, bookmark throws(BookmarkError) in
      try await base.add(bookmark)
    }
  }

  func rename(_ title: String, to other: String) async throws(BookmarkError) {
    try await intercept(.rename, title, other, failure: { _ in .unreachable }) {
      base, title, other throws(BookmarkError) in
      try await base.rename(title, to: other)
    }
  }

  func remove(_ title: String) async throws(BookmarkError) {
    try await intercept(.remove, title, failure: { _ in .unreachable }) {
      base, title throws(BookmarkError) in
      try await base.remove(title)
    }
  }

  func search(_ text: String, limit: Int) async throws(BookmarkError) -> [Bookmark] {
    try await intercept(.search, text, limit, failure: { _ in .unreachable }) {
      base, text, limit throws(BookmarkError) in
      try await base.search(text, limit: limit)
    }
  }
}

extension ServiceOperations where Subject == any BookmarkService {
  fileprivate static var bookmarks: Self {
    Self(
      observing: { base, observer in
        func observed(_ base: some BookmarkService) -> any BookmarkService {
          Intercepted(base, by: .observer(observer))
        }
        return observed(base)
      },
      ServiceOperation("add(_:)") { base, bookmark in try await base.add(bookmark) },
      ServiceOperation("rename(_:to:)") { base, title, other in try await base.rename(title, to: other) },
      ServiceOperation("remove(_:)") { base, title in try await base.remove(title) },
      ServiceOperation("search(_:limit:)") { base, text, limit in
        try await base.search(text, limit: limit)
      })
  }
}

extension Trial where Subject == any BookmarkService {
  fileprivate func add(_ titles: String...) async throws {
    for title in titles { try await subject.add(Bookmark(title: title, page: "https://example.com")) }
  }

  fileprivate var titles: [String] {
    get async throws { try await subject.search("", limit: 10).map(\.title) }
  }
}

extension Contract where Subject == any BookmarkService {
  /// Each clause alone notices what it is about.
  fileprivate static var bookmarks: Self {
    Contract("bookmarks") {
      Clause("add.stored", "A bookmark is stored as it is given.") { trial in
        let bookmarks = ["https://example.com/a?b", " https://example.com/Cafe\u{301}"].map {
          Bookmark(title: "Title of \($0) ", page: $0)
        }
        for bookmark in bookmarks { try await trial.subject.add(bookmark) }
        let found = try await trial.subject.search("", limit: 10)
        trial.expect(Set(found) == Set(bookmarks), "other bookmarks")
        let others = try await trial.subject.search("", limit: 11)
        trial.expect(Set(others) == Set(bookmarks), "other bookmarks")
        let scalars = { (all: [Bookmark]) in Set(all.map { Array("\($0)".unicodeScalars) }) }
        trial.expect(scalars(found) == scalars(bookmarks), "other Unicode scalars")
      }
      Clause("add.duplicate", "A title is stored once.") { trial in
        try await trial.add("One")
        await trial.expect(throws: BookmarkError.duplicate) { try await trial.add("One") }
        trial.expect(try await trial.titles.count == 1, "another number")
      }
      Clause("rename.stored", "A bookmark has its new title.") { trial in
        try await trial.add("One", "Two", "Three")
        try await trial.subject.rename("One", to: "Four ")
        try await trial.subject.rename("Two", to: "Cafe\u{301}")
        let titles = try await trial.titles
        trial.expect(Set(titles) == ["Cafe\u{301}", "Three", "Four "], "other titles")
        trial.expect(
          titles.contains { $0.unicodeScalars.elementsEqual("Cafe\u{301}".unicodeScalars) }, "other scalars")
      }
      Clause("rename.missing", "What is not stored cannot be renamed.") { trial in
        await trial.expect(throws: BookmarkError.notFound) {
          try await trial.subject.rename("One", to: "Two")
        }
        trial.expect(try await trial.titles == [], "a bookmark")
      }
      Clause("remove.gone", "A bookmark that was removed is not found.") { trial in
        try await trial.add("One", "Two", "Three")
        try await trial.subject.remove("One")
        try await trial.subject.remove("Three")
        trial.expect(try await trial.titles == ["Two"], "other titles")
      }
      Clause("remove.missing", "What is not stored cannot be removed.") { trial in
        await trial.expect(throws: BookmarkError.notFound) { try await trial.subject.remove("One") }
        trial.expect(try await trial.titles == [], "a bookmark")
      }
      Clause("search.text", "A search finds the titles with a text, in upper or lower case.") { trial in
        try await trial.add("Milk", "Bread", "milkshake")
        let found = try await trial.subject.search("milk", limit: 5)
        trial.expect(Set(found.map(\.title)) == ["Milk", "milkshake"], "other titles")
        let other = try await trial.subject.search("read", limit: 5)
        trial.expect(other.map(\.title) == ["Bread"], "other titles")
      }
      Clause("search.limit", "A search finds at most as many as it may.") { trial in
        try await trial.add("One", "Two", "Three")
        trial.expect(try await trial.subject.search("", limit: 2).count == 2, "another number")
        trial.expect(try await trial.subject.search("", limit: 1).count == 1, "another number")
      }
      Clause("search.order", "The last bookmark is found first.") { trial in
        try await trial.add("One", "Two")
        trial.expect(try await trial.titles == ["Two", "One"], "another order")
      }
    }
  }

  fileprivate func without(_ clause: String) -> Self {
    Contract(name) { for one in clauses where one.id != clause { one } }
  }
}

/// What the report says about a contract that lacks a clause.
@Suite(.stallLimit()) struct MissingClauseTests {
  private func report(
    _ contract: Contract<any BookmarkService>, _ equivalents: KeyValuePairs<String, String> = [:]
  ) async -> DerivedMutantReport {
    await contract.survivors(
      of: .double("in-memory", InMemoryBookmarks()) { $0 }, through: .bookmarks, equivalents: equivalents)
  }

  /// Catches survivors that are not wrong: an addition that is refused the second time, the case of a search that
  /// ignores it, a call that fails again.
  @Test func aRightContractHasNoSurvivor() async {
    let report = await report(.bookmarks)
    #expect(report.failures == [])
    #expect(report.survivors == [])
    #expect(report.noticed == report.tried && report.tried > 40)
  }

  /// Catches a report that says nothing more, or less, when a clause is removed.
  @Test(
    arguments: [
      ("add.stored", "A service whose `add` uses `page` of argument 1"),
      ("add.duplicate", "No clause makes any of these throw: `add`"),
      ("rename.stored", "Each call of `rename` throws. What it does when it succeeds is not tried."),
      ("rename.missing", "No clause makes any of these throw: `rename`"),
      ("remove.gone", "Each call of `remove` throws. What it does when it succeeds is not tried."),
      ("remove.missing", "No clause makes any of these throw: `remove`"),
      (
        "search.text",
        "Every clause gives argument 1 of `search` the same value."
      ),
      (
        "search.limit",
        "No answer depends on `limit` (argument 2 of `search`). A service that ignores it is not tried."
      ),
      ("search.order", "A service whose `search` returns its result in reverse order passes."),
    ]) func aMissingClauseIsNamed(_ clause: String, _ words: String) async
  {
    let whole = await report(.bookmarks)
    let known = Set(whole.failures + whole.untried)
    let report = await report(Contract.bookmarks.without(clause))
    let new = (report.failures + report.untried).filter { !known.contains($0) }
    #expect(new.contains { $0.hasPrefix(words) }, "\(new.joined(separator: "\n"))")
  }
}

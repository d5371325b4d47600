import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct ChangeFeedTests {
  typealias Feed = AsyncThrowingStream<DatabaseChange, any Error>

  let project: TodoProject
  let database: InMemoryDatabase

  init() throws {
    project = try TodoProject()
    database = project.database
  }

  /// The next changes of a feed, as their kinds and a column.
  private func next(_ count: Int, of feed: Feed, _ column: String) async throws -> [String] {
    var iterator = feed.makeAsyncIterator()
    var changes: [String] = []
    for _ in 0..<count {
      switch try await iterator.next() {
      case .insert(let row): changes.append("+\(row[column].textValue ?? "")")
      case .update(let row): changes.append("=\(row[column].textValue ?? "")")
      case .delete(let row): changes.append("-\(row[column].textValue ?? "")")
      case nil: changes.append("end")
      }
    }
    return changes
  }

  private func list(_ title: String, of owner: UUID) -> [String: ColumnValue] {
    ["owner": .uuid(owner), "title": .text(title)]
  }

  @Test func everyRowOfEveryStatementInOrder() async throws {
    try database.insert(list("before", of: project.pat), into: "lists")
    let feed = try database.changes(on: "lists")
    try database.insert([list("a", of: project.pat), list("b", of: project.kim)], into: "lists")
    try database.update("lists", set: ["done": true], where: .equals("owner", .uuid(project.pat)))
    try database.delete(from: "lists", where: .equals("title", "a"))
    try database.update("lists", set: ["done": true], where: .equals("title", "nothing"))
    try database.upsert(
      [list("b", of: project.kim), list("c", of: project.kim)], into: "lists", onConflict: ["owner", "title"])
    #expect(try await next(7, of: feed, "title") == ["+a", "+b", "=before", "=a", "-a", "=b", "+c"])
    try database.insert(list("mark", of: project.pat), into: "lists")
    #expect(
      try await next(1, of: feed, "title") == ["+mark"], "A statement that changes nothing is not reported.")
  }

  @Test func aChangeIsReportedWithTheStoredRow() async throws {
    let feed = try database.changes(on: "lists", as: .user(project.pat))
    let row = try database.insert(list("a", of: project.pat), into: "lists", as: .user(project.pat))
    var iterator = feed.makeAsyncIterator()
    #expect(try await iterator.next() == .insert(row))
    let changed = try database.update("lists", set: ["size": 5], where: .all, as: .user(project.pat))
    #expect(try await iterator.next() == changed.first.map { .update($0) })
    try database.delete(from: "lists", where: .all)
    #expect(try await iterator.next() == changed.first.map { .delete($0) })
  }

  @Test func onlyRowsThatTheRoleSeesAreReported() async throws {
    let (pats, anonymous) = (
      try database.changes(on: "lists", as: .user(project.pat)),
      try database.changes(on: "lists", as: .anonymous)
    )
    try database.insert([list("hers", of: project.kim), list("his", of: project.pat)], into: "lists")
    // The new owner is another user, so the row is hidden. Then it is visible again.
    try database.update("lists", set: ["owner": .uuid(project.kim)], where: .equals("title", "his"))
    try database.update("lists", set: ["owner": .uuid(project.pat)], where: .equals("title", "his"))
    try database.delete(from: "lists", where: .all)
    try database.insert(list("mark", of: project.pat), into: "lists")
    #expect(try await next(4, of: pats, "title") == ["+his", "=his", "-his", "+mark"])
    struct Interrupted: Error, Equatable {}
    database.breakChangeFeeds(with: Interrupted())
    await #expect(throws: Interrupted()) { try await next(1, of: anonymous, "title") }
  }

  @Test func aRefusedStatementIsNotReported() async throws {
    let feed = try database.changes(on: "lists")
    #expect(throws: PostgRESTError.self) {
      try database.insert([list("a", of: project.pat), list(" ", of: project.pat)], into: "lists")
    }
    try database.insert(list("b", of: project.pat), into: "lists")
    #expect(try await next(1, of: feed, "title") == ["+b"])
  }

  @Test func changesByForeignKeysAreReported() async throws {
    let row = try database.insert(list("a", of: project.pat), into: "lists")
    try database.insert(["id": 1, "list_id": row["id"], "name": "milk"], into: "items")
    let (lists, items) = (try database.changes(on: "lists"), try database.changes(on: "items"))
    try database.delete(from: "lists", where: .all)
    #expect(try await next(1, of: lists, "title") == ["-a"])
    #expect(try await next(1, of: items, "name") == ["=milk"])
  }

  /// A row that is deleted with its parent was visible because of that parent.
  @Test func aCascadeIsReportedToRolesThatSawTheRows() async throws {
    let database = InMemoryDatabase(
      try DatabaseSchema(
        sql: """
          CREATE TABLE parents (id integer PRIMARY KEY, owner uuid NOT NULL);
          CREATE TABLE children (
            id integer PRIMARY KEY, parent integer NOT NULL REFERENCES parents ON DELETE CASCADE, name text NOT NULL);
          ALTER TABLE parents ENABLE ROW LEVEL SECURITY;
          ALTER TABLE children ENABLE ROW LEVEL SECURITY;
          CREATE POLICY own ON parents USING (owner = auth.uid());
          CREATE POLICY own ON children USING (EXISTS (SELECT 1 FROM parents p WHERE p.id = parent));
          """))
    let (pat, kim) = (project.pat, project.kim)
    try database.insert([["id": 1, "owner": .uuid(pat)], ["id": 2, "owner": .uuid(kim)]], into: "parents")
    try database.insert(
      [["id": 1, "parent": 1, "name": "his"], ["id": 2, "parent": 2, "name": "hers"]], into: "children")
    let feed = try database.changes(on: "children", as: .user(pat))
    try database.delete(from: "parents", where: .all)
    try database.insert(["id": 3, "owner": .uuid(pat)], into: "parents")
    try database.insert(["id": 3, "parent": 3, "name": "mark"], into: "children")
    #expect(try await next(2, of: feed, "name") == ["-his", "+mark"])
  }

  @Test func aSlowConsumerReceivesAnErrorAndMissesNothingSilently() async throws {
    let feed = try database.changes(on: "lists", bufferSize: 3)
    for number in 1...5 { try database.insert(list("\(number)", of: project.pat), into: "lists") }
    #expect(try await next(3, of: feed, "title") == ["+1", "+2", "+3"])
    await #expect(throws: ChangeFeedOverflow(bufferSize: 3)) { try await next(1, of: feed, "title") }
    #expect(database.changeFeedCount == 0)
  }

  @Test func aReleasedConsumerIsUnsubscribed() async throws {
    let kept = try database.changes(on: "lists")
    do {
      let feed = try database.changes(on: "lists")
      try database.insert(list("a", of: project.pat), into: "lists")
      for try await _ in feed { break }
      #expect(database.changeFeedCount == 2, "The stream still exists.")
    }
    #expect(database.changeFeedCount == 1)
    #expect(try await next(1, of: kept, "title") == ["+a"])
  }

  @Test func cancellationUnsubscribes() async throws {
    let feed = try database.changes(on: "lists")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await next(1, of: feed, "title")
    }
    #expect(try await task.value == ["end"])
    #expect(database.changeFeedCount == 0)
    _ = feed
  }

  @Test func aMissingTableHasNoFeed() {
    do {
      _ = try database.changes(on: "nothing")
      Issue.record("Expected an error.")
    } catch {
      #expect(error.code == "42P01")
    }
    #expect(database.changeFeedCount == 0)
  }
}

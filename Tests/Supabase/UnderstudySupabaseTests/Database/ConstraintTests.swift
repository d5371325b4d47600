import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// The messages are those of PostgreSQL 15 for the same tables.
@Suite(.stallLimit()) struct ConstraintTests {
  let project: TodoProject
  let database: InMemoryDatabase

  init() throws {
    project = try TodoProject()
    database = project.database
  }

  private func list(_ values: [String: ColumnValue] = [:]) -> [String: ColumnValue] {
    ["owner": .uuid(project.pat), "title": "Home"].merging(values) { $1 }
  }

  @Test func defaultsFillMissingColumns() throws {
    let row = try database.insert(list(), into: "lists")
    #expect(row["size"] == 3)
    #expect(row["tags"] == .textArray([]))
    #expect(row["due"].isNull)
    #expect(row["id"].uuidValue != nil)
    #expect(row["created_at"].timestampValue == project.clock.time.now)
    #expect(row["updated_at"] == row["created_at"])
  }

  /// In PostgreSQL, NaN equals itself, so that it can be sorted and indexed.
  @Test func notANumberIsADuplicateOfItself() throws {
    let database = InMemoryDatabase(
      try DatabaseSchema(sql: "CREATE TABLE weights (id integer PRIMARY KEY, kg double precision UNIQUE)"))
    try database.insert(["id": 1, "kg": .double(.nan)], into: "weights")
    let error = try refusal { () throws(PostgRESTError) in
      try database.insert(["id": 2, "kg": .double(.nan)], into: "weights")
    }
    #expect(error.code == "23505")
    try database.delete(from: "weights", where: .all)
    try database.insert(["id": 3, "kg": .double(.nan)], into: "weights")
  }

  @Test func notNullNamesTheColumnAndShowsTheRow() throws {
    let error = try refusal { () throws(PostgRESTError) in
      try database.insert(["id": nil, "name": "x"], into: "items")
    }
    #expect(error.code == "23502")
    #expect(error.message == #"null value in column "id" of relation "items" violates not-null constraint"#)
    #expect(error.details == "Failing row contains (null, null, null, x, null).")
  }

  @Test func checkNamesTheConstraintAndShowsTheRow() throws {
    let long = String(repeating: "é", count: 40)
    let error = try refusal { () throws(PostgRESTError) in
      try database.insert(["id": 1, "rank": 101, "name": .text(long)], into: "items")
    }
    #expect(error.code == "23514")
    #expect(error.message == #"new row for relation "items" violates check constraint "items_rank_check""#)
    let shown = String(repeating: "é", count: 32)
    #expect(error.details == "Failing row contains (1, null, null, \(shown)..., 101).")
  }

  @Test func checksAreTriedByName() throws {
    let error = try refusal { () throws(PostgRESTError) in
      try database.insert(list(["title": "  ", "size": 10, "due": "2026-01-04"]), into: "lists")
    }
    #expect(error.message.contains("lists_due_check"))
    #expect(throws: Never.self) { try database.insert(list(["due": "2026-01-03"]), into: "lists") }
  }

  @Test func uniqueShowsTheKey() throws {
    try database.insert(list(), into: "lists")
    let error = try refusal { () throws(PostgRESTError) in try database.insert(list(), into: "lists") }
    #expect(error.code == "23505")
    #expect(error.message == #"duplicate key value violates unique constraint "lists_owner_title_key""#)
    #expect(
      error.details == "Key (owner, title)=(\(project.pat.uuidString.lowercased()), Home) already exists.")
  }

  @Test func uniqueAllowsNullsAndComparesBytes() throws {
    try database.insert([["id": 1], ["id": 2]], into: "items")
    try database.insert([["id": 3, "name": "\u{E9}"], ["id": 4, "name": "e\u{301}"]], into: "items")
    #expect(try database.select(from: "items").count == 4)
    let found = try database.select(from: "items", where: .equals("name", "e\u{301}"))
    #expect(found.map { $0["id"] } == [4])
  }

  @Test func primaryKeyIsUnique() throws {
    try database.insert(["id": 1], into: "items")
    let error = try refusal { () throws(PostgRESTError) in try database.insert(["id": 1], into: "items") }
    #expect(error.message == #"duplicate key value violates unique constraint "items_pkey""#)
  }

  @Test func aForeignKeyRequiresTheRow() throws {
    let stranger = UUID()
    let error = try refusal { () throws(PostgRESTError) in
      try database.insert(list(["owner": .uuid(stranger)]), into: "lists")
    }
    #expect(error.code == "23503")
    #expect(
      error.message
        == #"insert or update on table "lists" violates foreign key constraint "lists_owner_fkey""#)
    #expect(
      error.details == "Key (owner)=(\(stranger.uuidString.lowercased())) is not present in table \"users\".")
  }

  @Test func deletingFollowsForeignKeys() throws {
    let kept = try database.insert(list(), into: "lists")
    let free = try database.insert(list(["title": "Work"]), into: "lists")
    try database.insert(
      [["id": 1, "kept_in": kept["id"]], ["id": 2, "list_id": free["id"]]], into: "items")
    let error = try refusal { () throws(PostgRESTError) in try database.delete(from: "lists", where: .all) }
    #expect(error.code == "23503")
    #expect(
      error.message
        == "update or delete on table \"lists\" violates foreign key constraint \"items_kept_in_fkey\""
        + " on table \"items\"")
    let id = try #require(kept["id"].uuidValue).uuidString.lowercased()
    #expect(error.details == "Key (id)=(\(id)) is still referenced from table \"items\".")
    #expect(try database.select(from: "lists").count == 2, "a refused delete removed rows")
    #expect(try database.select(from: "items", where: .equals("id", 2))[0]["list_id"] == free["id"])

    try database.delete(from: "lists", where: .equals("title", "Work"))
    #expect(try database.select(from: "items", where: .equals("id", 2))[0]["list_id"].isNull)
    try database.delete(from: "items", where: .equals("id", 1))
    try project.auth.removeUser(project.pat)
    #expect(try database.select(from: "lists").isEmpty, "the cascade left the user's lists")
  }

  @Test func changingAReferencedKeyIsRefused() throws {
    let row = try database.insert(list(), into: "lists")
    try database.insert(["id": 1, "list_id": row["id"]], into: "items")
    let error = try refusal { () throws(PostgRESTError) in
      try database.update("lists", set: ["id": .uuid(UUID())], where: .all)
    }
    #expect(error.code == "23503")
    #expect(try database.select(from: "lists")[0]["id"] == row["id"])
  }

  @Test func aRefusedStatementChangesNothing() throws {
    try database.insert(["id": 1, "name": "a", "rank": 1], into: "items")
    _ = try refusal { () throws(PostgRESTError) in
      try database.insert([["id": 2, "name": "b"], ["id": 3, "name": "a"]], into: "items")
    }
    #expect(try database.select(from: "items").map { $0["id"] } == [1])
    try database.insert([["id": 2, "name": "b", "rank": 2]], into: "items")
    _ = try refusal { () throws(PostgRESTError) in
      try database.update("items", set: ["name": "same"], where: .all)
    }
    #expect(try database.select(from: "items").map { $0["name"] } == ["a", "b"])
    // The indexes are rolled back too: both names are still in use, and the failed ones are not.
    try database.insert([["id": 3, "name": "same"]], into: "items")
    _ = try refusal { () throws(PostgRESTError) in try database.insert(["id": 9, "name": "a"], into: "items")
    }
  }

  @Test func updatesSetTheirTime() throws {
    let row = try database.insert(list(), into: "lists")
    project.clock.advance(by: 60)
    let changed = try database.update("lists", set: ["size": 4], where: .all)
    #expect(changed.count == 1)
    #expect(changed[0]["created_at"] == row["created_at"])
    #expect(changed[0]["updated_at"].timestampValue == project.clock.time.now)
  }

  @Test func noTwoStatementsWriteTheSameNow() throws {
    let titles = ["a", "b", "c"]
    for title in titles { try database.insert(list(["title": .text(title)]), into: "lists") }
    let newest = try database.select(from: "lists", orderedBy: [.descending("created_at")])
    #expect(newest.map { $0["title"].textValue } == ["c", "b", "a"])
  }

  @Test func upsertKeepsReferencedKeys() throws {
    let id = try #require(try database.insert(list(), into: "lists")["id"].uuidValue)
    try database.insert(["id": 1, "kept_in": .uuid(id)], into: "items")
    let error = try refusal { () throws(PostgRESTError) in
      try database.upsert([list(["id": .uuid(UUID())])], into: "lists", onConflict: ["owner", "title"])
    }
    #expect(error.code == "23503")
    #expect(try database.select(from: "lists").map { $0["id"] } == [.uuid(id)])
  }

  @Test func upsertMerges() throws {
    try database.insert(["id": 1, "name": "a", "rank": 1], into: "items")
    let merged = try database.upsert(
      [["id": 1, "rank": 5], ["id": 2, "rank": 6]], into: "items", onConflict: ["id"])
    #expect(merged.map { $0["rank"] } == [5, 6])
    #expect(merged[0]["name"] == "a", "a merge takes only the values that are given")
    let target = try refusal { () throws(PostgRESTError) in
      try database.upsert([["id": 1]], into: "items", onConflict: ["rank"])
    }
    #expect(target.code == "42P10")
  }

  @Test func unknownColumnsAreRefused() throws {
    let write = try refusal { () throws(PostgRESTError) in try database.insert(["nope": 1], into: "items") }
    #expect(write.message == #"column "nope" of relation "items" does not exist"#)
    let read = try refusal { () throws(PostgRESTError) in
      try database.select(from: "items", where: .equals("nope", 1))
    }
    #expect(read.message == #"column "nope" does not exist"#)
    #expect([write.code, read.code] == ["42703", "42703"])
  }

  @Test func aMissingTableIsReported() throws {
    let error = try refusal { () throws(PostgRESTError) in try database.select(from: "nowhere") }
    #expect((error.code, error.message) == ("42P01", #"relation "public.nowhere" does not exist"#))
  }

  @Test func aDatabaseErrorRefusesTheChosenStatements() throws {
    database.refuseStatements(with: .statementTimeout, kind: .insert, on: "items")
    #expect(throws: PostgRESTError.statementTimeout) { try database.insert(["id": 1], into: "items") }
    #expect(throws: Never.self) { try database.insert(list(), into: "lists") }
    #expect(try database.select(from: "items").isEmpty)
    database.acceptStatements()
    #expect(throws: Never.self) { try database.insert(["id": 1], into: "items") }
  }

  @Test func theSameSeedGivesTheSameRows() throws {
    func rows(_ seed: UInt64) throws -> [DatabaseRow] {
      let project = try TodoProject(seed: seed)
      for title in ["a", "b"] {
        try project.database.insert(["owner": .uuid(project.pat), "title": .text(title)], into: "lists")
      }
      return try project.database.select(from: "lists")
    }
    #expect(try rows(4) == rows(4))
    #expect(try rows(4) != rows(5))
  }

  @Test func manyDeletedRowsLeaveTheRestInOrder() throws {
    try database.insert((0..<400).map { ["id": .integer($0), "name": .text("n\($0)")] }, into: "items")
    for id in 0..<300 where id % 50 != 0 {
      try database.delete(from: "items", where: .equals("id", .integer(id)))
    }
    let left = try database.select(from: "items").compactMap { $0["id"].integerValue }
    #expect(left == [0, 50, 100, 150, 200, 250] + Array(300..<400))
    #expect(try database.select(from: "items", where: .equals("name", "n350")).map { $0["id"] } == [350])
    #expect(throws: PostgRESTError.self) { try database.insert(["id": 350], into: "items") }
    #expect(throws: Never.self) { try database.insert(["id": 1], into: "items") }
  }
}

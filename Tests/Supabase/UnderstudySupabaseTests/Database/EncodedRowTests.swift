import Foundation
import Testing
import Understudy
import UnderstudySupabase
import UnderstudyTesting

/// Rows as `Codable` values, with which a test of an app fills and reads the tables of the emulator.
@Suite(.stallLimit()) struct EncodedRowTests {
  struct Todo: Codable, Equatable {
    var id: UUID?
    var owner: UUID
    var title: String
    var tags: [String]?
    var due: Date?
  }

  static let schema = """
    CREATE TABLE todos (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      owner uuid NOT NULL DEFAULT auth.uid(),
      title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 80),
      tags text[],
      due timestamptz
    );
    ALTER TABLE todos ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON todos USING (owner = (SELECT auth.uid()));
    """

  let database: InMemoryDatabase
  let ada = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10))
  let ben = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11))

  init() throws {
    database = InMemoryDatabase(try .running(Self.schema), seed: 1)
  }

  @Test func rowsAreReadAsTheyWereInserted() throws {
    let id = UUID()
    let due = Date(timeIntervalSince1970: 1_767_225_600)
    let milk = Todo(id: id, owner: ada, title: "Milk", tags: ["shop", "\"quoted\""], due: due)
    try database.insert(rows: [milk], into: "todos")
    #expect(try database.rows(in: "todos") == [milk])
  }

  @Test func aColumnWithoutAMemberHasItsDefault() throws {
    try database.insert(
      rows: [Todo(owner: ada, title: "Milk"), Todo(id: UUID(), owner: ada, title: "Bread", tags: [])],
      into: "todos")
    let rows = try database.rows(of: Todo.self, in: "todos")
    #expect(rows.map(\.title) == ["Milk", "Bread"])
    #expect(rows.map { $0.id != nil } == [true, true])
    #expect(rows.map(\.tags) == [nil, []])
  }

  @Test func oneRefusedRowInsertsNoRows() throws {
    let error = #expect(throws: PostgRESTError.self) {
      try database.insert(
        rows: [Todo(owner: ada, title: "Milk"), Todo(owner: ada, title: "")], into: "todos")
    }
    #expect(error?.code == "23514")
    #expect(try database.rows(of: Todo.self, in: "todos").isEmpty)
  }

  @Test func policiesApplyToARole() throws {
    try database.insert(
      rows: [Todo(owner: ada, title: "Milk"), Todo(owner: ben, title: "Bread")], into: "todos")
    #expect(try database.rows(of: Todo.self, in: "todos", as: .user(ben)).map(\.title) == ["Bread"])
    let error = #expect(throws: PostgRESTError.self) {
      try database.insert(rows: [Todo(owner: ada, title: "Eggs")], into: "todos", as: .user(ben))
    }
    #expect(error?.code == "42501")
  }

  @Test func anUnknownMemberIsRefused() throws {
    let error = #expect(throws: PostgRESTError.self) {
      try database.insert(rows: [["name": "Milk"]], into: "todos")
    }
    #expect(error?.message.contains("name") == true)
  }
}

import Foundation
import SharedServicesBackends
import UnderstudyHTTP
import UnderstudySupabase
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct SchemaTests {
  let database: InMemoryDatabase
  let pat: UUID
  let kim: UUID
  let child: DatabaseRow

  init() throws {
    let project = SupabaseBackend(seed: 11)
    database = project.database
    pat = try project.addUser(email: "pat@example.com", password: "secret1")
    kim = try project.addUser(email: "kim@example.com", password: "secret2")
    child = try database.insert(Self.child(of: pat), into: "children", as: .user(pat))
  }

  private static func child(of user: UUID) -> [String: ColumnValue] {
    ["user_id": .uuid(user), "name": "Mia", "age": 8, "birthday": "2017-05-04"]
  }

  @Test func aChildHasTheTablesDefaults() throws {
    #expect(child["temperament"] == "easygoing")
    #expect(child["temperament_talkative"] == 5)
    #expect(child["goals"] == .textArray([]))
    #expect(child["temperament_sensitivity"] == 5)
    #expect(child["topics"] == .textArray([]))
    #expect(child["updated_at"] == child["created_at"])
    // A trigger sets the time of the last change.
    let changed = try database.update("children", set: ["age": 9], where: .all, as: .user(pat))
    #expect(changed.map { $0["created_at"] } == [child["created_at"]])
    #expect(changed.map { $0["updated_at"] } != [child["updated_at"]])
  }

  @Test(
    arguments: [
      ("name", " ", "children_name_check"), ("age", 5, "children_age_check"),
      ("age", 17, "children_age_check"),
      ("birthday", "9999-01-01", "children_birthday_check"),
      ("temperament", "wild", "children_temperament_check"),
      ("temperament_talkative", 0, "children_temperament_talkative_check"),
      ("temperament_sensitivity", 11, "children_temperament_sensitivity_check"),
      ("temperament_accountability", 0, "children_temperament_accountability_check"),
    ] as [(String, ColumnValue, String)])
  func checksHaveTheirNames(_ column: String, _ value: ColumnValue, _ constraint: String) throws {
    let expected = PostgRESTError(
      code: "23514",
      message: "new row for relation \"children\" violates check constraint \"\(constraint)\"")
    #expect(throws: expected) {
      try database.update("children", set: [column: value], where: .all, as: .user(pat))
    }
  }

  @Test(
    arguments: [
      ("user_id", nil), ("name", nil), ("age", nil), ("birthday", nil), ("goals", nil), ("temperament", nil),
      ("temperament_talkative", nil), ("created_at", nil),
    ] as [(String, ColumnValue)])
  func nothingIsNull(_ column: String, _ value: ColumnValue) throws {
    do {
      try database.update("children", set: [column: value], where: .all)
      Issue.record("\(column) took NULL")
    } catch {
      #expect(error.code == "23502")
    }
  }

  @Test func namesAreUniqueForOneUser() throws {
    #expect(throws: Never.self) { try database.insert(Self.child(of: kim), into: "children", as: .user(kim)) }
    do {
      try database.insert(Self.child(of: pat), into: "children", as: .user(pat))
      Issue.record("a second child took the name")
    } catch {
      #expect(error.message.contains(#""children_user_id_name_key""#))
    }
  }

  /// A foreign key does not ask whose row it is; the policy must.
  @Test func aConversationIsAboutAChildOfItsUser() throws {
    for id in [child["id"], .uuid(UUID())] {
      #expect(throws: PostgRESTError.refusedByPolicy(table: "conversations")) {
        try database.insert(["user_id": .uuid(kim), "child_id": id], into: "conversations", as: .user(kim))
      }
    }
    #expect(throws: PostgRESTError.refusedByPolicy(table: "conversations")) {
      try database.insert(
        ["user_id": .uuid(kim), "child_id": child["id"]], into: "conversations", as: .user(pat))
    }
    let own = try database.insert(
      ["user_id": .uuid(pat), "child_id": child["id"]], into: "conversations", as: .user(pat))
    #expect(own["child_id"] == child["id"])
  }

  /// Returns the tables whose rows another user or a guest sees.
  private static func openTables(of schema: DatabaseSchema) throws -> [String] {
    let project = SupabaseBackend(on: schema, seed: 11)
    let database = project.database
    let pat = try project.addUser(email: "pat@example.com", password: "secret1")
    let child = try database.insert(child(of: pat), into: "children")
    let conversation = try database.insert(
      ["user_id": .uuid(pat), "child_id": child["id"]], into: "conversations")
    try database.insert(
      ["conversation_id": conversation["id"], "role": "user", "content": "Hello"], into: "messages")
    try database.insert(["child_id": child["id"]], into: "child_memory")
    return try schema.tableNames.filter { table in
      // Without a row nothing can be said of a table.
      #expect(try !database.select(from: table).isEmpty, "Insert a row into \(table) above.")
      return try [DatabaseRole.user(UUID()), .anonymous].contains {
        try !database.select(from: table, as: $0).isEmpty
      }
    }
  }

  @Test func everyTableOfTheSchemaIsProtected() throws {
    #expect(try Self.openTables(of: .sharedServices) == [])
  }

  @Test(arguments: DatabaseSchema.sharedServices.tableNames)
  func aTableWithoutRowLevelSecurityIsNoticed(_ table: String) throws {
    let line = "ALTER TABLE public.\(table) ENABLE ROW LEVEL SECURITY;"
    try #require(DatabaseSchema.sharedServicesSQL.contains(line))
    #expect(try Self.openTables(of: .sharedServices(replacing: line, with: "")) == [table])
  }

  @Test func whatHangsOnAChildIsItsUsers() throws {
    let conversation = try database.insert(
      ["user_id": .uuid(pat), "child_id": child["id"]], into: "conversations", as: .user(pat))
    let rows: [(String, [String: ColumnValue])] = [
      ("messages", ["conversation_id": conversation["id"], "role": "user", "content": "Hello"]),
      ("child_memory", ["child_id": child["id"]]),
    ]
    for (table, row) in rows {
      #expect(throws: PostgRESTError.refusedByPolicy(table: table)) {
        try database.insert(row, into: table, as: .user(kim))
      }
      try database.insert(row, into: table, as: .user(pat))
      #expect(try database.select(from: table, as: .user(pat)).count == 1)
      #expect(try database.select(from: table, as: .user(kim)).isEmpty)
    }
    try database.delete(from: "children", where: .all, as: .user(pat))
    for table in ["conversations", "messages", "child_memory"] {
      #expect(try database.select(from: table).isEmpty, "\(table) outlived the child")
    }
  }
}

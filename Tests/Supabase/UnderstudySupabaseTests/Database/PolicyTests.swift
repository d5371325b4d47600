import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct PolicyTests {
  let project: TodoProject
  let database: InMemoryDatabase
  let pat: DatabaseRole
  let kim: DatabaseRole

  init() throws {
    project = try TodoProject()
    database = project.database
    pat = .user(project.pat)
    kim = .user(project.kim)
    try database.insert(["owner": .uuid(project.pat), "title": "Home"], into: "lists", as: pat)
  }

  @Test func rowsOfOthersAreHidden() throws {
    for role in [kim, .anonymous] {
      #expect(try database.select(from: "lists", as: role).isEmpty)
      #expect(try database.update("lists", set: ["size": 9], where: .all, as: role).isEmpty)
      #expect(try database.delete(from: "lists", where: .all, as: role).isEmpty)
    }
    #expect(try database.select(from: "lists", as: pat).map { $0["size"] } == [3])
    #expect(try database.select(from: "lists", as: .service).count == 1)
  }

  @Test func aRoleCannotWriteRowsOfOthers() throws {
    for role in [kim, .anonymous] {
      let error = try refusal { () throws(PostgRESTError) in
        try database.insert(["owner": .uuid(project.pat), "title": "Hers"], into: "lists", as: role)
      }
      #expect(error.code == "42501")
      #expect(error.message == #"new row violates row-level security policy for table "lists""#)
    }
    let error = try refusal { () throws(PostgRESTError) in
      try database.update("lists", set: ["owner": .uuid(project.kim)], where: .all, as: pat)
    }
    #expect(error.code == "42501")
    #expect(try database.select(from: "lists").map { $0["owner"] } == [.uuid(project.pat)])
  }

  /// PostgreSQL checks the policies before the constraints, so that an error reveals nothing about other rows.
  @Test func policiesComeBeforeConstraints() throws {
    let error = try refusal { () throws(PostgRESTError) in
      try database.insert(["owner": .uuid(project.pat), "title": nil, "size": 99], into: "lists", as: kim)
    }
    #expect(error.code == "42501")
  }

  /// `BuildIndexValueDescription` and similar functions show no values of a table with row-level security.
  @Test func errorsShowNoValuesToARestrictedRole() throws {
    let row: [String: ColumnValue] = ["owner": .uuid(project.pat), "title": "Home"]
    let duplicate = try refusal { () throws(PostgRESTError) in
      try database.insert(row, into: "lists", as: pat)
    }
    #expect(duplicate.code == "23505")
    #expect(duplicate.details == nil)
    let check = try refusal { () throws(PostgRESTError) in
      try database.insert(row.merging(["size": 0]) { $1 }, into: "lists", as: pat)
    }
    #expect(check.code == "23514")
    #expect(check.details == nil)
  }

  @Test func upsertingOverAHiddenRowIsRefused() throws {
    let id = try #require(try database.select(from: "lists").first)["id"]
    let error = try refusal { () throws(PostgRESTError) in
      try database.upsert(
        [["id": id, "owner": .uuid(project.kim), "title": "Mine"]], into: "lists", onConflict: ["id"], as: kim
      )
    }
    #expect(
      error.message == #"new row violates row-level security policy (USING expression) for table "lists""#)
  }

  @Test func aChildTableFollowsThePolicyOfItsParent() throws {
    let database = try project.with(
      """
      CREATE TABLE notes (id integer PRIMARY KEY, list_id uuid NOT NULL);
      ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON notes
        USING (EXISTS (SELECT 1 FROM lists l WHERE l.id = list_id AND l.owner = auth.uid()));
      """)
    let list = try database.insert(["owner": .uuid(project.pat), "title": "Home"], into: "lists")
    try database.insert(["id": 1, "list_id": list["id"]], into: "notes", as: pat)
    #expect(try database.select(from: "notes", as: pat).count == 1)
    #expect(try database.select(from: "notes", as: kim).isEmpty)
    #expect(throws: PostgRESTError.refusedByPolicy(table: "notes")) {
      try database.insert(["id": 2, "list_id": list["id"]], into: "notes", as: kim)
    }
  }

  @Test func severalConditionsMustAllHold() throws {
    let database = try project.with(
      """
      CREATE TABLE notes (id integer PRIMARY KEY, list_id uuid NOT NULL, author uuid NOT NULL);
      ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON notes USING (author = auth.uid())
        WITH CHECK (author = auth.uid() AND list_id IN (SELECT id FROM lists WHERE owner = auth.uid()));
      """)
    func note(by author: UUID, on list: DatabaseRow, as role: DatabaseRole) throws {
      try database.insert(["id": 1, "list_id": list["id"], "author": .uuid(author)], into: "notes", as: role)
    }
    let pats = try database.insert(["owner": .uuid(project.pat), "title": "Home"], into: "lists")
    let kims = try database.insert(["owner": .uuid(project.kim), "title": "Home"], into: "lists")
    let refused = PostgRESTError.refusedByPolicy(table: "notes")
    #expect(throws: refused) { try note(by: project.pat, on: kims, as: pat) }
    #expect(throws: refused) { try note(by: project.kim, on: pats, as: pat) }
    try note(by: project.pat, on: pats, as: pat)
  }

  @Test func policiesApplyToKindsAndMayBeOpen() throws {
    let database = try project.with(
      """
      CREATE TABLE board (id integer PRIMARY KEY, text text NOT NULL);
      ALTER TABLE board ENABLE ROW LEVEL SECURITY;
      CREATE POLICY reading ON board FOR SELECT USING (true);
      CREATE POLICY writing ON board FOR INSERT TO authenticated WITH CHECK (id <> 13);
      """)
    try database.insert(["id": 1, "text": "x"], into: "board", as: pat)
    #expect(try database.select(from: "board", as: .anonymous).count == 1)
    #expect(throws: PostgRESTError.self) {
      try database.insert(["id": 13, "text": "x"], into: "board", as: pat)
    }
    #expect(try database.delete(from: "board", where: .all, as: pat).isEmpty, "no policy allows deletions")
    #expect(throws: PostgRESTError.refusedByPolicy(table: "board")) {
      try database.insert(["id": 2, "text": "x"], into: "board", as: .anonymous)
    }
  }
}

extension TodoProject {
  /// A database with further tables, and the same users.
  fileprivate func with(_ sql: String) throws -> InMemoryDatabase {
    let database = InMemoryDatabase(try .running(Self.schema + sql), time: clock.time)
    for (user, name) in [(pat, "pat"), (kim, "kim")] {
      try database.insert(["id": .uuid(user), "email": .text("\(name)@example.com")], into: "auth.users")
    }
    return database
  }
}

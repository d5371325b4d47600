import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct WritingTests {
  let project: TodoProject
  /// An access token of the user pat.
  let token: String

  private let full: HTTP.Fields = ["Prefer": "return=representation"]

  init() throws {
    project = try TodoProject()
    token = try project.auth.signIn(email: "pat@example.com", password: "secret1").accessToken
  }

  private func list(_ title: String, _ more: String = "") -> String {
    #"{"owner":"\#(project.pat.uuidString)","title":"\#(title)"\#(more)}"#
  }

  private var items: [[ColumnValue]] {
    get throws {
      try project.database.select(from: "items", orderedBy: [.ascending("id")]).map {
        [$0["id"], $0["name"], $0["rank"]]
      }
    }
  }

  @Test func insertsForTheUser() async throws {
    let fields: HTTP.Fields = [
      "Prefer": "return=representation", "Accept": "application/vnd.pgrst.object+json",
    ]
    let answer = try await project.send(
      .post, "/rest/v1/lists?select=title,size,created_at", token: token, fields: fields,
      json: list("Home", #","tags":["a"],"weight":2,"extra":{"k":[1]}"#))
    #expect(answer.status == 201)
    #expect(answer.text == #"{"title":"Home","size":3,"created_at":"2026-01-03T12:00:00.123456+00:00"}"#)
    #expect(answer.fields["Preference-Applied"] == "return=representation")
    #expect(answer.fields["Content-Range"] == "*/*")
    let row = try #require(try project.database.select(from: "lists").first)
    #expect(row["tags"] == .textArray(["a"]))
    #expect(row["weight"] == 2.0)
    #expect(row["extra"].jsonValue?["k"] == .array([.number("1")]))
  }

  @Test func insertingReturnsThePreferredRepresentation() async throws {
    let silent = try await project.serve(.post, "/rest/v1/items", json: #"{"id":1}"#)
    #expect((silent.status, silent.text, silent.fields["Content-Type"]) == (201, "", nil))
    #expect(silent.fields["Preference-Applied"] == nil)
    let minimal = try await project.serve(
      .post, "/rest/v1/items", fields: ["Prefer": "return=minimal, count=exact"],
      json: #"[{"id":2},{"id":3}]"#)
    #expect((minimal.status, minimal.text) == (201, ""))
    #expect(minimal.fields["Content-Range"] == "*/2")
    #expect(minimal.fields["Preference-Applied"] == "return=minimal, count=exact")
    let headers = try await project.serve(
      .post, "/rest/v1/items", fields: ["Prefer": "return=headers-only"], json: #"{"id":4}"#)
    #expect((headers.status, headers.text, headers.fields["Location"]) == (201, "", "/items?id=eq.4"))
    let none = try await project.serve(.post, "/rest/v1/items", fields: full, json: "[]")
    #expect((none.status, none.text) == (201, "[]"))
  }

  @Test func policiesRefuseByRole() async throws {
    let hers = #"{"owner":"\#(project.kim.uuidString)","title":"Hers"}"#
    let user = try await project.send(.post, "/rest/v1/lists", token: token, json: hers)
    #expect((user.status, user.code) == (403, "42501"))
    #expect(user.message == #"new row violates row-level security policy for table "lists""#)
    let anonymous = try await project.send(.post, "/rest/v1/lists", json: hers)
    #expect((anonymous.status, anonymous.code) == (401, "42501"))
    #expect(anonymous.fields["WWW-Authenticate"] == "Bearer")
  }

  @Test(arguments: [
    (#"{"id":1,"rank":101}"#, 400, "23514"), (#"{"name":"x"}"#, 400, "23502"), (#"{"id":7}"#, 409, "23505"),
    (#"{"id":1,"list_id":"10000000-0000-4000-8000-000000000000"}"#, 409, "23503"),
    (#"{"id":"x"}"#, 400, "22P02"), (#"{"id":1.5}"#, 400, "22P02"), (#"{"id":2147483648}"#, 400, "22003"),
    (#"{"id":1,"list_id":5}"#, 400, "22P02"), (#"{"id":1,"nope":1}"#, 400, "PGRST204"),
    (#"{"id":1,"name":"\u0000"}"#, 400, "22P05"), (#"[{"id":1},{"name":"x"}]"#, 400, "PGRST102"),
    ("[1]", 400, "PGRST102"), ("{", 400, "PGRST102"), ("", 400, "PGRST102"), (#"{"id":1}x"#, 400, "PGRST102"),
    (#"{"id":true}"#, 400, "22P02"),
  ])
  func refusals(_ json: String, _ status: Int, _ code: String) async throws {
    try project.database.insert(["id": 7], into: "items")
    let answer = try await project.serve(.post, "/rest/v1/items", json: json)
    #expect((answer.status, answer.code) == (status, code), "\(json): \(answer.text)")
    #expect(try items == [[7, nil, nil]])
  }

  @Test func theColumnsParameterSelectsTheColumns() async throws {
    let path = "/rest/v1/items?columns=%22id%22,name"
    let null = try await project.serve(
      .post, path, json: #"[{"id":1,"name":"a","rank":9,"more":0},{"id":2}]"#)
    #expect(null.status == 201)
    #expect(try items == [[1, "a", nil], [2, nil, nil]])
    let unknown = try await project.serve(.post, "/rest/v1/items?columns=id,nope", json: #"{"id":3}"#)
    #expect((unknown.status, unknown.code) == (400, "PGRST204"))
    #expect(unknown.message == "Could not find the 'nope' column of 'items' in the schema cache")
    let lists = "/rest/v1/lists?columns=owner,title,size"
    let missing = try await project.serve(.post, lists, json: list("A"))
    #expect((missing.status, missing.code) == (400, "23502"))
    let filled = try await project.serve(
      .post, lists, fields: ["Prefer": "missing=default"], json: list("A"))
    #expect((filled.status, filled.fields["Preference-Applied"]) == (201, "missing=default"))
    #expect(try project.database.select(from: "lists").map { $0["size"] } == [3])
  }

  @Test func upserts() async throws {
    try project.database.insert(["id": 1, "name": "a", "rank": 1], into: "items")
    func upsert(_ resolution: String, _ query: String, _ json: String) async throws -> Answer {
      let fields: HTTP.Fields = ["Prefer": "resolution=\(resolution),return=representation"]
      return try await project.serve(.post, "/rest/v1/items" + query, fields: fields, json: json)
    }
    let changed = try await upsert("merge-duplicates", "?select=id", #"{"id":1,"rank":2}"#)
    #expect((changed.status, changed.text) == (200, #"[{"id":1}]"#))
    #expect(changed.fields["Preference-Applied"] == "resolution=merge-duplicates, return=representation")
    let mixed = try await upsert(
      "merge-duplicates", "?on_conflict=name", #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#)
    #expect(mixed.status == 201)
    let ignored = try await upsert("ignore-duplicates", "", #"[{"id":1,"rank":99}]"#)
    #expect((ignored.status, ignored.text) == (201, "[]"))
    #expect(try items == [[1, "a", 2], [2, "b", nil]])
    let target = try await upsert("merge-duplicates", "?on_conflict=rank", #"{"id":1}"#)
    #expect((target.status, target.code) == (400, "42P10"))
    let twice = try await upsert("merge-duplicates", "", #"[{"id":5},{"id":5}]"#)
    #expect((twice.status, twice.code) == (500, "21000"))
  }

  /// `SET column = EXCLUDED.column` for each column of the request, with the default for missing values.
  @Test func anUpsertThatUsesDefaultsResetsWhatIsMissing() async throws {
    let path = "/rest/v1/lists?on_conflict=owner,title&columns=owner,title,size"
    func upsert(_ missing: String) async throws -> [ColumnValue] {
      let answer = try await project.serve(
        .post, path, fields: ["Prefer": "resolution=merge-duplicates,missing=\(missing)"], json: list("A"))
      #expect(answer.status == 200)
      return try project.database.select(from: "lists").map { $0["size"] }
    }
    try project.database.insert(
      ["owner": .uuid(project.pat), "title": "A", "size": 7, "done": true], into: "lists")
    #expect(try await upsert("default") == [3])
    // Other columns are unchanged.
    #expect(try project.database.select(from: "lists").map { $0["done"] } == [true])
  }

  @Test func theLocationOfARowCanBeFollowed() async throws {
    let database = InMemoryDatabase(
      try DatabaseSchema(sql: #"CREATE TABLE "marks & notes" (name text PRIMARY KEY)"#))
    let emulator = SupabaseEmulator(database: database, auth: AuthServer(database: database))
    let url = try #require(URL(string: "http://localhost/rest/v1/marks%20%26%20notes"))
    let fields: HTTP.Fields = [
      "apikey": emulator.apiKey, "Authorization": "Bearer \(emulator.serviceKey)",
      "Prefer": "return=headers-only",
    ]
    let response = try await emulator.respond(
      to: HTTP.Request(.post, url, fields: fields, body: Data(#"{"name":"ä&b=c d"}"#.utf8)))
    #expect(response.fields["Location"] == "/marks%20%26%20notes?name=eq.%C3%A4%26b%3Dc%20d")
  }

  @Test func updates() async throws {
    try project.database.insert([["id": 1, "rank": 1], ["id": 2, "rank": 1], ["id": 3]], into: "items")
    let silent = try await project.serve(.patch, "/rest/v1/items?id=eq.3", json: #"{"name":"c"}"#)
    #expect((silent.status, silent.text, silent.fields["Content-Range"]) == (204, "", "0-0/*"))
    let two = try await project.serve(
      .patch, "/rest/v1/items?rank=eq.1&select=id,rank", fields: full, json: #"{"rank":2}"#)
    #expect((two.status, two.text) == (200, "[{\"id\":1,\"rank\":2}, \n {\"id\":2,\"rank\":2}]"))
    #expect(two.fields["Content-Range"] == "0-1/*")
    let none = try await project.serve(.patch, "/rest/v1/items?id=eq.9", fields: full, json: #"{"rank":3}"#)
    #expect((none.status, none.text, none.fields["Content-Range"]) == (200, "[]", "*/*"))
    #expect(try await project.serve(.patch, "/rest/v1/items?id=eq.9", json: #"{"rank":3}"#).status == 204)
    let nothing = try await project.serve(.patch, "/rest/v1/items", fields: full, json: "{}")
    #expect((nothing.status, nothing.text) == (200, "[]"))
    #expect(try items == [[1, nil, 2], [2, nil, 2], [3, "c", nil]])
  }

  @Test func deletes() async throws {
    try project.database.insert([["id": 1], ["id": 2], ["id": 3]], into: "items")
    let silent = try await project.serve(.delete, "/rest/v1/items?id=eq.1")
    #expect((silent.status, silent.text, silent.fields["Content-Range"]) == (204, "", "*/*"))
    let full = try await project.serve(
      .delete, "/rest/v1/items?id=eq.2&select=id", fields: ["Prefer": "return=representation,count=exact"])
    #expect((full.status, full.text, full.fields["Content-Range"]) == (200, #"[{"id":2}]"#, "*/1"))
    #expect(try await project.serve(.delete, "/rest/v1/items?id=eq.2").status == 204)
    #expect(try items == [[3, nil, nil]])
  }

  /// `RETURNING` requires the right to select the rows; without it, no rows are read.
  @Test func returningRowsRequiresTheRightToRead() async throws {
    let database = InMemoryDatabase(
      try DatabaseSchema(
        sql: """
          CREATE TABLE box (id integer PRIMARY KEY);
          ALTER TABLE box ENABLE ROW LEVEL SECURITY;
          CREATE POLICY writing ON box FOR INSERT WITH CHECK (true);
          """))
    let emulator = SupabaseEmulator(database: database, auth: AuthServer(database: database))
    let url = try #require(URL(string: "http://localhost/rest/v1/box"))
    func insert(_ id: Int, _ prefer: String) async throws -> Int {
      let fields: HTTP.Fields = ["apikey": emulator.apiKey, "Prefer": prefer]
      let request = HTTP.Request(.post, url, fields: fields, body: Data(#"{"id":\#(id)}"#.utf8))
      return try await emulator.respond(to: request).status
    }
    #expect(try await insert(1, "return=minimal") == 201)
    #expect(try await insert(2, "return=representation") == 401)
    #expect(try database.select(from: "box").map { $0["id"] } == [1])
  }

  @Test func hiddenRowsAreMissing() async throws {
    try project.database.insert(["owner": .uuid(project.kim), "title": "Hers"], into: "lists")
    let read = try await project.send(.get, "/rest/v1/lists", token: token)
    #expect((read.status, read.text) == (200, "[]"))
    let update = try await project.send(
      .patch, "/rest/v1/lists?title=eq.Hers", token: token, fields: full, json: #"{"size":9}"#)
    #expect((update.status, update.text) == (200, "[]"))
    #expect(try await project.send(.delete, "/rest/v1/lists?size=gt.0", token: token).status == 204)
    #expect(try project.database.select(from: "lists").map { $0["size"] } == [3])
  }

  /// With `.single()`, a write of another number of rows than one is refused and rolled back.
  @Test func aWriteOfASingleObjectRequiresOneRow() async throws {
    try project.database.insert([["id": 1, "rank": 1], ["id": 2, "rank": 1]], into: "items")
    let before = try items
    let one: HTTP.Fields = ["Accept": "application/vnd.pgrst.object+json", "Prefer": "return=representation"]
    for (method, query, json): (HTTP.Method, String, String?) in [
      (.patch, "?id=gt.0", #"{"rank":5}"#), (.patch, "?id=eq.9", #"{"rank":5}"#), (.delete, "?id=gt.0", nil),
      (.post, "", #"[{"id":3},{"id":4}]"#),
    ] {
      let answer = try await project.serve(method, "/rest/v1/items" + query, fields: one, json: json)
      #expect((answer.status, answer.code) == (406, "PGRST116"))
      #expect(try items == before)
    }
    let changed = try await project.serve(
      .patch, "/rest/v1/items?id=eq.1&select=rank", fields: one, json: #"{"rank":5}"#)
    #expect((changed.status, changed.text) == (200, #"{"rank":5}"#))
  }

  @Test func anUnknownColumnIsRefusedBeforeAnythingIsWritten() async throws {
    try project.database.insert(["id": 1, "rank": 1], into: "items")
    let before = try items
    for (method, json): (HTTP.Method, String?) in [
      (.post, #"{"id":2}"#), (.patch, #"{"rank":5}"#), (.delete, nil),
    ] {
      let answer = try await project.serve(method, "/rest/v1/items?select=nope", fields: full, json: json)
      #expect((answer.status, answer.code) == (400, "42703"))
      #expect(try items == before)
    }
  }

  @Test func aDatabaseErrorIsReturned() async throws {
    project.database.refuseStatements(with: .statementTimeout, kind: .update)
    let update = try await project.serve(.patch, "/rest/v1/items", json: #"{"rank":1}"#)
    #expect((update.status, update.code) == (500, "57014"))
    #expect(try await project.serve(.get, "/rest/v1/items").status == 200)
    project.database.refuseStatements(with: .databaseUnavailable)
    #expect(try await project.serve(.get, "/rest/v1/items").status == 503)
  }

  @Test func otherBodiesAndSchemasAreRefused() async throws {
    let text = try await project.serve(
      .post, "/rest/v1/items", fields: ["Content-Type": "text/plain"], json: "id\n1")
    #expect((text.status, text.code) == (400, "PGRST102"))
    let schema = try await project.serve(
      .post, "/rest/v1/items", fields: ["Content-Profile": "auth"], json: #"{"id":1}"#)
    #expect((schema.status, schema.code) == (406, "PGRST106"))
    #expect(try items.isEmpty)
  }

  /// `safeupdate`, which Supabase loads for its API; PostgREST's status is 400 (`Error.hs`).
  @Test func aChangeOfEveryRowIsRefused() async throws {
    try project.database.insert([["id": 1, "rank": 1], ["id": 2, "rank": 1]], into: "items")
    let before = try items
    for (query, fields): (String, HTTP.Fields) in [
      ("", [:]), ("?select=id", full), ("?order=id&limit=1", full), ("?columns=rank", [:]),
    ] {
      let update = try await project.serve(
        .patch, "/rest/v1/items" + query, fields: fields, json: #"{"rank":5}"#)
      #expect(
        (update.status, update.code, update.message) == (400, "21000", "UPDATE requires a WHERE clause"))
      let delete = try await project.serve(.delete, "/rest/v1/items" + query, fields: fields)
      #expect(
        (delete.status, delete.code, delete.message) == (400, "21000", "DELETE requires a WHERE clause"))
      #expect(try items == before)
    }
    // Any condition is sufficient, and an update of no column is not a statement.
    #expect(try await project.serve(.patch, "/rest/v1/items", json: "{}").status == 204)
    #expect(try await project.serve(.delete, "/rest/v1/items?id=not.is.null").status == 204)
    #expect(try items.isEmpty)
  }

  /// `MainTx.hs`: the preference counts only with `handling=strict`, and a violation is rolled back.
  @Test func aChangeOfTooManyRowsIsRefused() async throws {
    try project.database.insert([["id": 1, "rank": 1], ["id": 2, "rank": 1]], into: "items")
    let before = try items
    let strict: HTTP.Fields = ["Prefer": "handling=strict, max-affected=1"]
    for (method, json): (HTTP.Method, String?) in [(.patch, #"{"rank":5}"#), (.delete, nil)] {
      let answer = try await project.serve(method, "/rest/v1/items?rank=eq.1", fields: strict, json: json)
      #expect((answer.status, answer.code) == (400, "PGRST124"))
      #expect(answer.message == "Query result exceeds max-affected preference constraint")
      #expect(answer.details == "The query affects 2 rows")
      #expect(try items == before)
    }
    let one = try await project.serve(
      .patch, "/rest/v1/items?id=eq.1", fields: strict, json: #"{"rank":5}"#)
    #expect((one.status, one.fields["Preference-Applied"]) == (204, "handling=strict, max-affected=1"))
    let lenient = try await project.serve(
      .delete, "/rest/v1/items?id=gt.0", fields: ["Prefer": "max-affected=1"])
    #expect((lenient.status, lenient.fields["Preference-Applied"]) == (204, nil))
    #expect(try items.isEmpty)
  }

  /// `Plan.hs` checks the preferences before anything is written; without `handling=strict` they are ignored.
  @Test func unknownPreferencesAreRefusedIfTheHandlingIsStrict() async throws {
    let path = "/rest/v1/items"
    let answer = try await project.serve(
      .post, path, fields: ["Prefer": "handling=strict, anything, return=everything, count=exact"],
      json: #"{"id":1}"#)
    #expect((answer.status, answer.code) == (400, "PGRST122"))
    #expect(answer.message == "Invalid preferences given with handling=strict")
    #expect(answer.details == "Invalid preferences: anything, return=everything")
    #expect(try items.isEmpty)
    let known = try await project.serve(
      .post, path, fields: ["Prefer": "handling=strict, return=minimal, tx=commit"], json: #"{"id":1}"#)
    #expect((known.status, known.fields["Preference-Applied"]) == (201, "return=minimal, handling=strict"))
    let lenient = try await project.serve(
      .post, path, fields: ["Prefer": "handling=lenient, anything"], json: #"{"id":2}"#)
    #expect((lenient.status, lenient.fields["Preference-Applied"]) == (201, "handling=lenient"))
    // An unknown value is not the first value of its name.
    let second = try await project.serve(
      .post, path, fields: ["Prefer": "return=all, return=representation"], json: #"{"id":3}"#)
    #expect(second.fields["Preference-Applied"] == "return=representation")
  }

  /// The representation of a write is selected from it like from a table (`Statements.hs`, `mainWrite`), but without a
  /// limit (`Plan.hs`, `addRanges`).
  @Test func theRepresentationOfAWriteIsOrdered() async throws {
    let answer = try await project.serve(
      .post, "/rest/v1/items?select=id&order=rank.desc", fields: full,
      json: #"[{"id":1,"rank":5},{"id":2,"rank":9},{"id":3,"rank":7}]"#)
    // The order is by a column of the result or of the key.
    #expect((answer.status, answer.code) == (400, "42703"))
    #expect(answer.message == "column items.rank does not exist")
    #expect(try items.isEmpty)
    let rows = #"[{"id":1,"rank":5},{"id":2,"rank":9},{"id":3,"rank":7}]"#
    let inserted = try await project.serve(
      .post, "/rest/v1/items?select=id,rank&order=rank.desc&limit=2", fields: full, json: rows)
    #expect(
      inserted.text == "[{\"id\":2,\"rank\":9}, \n {\"id\":3,\"rank\":7}, \n {\"id\":1,\"rank\":5}]")
    #expect(try items.count == 3)
    let updated = try await project.serve(
      .patch, "/rest/v1/items?id=gt.0&select=id&order=id.desc&offset=1", fields: full, json: #"{"rank":1}"#)
    let all = "[{\"id\":3}, \n {\"id\":2}, \n {\"id\":1}]"
    #expect((updated.text, updated.fields["Content-Range"]) == (all, "0-2/*"))
    #expect(try items.map { $0[2] } == [1, 1, 1])
    // Without a representation, neither is read.
    let silent = try await project.serve(.delete, "/rest/v1/items?id=gt.2&order=nope&select=nope")
    #expect(silent.status == 204)
    let deleted = try await project.serve(
      .delete, "/rest/v1/items?id=gt.0&select=id&order=id.desc", fields: full)
    #expect(deleted.text == "[{\"id\":2}, \n {\"id\":1}]")
  }

  @Test func arraysOfArraysAreKept() async throws {
    for tags in [#"[["a"],["b"]]"#, #""{{a},{b}}""#] {
      let answer = try await project.serve(
        .post, "/rest/v1/lists?select=tags", fields: full, json: list("A\(tags.count)", #","tags":\#(tags)"#))
      #expect((answer.status, answer.text) == (201, #"[{"tags":[["a"],["b"]]}]"#), "\(tags)")
    }
    // After a text, an array is the text of its JSON (`populate_array`).
    let mixed = try await project.serve(.post, "/rest/v1/lists", json: list("A", #","tags":["a",["b"]]"#))
    #expect(mixed.status == 201)
    let kept = try await project.serve(.get, "/rest/v1/lists?select=tags&title=eq.A")
    #expect(kept.text == #"[{"tags":["a","[\"b\"]"]}]"#)
  }
}

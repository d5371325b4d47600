import Testing
import UnderstudyHTTP

@testable import UnderstudySupabase

@Suite struct ChangingTests {
  let project: RESTProject
  private let full: HTTP.Fields = ["Prefer": "return=representation"]

  init() throws {
    project = try RESTProject(
      """
      CREATE TYPE mood AS ENUM ('sad', 'ok');
      CREATE TABLE items (
        id serial PRIMARY KEY, name text UNIQUE, rank integer DEFAULT 3 CHECK (rank < 100), mood mood, tags text[],
        info jsonb, at timestamptz, code varchar(3));
      INSERT INTO items (name, rank) VALUES ('a', 1), ('b', 2);
      CREATE TABLE pairs (x integer, y integer, note text, PRIMARY KEY (x, y));
      """)
  }

  /// A statement that returns the row reads it, so it changes only rows that the user may see.
  @Test func whatIsReturnedMustBeVisible() async throws {
    let project = try RESTProject(
      """
      CREATE TABLE notes (id int PRIMARY KEY, text text, hidden boolean);
      ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
      CREATE POLICY look ON notes FOR SELECT USING (NOT hidden);
      CREATE POLICY change ON notes FOR UPDATE USING (true) WITH CHECK (true);
      INSERT INTO notes VALUES (1, 'a', false), (2, 'b', true);
      CREATE FUNCTION overwrite() RETURNS SETOF notes LANGUAGE sql AS $$ UPDATE notes SET text = 'x' RETURNING * $$;
      """)
    let answer = try await project.send(.post, "/rpc/overwrite", as: .anonymous, "{}")
    #expect(answer.text == #"[{"id":1,"text":"x","hidden":false}]"#)
    let all = try await project.send(.get, "/notes?select=text&order=id")
    #expect(all.text == "[{\"text\":\"x\"}, \n {\"text\":\"b\"}]")
  }

  private func rows(_ select: String = "id,name,rank") async throws -> String {
    try await project.get("/items?select=\(select)&order=id")
  }

  @Test func valuesAreReadByTheirColumns() async throws {
    let answer = try await project.send(
      .post, "/items?select=name,rank,mood,tags,info,at", fields: full,
      #"{"name":"c","rank":"7","mood":"ok","tags":["x","y"],"info":{"k":[1,2]},"at":"2026-01-02T03:04:05Z"}"#)
    #expect(answer.status == 201)
    #expect(
      answer.text
        == #"[{"name":"c","rank":7,"mood":"ok","tags":["x","y"],"info":{"k": [1, 2]},"at":"2026-01-02T03:04:05+00:00"}]"#
    )
    for (json, status, code): (String, Int, String) in [
      (#"{"mood":"angry"}"#, 400, "22P02"), (#"{"rank":"x"}"#, 400, "22P02"),
      (#"{"name":"a"}"#, 409, "23505"),
      (#"{"rank":100}"#, 400, "23514"), (#"{"code":"long"}"#, 400, "22001"),
      (#"{"nope":1}"#, 400, "PGRST204"),
      (#"[{"name":"x"},{"rank":1}]"#, 400, "PGRST102"), ("{", 400, "PGRST102"), ("", 400, "PGRST102"),
      (#"{"tags":"x"}"#, 400, "22P02"),
    ] {
      let refused = try await project.send(.post, "/items", json)
      #expect((refused.status, refused.code) == (status, code), "\(json): \(refused.text)")
    }
  }

  @Test func bodiesHaveSeveralForms() async throws {
    let csv = try await project.send(
      .post, "/items?select=name,rank",
      fields: ["Prefer": "return=representation", "Content-Type": "text/csv"],
      "name,rank\n\"x, \"\"y\"\"\",4\nz,NULL\n")
    #expect(csv.text == "[{\"name\":\"x, \\\"y\\\"\",\"rank\":4}, \n {\"name\":\"z\",\"rank\":null}]")
    let uneven = try await project.send(
      .post, "/items", fields: ["Content-Type": "text/csv"], "name,rank\nq\n")
    #expect((uneven.code, uneven.message) == ("PGRST102", "All lines must have same number of fields"))
    let form = try await project.send(
      .post, "/items?select=name,rank",
      fields: ["Prefer": "return=representation", "Content-Type": "application/x-www-form-urlencoded"],
      "name=f+g&rank=9")
    #expect(form.text == #"[{"name":"f g","rank":9}]"#)
    let empty = try await project.send(.post, "/items?select=name,rank", fields: full, "[{},{}]")
    #expect(
      (empty.status, empty.text) == (201, "[{\"name\":null,\"rank\":3}, \n {\"name\":null,\"rank\":3}]"))
    let none = try await project.send(.post, "/items", fields: full, "[]")
    #expect((none.status, none.text) == (201, "[]"))
  }

  @Test func missingValuesAreNullOrDefault() async throws {
    for (missing, expected) in [("null", "null"), ("default", "3")] {
      let answer = try await project.send(
        .post, "/items?columns=name,rank&select=rank",
        fields: ["Prefer": "return=representation, missing=\(missing)"], #"[{"name":"m\#(missing)"}]"#)
      #expect(answer.text == "[{\"rank\":\(expected)}]")
      #expect(answer.fields["Preference-Applied"] == "missing=\(missing), return=representation")
    }
    let object = try await project.send(
      .post, "/items?columns=id,name&select=name",
      fields: ["Prefer": "return=representation, missing=default"],
      #"{"name":"one"}"#)
    #expect((object.status, object.text) == (201, #"[{"name":"one"}]"#))
  }

  @Test func upserts() async throws {
    func upsert(_ resolution: String, _ query: String, _ json: String) async throws -> RESTProject.Answer {
      try await project.send(
        .post, "/items" + query,
        fields: ["Prefer": "resolution=\(resolution)-duplicates, return=representation"], json)
    }
    let changed = try await upsert("merge", "?select=name,rank", #"{"id":1,"rank":5}"#)
    #expect((changed.status, changed.text) == (200, #"[{"name":"a","rank":5}]"#))
    let mixed = try await upsert(
      "merge", "?on_conflict=name&select=name", #"[{"name":"a","rank":6},{"name":"n","rank":6}]"#)
    #expect((mixed.status, mixed.text) == (201, "[{\"name\":\"a\"}, \n {\"name\":\"n\"}]"))
    let ignored = try await upsert("ignore", "?on_conflict=name&select=name", #"[{"name":"a","rank":9}]"#)
    #expect((ignored.status, ignored.text) == (201, "[]"))
    #expect(
      try await rows("name,rank") == #"[{"name":"a","rank":6},{"name":"b","rank":2},{"name":"n","rank":6}]"#)
    #expect(try await upsert("merge", "?on_conflict=rank", #"{"rank":1}"#).code == "42P10")
    let silent = try await project.send(
      .post, "/items", fields: ["Prefer": "resolution=merge-duplicates"], #"{"id":1,"rank":8}"#)
    #expect((silent.status, silent.text) == (200, ""))
  }

  @Test func aPutReplacesTheRowOfAKey() async throws {
    let created = try await project.send(
      .put, "/pairs?x=eq.1&y=eq.2&select=note", fields: full, #"{"x":1,"y":2,"note":"n"}"#)
    #expect((created.status, created.text) == (201, #"[{"note":"n"}]"#))
    let replaced = try await project.send(
      .put, "/pairs?x=eq.1&y=eq.2", fields: full, #"[{"x":1,"y":2,"note":"m"}]"#)
    #expect((replaced.status, replaced.text) == (200, #"[{"x":1,"y":2,"note":"m"}]"#))
    #expect(try await project.send(.put, "/pairs?x=eq.1&y=eq.2", #"{"x":1,"y":2}"#).status == 204)
    for (query, json, status, code) in [
      ("x=eq.1", #"{"x":1,"y":2}"#, 405, "PGRST105"), ("x=eq.1&y=gt.2", #"{"x":1,"y":2}"#, 405, "PGRST105"),
      ("x=eq.1&y=eq.2", #"{"x":1,"y":3}"#, 400, "PGRST115"), ("x=eq.1&y=eq.2&limit=1", "{}", 400, "PGRST114"),
    ] {
      let refused = try await project.send(.put, "/pairs?" + query, json)
      #expect((refused.status, refused.code) == (status, code), "\(query) \(json): \(refused.text)")
    }
    #expect(try await project.get("/pairs") == #"[{"x":1,"y":2,"note":"m"}]"#)
  }

  @Test func updatesAndDeletes() async throws {
    let silent = try await project.send(.patch, "/items?id=eq.1", #"{"rank":4}"#)
    #expect((silent.status, silent.text, silent.fields["Content-Range"]) == (204, "", "0-0/*"))
    let two = try await project.send(
      .patch, "/items?or=(id.eq.1,id.eq.2)&select=id,rank&order=id.desc", fields: full, #"{"rank":7}"#)
    #expect((two.status, two.text) == (200, "[{\"id\":2,\"rank\":7}, \n {\"id\":1,\"rank\":7}]"))
    let nothing = try await project.send(.patch, "/items", fields: full, "{}")
    #expect((nothing.status, nothing.text) == (200, "[]"))
    for (method, statement): (HTTP.Method, String) in [(.patch, "UPDATE"), (.delete, "DELETE")] {
      let all = try await project.send(method, "/items", #"{"rank":1}"#)
      #expect((all.status, all.code, all.message) == (400, "21000", "\(statement) requires a WHERE clause"))
      let strict = try await project.send(
        method, "/items?rank=eq.7", fields: ["Prefer": "handling=strict, max-affected=1"], #"{"rank":1}"#)
      #expect((strict.status, strict.code) == (400, "PGRST124"))
    }
    let one = try await project.send(
      .delete, "/items?id=gt.0",
      fields: ["Prefer": "return=representation", "Accept": "application/vnd.pgrst.object+json"])
    #expect((one.status, one.details) == (406, "The result contains 2 rows"))
    let deleted = try await project.send(
      .delete, "/items?id=eq.2&select=name", fields: ["Prefer": "return=representation, count=exact"])
    #expect(
      (deleted.status, deleted.text, deleted.fields["Content-Range"]) == (200, #"[{"name":"b"}]"#, "*/1"))
    #expect(try await rows() == #"[{"id":1,"name":"a","rank":7}]"#)
  }

  @Test func theLocationOfANewRowIsItsKey() async throws {
    let answer = try await project.send(
      .post, "/pairs", fields: ["Prefer": "return=headers-only"], #"{"x":1,"y":2}"#)
    #expect((answer.status, answer.text, answer.fields["Location"]) == (201, "", "/pairs?x=eq.1&y=eq.2"))
    let two = try await project.send(
      .post, "/pairs", fields: ["Prefer": "return=headers-only"], #"[{"x":1,"y":3},{"x":1,"y":4}]"#)
    #expect((two.status, two.fields["Location"]) == (201, nil))
  }

  @Test func aTransactionIsRolledBackIfThatIsAllowed() async throws {
    var project = project
    let fields: HTTP.Fields = ["Prefer": "tx=rollback, return=representation"]
    project.endpoint.settings.allowsTransactionOverride = true
    let answer = try await project.send(.delete, "/items?id=eq.1&select=id", fields: fields)
    #expect((answer.status, answer.text) == (200, #"[{"id":1}]"#))
    #expect(try await rows("id") == #"[{"id":1},{"id":2}]"#)
    project.endpoint.settings.allowsTransactionOverride = false
    _ = try await project.send(.delete, "/items?id=eq.1&select=id", fields: fields)
    #expect(try await rows("id") == #"[{"id":2}]"#)
  }

  @Test func tenThousandRowsAreInsertedAtOnce() async throws {
    let rows = (0..<10_000).map { #"{"x":\#($0),"y":1,"note":"row \#($0)"}"# }
    let answer = try await project.send(
      .post, "/pairs", fields: ["Prefer": "count=exact"], "[" + rows.joined(separator: ",") + "]")
    #expect((answer.status, answer.fields["Content-Range"]) == (201, "*/10000"))
  }
}

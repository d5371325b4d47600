import Foundation
import Testing
import UnderstudyHTTP

@testable import UnderstudySupabase

@Suite struct SelectingTests {
  let project: RESTProject

  init() throws {
    project = try RESTProject(
      """
      CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
      CREATE TABLE people (
        id integer PRIMARY KEY, name text, age integer, mood mood, tags text[] NOT NULL DEFAULT '{}',
        info jsonb, during int4range, bio text, "home town" text,
        words tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce(bio, ''))) STORED);
      INSERT INTO people VALUES
        (1, 'Ann', 30, 'happy', '{a,b}', '{"a": {"b": [10, "x"]}, "n": 1}', '[1,5)', 'a fat cat', 'Rome'),
        (2, 'Bob', NULL, 'ok', '{b}', '{"a": {"b": [20]}, "n": 2}', '[5,9)', 'a thin rat', NULL),
        (3, 'Cid "x,y"', 40, 'sad', '{}', NULL, NULL, NULL, 'Oslo');
      CREATE FUNCTION shout(people) RETURNS text LANGUAGE sql STABLE AS $$ SELECT upper($1.name) $$;
      """)
  }

  private func ids(_ query: String) async throws -> [Int] {
    let text = try await project.get("/people?select=id&order=id&" + query)
    guard case .array(let rows)? = try? JSONValue(parsing: .init(text.utf8)) else { return [] }
    return rows.compactMap { $0["id"]?.integerValue }
  }

  @Test(arguments: [
    ("age=gte.40", [3]), ("age=not.eq.30", [3]), ("age=isdistinct.30", [2, 3]), ("mood=gt.sad", [1, 2]),
    ("tags=cs.{b}", [1, 2]), ("tags=cd.{a,b,c}", [1, 2, 3]), ("tags=ov.{a}", [1]), ("during=sl.[5,6)", [1]),
    ("during=sr.[1,2)", [2]), ("during=nxr.[2,6)", [1]), ("during=nxl.[2,6)", [2]),
    ("during=adj.[9,10)", [2]),
    ("during=cs.[2,3)", [1]), ("bio=fts.cat", [1]), ("bio=fts(english).cats", [1]),
    ("bio=plfts.thin rat", [2]),
    ("bio=not.wfts.cat", [2]), ("bio=phfts(simple).fat cat", [1]), ("words=fts.thin", [2]),
    ("or=(id.eq.3,bio.wfts(english).rats)", [2, 3]), ("name=match.^A", [1]), ("name=imatch.^[ab]", [1, 2]),
    ("name=like.*\"x*", [3]),
    ("name=like(any).{A*,B*}", [1, 2]), ("age=gt(all).{10,35}", [3]),
    ("info->a->b->>0=eq.10", [1]), ("info->>n=eq.2", [2]), ("info->n=eq.2", [2]),
    ("info->a->b->0=gt.10", [2]),
    ("tags->>0=eq.b", [2]), ("info=cs.{\"n\":1}", [1]), ("info->a->b=is.null", [3]),
    ("or=(id.eq.1,and(age.gt.30,mood.eq.sad))", [1, 3]), ("or=(info->>n.eq.1,tags.eq.{b})", [1, 2]),
    ("and=(name.in.(Ann,\"Cid \\\"x,y\\\"\"),not.or(id.eq.1,id.eq.7))", [3]),
    ("name=in.(\"Cid \\\"x,y\\\"\")", [3]),
    ("age=in.()", []), ("home town=eq.Rome", [1]), ("\"home town\"=not.is.null", [1, 3]),
    ("mood=is.null", []),
    ("shout=eq.ANN", [1]), ("not.and=(age.gte.30,age.lte.40)", []),
  ])
  func filters(_ query: String, _ expected: [Int]) async throws {
    #expect(try await ids(query) == expected, "\(query)")
  }

  @Test(arguments: [
    ("select=id,name&id=eq.1", #"[{"id":1,"name":"Ann"}]"#),
    ("select=i:id,t:id::text&id=eq.1", #"[{"i":1,"t":"1"}]"#),
    ("select=age::double precision&id=eq.1", #"[{"age":30}]"#),
    ("select=info->a->b->>1&id=eq.1", #"[{"b":"x"}]"#),
    ("select=info->a,first:info->a->b->0&id=eq.1", #"[{"a":{"b": [10, "x"]},"first":10}]"#),
    ("select=tags->1,tags&id=eq.1", #"[{"tags":"b","tags":["a","b"]}]"#),
    ("select=info->>n::int&id=eq.1", #"[{"n":1}]"#),
    ("select=id,shout&id=eq.1", #"[{"id":1,"shout":"ANN"}]"#),
    ("select=age,mood&id=eq.2", #"[{"age":null,"mood":"ok"}]"#),
    ("select=age&id=eq.2", #"[{"age":null}]"#),
    ("select=\"home town\"&id=eq.1", #"[{"home town":"Rome"}]"#),
    ("select=id&order=age.desc.nullslast", #"[{"id":3},{"id":1},{"id":2}]"#),
    ("select=id&order=info->n.desc.nullslast,id", #"[{"id":2},{"id":1},{"id":3}]"#),
    ("select=id&order=info->>n.nullsfirst", #"[{"id":3},{"id":1},{"id":2}]"#),
    ("select=id&order=id&limit=1&offset=1", #"[{"id":2}]"#),
    ("select=during,home:\"home town\"&id=eq.2", #"[{"during":"[5,9)","home":null}]"#),
    ("select=&id=eq.1&limit=0", "[]"),
  ])
  func selections(_ query: String, _ expected: String) async throws {
    #expect(try await project.get("/people?" + query) == expected, "\(query)")
  }

  @Test func aMediaTypeSelectsTheForm() async throws {
    let csv = try await project.send(
      .get, "/people?select=id,name,tags&order=id", fields: ["Accept": "text/csv"])
    #expect(csv.fields["Content-Type"] == "text/csv; charset=utf-8")
    #expect(csv.text == "id,name,tags\n1,Ann,\"{a,b}\"\n2,Bob,{b}\n3,\"Cid \"\"x,y\"\"\",{}")
    let none = try await project.send(.get, "/people?id=eq.9&select=id", fields: ["Accept": "text/csv"])
    #expect(none.text == "\n")
    let object = try await project.send(
      .get, "/people?id=eq.2&select=id,age",
      fields: ["Accept": "application/vnd.pgrst.object+json;nulls=stripped"])
    #expect(object.text == #"{"id":2}"#)
  }

  @Test func countsAndRanges() async throws {
    let fields: HTTP.Fields = ["Prefer": "count=exact"]
    let some = try await project.send(.get, "/people?select=id&order=id&limit=2", fields: fields)
    #expect((some.status, some.fields["Content-Range"]) == (206, "0-1/3"))
    #expect(some.text == "[{\"id\":1}, \n {\"id\":2}]")
    let filtered = try await project.send(.head, "/people?age=gt.0", fields: ["Prefer": "count=planned"])
    #expect((filtered.status, filtered.fields["Content-Range"], filtered.text) == (200, "0-1/2", ""))
    let late = try await project.send(.get, "/people?offset=4", fields: fields)
    #expect((late.status, late.details) == (416, "An offset of 4 was requested, but there are only 3 rows."))
    let limited = try RESTProject("CREATE TABLE t AS SELECT generate_series(1, 10) AS i;", maximumRows: 4)
    let most = try await limited.send(.get, "/t", fields: fields)
    #expect((most.status, most.fields["Content-Range"]) == (206, "0-3/10"))
  }

  @Test(arguments: [
    ("/people?select=nope", 400, "42703", "column people.nope does not exist"),
    ("/people?nope=eq.1", 400, "42703", "column people.nope does not exist"),
    ("/people?id=foo.1", 400, "PGRST100", #""failed to parse filter (foo.1)" (line 1, column 1)"#),
    ("/people?select=count()", 400, "PGRST123", "Use of aggregate functions is not allowed"),
    ("/people?select=age.sum()", 400, "PGRST123", "Use of aggregate functions is not allowed"),
    ("/people?select=id::nope", 400, "42704", "type \"nope\" does not exist"),
    ("/peoples", 404, "PGRST205", "Could not find the table 'public.peoples' in the schema cache"),
    (
      "/people?select=id,cities(*)", 400, "PGRST200",
      "Could not find a relationship between 'people' and 'cities' in the schema cache"
    ),
    ("/people?cities.id=eq.1", 400, "PGRST108", "'cities' is not an embedded resource in this request"),
    ("/people?mood=eq.angry", 400, "22P02", #"invalid input value for enum mood: "angry""#),
  ])
  func refusals(_ path: String, _ status: Int, _ code: String, _ message: String) async throws {
    let answer = try await project.send(.get, path)
    #expect((answer.status, answer.code, answer.message) == (status, code, message), "\(path)")
  }

  /// What PostgREST would answer and the emulator cannot has a status and a code of its own.
  @Test func unsupportedRequestsAreRefusedAsSuch() async throws {
    let answer = try await project.send(.get, "/")
    #expect((answer.status, answer.code) == (501, "UNDERSTUDY"), "\(answer.text)")
  }

  @Test func aMisspelledTableIsSuggested() async throws {
    #expect(try await project.send(.get, "/peopl").hint == "Perhaps you meant the table 'public.people'")
    #expect(try await project.send(.get, "/nothing").hint == nil)
  }

  @Test func schemasAreExposed() async throws {
    let other = try await project.send(.get, "/people", fields: ["Accept-Profile": "private"])
    #expect((other.status, other.code) == (406, "PGRST106"))
    #expect(other.hint == "Only the following schemas are exposed: public, graphql_public")
    var project = try RESTProject(
      """
      CREATE SCHEMA api; GRANT USAGE ON SCHEMA api TO anon; CREATE TABLE api.things (id integer);
      GRANT ALL ON api.things TO anon; INSERT INTO api.things VALUES (7);
      """)
    project.endpoint.settings.schemas = ["api", "public"]
    let answer = try await project.send(.get, "/things", as: .anonymous)
    #expect((answer.text, answer.fields["Content-Profile"]) == (#"[{"id":7}]"#, "api"))
    #expect(try await project.send(.get, "/things", fields: ["Accept-Profile": "public"]).code == "PGRST205")
  }
}

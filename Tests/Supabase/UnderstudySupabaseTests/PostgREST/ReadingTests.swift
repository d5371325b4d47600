import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct ReadingTests {
  let project: TodoProject

  init() throws {
    project = try TodoProject()
    try project.database.insert(
      [
        ["id": 1, "name": "Ann", "rank": 10], ["id": 2, "name": "Bob"],
        ["id": 3, "name": "a,b \"(c)\"", "rank": 30], ["id": 4, "name": "Élan", "rank": 20],
        ["id": 5, "rank": 20],
      ], into: "items")
  }

  /// The ids of the rows, in order.
  private func ids(_ query: String, _ fields: HTTP.Fields = [:]) async throws -> [Int] {
    let answer = try await project.serve(.get, "/rest/v1/items?" + query, fields: fields)
    #expect((200...206).contains(answer.status), "\(query): \(answer.text)")
    guard case .array(let rows)? = answer.json else { return [] }
    return rows.compactMap { row in
      guard case .number(let digits)? = row["id"] else { return nil }
      return Int(digits)
    }
  }

  @Test(arguments: [
    ("id=eq.3", [3]), ("id=neq.3", [1, 2, 4, 5]), ("rank=gt.10", [3, 4, 5]), ("rank=gte.10", [1, 3, 4, 5]),
    ("rank=lt.20", [1]), ("rank=lte.20", [1, 4, 5]), ("rank=neq.20", [1, 3]), ("name=like.*n*", [1, 4]),
    ("name=like.A%25", [1]), ("name=like.A_n", [1]), ("name=like.B%5C_b", []), ("name=ilike.a*", [1, 3]),
    ("name=ilike.%C3%A9lan", [4]), ("rank=is.null", [2]), ("rank=is.not_null", [1, 3, 4, 5]),
    ("rank=not.is.null", [1, 3, 4, 5]), ("id=in.(1,4)", [1, 4]), ("id=in.()", []),
    ("name=in.(Ann,%22a,b%20%5C%22(c)%5C%22%22)", [1, 3]), ("id=not.in.(1,4)", [2, 3, 5]),
    ("rank=not.eq.20", [1, 3]), ("rank=isdistinct.20", [1, 2, 3]), ("name=eq.a%2Cb+%22(c)%22", [3]),
    ("id=gt.1&id=lt.4", [2, 3]), ("or=(id.eq.1,rank.eq.30)", [1, 3]),
    ("and=(id.gt.1,or(rank.is.null,rank.eq.30))", [2, 3]), ("or=(id.eq.5,not.and(id.gt.1,id.lt.9))", [1, 5]),
    ("not.or=(id.eq.1,id.eq.2)", [3, 4, 5]), ("not.and=(rank.gte.10,rank.lte.20)", [3]),
    ("or=(name.eq.%22a,b%20%5C%22(c)%5C%22%22,id.in.(1,2))", [1, 2, 3]), ("name=eq(any).{Ann,Bob}", [1, 2]),
    ("name=like(all).{A*,*n}", [1]), ("name=eq.e%CC%81", []), ("name=gte.%C3%89", [4]),
  ])
  func filters(_ query: String, _ expected: [Int]) async throws {
    #expect(try await ids(query) == expected, "\(query)")
  }

  @Test func filtersOtherTypes() async throws {
    let owner = project.pat.uuidString
    try project.database.insert(
      [
        [
          "owner": .uuid(project.pat), "title": "A", "done": true, "due": "2025-12-31",
          "tags": .textArray(["x", "y"]), "weight": 1.5,
        ],
        ["owner": .uuid(project.pat), "title": "B", "extra": "{\"a\": 1}"],
      ], into: "lists")
    for (query, titles) in [
      ("owner=eq.\(owner)", ["A", "B"]), ("done=is.true", ["A"]), ("done=eq.f", ["B"]),
      ("due=lt.2026-01-01", ["A"]), ("tags=cs.{x}", ["A"]), ("tags=cd.{x,y,z}", ["A", "B"]),
      ("tags=ov.{y,z}", ["A"]), ("or=(tags.cs.{x,y},title.eq.B)", ["A", "B"]), ("weight=gt.1", ["A"]),
      ("weight=eq.1.5", ["A"]), ("tags=eq.{}", ["B"]), ("extra=eq.{\"a\":1}", ["B"]),
      ("created_at=lte.2026-01-03T13:00:00.123456%2B01:00", ["A", "B"]),
      ("created_at=gt.2026-01-03", ["A", "B"]),
      ("created_at=lt.2026-01-03T12:00:00.123456Z", []),
    ] {
      let path = "/rest/v1/lists?select=title&order=title&" + query
      let encoded = try #require(
        path.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed.subtracting(["{"]).union(["%"])))
      let answer = try await project.serve(.get, encoded)
      let expected = titles.map { JSONValue.object([.init("title", .string($0))]) }
      #expect(answer.json == .array(expected), "\(query): \(answer.text)")
    }
  }

  @Test(arguments: [
    ("order=rank", [1, 4, 5, 3, 2]), ("order=rank.desc", [2, 3, 4, 5, 1]),
    ("order=rank.asc.nullsfirst", [2, 1, 4, 5, 3]), ("order=rank.desc.nullslast", [3, 4, 5, 1, 2]),
    ("order=rank.nullsfirst,id.desc", [2, 1, 5, 4, 3]), ("order=rank.desc,id.desc", [2, 3, 5, 4, 1]),
    ("order=name", [3, 1, 2, 4, 5]), ("limit=2", [1, 2]), ("limit=2&offset=3", [4, 5]), ("limit=0", []),
    ("offset=9", []), ("limit=9223372036854775807&offset=4", [5]), ("limit=nonsense", [1, 2, 3, 4, 5]),
  ])
  func ordersAndLimits(_ query: String, _ expected: [Int]) async throws {
    #expect(try await ids(query) == expected, "\(query)")
  }

  @Test func rangesAreReadFromTheField() async throws {
    #expect(try await ids("", ["Range": "1-2"]) == [2, 3])
    #expect(try await ids("", ["Range": "3-"]) == [4, 5])
    #expect(try await ids("limit=0", ["Range": "3-9"]).isEmpty)
    #expect(try await ids("", ["Range": "0-9223372036854775807"]) == [1, 2, 3, 4, 5])
    // `rangeParse` reads two numbers and ignores everything else.
    #expect(try await ids("", ["Range": "items=1-2"]) == [1, 2, 3, 4, 5])
    for (query, field) in [("", "3-1"), ("?limit=1", "3-9")] {
      let apart = try await project.serve(.get, "/rest/v1/items" + query, fields: ["Range": field])
      #expect((apart.status, apart.code) == (416, "PGRST103"))
    }
  }

  /// `ApiRequest.hs`: the field is ignored for every method other than GET (RFC 9110 §14.2).
  @Test func theRangeFieldAppliesToGETOnly() async throws {
    let fields: HTTP.Fields = ["Range": "1-2", "Prefer": "count=exact, return=representation"]
    let head = try await project.serve(.head, "/rest/v1/items", fields: fields)
    #expect((head.status, head.fields["Content-Range"]) == (200, "0-4/5"))
    let deleted = try await project.serve(.delete, "/rest/v1/items?id=gt.3&select=id", fields: fields)
    #expect(deleted.text == "[{\"id\":4}, \n {\"id\":5}]")
  }

  /// `json_strip_nulls` of PostgreSQL 15, which keeps the `null` elements of arrays and writes no space.
  @Test func nullsAreStripped() async throws {
    let array: HTTP.Fields = ["Accept": "application/vnd.pgrst.array+json;nulls=stripped"]
    let rows = try await project.serve(.get, "/rest/v1/items?select=id,rank&id=lt.3", fields: array)
    #expect(rows.text == #"[{"id":1,"rank":10},{"id":2}]"#)
    #expect(
      rows.fields["Content-Type"] == "application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8")
    try project.database.insert(
      [
        "owner": .uuid(project.pat), "title": "A", "tags": .textArray(["a", nil]),
        "extra": #"{"a": null, "b": [1.50, null, {"c": null}]}"#,
      ], into: "lists")
    let one = try await project.serve(
      .get, "/rest/v1/lists?select=title,weight,tags,extra",
      fields: ["Accept": "application/vnd.pgrst.object+json; nulls=stripped"])
    #expect(one.text == #"{"title":"A","tags":["a",null],"extra":{"b":[1.50,null,{}]}}"#)
    #expect(one.fields["Content-Type"] == "application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8")
    let written = try await project.serve(
      .patch, "/rest/v1/items?id=eq.1&select=id,name,rank",
      fields: [
        "Accept": "application/vnd.pgrst.array+json;nulls=stripped", "Prefer": "return=representation",
      ],
      json: #"{"rank":null}"#)
    #expect(written.text == #"[{"id":1,"name":"Ann"}]"#)
    let plain = try await project.serve(
      .get, "/rest/v1/items?select=id,rank&id=eq.2",
      fields: ["Accept": "application/vnd.pgrst.array+json"])
    #expect(plain.text == #"[{"id":2,"rank":null}]"#)
  }

  /// What PostgREST would answer and the emulator cannot has a status and a code of its own.
  @Test(arguments: [
    ("/rest/v1/", "the description of the API (OpenAPI)")
  ])
  func unsupportedRequestsAreRefusedAsSuch(_ path: String, _ feature: String) async throws {
    let answer = try await project.serve(.get, path)
    #expect((answer.status, answer.code) == (501, "UNDERSTUDY"), "\(path): \(answer.text)")
    #expect(answer.message == "The emulator does not support \(feature).")
    #expect(answer.fields["Proxy-Status"] == "PostgREST; error=UNDERSTUDY")
  }

  @Test(arguments: [
    ("", "", 200, "0-4/*"), ("limit=2", "", 200, "0-1/*"), ("id=eq.77", "", 200, "*/*"),
    ("", "count=exact", 200, "0-4/5"), ("limit=2&offset=1", "count=exact", 206, "1-2/5"),
    ("offset=5", "count=exact", 206, "*/5"), ("id=eq.77", "count=exact", 200, "*/0"),
  ])
  func countsRows(_ query: String, _ prefer: String, _ status: Int, _ range: String) async throws {
    for method in [HTTP.Method.get, .head] {
      let answer = try await project.serve(method, "/rest/v1/items?" + query, fields: ["Prefer": prefer])
      #expect((answer.status, answer.fields["Content-Range"]) == (status, range))
      #expect(answer.fields["Preference-Applied"] == (prefer.isEmpty ? nil : prefer))
      #expect(answer.text.isEmpty == (method == .head))
    }
  }

  /// `db-max-rows`, which a client must not take for the end of the rows.
  @Test func aSelectionHasAThousandRowsAtMost() async throws {
    try project.database.insert((6...1_100).map { ["id": .integer($0)] }, into: "items")
    #expect(try await ids("order=id") == Array(1...1_000))
    #expect(try await ids("order=id&limit=1050") == Array(1...1_000))
    #expect(try await ids("order=id&offset=1000") == Array(1_001...1_100))
    let answer = try await project.serve(.get, "/rest/v1/items", fields: ["Prefer": "count=exact"])
    #expect((answer.status, answer.fields["Content-Range"]) == (206, "0-999/1100"))
    // The representation of a write is not cut (`Plan.hs`, `treeRestrictRange`).
    let updated = try await project.serve(
      .patch, "/rest/v1/items?id=gt.0&select=id", fields: ["Prefer": "return=representation"],
      json: #"{"rank":1}"#)
    #expect(updated.fields["Content-Range"] == "0-1099/*")
    for (maximum, rows) in [(2, 2), (nil, 1_100)] {
      let emulator = SupabaseEmulator(
        database: project.database, auth: project.auth, maximumRows: maximum)
      let url = try #require(URL(string: "http://localhost/rest/v1/items?select=id"))
      let response = try await emulator.respond(
        to: HTTP.Request(.get, url, fields: ["apikey": emulator.serviceKey]))
      #expect(response.fields["Content-Range"] == "0-\(rows - 1)/*")
    }
  }

  @Test func aRangePastTheEndIsRefusedWhenRowsAreCounted() async throws {
    let answer = try await project.serve(.get, "/rest/v1/items?offset=6", fields: ["Prefer": "count=exact"])
    #expect((answer.status, answer.code) == (416, "PGRST103"))
    #expect(answer.details == "An offset of 6 was requested, but there are only 5 rows.")
    #expect(try await project.serve(.get, "/rest/v1/items?limit=-1").status == 416)
  }

  @Test func oneObjectIsOneRow() async throws {
    let fields: HTTP.Fields = ["Accept": "application/vnd.pgrst.object+json"]
    let one = try await project.serve(.get, "/rest/v1/items?id=eq.1&select=id,name", fields: fields)
    #expect((one.status, one.text) == (200, #"{"id":1,"name":"Ann"}"#))
    #expect(one.fields["Content-Type"] == "application/vnd.pgrst.object+json; charset=utf-8")
    for (query, rows) in [("id=eq.77", 0), ("id=lt.3", 2)] {
      let answer = try await project.serve(.get, "/rest/v1/items?" + query, fields: fields)
      #expect((answer.status, answer.code) == (406, "PGRST116"))
      #expect(answer.message == "Cannot coerce the result to a single JSON object")
      #expect(answer.details == "The result contains \(rows) rows")
    }
  }

  @Test func rowsAreWrittenAsPostgreSQLWritesThem() async throws {
    try project.database.insert(
      [
        "owner": .uuid(project.pat), "title": "T\u{1}\n\"", "weight": 1e20, "due": "2025-12-31",
        "tags": .textArray(["a", nil]), "extra": #"{"bb": [1.50,null], "a":"é"}"#,
      ], into: "lists")
    let answer = try await project.serve(
      .get, "/rest/v1/lists?select=title,weight,due,tags,extra,at:created_at")
    #expect(
      answer.text == #"[{"title":"T\u0001\n\"","weight":1e+20,"due":"2025-12-31","tags":["a",null],"#
        + #""extra":{"a": "é", "bb": [1.50, null]},"at":"2026-01-03T12:00:00.123456+00:00"}]"#)
    #expect(
      try await project.serve(.get, "/rest/v1/items?select=id&limit=2").text == "[{\"id\":1}, \n {\"id\":2}]")
    #expect(try await project.serve(.get, "/rest/v1/items?select=id&limit=0").text == "[]")
  }

  @Test func theContentLocationIsReturned() async throws {
    let answer = try await project.serve(.get, "/rest/v1/items?select=id&id=eq.1&apikey=anon-key")
    #expect(answer.fields["Content-Location"] == "/items?id=eq.1&select=id")
    #expect(answer.fields["Content-Type"] == "application/json; charset=utf-8")
  }

  @Test(arguments: [
    ("/rest/v1/nowhere", 404, "PGRST205"), ("/rest/v1/auth.users", 404, "PGRST205"),
    ("/rest/v1/items/1", 404, "PGRST125"), ("/rest/v1/rpc/a/b", 404, "PGRST125"),
    ("/rest/v1/items?id=1", 400, "PGRST100"), ("/rest/v1/items?id=", 400, "PGRST100"),
    ("/rest/v1/items?id=foo.1", 400, "PGRST100"), ("/rest/v1/items?id=not.1", 400, "PGRST100"),
    ("/rest/v1/items?id=in.1", 400, "PGRST100"), ("/rest/v1/items?id=in.(1", 400, "PGRST100"),
    ("/rest/v1/items?id=is.maybe", 400, "PGRST100"), ("/rest/v1/items?or=id.eq.1", 400, "PGRST100"),
    ("/rest/v1/items?or=(id.eq.1", 400, "PGRST100"), ("/rest/v1/items?or=()", 400, "PGRST100"),
    ("/rest/v1/items?or=(id.eq.1)x", 400, "PGRST100"), ("/rest/v1/items?order=id.up", 400, "PGRST100"),
    ("/rest/v1/items?select=count()", 400, "PGRST123"), ("/rest/v1/items?select=id.sum()", 400, "PGRST123"),
    ("/rest/v1/items?select=nowhere(*)", 400, "PGRST200"), ("/rest/v1/lists?extra=ov.{}", 404, "42883"),
    ("/rest/v1/items?lists.id=eq.1", 400, "PGRST108"), ("/rest/v1/items?nope=eq.1", 400, "42703"),
    ("/rest/v1/items?select=nope", 400, "42703"), ("/rest/v1/items?order=nope", 400, "42703"),
    ("/rest/v1/items?id=eq.x", 400, "22P02"), ("/rest/v1/items?id=eq.99999999999", 400, "22003"),
    ("/rest/v1/lists?id=eq.7", 400, "22P02"), ("/rest/v1/lists?due=eq.2026-02-30", 400, "22008"),
    ("/rest/v1/lists?due=eq.soon", 400, "22007"), ("/rest/v1/lists?tags=cs.x", 400, "22P02"),
    ("/rest/v1/items?id=like.1", 404, "42883"), ("/rest/v1/items?id=is.true", 400, "42804"),
    ("/rest/v1/items?name=eq.%00", 400, "22021"), ("/rest/v1/items?name=like.a%5C", 400, "22025"),
  ])
  func invalidInputIsRefused(_ path: String, _ status: Int, _ code: String) async throws {
    let answer = try await project.serve(.get, path)
    #expect((answer.status, answer.code) == (status, code), "\(path): \(answer.text)")
    #expect(answer.fields["Proxy-Status"] == "PostgREST; error=\(code)")
  }

  @Test func errorsReportTheReason() async throws {
    let answer = try await project.serve(.get, "/rest/v1/items?id=foo.1")
    #expect(answer.message == #""failed to parse filter (foo.1)" (line 1, column 1)"#)
    #expect(answer.details == #"unexpected "f" expecting "not" or operator (eq, gt, ...)"#)
    let uuid = try await project.serve(.get, "/rest/v1/lists?id=eq.7")
    #expect(uuid.message == #"invalid input syntax for type uuid: "7""#)
  }

  @Test func negotiates() async throws {
    for (fields, code, status): (HTTP.Fields, String, Int) in [
      (["Accept": "application/geo+json"], "UNDERSTUDY", 501), (["Accept": "image/png"], "PGRST107", 406),
      (["Accept-Profile": "private"], "PGRST106", 406),
    ] {
      let answer = try await project.serve(.get, "/rest/v1/items", fields: fields)
      #expect((answer.status, answer.code) == (status, code))
    }
    let fine: HTTP.Fields = ["Accept": "text/csv, application/json;q=0.5", "Accept-Profile": "public"]
    #expect(try await project.serve(.get, "/rest/v1/items", fields: fine).status == 200)
    let put = try await project.serve(.put, "/rest/v1/items", json: "{}")
    #expect((put.status, put.code) == (405, "PGRST105"))
    let brew = try await project.serve(HTTP.Method(rawValue: "BREW"), "/rest/v1/items")
    #expect((brew.status, brew.code) == (405, "PGRST117"))
  }
}

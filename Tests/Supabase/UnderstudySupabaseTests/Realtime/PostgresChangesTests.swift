import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// The changes of tables that a channel sends, and their receivers.
@Suite(.stallLimit()) struct PostgresChangesTests {
  let project: TodoProject
  let pat: AuthSession

  init() throws {
    project = try TodoProject()
    pat = try project.auth.signIn(email: "pat@example.com", password: "secret1")
  }

  private func list(_ title: String, of owner: UUID) -> [String: ColumnValue] {
    ["owner": .uuid(owner), "title": .text(title)]
  }

  @Test func theReplyRepeatsTheBindingsWithIdentifiers() async throws {
    let client = try await RealtimeClient(project)
    let binding = #"{"event":"INSERT","schema":"public","table":"lists","filter":"size=gt.2"}"#
    let (reply, system) = try await client.join(
      binding + "," + binding + #",{"event":"*","schema":"public"}"#)
    #expect(reply.status == "ok" && reply.joinRef == "1" && reply.ref == "1")
    guard case .array(let bindings)? = reply.payload["response"]?["postgres_changes"] else {
      Issue.record("Expected bindings, found \(reply.payload)")
      return
    }
    #expect(bindings.map { $0["filter"]?.stringValue } == ["size=gt.2", "size=gt.2", nil])
    #expect(bindings[0]["id"] == bindings[1]["id"] && bindings[0]["id"] != bindings[2]["id"])
    #expect(
      system.payload
        == .object([
          .init("channel", .string("any")), .init("extension", .string("postgres_changes")),
          .init("message", .string("Subscribed to PostgreSQL")), .init("status", .string("ok")),
        ]))
    #expect(system.event == "system" && system.joinRef == "1" && system.ref == nil)
  }

  @Test func changesHaveTheirWireFormat() async throws {
    let client = try await RealtimeClient(project)
    let binding = #"{"event":"*","schema":"public","table":"items"}"#
    let reply = try await client.join(binding, token: pat.accessToken).reply
    let id =
      try #require(reply.payload["response"]?["postgres_changes"]).compactText.firstMatch(of: /"id":(\d+)/)?
      .output.1 ?? ""
    try project.database.insert(["id": 7, "name": "Milk"], into: "items")
    try project.database.update("items", set: ["rank": 3], where: .equals("id", 7))
    try project.database.delete(from: "items", where: .equals("id", 7))
    let columns =
      #"[{"name":"id","type":"int4"},{"name":"list_id","type":"uuid"},{"name":"kept_in","type":"uuid"},"#
      + #"{"name":"name","type":"text"},{"name":"rank","type":"int4"}]"#
    let expected = [
      #""type":"INSERT","commit_timestamp":"2026-01-03T12:00:00.123Z","columns":\#(columns),"#
        + #""record":{"id":7,"name":"Milk","rank":null,"kept_in":null,"list_id":null},"errors":null"#,
      #""type":"UPDATE","commit_timestamp":"2026-01-03T12:00:00.123Z","columns":\#(columns),"#
        + #""record":{"id":7,"name":"Milk","rank":3,"kept_in":null,"list_id":null},"old_record":{"id":7},"errors":null"#,
      #""type":"DELETE","commit_timestamp":"2026-01-03T12:00:00.123Z","columns":\#(columns),"#
        + #""old_record":{"id":7},"errors":null"#,
    ]
    for change in expected {
      #expect(
        try await client.text()
          == #"[null,null,"realtime:any","postgres_changes",{"ids":[\#(id)],"data":"#
          + #"{"schema":"public","table":"items",\#(change)}}]"#)
    }
  }

  @Test func changesAfterTheReplyAreSent() async throws {
    let client = try await RealtimeClient(project)
    try await client.send(
      #"["1","1","realtime:any","phx_join",{"config":{"postgres_changes":[{"schema":"public"}]},"#
        + #""access_token":"service-key"}]"#)
    #expect(try await client.message().status == "ok")
    try project.database.insert(list("first", of: project.pat), into: "lists")
    #expect(try await client.message().said == "Subscribed to PostgreSQL")
    #expect(try await client.message().data?["record"]?["title"]?.stringValue == "first")
  }

  @Test func policiesHideRowsButADeletionIsSentToAllClients() async throws {
    let client = try await RealtimeClient(project)
    try await client.join(token: pat.accessToken)
    let anonymous = try await RealtimeClient(project)
    try await anonymous.join()
    let row = try project.database.insert(
      list("theirs", of: project.kim), into: "lists", as: .user(project.kim))
    try project.database.update("lists", set: ["done": true], where: .equals("title", "theirs"))
    try project.database.insert(list("mine", of: project.pat), into: "lists")
    #expect(try await client.message().data?["record"]?["title"]?.stringValue == "mine")
    try project.database.delete(from: "lists", where: .equals("title", "theirs"))
    let id = try #require(row["id"].uuidValue).uuidString.lowercased()
    for client in [client, anonymous] {
      let removal = try await client.message()
      #expect(removal.kind == "DELETE")
      #expect(removal.data?["old_record"] == .object([.init("id", .string(id))]))
    }
  }

  @Test func anEventThatIsNotRequestedIsNotSent() async throws {
    let client = try await RealtimeClient(project)
    try await client.join(#"{"event":"update","schema":"public","table":"items"}"#)
    try project.database.insert(["id": 1], into: "items")
    try project.database.delete(from: "items", where: .all)
    try project.database.insert(["id": 2], into: "items")
    try project.database.update("items", set: ["rank": 1], where: .all)
    let change = try await client.message()
    #expect(change.kind == "UPDATE" && change.data?["record"]?["id"] == .number("2"))
  }

  /// The names of the rows that match the filter, among three.
  @Test(arguments: [
    ("id=eq.2", ["b"]), ("id=neq.1,id=lt.3", ["b"]), ("id=gte.2,id=lte.2", ["b"]), ("name=in.(b,x)", ["b"]),
    (#"name=in.("b")"#, ["b"]), ("name=not.in.(a,c)", ["b"]), ("name=like.B%", []), ("name=ilike.B%", ["b"]),
    ("rank=is.null", ["c"]), ("rank=not.is.null", ["a", "b"]), ("rank=isdistinct.1", ["b", "c"]),
    (#"name=eq."b""#, ["b"]), ("  ", ["a", "b", "c"]), ("rank=neq.1", ["b"]),
    ("name=match.^[ac]", ["a", "c"]),
  ])
  func filters(_ filter: String, _ names: [String]) async throws {
    let client = try await RealtimeClient(project)
    let quoted = filter.replacing("\"", with: "\\\"")
    let (_, system) = try await client.join(
      #"{"event":"INSERT","schema":"public","table":"items","filter":"\#(quoted)"},"#
        + #"{"event":"DELETE","schema":"public","table":"items"}"#)
    #expect(system.said == "Subscribed to PostgreSQL")
    for (id, name, rank) in [(1, "a", 1), (2, "b", 2), (3, "c", nil)] as [(Int, String, Int?)] {
      try project.database.insert(
        ["id": .integer(id), "name": .text(name), "rank": rank.map { .integer($0) } ?? .null], into: "items")
    }
    try project.database.delete(from: "items", where: .equals("id", 1))
    var told: [String] = []
    while let data = try await client.message().data, let name = data["record"]?["name"]?.stringValue {
      told.append(name)
    }
    #expect(told == names)
  }

  @Test func aFilterOnADeletionOnlyKnowsThePrimaryKey() async throws {
    let client = try await RealtimeClient(project)
    try await client.join(
      #"{"event":"*","schema":"public","table":"items","filter":"name=eq.a"},"#
        + #"{"event":"DELETE","schema":"public","table":"items","filter":"id=eq.2"}"#)
    try project.database.insert([["id": 1, "name": "a"], ["id": 2, "name": "b"]], into: "items")
    try project.database.delete(from: "items", where: .all)
    #expect(try await client.message().data?["record"]?["name"]?.stringValue == "a")
    #expect(try await client.message().data?["old_record"] == .object([.init("id", .number("2"))]))
  }

  @Test(arguments: [
    (
      #"{"event":"*"}"#,
      "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: "
        + #"{"event":"*"}"#
    ),
    (
      #"{"event":"*","schema":"public","table":"items","filter":"id=foo.2"}"#,
      #"Error parsing `filter` params: ["foo", "2"]"#
    ),
    (
      #"{"event":"*","schema":"public","table":"items","filter":"undefined"}"#,
      #"Error parsing `filter` params: ["undefined"]"#
    ),
    (
      #"{"event":"*","schema":"public","table":"items","filter":"id=in.2"}"#,
      "Error parsing `filter` params: `in` filter value must be wrapped by parentheses"
    ),
    (
      #"{"event":"*","schema":"auth","table":"users"}"#,
      "Please check Realtime is enabled for the given connect parameters: "
        + "[event: *, schema: auth, table: users, filters: [], select: nil]"
    ),
    (
      #"{"event":"*","schema":"public","table":"items","filter":"size=eq.2"}"#,
      #"[event: *, schema: public, table: items, filters: [{"size", "eq", "2", false}], select: nil]. "#
        + "Exception: ERROR P0001 invalid column for filter size"
    ),
    (
      #"{"event":"*","schema":"public","table":"items","filter":"id=eq.two"}"#,
      #"Exception: ERROR 22P02 invalid input syntax for type integer: "two""#
    ),
  ])
  func aFailedSubscriptionIsReportedAfterASuccessfulReply(_ binding: String, _ message: String) async throws {
    let client = try await RealtimeClient(project)
    let (reply, system) = try await client.join(binding)
    #expect(reply.status == "ok")
    #expect(system.payload["status"]?.stringValue == "error")
    #expect(system.said?.contains(message) == true, "\(system.said ?? "")")
    #expect(project.database.changeFeedCount == 0)
  }

  @Test func selectedColumnsAreSentWithThePrimaryKey() async throws {
    let client = try await RealtimeClient(project)
    try await client.join(#"{"event":"*","schema":"public","table":"items","select":["name"]}"#)
    try project.database.insert(["id": 1, "name": "a", "rank": 4], into: "items")
    let data = try #require(try await client.message().data)
    #expect(data["record"] == .object([.init("id", .number("1")), .init("name", .string("a"))]))
  }

  @Test func aTopicNamesTheTableWithoutAConfig() async throws {
    let client = try await RealtimeClient(project, vsn: "1.0.0")
    try await client.send(
      #"{"event":"phx_join","topic":"realtime:public:items:id=eq.2","ref":"1","payload":{}}"#)
    #expect(try await client.text()?.contains(#""filter":"id=eq.2""#) == true)
    #expect(try await client.text()?.contains("Subscribed to PostgreSQL") == true)
    try project.database.insert([["id": 1], ["id": 2]], into: "items")
    #expect(
      try await client.text()?.hasPrefix(#"{"event":"INSERT","payload":{"schema":"public","table":"items""#)
        == true)
  }

  @Test func aBrokenFeedIsAnErrorOfItsChannel() async throws {
    let client = try await RealtimeClient(project)
    try await client.join()
    project.database.breakChangeFeeds(with: TransportError(.connectionLost, "Interrupted."))
    let message = try await client.message()
    #expect(message.event == "phx_error" && message.joinRef == "1" && message.payload == .object([]))
  }
}

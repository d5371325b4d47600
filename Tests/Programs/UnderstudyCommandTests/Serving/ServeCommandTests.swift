import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct ServeCommandTests {
  /// Returns the request; responds to `/stream` in two chunks, and aborts `/break` after one.
  private struct Echo: HTTPHandler {
    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      let (first, second) = (Data("one ".utf8), Data("two".utf8))
      switch request.url.path() {
      case "/stream":
        let rest = Locked([second, first])
        return HTTP.Response(status: 200, body: HTTP.Body(unfolding: { rest.withLock { $0.popLast() } }))
      case "/break":
        return HTTP.Response(
          status: 200, body: HTTP.Body(chunks: [first], endingWith: TransportError(.connectionLost, "Gone.")))
      default:
        let text = "\(request.method) \(request.url.path()) \(request.body?.count ?? 0)"
        return HTTP.Response(status: 201, body: Data(text.utf8), contentType: "text/plain")
      }
    }
  }

  private let echo = ServedBackend("an echo") { .init(Echo(), notes: ["key: k"]) { ["a cake"] } }

  @Test func printsTheAddressEachRequestAndASummary() async throws {
    let command = RunningCommand(["serve", "--port", "0"], serving: echo)
    #expect(try await command.send(.post, "/cakes?apikey=secret&n=1", body: "abc") == (201, "POST /cakes 3"))
    #expect(try await command.send(.get, "/cakes") == (201, "GET /cakes 0"))
    #expect(try await command.send(.get, "/cakes?again") == (201, "GET /cakes 0"))
    _ = try await command.line(with: "#3")
    let (status, output, error) = await command.stop()
    #expect(status == 0)
    #expect(error == "")
    let lines = output.split(separator: "\n").map(String.init)
    #expect(URL(string: lines.first ?? "")?.port != nil)
    #expect(
      Array(lines.dropFirst()) == [
        "Serving an echo. Stop with Ctrl-C.",
        "  key: k",
        "01:00:00.000  #1  POST /cakes?apikey=…&n=1  201  13 B  0.0 ms",
        "01:00:00.000  #2  GET /cakes  201  12 B  0.0 ms",
        "01:00:00.000  #3  GET /cakes?again  201  12 B  0.0 ms",
        "Stopped after 3 requests.",
        "  1 ×  201  POST /cakes",
        "  2 ×  201  GET /cakes",
        "Never requested:",
        "  a cake",
      ])
  }

  @Test func namesTheFaultsThatItInjectsAndThoseThatItDoesNot() async throws {
    let command = RunningCommand(
      [
        "serve", "--fault", "GET /cakes call=2 conflict", "--fault=/pies connection-lost", "--fault",
        "/tea timeout",
      ],
      serving: echo)
    #expect(try await command.send(.get, "/cakes").0 == 201)
    #expect(try await command.send(.get, "/cakes").0 == 409)
    await #expect(throws: TransportError.self) { try await command.send(.get, "/pies") }
    _ = try await command.line(with: "#3")
    let output = await command.stop().output
    #expect(output.contains("\n  fault: GET /cakes, call 2: conflict\n"))
    #expect(output.contains("\n  seed: 1\n"))
    #expect(output.contains("  #2  GET /cakes  409  33 B  0.0 ms  fault: conflict\n"))
    #expect(
      output.contains(
        "  #3  GET /pies  no response  0 B  0.0 ms  interrupted: the connection is reset  fault: ")
    )
    #expect(output.contains("\nFaults injected:\n  1 ×  GET /cakes, call 2: conflict\n  1 ×  "))
    #expect(
      output.contains(
        "\nRules without an effect:\n  any method /tea: timeout: no call that it selects was made\n"))
  }

  @Test func printsWhenStreamsBeginAndHowTheyEnd() async throws {
    let command = RunningCommand(["serve"], serving: echo)
    #expect(try await command.send(.get, "/stream") == (200, "one two"))
    #expect(try await command.line(with: "stream started").hasSuffix("#1  GET /stream  200  stream started"))
    #expect(
      try await command.line(with: "stream ended").hasSuffix(
        "#1  GET /stream  200  stream ended: 7 B in 2 chunks  0.0 ms"))
    await #expect(throws: TransportError.self) { try await command.send(.get, "/break") }
    #expect(
      try await command.line(with: "#2  GET /break  200  stream ended").contains(
        "4 B in 1 chunk  0.0 ms  interrupted"))
    #expect(await command.stop().status == 0)
  }

  @Test func answersFromTablesInSQL() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE cakes (id int PRIMARY KEY, name text NOT NULL);
      """)
    let command = RunningCommand(["serve", "--schema", file.path])
    _ = try await command.line(with: "  tables: ")
    #expect(
      try await command.send(.post, "/rest/v1/cakes?apikey=service-key", body: #"{"id": 1, "name": "rye"}"#).0
        == 201)
    #expect(
      try await command.send(.get, "/rest/v1/cakes?apikey=service-key").1 == #"[{"id":1,"name":"rye"}]"#)
    let signIn = #"{"email": "pat@example.com", "password": "correct horse"}"#
    #expect(
      try await command.send(.post, "/auth/v1/token?grant_type=password&apikey=anon-key", body: signIn).0
        == 200)
    #expect(await command.stop().status == 0)

    let own = RunningCommand(
      ["serve", "--schema", file.path, "--anon-key", "mine", "--service-key=ours", "--jwt-secret", "hidden"])
    _ = try await own.line(with: "  tables: ")
    #expect(try await own.send(.get, "/rest/v1/cakes?apikey=mine").0 == 200)
    #expect(try await own.send(.get, "/rest/v1/cakes?apikey=ours").0 == 200)
    #expect(try await own.send(.get, "/rest/v1/cakes?apikey=anon-key").0 == 401)
    #expect(await own.stop().status == 0)

    let confirming = RunningCommand(
      ["serve", "--schema", file.path, "--confirm-email", "--anonymous-sign-ins", "--phone"])
    _ = try await confirming.line(with: "  tables: ")
    let signUp = #"{"email": "robin@example.com", "password": "correct horse"}"#
    #expect(try await confirming.send(.post, "/auth/v1/signup?apikey=anon-key", body: signUp).0 == 200)
    #expect(try await confirming.send(.get, "/api/v1/messages").1.contains("robin@example.com"))
    #expect(try await confirming.send(.post, "/auth/v1/signup?apikey=anon-key", body: "{}").0 == 200)
    #expect(await confirming.stop().status == 0)

    let wrong = try TemporaryFile("CREATE TABLE cakes (\n  id nonsense);")
    let refused = await RunningCommand(["serve", "--schema", wrong.path]).end()
    #expect(refused.status == 2)
    #expect(refused.error.hasPrefix("tool: \(wrong.path):1: type \"nonsense\" does not exist (42704)."))
    #expect(refused.error.hasSuffix(" Add --lenient to leave out what fails."))
    #expect(!refused.error.contains("\n"))
  }

  /// The migrations run in the order of their names, then the seed; what fails is left out only on request.
  @Test func loadsTheFolderOfAProject() async throws {
    let folder = try TemporaryFolder()
    let migrations = folder.url.appending(path: "supabase/migrations")
    try FileManager.default.createDirectory(at: migrations, withIntermediateDirectories: true)
    for (name, sql) in [
      ("migrations/2_more.sql", "ALTER TABLE cakes ADD COLUMN price numeric(5, 2) DEFAULT 2.5;"),
      (
        "migrations/1_first.sql",
        "CREATE TABLE cakes (id serial PRIMARY KEY, name text);\nCOMMENT ON TABLE cakes IS 'c';"
      ),
      ("seed.sql", "INSERT INTO cakes (name) VALUES ('rye');"),
    ] {
      try Data(sql.utf8).write(to: folder.url.appending(path: "supabase/" + name))
    }
    let path = folder.url.path(percentEncoded: false)
    let command = RunningCommand(["serve", "--schema", path])
    #expect(try await command.line(with: "  ignored: ").contains("COMMENT"))
    #expect(
      try await command.send(.get, "/rest/v1/cakes?apikey=service-key").1
        == #"[{"id":1,"name":"rye","price":2.50}]"#)
    #expect(await command.stop().status == 0)

    let third = migrations.appending(path: "3_wrong.sql")
    try Data("SELECT 1;\n\nDROP TABLE pies;\nCREATE TABLE pies (id integer);".utf8).write(to: third)
    let refused = await RunningCommand(["serve", "--schema", path]).end()
    #expect(refused.status == 2)
    #expect(
      refused.error.contains("/supabase/migrations/3_wrong.sql:3: table \"pies\" does not exist (42P01)."))
    let lenient = RunningCommand(["serve", "--schema", path, "--lenient"])
    #expect(try await lenient.line(with: "  skipped: ").contains("3_wrong.sql:3: "))
    #expect(try await lenient.send(.get, "/rest/v1/pies?apikey=service-key").0 == 200)
    #expect(await lenient.stop().status == 0)
  }

  @Test(arguments: [
    (["--prot", "1"], "Unknown option \"--prot\". Did you mean --port? See tool serve --help."),
    (["--port"], "--port requires a value. See tool serve --help."),
    (["--port", "70000"], "--port requires a whole number from 0 to 65535, found \"70000\"."),
    (["--seed=-1"], "--seed requires a whole number from 0, found \"-1\"."),
    (["--fault", "GET conflict"], "--fault \"GET conflict\": \"GET conflict\" has a method without a path"),
    (
      ["--fault", "cancelled"],
      "--fault \"cancelled\": only a client can cancel its call; write timeout, so that it can cancel the waiting call, "
        + "or connection-lost."
    ),
    (["--recording", "/dev"], "Unknown option \"--recording\". See tool serve --help."),
    (["--schema", "/dev"], "/dev contains no SQL files (migrations/*.sql, seed.sql, *.sql)."),
    (["--schema", "/no/where"], "File not found: /no/where (in "),
    (["--contract", "/no/where"], "Unknown option \"--contract\". See tool serve --help."),
    ([], "serve requires --schema. See tool serve --help."),
    (["--jwt-secret", "x"], "The options of a Supabase project, such as --anon-key, require --schema."),
    (["--confirm-email"], "The options of a Supabase project, such as --anon-key, require --schema."),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ words: [String], _ message: String) async {
    let result = await RunningCommand(["serve"] + words).end()
    #expect(result.status == 2)
    #expect(result.error.hasPrefix("tool: \(message)"))
    #expect(!result.error.contains("\n"))
    #expect(result.output.isEmpty)
  }

  @Test func aPortInUseIsExitStatusTwo() async throws {
    let first = RunningCommand(["serve"], serving: echo)
    let port = try #require(try await first.url().port)
    let second = await RunningCommand(["serve", "--port", "\(port)"], serving: echo).end()
    #expect(second.status == 2)
    #expect(second.error.contains("\(port)"))
    #expect(await first.stop().status == 0)
  }

  @Test func helpListsTheFaults() async {
    let help = await RunningCommand(["serve", "--help"], serving: echo).end()
    #expect(help.status == 0)
    #expect(help.output.contains("(default: an echo)"))
    #expect(help.output.contains("drop-stream[:<events>]"))
    #expect(!help.output.contains("cancelled"))
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 118 })
  }
}

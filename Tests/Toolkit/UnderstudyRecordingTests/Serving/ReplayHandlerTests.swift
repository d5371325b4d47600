import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

/// A recording as a server, in the same process and on a socket.
@Suite(.stallLimit()) struct ReplayHandlerTests {
  enum Route: CaseIterable, Sendable {
    case inProcess, socket
  }

  /// The connection of a client to the recording.
  private struct Client: Sendable {
    let handler: ReplayHandler
    let url: URL
    let http: any HTTPTransport
    let webSockets: any WebSocketTransport

    func get(_ path: String, timeout: Duration? = nil) -> HTTP.Request {
      HTTP.Request(.get, url.appending(path: path), timeout: timeout)
    }
  }

  private func with(
    _ route: Route, _ archive: HTTPArchive, _ body: (Client) async throws -> Void
  ) async throws {
    // Through the file, so that only its contents count.
    let handler = ReplayHandler(try HTTPArchive(archive.data))
    switch route {
    case .inProcess:
      let transport = InProcessTransport(to: handler)
      let url = try #require(URL(string: "http://replay.test"))
      try await body(Client(handler: handler, url: url, http: transport, webSockets: transport))
    case .socket:
      let server = try await MockServer(handler)
      let transport = URLSessionTransport()
      let client = Client(handler: handler, url: server.url, http: transport, webSockets: transport)
      do {
        try await body(client)
      } catch {
        await server.close(grace: .zero)
        throw error
      }
      await server.close(grace: .zero)
    }
  }

  /// Catches advice about options that neither the handler nor the command `replay` has.
  @Test func aRequestWithoutAResponseNamesNoOptions() async throws {
    let response = try await ReplayHandler(HTTPArchive([])).respond(to: .get("/first"))
    #expect(response.status == 501)
    let message = try JSONValue(parsing: await response.body.collect())["message"]?.stringValue
    #expect(message?.hasSuffix("If the request is correct, record the session again with it.") == true)
  }

  /// Recorded fields of the service, and of another tool.
  @Test func fieldsDoNotLeadTheClientToTheRecordedService() async throws {
    let fields: HTTP.Fields = [
      ":status": "302", "Location": "https://api.example/next?a=1",
      "Set-Cookie": "id=1; Domain=api.example; Path=/; Secure",
    ]
    let archive = HTTPArchive([
      HTTPArchive.Entry(
        startedDateTime: Date(timeIntervalSince1970: 0), request: .init(try .get("/first")),
        response: .init(status: 302, fields: fields, content: .init(Data(), mimeType: "")),
        timings: .init(wait: 0, receive: 0))
    ])
    let server = try await MockServer(ReplayHandler(archive))
    let response = try await URLSessionTransport(followsRedirects: false)
      .send(HTTP.Request(.get, server.url.appending(path: "first")))
    #expect(response.status == 302)
    #expect(response.fields["Location"] == server.url.absoluteString + "/next?a=1")
    #expect(response.fields["Set-Cookie"] == "id=1; Path=/")
    await server.close()
  }

  @Test(arguments: Route.allCases) func aWebSocketIsReplayedByTheServer(_ route: Route) async throws {
    let closure = WebSocketClosure(WebSocketClosure.Code(rawValue: 4001), "enough")
    let archive = HTTPArchive([
      try .webSocket(["<hello", ">join", "<joined", ">bye"], ending: .closed(by: .server, closure))
    ])
    try await with(route, archive) { client in
      // The last one is repeated, as for users who try an app.
      for _ in 0..<2 {
        let socket = try await client.webSockets.connect(to: client.get("feed"))
        #expect(try await socket.receive() == .text("hello"))
        try await socket.send(.text("join"))
        #expect(try await socket.receive() == .text("joined"))
        try await socket.ping()
        try await socket.send(.text("bye"))
        #expect(try await socket.receive() == nil)
        #expect(socket.closure == closure)
      }
      #expect(client.handler.transport.unusedEntries.isEmpty)
      #expect(client.handler.transport.unusedMessages.isEmpty)
      #expect(client.handler.transport.unansweredRequests.isEmpty)
    }
  }

  @Test(arguments: Route.allCases) func anUnexpectedMessageClosesTheConnection(_ route: Route) async throws {
    let archive = HTTPArchive([try .webSocket(["<hello", ">join", "<joined"])])
    try await with(route, archive) { client in
      let socket = try await client.webSockets.connect(to: client.get("feed"))
      #expect(try await socket.receive() == .text("hello"))
      try await socket.send(.text("Join"))
      #expect(try await socket.receive() == nil)
      #expect(socket.closure?.code == .policyViolation)
      let message = try #require(client.handler.transport.unansweredRequests.first)
      #expect(message.contains("message: recorded \"join\", sent \"Join\""), "\(message)")
    }
  }

  @Test(arguments: Route.allCases) func theCloseFrameOfTheClientEndsIt(_ route: Route) async throws {
    for ending in [HTTPArchive.WebSocketEnd.Cause.unfinished, .closed(by: .client, .init(.normalClosure))] {
      try await with(route, HTTPArchive([try .webSocket(["<a"], ending: ending)])) { client in
        let socket = try await client.webSockets.connect(to: client.get("feed"))
        #expect(try await socket.receive() == .text("a"))
        await socket.close(WebSocketClosure(.goingAway))
        #expect(try await socket.receive() == nil)
        #expect(socket.closure == WebSocketClosure(.goingAway))
      }
    }
  }

  @Test(arguments: Route.allCases, [TransportError.Code.connectionLost, .unreadableResponse])
  func aFailedWebSocketFailsAgain(_ route: Route, _ code: TransportError.Code) async throws {
    let entry = try HTTPArchive.Entry.webSocket(
      [">a", "<b", ">c"], ending: .failed(TransportError(code, "It broke.")))
    try await with(route, HTTPArchive([entry])) { client in
      let socket = try await client.webSockets.connect(to: client.get("feed"))
      try await socket.send(.text("a"))
      #expect(try await socket.receive() == .text("b"))
      try await socket.send(.text("c"))
      #expect(await socket.failureOfReceiving()?.code == code)
    }
  }

  /// Other tools write an end without `code`.
  ///
  /// Catches a connection that stays open for ever.
  @Test(
    arguments: Route.allCases,
    [(#"{"time": 1}"#, 1005), (#"{"by": "server", "status": 4001}"#, 4001), (#"{"code": "closed"}"#, 1005)]
      as [(String, UInt16)])
  func anEndWithoutACodeIsACloseFrame(_ route: Route, _ end: (String, UInt16)) async throws {
    var entry = try HTTPArchive.Entry.webSocket(["<a"])
    entry["_webSocketEnd"] = try JSONValue(parsing: Data(end.0.utf8))
    try await with(route, HTTPArchive([entry])) { client in
      let socket = try await client.webSockets.connect(to: client.get("feed"))
      #expect(try await socket.receive() == .text("a"))
      #expect(try await socket.receive() == nil)
      #expect(socket.closure?.code.rawValue == end.1)
    }
  }

  @Test(arguments: Route.allCases, [#"{"status": 1006}"#, #"{"by": "network"}"#])
  func anEndWithoutACloseFrameIsALostConnection(_ route: Route, _ end: String) async throws {
    var entry = try HTTPArchive.Entry.webSocket(["<a"])
    entry["_webSocketEnd"] = try JSONValue(parsing: Data(end.utf8))
    try await with(route, HTTPArchive([entry])) { client in
      let socket = try await client.webSockets.connect(to: client.get("feed"))
      #expect(try await socket.receive() == .text("a"))
      #expect(await socket.failureOfReceiving()?.code == .connectionLost)
    }
  }

  @Test(arguments: Route.allCases) func aRefusalIsSent(_ route: Route) async throws {
    var entry = try HTTPArchive.Entry.webSocket([])
    entry.response = .init(
      status: 403, fields: ["X-Why": "no"], content: .init(Data("no".utf8), mimeType: "text/plain"))
    entry["_webSocketMessages"] = nil
    try await with(route, HTTPArchive([entry])) { client in
      let error = await #expect(throws: TransportError.self) {
        _ = try await client.webSockets.connect(to: client.get("feed"))
      }
      let refusal = try #require(error?.cause as? WebSocketRefusal)
      #expect(refusal.status == 403 && refusal.fields["X-Why"] == "no")
      let unknown = await #expect(throws: TransportError.self) {
        _ = try await client.webSockets.connect(to: client.get("other"))
      }
      #expect((unknown?.cause as? WebSocketRefusal)?.status == 501)
    }
  }

  // MARK: Bodies

  /// A failed body fails at the same byte with the same error.
  @Test(
    arguments: [
      (.inProcess, .connectionLost), (.inProcess, .unreadableResponse), (.inProcess, .timedOut),
      (.socket, .connectionLost), (.socket, .unreadableResponse),
    ] as [(Route, TransportError.Code)])
  func aFailedBodyFailsAgain(_ route: Route, _ code: TransportError.Code) async throws {
    try await expectFailureOfABody(over: route, code, timeout: nil)
  }

  /// On a socket, a time-out is the absence of data, which the client must detect by its own timer.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["UNDERSTUDY_PLATFORM_TIMER"] != nil,
      "Set UNDERSTUDY_PLATFORM_TIMER to wait for URLSession's own time-outs."))
  func aSilentBodyEndsByTimeOutsOfThePlatform() async throws {
    try await expectFailureOfABody(over: .socket, .timedOut, timeout: .seconds(1))
  }

  private func expectFailureOfABody(
    over route: Route, _ code: TransportError.Code, timeout: Duration?
  ) async throws {
    let text = "data: 1\n\ndata: 2\n\n"
    var content = HTTPArchive.Content(Data(text.utf8), mimeType: "text/event-stream")
    content.stream = .init(
      chunks: [.init(time: 0, size: 9), .init(time: 1, size: 9)],
      ending: .failed(TransportError(code, "It broke.")), at: 2)
    var archive = HTTPArchive(answering: [try .get("/events")])
    archive.entries[0].response = .init(
      status: 200, fields: ["Content-Type": "text/event-stream"], content: content)
    try await with(route, archive) { client in
      let read = await ReadBody(try await client.http.send(client.get("events", timeout: timeout)).body)
      #expect(read.texts.joined() == text)
      #expect(read.failure == code)
    }
  }

  @Test(arguments: Route.allCases) func aTruncatedBodyIsALostConnection(_ route: Route) async throws {
    var content = HTTPArchive.Content(Data("12345".utf8), mimeType: "text/plain")
    content.stream = .init(
      chunks: [.init(time: 0, size: 5)], ending: .failed(TransportError(.connectionLost, "It broke.")), at: 1)
    var archive = HTTPArchive(answering: [try .get("/a")])
    archive.entries[0].response = .init(
      status: 200, fields: ["Content-Type": "text/plain", "Content-Length": "10"], content: content)
    try await with(route, archive) { client in
      let read = await ReadBody(try await client.http.send(client.get("a")).body)
      #expect(read.texts.joined() == "12345")
      #expect(read.failure == .connectionLost)
    }
  }

  @Test(arguments: Route.allCases, [TransportError.Code.connectionLost, .unreadableResponse])
  func anExchangeWithoutAResponseHasNoResponse(_ route: Route, _ code: TransportError.Code) async throws {
    var archive = HTTPArchive(answering: [try .get("/a")])
    archive.entries[0].response = .init(failure: TransportError(code, "It broke."))
    try await with(route, archive) { client in
      #expect(await client.http.failure(of: client.get("a"))?.code == code)
    }
  }
}

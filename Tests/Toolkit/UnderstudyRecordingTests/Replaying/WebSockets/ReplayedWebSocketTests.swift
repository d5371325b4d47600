import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct ReplayedWebSocketTests {
  private static let goingDown = WebSocketClosure(.goingAway, "going down")

  private func replay(
    _ messages: [String], ending: HTTPArchive.WebSocketEnd.Cause? = nil,
    matching: RequestMatching = RequestMatching(), placeholders: [String: String] = [:], pauses: Time? = nil
  ) throws -> ReplayingTransport {
    let archive = HTTPArchive([try .webSocket(messages, ending: ending)], placeholders: placeholders)
    // Through the file, so that only its contents count.
    return ReplayingTransport(try HTTPArchive(archive.data), matching: matching, pauses: pauses)
  }

  private func connect(_ replay: ReplayingTransport) async throws -> any WebSocketConnection {
    try await replay.connect(to: .get("/feed"))
  }

  @Test func aConversationIsReplayed() async throws {
    let replay = try replay(
      ["<hello", ">join", "<joined", "<row 1", ">leave", "<left"],
      ending: .closed(by: .server, Self.goingDown))
    let socket = try await connect(replay)
    #expect(try await socket.receive() == .text("hello"))
    try await socket.send(.text("join"))
    #expect(try await socket.receive() == .text("joined"))
    try await socket.ping()
    #expect(try await socket.receive() == .text("row 1"))
    #expect(socket.closure == nil)
    try await socket.send(.text("leave"))
    #expect(try await socket.receive() == .text("left"))
    #expect(try await socket.receive() == nil)
    #expect(socket.closure == Self.goingDown)
    #expect(try await socket.receive() == nil)
    #expect(await socket.failure(of: "late")?.code == .connectionLost)
    await #expect(throws: TransportError.self) { try await socket.ping() }
    #expect(replay.unusedEntries.isEmpty && replay.unusedMessages.isEmpty)
    #expect(replay.unansweredRequests.isEmpty)
  }

  /// A message of the server arrives only after the client has sent the message recorded before it.
  @Test func aReplyWaitsForItsRequest() async throws {
    let socket = try await connect(replay([">ask", "<answer"]))
    // Of two concurrent receivers, one fails, and the other one still waits.
    let outcomes = AsyncStream<Result<WebSocketMessage?, TransportError>>.makeStream()
    for _ in 0..<2 {
      Task {
        do throws(TransportError) {
          outcomes.continuation.yield(.success(try await socket.receive()))
        } catch {
          outcomes.continuation.yield(.failure(error))
        }
      }
    }
    var iterator = outcomes.stream.makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(throws: TransportError.self, "nothing was sent, so nothing can have come") { try first.get() }
    try await socket.send(.text("ask"))
    #expect(try await iterator.next()?.get() == .text("answer"))
  }

  /// A client may send all its messages at once.
  @Test func aClientMaySendAllMessagesAtOnce() async throws {
    let socket = try await connect(replay([">1", "<one", ">2", "<two"]))
    try await socket.send(.text("1"))
    try await socket.send(.text("2"))
    #expect(try await socket.receive() == .text("one"))
    #expect(try await socket.receive() == .text("two"))
    #expect(try await socket.receive() == nil)
    #expect(socket.closure == WebSocketClosure(.normalClosure), "its end was not recorded")
  }

  @Test func recordedPausesPass() async throws {
    let manual = TestClock(.immediate)
    let socket = try await connect(
      replay(["<a", ">b", "<c", "<d"], ending: .closed(by: .server, Self.goingDown), pauses: manual.time))
    var moments: [Duration] = []
    for _ in 0..<4 {
      _ = try await socket.receive()
      moments.append(manual.elapsed)
      if moments.count == 1 { try await socket.send(.text("b")) }
    }
    #expect(moments == [.zero, .seconds(1), .seconds(2), .seconds(3)])
    #expect(socket.closure == Self.goingDown)
  }

  // MARK: Messages that differ

  @Test(
    arguments: [
      (#"{"op": "join", "n": 1}"#, #"{"n":1.0,"op":"join"}"#, nil),
      (#"{"op": "join"}"#, #"{"op": "leave"}"#, "message $.op: recorded \"join\", sent \"leave\""),
      ("plain", "Plain", "message: recorded \"plain\", sent \"Plain\""),
      (#"{"a": 1, "ref": "1"}"#, #"{"a": 1, "ref": "2"}"#, nil),
    ] as [(String, String, String?)])
  func aMessageIsComparedAsABody(_ recorded: String, _ sent: String, _ difference: String?) async throws {
    let matching = RequestMatching(body: .json(ignoring: ["$.ref"]))
    let replay = try replay(["<hello", ">" + recorded, "<end"], matching: matching)
    let socket = try await connect(replay)
    let failure = await socket.failure(of: sent)
    guard let difference else {
      #expect(failure == nil)
      #expect(replay.unusedMessages.isEmpty)
      return
    }
    #expect(failure?.code == .invalidRequest)
    let message = failure?.message ?? ""
    #expect(
      message.contains("not the next recorded one of the WebSocket of entry 0, GET https://api.example/feed"),
      "\(message)")
    #expect(message.contains("Expected message 1:\n  \(difference)\n"), "\(message)")
    #expect(message.contains("re-record the session"), "\(message)")
    #expect(replay.unansweredRequests == [message])
    #expect(replay.unusedMessages.map(\.index) == [0])
    #expect(replay.unusedMessages.map(\.message.data) == [recorded])
    // The connection has failed for receivers too.
    #expect(await socket.failureOfReceiving()?.code == .connectionLost)
    #expect(await socket.failure(of: recorded)?.code == .connectionLost)
    #expect(socket.closure == nil)
  }

  @Test func binaryMessagesDifferFromText() async throws {
    var archive = HTTPArchive([try .webSocket([])])
    archive.entries[0].webSocketMessages = [
      .init(.binary(Data([1, 0xFF])), .send, at: Date()), .init(.binary(Data([2])), .receive, at: Date()),
      .init(.binary(Data("3".utf8)), .send, at: Date()),
    ]
    let replay = ReplayingTransport(archive)
    let socket = try await connect(replay)
    try await socket.send(.binary(Data([1, 0xFF])))
    #expect(try await socket.receive() == .binary(Data([2])))
    let failure = await socket.failure(of: "3")
    #expect(failure?.message.contains("kind: recorded bytes, sent text") == true, "\(failure as Any)")
  }

  @Test(arguments: [HTTPArchive.WebSocketEnd.Cause.unfinished, .closed(by: .client, .init(.normalClosure))])
  func anAdditionalMessageIsReported(_ ending: HTTPArchive.WebSocketEnd.Cause) async throws {
    let replay = try replay([">one"], ending: ending)
    let socket = try await connect(replay)
    try await socket.send(.text("one"))
    let failure = await socket.failure(of: "two")
    #expect(failure?.code == .invalidRequest)
    #expect(failure?.message.contains("no more messages, found \"two\"") == true)
    #expect(replay.unansweredRequests.count == 1)
  }

  /// A waiting receiver fails if another task aborts the connection.
  @Test func aMismatchEndsAWaitingReceive() async throws {
    let socket = try await connect(replay([">ask", "<answer"]))
    async let failure = socket.failureOfReceiving()
    #expect(await socket.failure(of: "other")?.code == .invalidRequest)
    #expect(await failure?.code == .connectionLost)
  }

  @Test func concurrentSendersAreSerialized() async throws {
    let socket = try await connect(replay(Array(repeating: ">tick", count: 100) + ["<done"]))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { try await socket.send(.text("tick")) } }
      try await group.waitForAll()
    }
    #expect(try await socket.receive() == .text("done"))
  }

  // MARK: Ends

  @Test func theCloseFrameOfTheClientIsAwaited() async throws {
    let goodbye = WebSocketClosure(.goingAway, "app ends")
    let replay = try replay(["<a", ">b", "<c"], ending: .closed(by: .client, goodbye))
    let socket = try await connect(replay)
    #expect(try await socket.receive() == .text("a"))
    async let last = socket.receive()
    await socket.close(goodbye)
    #expect(try await last == nil, "messages after an unsent message do not arrive")
    #expect(socket.closure == goodbye)
    #expect(await socket.failure(of: "b")?.code == .connectionLost)
    #expect(replay.unusedMessages.map(\.message.data) == ["b"])
    #expect(replay.unansweredRequests.isEmpty)
  }

  @Test func messagesBeforeACloseFrameAreReceived() async throws {
    let socket = try await connect(replay(["<a", "<b"], ending: .closed(by: .client, .init(.normalClosure))))
    await socket.close(WebSocketClosure(.noStatus, "x"))
    #expect(socket.closure == WebSocketClosure(.noStatus))
    #expect(try await socket.receive() == .text("a"))
    #expect(try await socket.receive() == .text("b"))
    #expect(try await socket.receive() == nil)
    await socket.close()
    #expect(socket.closure == WebSocketClosure(.noStatus), "the first close frame applies")
  }

  @Test(arguments: [TransportError.Code.connectionLost, .timedOut, .unreadableResponse, .cancelled])
  func aLostConnectionIsLostAgain(_ code: TransportError.Code) async throws {
    let socket = try await connect(replay(["<a"], ending: .failed(TransportError(code, "It broke."))))
    #expect(try await socket.receive() == .text("a"))
    for _ in 0..<2 {
      let failure = await socket.failureOfReceiving()
      #expect(failure?.code == code && failure?.message == "It broke.")
    }
    #expect(socket.closure == nil)
    #expect(await socket.failure(of: "b")?.code == .connectionLost)
  }

  @Test func anUnfinishedWebSocketIsAnError() async throws {
    let socket = try await connect(replay(["<a"], ending: .unfinished))
    #expect(try await socket.receive() == .text("a"))
    let failure = await socket.failureOfReceiving()
    #expect(failure?.code == .unknown)
    #expect(
      failure?.message.contains("Re-record the session with a client that closes the WebSocket.") == true)
    await socket.close()
    #expect(try await socket.receive() == nil)
    #expect(socket.closure == WebSocketClosure(.normalClosure))
  }

  // MARK: Cancellation

  @Test(arguments: [false, true]) func cancellingBreaksTheConnection(_ isPausing: Bool) async throws {
    let manual = TestClock(.manual)
    let socket = try await connect(replay(["<a", ">b", "<c", "<d"], pauses: isPausing ? manual.time : nil))
    #expect(try await socket.receive() == .text("a"))
    if isPausing { try await socket.send(.text("b")) }
    let receiving = Task { await socket.failureOfReceiving() }
    if isPausing { try await manual.wait(forSleepers: 1) }
    receiving.cancel()
    #expect(await receiving.value?.code == .cancelled)
    #expect(await socket.failureOfReceiving()?.code == .connectionLost)
    #expect(await socket.failure(of: "b")?.code == .connectionLost)
  }

  @Test func aCancelledSenderSendsNothing() async throws {
    let replay = try replay([">a"])
    let socket = try await connect(replay)
    let latch = Latch()
    let sending = Task {
      await latch.wait()
      return await socket.failure(of: "a")
    }
    sending.cancel()
    latch.open()
    #expect(await sending.value?.code == .cancelled)
    #expect(replay.unusedMessages.count == 1)
  }

  // MARK: Handshakes

  @Test func aRefusedHandshakeIsRefusedAgain() async throws {
    var archive = HTTPArchive([try .webSocket([])])
    archive.entries[0].response = .init(
      status: 401, fields: ["X-Why": "no"], content: .init(Data("no".utf8), mimeType: "text/plain"))
    archive.entries[0]["_webSocketMessages"] = nil
    let replay = ReplayingTransport(archive)
    let error = await #expect(throws: TransportError.self) { _ = try await connect(replay) }
    #expect(error?.code == .webSocketRefused)
    let refusal = try #require(error?.cause as? WebSocketRefusal)
    #expect(refusal.status == 401 && refusal.fields["X-Why"] == "no")
    #expect(replay.unusedEntries.isEmpty)
  }

  @Test func aFailedHandshakeFailsAgain() async throws {
    var archive = HTTPArchive([try .webSocket([])])
    archive.entries[0].response = .init(failure: TransportError(.hostNotFound, "The host was not found."))
    archive.entries[0]["_webSocketMessages"] = nil
    let error = await #expect(throws: TransportError.self) {
      _ = try await connect(ReplayingTransport(archive))
    }
    #expect(error?.code == .hostNotFound && error?.message == "The host was not found.")
  }

  @Test func handshakesAreMatchedWithoutTheirConnectionFields() async throws {
    func fields(_ key: String) -> HTTP.Fields {
      ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key, "Authorization": "Basic x"]
    }
    var entry = try HTTPArchive.Entry.webSocket(["<a"], at: "/feed?v=1", fields: fields("1"))
    entry.request["url"] = .string("wss://api.example/feed?v=1")
    entry["_resourceType"] = nil
    let replay = ReplayingTransport(
      HTTPArchive([entry]), matching: RequestMatching(fieldNames: ["Sec-WebSocket-Key", "Upgrade"]))
    let other = await #expect(throws: TransportError.self) {
      _ = try await replay.connect(to: .get("/feed?v=2"))
    }
    #expect(other?.code == .invalidRequest)
    #expect(other?.message.contains("query: recorded v=1, requested v=2") == true)
    let socket = try await replay.connect(to: .get("/feed?v=1", fields: fields("2")))
    #expect(try await socket.receive() == .text("a"))
    let again = await #expect(throws: TransportError.self) {
      _ = try await replay.connect(to: .get("/feed?v=1"))
    }
    #expect(again?.message.contains("No recorded WebSocket matches") == true)
    #expect(try await replay.connectionIfRecorded(to: .get("/feed?v=1")) == nil)
    #expect(replay.unansweredRequests.count == 2)
  }

  /// A page and a WebSocket at the same address are distinct.
  @Test func aPageAtTheSameAddressIsDistinct() async throws {
    let page = HTTPArchive(answering: [try .get("/feed")]).entries[0]
    let replay = ReplayingTransport(
      HTTPArchive([page, try .webSocket(["<1"]), page, try .webSocket(["<2"])]))
    #expect(try await connect(replay).receive() == .text("1"))
    #expect(try await replay.text(for: .get("/feed")) == "0")
    #expect(try await connect(replay).receive() == .text("2"))
    #expect(replay.unusedEntries.map(\.index) == [2])
    #expect(try await replay.text(for: .get("/feed")) == "0")
    #expect(replay.unusedEntries.isEmpty)
  }

  @Test func invalidBase64IsReportedAtOnce() async throws {
    var archive = HTTPArchive([try .webSocket(["<a"])])
    archive.entries[0].webSocketMessages[0]["opcode"] = .number("2")
    archive.entries[0].webSocketMessages[0]["data"] = .string("!")
    let error = await #expect(throws: TransportError.self) {
      _ = try await connect(ReplayingTransport(archive))
    }
    #expect(error?.code == .unreadableResponse)
    #expect(error?.message.contains("Message 0 of entry 0") == true)
  }

  @Test func onlyAnOfferedSubprotocolIsSelected() async throws {
    var entry = try HTTPArchive.Entry.webSocket([])
    entry.response["headers"] = .array([
      .object([.init("name", .string("Sec-WebSocket-Protocol")), .init("value", .string("phoenix"))])
    ])
    for (offered, chosen) in [("a, phoenix", "phoenix"), ("Phoenix", nil), (nil, nil)] as [(String?, String?)]
    {
      var request = try HTTP.Request.get("/feed")
      request.fields["Sec-WebSocket-Protocol"] = offered
      #expect(try await ReplayingTransport(HTTPArchive([entry])).connect(to: request).subprotocol == chosen)
    }
  }

  /// The conversations of a replay share only their secrets.
  @Test func concurrentConversationsReceiveTheirOwnMessages() async throws {
    let entries = try (0..<50).map { number in
      try HTTPArchive.Entry.webSocket([">ask \(number)", "<answer \(number)"], at: "/feed/\(number)")
    }
    let replay = ReplayingTransport(HTTPArchive(entries))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          let socket = try await replay.connect(to: .get("/feed/\(number)"))
          async let answer = socket.receive()
          try await socket.send(.text("ask \(number)"))
          #expect(try await answer == .text("answer \(number)"))
          #expect(try await socket.receive() == nil)
        }
      }
      try await group.waitForAll()
    }
    #expect(replay.unusedMessages.isEmpty && replay.unansweredRequests.isEmpty)
  }

  // MARK: Secrets

  @Test func aSecretInAMessageIsBound() async throws {
    func join(_ token: String) -> String { #"{"event": "join", "payload": {"access_token": "\#(token)"}}"# }
    let placeholders = ["redacted-1": "request message", "redacted-2": "response body"]
    let messages = [">" + join("redacted-1"), "<ok", ">" + join("redacted-1"), ">" + join("redacted-2")]
    let replay = try replay(messages, placeholders: placeholders)
    let socket = try await connect(replay)
    try await socket.send(.text(join("my-own-token")))
    #expect(try await socket.receive() == .text("ok"))
    try await socket.send(.text(join("my-own-token")))
    let failure = await socket.failure(of: join("forged-token"))
    #expect(failure?.message.contains("the same message with another secret") == true, "\(failure as Any)")
    #expect(failure?.message.contains("forged") == false)

    let other = try self.replay(messages, placeholders: placeholders)
    let second = try await connect(other)
    for token in ["first-token", "first-token", "redacted-2"] { try await second.send(.text(join(token))) }
    let third = try await connect(self.replay(messages, placeholders: placeholders))
    try await third.send(.text(join("first-token")))
    #expect(await third.failure(of: join("second-token")) != nil, "a placeholder represents one secret")
  }
}

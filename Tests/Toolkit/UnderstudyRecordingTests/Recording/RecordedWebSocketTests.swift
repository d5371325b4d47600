import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct RecordedWebSocketTests {
  /// Opens a WebSocket whose server runs a closure.
  private struct Handler: HTTPHandler {
    var subprotocol: String?
    let session: WebSocketSession

    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      .webSocket(subprotocol: subprotocol, session)
    }
  }

  private func recorder(
    time: Time = TestClock(.immediate).time, subprotocol: String? = nil, _ session: @escaping WebSocketSession
  ) -> RecordingTransport {
    RecordingTransport(
      around: InProcessTransport(to: Handler(subprotocol: subprotocol, session: session), time: time),
      time: time)
  }

  @Test func messagesAreRecordedInBothDirections() async throws {
    let manual = TestClock(.immediate, startingAt: Date(timeIntervalSince1970: 1000))
    let recorder = recorder(time: manual.time, subprotocol: "chat") { socket in
      while let message = try await socket.receive() {
        try await manual.time.sleep(for: .milliseconds(250))
        try await socket.send(message)
        if case .binary = message { await socket.close(WebSocketClosure(.goingAway, "bye, token-123456")) }
      }
    }
    let socket = try await recorder.connect(
      to: .get("/socket?apikey=key-123456", fields: ["Sec-WebSocket-Protocol": "chat"]))
    #expect(socket.subprotocol == "chat")
    try await socket.send(.text(#"{"access_token": "token-123456"}"#))
    _ = try await socket.receive()
    try await socket.send(.binary(Data([0, 255])))
    _ = try await socket.receive()
    #expect(
      recorder.recording.entries.first?.webSocketEnd.map { "\($0.cause)" }?.contains("unfinished") == true)
    #expect(try await socket.receive() == nil)

    let archive = try HTTPArchive(recorder.recording.data)
    let entry = try #require(archive.entries.first)
    #expect(entry.isWebSocket && entry.response.status == 101)
    #expect(entry["_resourceType"] == .string("websocket"))
    #expect(entry.response.headers.map(\.value) == ["chat"])
    #expect(entry.request.url == "https://api.example/socket?apikey=redacted-1")
    let messages = entry.webSocketMessages
    #expect(messages.map(\.direction) == [.send, .receive, .send, .receive])
    #expect(
      messages.map(\.message) == [
        .text(#"{"access_token": "redacted-2"}"#), .text(#"{"access_token": "redacted-2"}"#),
        .binary(Data([0, 255])), .binary(Data([0, 255])),
      ])
    #expect(messages.map(\.time) == [1000, 1000.25, 1000.25, 1000.5])
    guard case .closed(by: .server, let closure)? = entry.webSocketEnd?.cause else {
      return #expect(Bool(false), "\(String(describing: entry.webSocketEnd))")
    }
    #expect(closure == WebSocketClosure(.goingAway, "bye, redacted-2"))
  }

  @Test func aCloseFrameOfTheClientIsRecorded() async throws {
    let recorder = recorder { socket in while try await socket.receive() != nil {} }
    do {
      let socket = try await recorder.connect(to: .get("/"))
      try await socket.send(.text("a"))
      await socket.close(WebSocketClosure(.normalClosure, "done"))
    }
    let end = recorder.recording.entries.first?.webSocketEnd
    guard case .closed(by: .client, let closure)? = end?.cause else {
      return #expect(Bool(false), "\(String(describing: end))")
    }
    #expect(closure.reason == "done")
  }

  /// Sends its close frame only after a receiver has seen the end.
  private struct Ending: HTTPTransport, WebSocketTransport, WebSocketConnection {
    let goodbye = Locked<WebSocketClosure?>(nil)
    let isClosing = Latch()
    let isReceived = Latch()
    let subprotocol: String? = nil

    var closure: WebSocketClosure? { goodbye.withLock { $0 } }

    func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection { self }
    func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
      throw TransportError(.invalidRequest, "It opens WebSockets alone.")
    }
    func send(_ message: WebSocketMessage) async throws(TransportError) {}
    func ping() async throws(TransportError) {}

    func receive() async throws(TransportError) -> WebSocketMessage? {
      await isClosing.wait()
      return nil
    }

    func close(_ closure: WebSocketClosure) async {
      goodbye.withLock { $0 = closure }
      isClosing.open()
      await isReceived.wait()
    }
  }

  /// Another task receives the end before the task that closes has returned.
  @Test func aCloseFrameIsTheClientsRegardlessOfItsReader() async throws {
    let base = Ending()
    let recorder = RecordingTransport(around: base)
    let socket = try await recorder.connect(to: .get("/"))
    let receiving = Task {
      defer { base.isReceived.open() }
      return try await socket.receive()
    }
    await socket.close(WebSocketClosure(.normalClosure, "done"))
    #expect(try await receiving.value == nil)
    let end = recorder.recording.entries.first?.webSocketEnd
    guard case .closed(by: .client, let closure)? = end?.cause else {
      return #expect(Bool(false), "\(String(describing: end))")
    }
    #expect(closure.reason == "done")
  }

  @Test func aLostConnectionIsRecordedAsAnError() async throws {
    let recorder = recorder { socket in
      try await socket.send(.text("a"))
      throw TransportError(.connectionLost, "Gone.")
    }
    let socket = try await recorder.connect(to: .get("/"))
    #expect(try await socket.receive() == .text("a"))
    let error = await #expect(throws: TransportError.self) { try await socket.receive() }
    guard case .failed(let recorded)? = recorder.recording.entries.first?.webSocketEnd?.cause else {
      return #expect(Bool(false), "it broke")
    }
    #expect(recorded.code == error?.code && recorded.code == .connectionLost)
    #expect(recorder.recording.entries.first?.webSocketMessages.count == 1)
  }

  @Test func aClientThatDisconnectsIsUnfinished() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("session.har")
    let transport = InProcessTransport(to: Handler { socket in while try await socket.receive() != nil {} })
    let recorder = try RecordingTransport(around: transport, into: file)
    do {
      let socket = try await recorder.connect(to: .get("/"))
      try await socket.send(.text("a"))
    }
    let journal = try String(contentsOf: RecordingJournal.url(of: file), encoding: .utf8)
    #expect(journal.contains(#""code":"unfinished""#), "as soon as the connection goes")
    #expect(try HTTPArchive(recordingAt: file).entries.first?.webSocketMessages.count == 1)
  }

  @Test func aRefusalKeepsItsStatusAndFields() async throws {
    struct Refusing: HTTPTransport, WebSocketTransport {
      let error: TransportError

      func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response { throw error }
      func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
        throw error
      }
    }
    let refusal = WebSocketRefusal(status: 403, fields: ["X-Reason": "no"])
    let refusing = RecordingTransport(
      around: Refusing(error: TransportError(.webSocketRefused, "No.", cause: refusal)))
    await #expect(throws: TransportError.self) { try await refusing.connect(to: .get("/")) }
    let response = refusing.recording.entries.first?.response
    #expect(response?.status == 403 && response?.headers.map(\.value) == ["no"])
    #expect(refusing.recording.entries.first?["_webSocketMessages"] == nil)

    let offline = RecordingTransport(around: Refusing(error: TransportError(.offline, "No network.")))
    await #expect(throws: TransportError.self) { try await offline.connect(to: .get("/")) }
    #expect(offline.recording.entries.first?.response.failure?.code == .offline)
    #expect(offline.recording.entries.first?["_resourceType"] == .string("websocket"))
  }

  @Test func aBaseWithoutWebSocketsIsReported() async throws {
    let recorder = RecordingTransport(around: ScriptedTransport { _ in .json("1") })
    let error = await #expect(throws: TransportError.self) { try await recorder.connect(to: .get("/")) }
    #expect(error?.code == .invalidRequest && error?.message.contains("ScriptedTransport") == true)
    #expect(recorder.recording.entries.isEmpty)
  }
}

import Foundation
import TestSupport
import Testing
import UnderstudyTesting
import Understudy
import UnderstudyHTTP
@testable import UnderstudyServer

/// Answers from the handler to the socket.
@Suite(.stallLimit()) struct ResponseTests {
  /// Sends a request to a handler, and reads to the end of the connection.
  func everything(
    _ response: HTTP.Response, to request: String = get("/", "Connection: close\r\n")
  ) async throws -> (text: String, ending: RawClient.Ending) {
    let server = try await MockServer(Handler { _ in response })
    let client = try await RawClient.connect(to: server.port)
    try await client.send(request)
    let all = try await client.ending()
    await server.close()
    return all
  }

  func pulled(_ chunks: String...) -> HTTP.Body {
    let left = Locked(chunks[...])
    return HTTP.Body(unfolding: { left.withLock { $0.popFirst() }.map { Data($0.utf8) } })
  }

  @Test func aCompleteAnswer() async throws {
    let time = Time(clock: ContinuousClock()) { Date(timeIntervalSince1970: 784_111_777) }
    let server = try await MockServer(
      Handler { _ in
        HTTP.Response(status: 201, fields: ["X-A": "1", "x-a": "2"], body: HTTP.Body(Data("hi".utf8)))
      },
      time: time)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get("/", "Connection: close\r\n"))
    let all = try await client.readToEnd()
    #expect(
      all == "HTTP/1.1 201 Created\r\nX-A: 1\r\nx-a: 2\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
        + "Content-Length: 2\r\nConnection: close\r\n\r\nhi")
    await server.close()
  }

  @Test func chunksAreSentSeparately() async throws {
    for body in [
      pulled("one", "", "three"), HTTP.Body(chunks: [Data("one".utf8), Data(), Data("three".utf8)]),
    ] {
      let (all, ending) = try await everything(HTTP.Response(status: 200, body: body))
      #expect(
        all.hasSuffix(
          "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\none\r\n5\r\nthree\r\n0\r\n\r\n"))
      #expect(ending == .closed)
    }
  }

  /// A server that dies does not announce it, and some clients take an announced end for that of the body.
  @Test(
    arguments: [
      .truncatedChunk(afterBytes: 1), .truncatedBody(afterBytes: 1), .malformedChunk(afterBytes: 1),
      .dropStream(afterEvents: 1), .abortWebSocket(afterMessages: 1),
    ] as [Fault])
  func aBodyThatBreaksOffAnnouncesNoEnd(_ fault: Fault) async throws {
    for fields in ["", "Connection: close\r\n"] {
      let server = try await MockServer(FaultCatalogueTests.stream, faults: .on(.any, fault))
      let client = try await RawClient.connect(to: server.port)
      try await client.send(get("/", fields))
      let (text, ending) = try await client.ending()
      #expect(text.contains("\r\n\r\n") && !text.contains("Connection: close"), "\(text)")
      #expect(ending == .closed)
      await server.close()
    }
  }

  /// The fields of a request and of its response are bytes, which need not be UTF-8 (RFC 9110 §5.5).
  @Test func aFieldIsAnsweredWithTheBytesOfTheRequest() async throws {
    let server = try await MockServer(
      Handler { request in
        HTTP.Response(
          status: 200, fields: HTTP.Fields(request.fields.filter { $0.name.hasPrefix("X-") }),
          body: HTTP.Body(Data((request.fields["X-A"] ?? "").utf8)))
      })
    let client = try await RawClient.connect(to: server.port)
    let fields = Array("X-A: caf".utf8) + [0xE9] + Array("\r\nX-B: café\r\n".utf8)
    try await client.socket.write(
      Array("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n".utf8) + fields + Array("\r\n".utf8))
    var bytes: [UInt8] = []
    while let more = try await client.socket.read() { bytes += more }
    #expect(bytes.firstRange(of: fields) != nil, "\(String(decoding: bytes, as: UTF8.self))")
    #expect(bytes.suffix(5).elementsEqual("café".utf8), "a handler reads text")
    await server.close()
  }

  @Test func anHTTP10ClientReadsToTheEnd() async throws {
    let (all, ending) = try await everything(
      HTTP.Response(status: 200, body: pulled("one", "two")),
      to: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    #expect(all.hasSuffix("\r\nConnection: close\r\n\r\nonetwo"))
    #expect(!all.contains("Transfer-Encoding") && ending == .closed)
  }

  // MARK: - Without a body

  @Test func someAnswersHaveNoBodyWhateverTheHandlerReturns() async throws {
    let server = try await MockServer(
      Handler { request in
        let status = Int(request.url.lastPathComponent) ?? 200
        return HTTP.Response(
          status: status, fields: ["Content-Length": "4"], body: HTTP.Body(Data("body".utf8)))
      })
    let client = try await RawClient.connect(to: server.port)
    // An excess byte would be read as the beginning of the next answer.
    #expect(try await client.exchange("HEAD /200 HTTP/1.1\r\nHost: a\r\n\r\n").field("Content-Length") == "4")
    #expect(try await client.exchange(get("/204")).field("Content-Length") == nil)
    #expect(try await client.exchange(get("/304")).field("Content-Length") == "4")
    #expect(try await client.exchange(get("/200")).body == "body")
    await server.close()
  }

  @Test func anAnswerToHead() async throws {
    let head = "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    #expect(try await everything(text("four"), to: head).text.contains("\r\nContent-Length: 4\r\n"))
    // A body that is not sent is not requested.
    let untouched = HTTP.Body(unfolding: {
      Issue.record("The body was made.")
      return nil
    })
    let (all, _) = try await everything(HTTP.Response(status: 200, body: untouched), to: head)
    #expect(
      !all.contains("Content-Length") && !all.contains("Transfer-Encoding") && all.hasSuffix("\r\n\r\n"))
    #expect(try await everything(HTTP.Response(status: 200)).text.contains("\r\nContent-Length: 0\r\n"))
  }

  // MARK: - Framing by the handler

  @Test func aStreamWithALengthIsSized() async throws {
    let (all, _) = try await everything(
      HTTP.Response(
        status: 200, fields: ["Content-Length": "6", "Transfer-Encoding": "chunked"],
        body: pulled("one", "two")))
    #expect(all.hasSuffix("\r\n\r\nonetwo") && all.contains("\r\nContent-Length: 6\r\n"))
    #expect(!all.contains("Transfer-Encoding"))
  }

  @Test func aBodyLongerThanItsLengthIsTruncated() async throws {
    let server = try await MockServer(
      Handler { [self] _ in
        HTTP.Response(status: 200, fields: ["content-length": "4"], body: pulled("one", "two", "three"))
      })
    let client = try await RawClient.connect(to: server.port)
    for _ in 1...2 { #expect(try await client.exchange(get()).body == "onet") }
    await server.close()
  }

  @Test func aBodyShorterThanItsLengthEndsTheConnection() async throws {
    for body in [pulled("one"), HTTP.Body(Data("one".utf8))] {
      let (all, ending) = try await everything(
        HTTP.Response(status: 200, fields: ["Content-Length": "4"], body: body), to: get() + get())
      #expect(all.hasSuffix("\r\nContent-Length: 4\r\n\r\none") || all.hasSuffix("GMT\r\n\r\none"), "\(all)")
      #expect(all.contains("Content-Length: 4\r\n") && ending == .closed)
    }
  }

  @Test func connectionFieldsAreSetByTheServer() async throws {
    let server = try await MockServer(
      Handler { request in
        HTTP.Response(
          status: 200, fields: ["Connection": request.url.path() == "/close" ? "x, Close" : "keep-alive, x"])
      })
    let client = try await RawClient.connect(to: server.port)
    #expect(try await client.exchange(get()).field("Connection") == nil)
    #expect(try await client.exchange(get("/close")).field("Connection") == "close")
    #expect(try await client.ending() == ("", .closed))
    await server.close()
  }

  // MARK: - Invalid responses

  @Test(
    arguments: [
      (HTTP.Response(status: 99), "the status 99."), (HTTP.Response(status: 1_000), "the status 1000."),
      (HTTP.Response(status: -1), "the status -1."), (HTTP.Response(status: 100), "the status 100."),
      (HTTP.Response(status: 101), "the status 101."),
      (
        HTTP.Response(status: 200, fields: ["X": "a\r\nSet-Cookie: b"]),
        "field X whose value is \"a\\r\\nSet-Cookie"
      ),
      (HTTP.Response(status: 200, fields: ["X": "a\n"]), "value is \"a\\n\""),
      (HTTP.Response(status: 200, fields: ["X": "a\0"]), "value is \"a\\0\""),
      (HTTP.Response(status: 200, fields: ["X\r\nY": "a"]), "name is \"X\\r\\nY\""),
      (HTTP.Response(status: 200, fields: ["X: y\r\n\r\n": "a"]), "name is \"X: y"),
      (HTTP.Response(status: 200, fields: ["": "a"]), "name is \"\""),
      (HTTP.Response(status: 200, fields: ["X ": "a"]), "name is \"X \""),
      (HTTP.Response(status: 200, fields: ["Content-Length": "x"]), "Content-Length \"x\""),
      (HTTP.Response(status: 200, fields: ["Content-Length": "-1"]), "Content-Length \"-1\""),
      (HTTP.Response(status: 200, fields: ["Content-Length": ""]), "Content-Length \"\""),
      (
        HTTP.Response(status: 200, fields: ["Content-Length": "1", "content-length": "2"]), "\"1\" and \"2\""
      ),
    ] as [(HTTP.Response, String)])
  func anInvalidResponseIsReplacedByTheReason(_ response: HTTP.Response, _ reason: String) async throws {
    let server = try await MockServer(Handler { _ in response })
    let client = try await RawClient.connect(to: server.port)
    for _ in 1...2 {
      let told = try await client.exchange(get())
      #expect(told.status == 500 && told.body.contains(reason), "\(told)")
      #expect(told.field("Set-Cookie") == nil && told.field("X") == nil)
    }
    await server.close()
  }

  @Test func aSubprotocolCannotSplitTheHandshake() async throws {
    let server = try await MockServer(
      Handler { request in
        .webSocket(subprotocol: request.fields["X"].map { "\($0)\r\nSet-Cookie: b" }) { _ in }
      })
    let client = try await RawClient.connect(to: server.port)
    let told = try await client.exchange(
      get(
        "/",
        "X: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"))
    #expect(told.status == 500 && told.body.contains("Sec-WebSocket-Protocol whose value is"), "\(told)")
    #expect(told.field("Set-Cookie") == nil)
    await server.close()
  }

  // MARK: - Back-pressure

  /// A handler is not asked for chunks that the client does not read.
  ///
  /// The kernel buffers some of them, and then the server waits up to the time limit.
  @Test func aSlowClientAppliesBackPressure() async throws {
    let manual = TestClock()
    let made = Locked(0)
    let server = try await MockServer(
      Handler { _ in
        HTTP.Response(
          status: 200,
          body: HTTP.Body(unfolding: {
            made.withLock { $0 += 1 }
            return Data(count: 1 << 20)
          }))
      }, time: manual.time)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    try await manual.elapsing { await client.socket.waitForHangUp() }
    #expect(made.withLock { $0 } < 64)
    #expect(manual.elapsed >= ServerLimits().writeTime)
    await server.close(grace: .zero)
  }

  /// A body in memory is not copied for each of its readers: each copies one window of it at a time.
  @Test(arguments: ["1.1", "1.0"], [nil, "140000"]) func aLongBodyIsBufferedInWindows(
    version: String, length: String?
  ) throws {
    let window = 64 << 10
    for chunks in [[150_000], [10, window, 0, window + 1, 20_000]] {
      let body = chunks.enumerated().map { Data(repeating: UInt8(97 + $0), count: $1) }
      let request = RequestHead(
        method: .get, url: try #require(URL(string: "http://a/")), minorVersion: version == "1.1" ? 1 : 0,
        fields: [:],
        framing: .none, keepsAlive: true, expectsContinue: false)
      let response = HTTP.Response(
        status: 200, fields: length.map { ["Content-Length": $0] } ?? [:], body: HTTP.Body(chunks: body))
      let head = ResponseHead(response, to: request, isLast: false)
      var output = ResponseBuffer()
      var sent: [[UInt8]] = []
      output.begin()
      output.write(head, date: Date(timeIntervalSince1970: 0))
      for chunk in body {
        if output.isFull {
          sent.append(output.bytes)
          output.begin()
        }
        output.write(chunk)
        while output.hasPending {
          sent.append(output.bytes)
          output.begin()
        }
      }
      _ = output.endBody()
      // The server becomes idle with the last bytes, so some must be left for that.
      #expect(!output.bytes.isEmpty)
      sent.append(output.bytes)
      #expect(sent.allSatisfy { $0.count <= window + 100 }, "\(sent.map(\.count))")
      let all = sent.reduce(Data(), +)
      let rest = all[try #require(all.firstRange(of: Data("\r\n\r\n".utf8))?.upperBound)...]
      let whole = body.reduce(Data(), +)
      switch head.framing {
      case .chunked:
        let framed = body.filter { !$0.isEmpty }.reduce(Data()) { framed, chunk in
          framed + Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)
        }
        #expect(rest == framed + Data("0\r\n\r\n".utf8))
      case .sized(let length): #expect(rest == whole.prefix(length))
      case .untilClose: #expect(rest == whole)
      case .none: Issue.record("The body is not sent.")
      }
    }
  }

  @Test func longChunksInMemoryArriveWhole() async throws {
    let body = [100_000, 5, 200_000].enumerated().map { Data(repeating: UInt8(97 + $0), count: $1) }
    let server = try await MockServer(
      Handler { request in
        HTTP.Response(
          status: 200, body: request.url.path() == "/one" ? HTTP.Body(body[2]) : HTTP.Body(chunks: body))
      })
    let client = try await RawClient.connect(to: server.port)
    for path in ["/all", "/one", "/all"] {
      let expected = path == "/one" ? body[2] : body.reduce(Data(), +)
      #expect(Data(try await client.exchange(get(path)).body.utf8) == expected)
    }
    await server.close()
  }

  @Test func aClientThatReadsReceivesALongAnswer() async throws {
    let left = Locked(48)
    let server = try await MockServer(
      Handler { _ in
        HTTP.Response(
          status: 200,
          body: HTTP.Body(unfolding: {
            left.withLock { left in
              left -= 1
              return left < 0 ? nil : Data(repeating: 97, count: 1 << 20)
            }
          }))
      })
    let client = try await RawClient.connect(to: server.port)
    try await client.send("GET / HTTP/1.0\r\n\r\n")
    _ = try await client.read(through: "\r\n\r\n")
    #expect(try await client.readToEnd().utf8.count == 48 << 20)
    await server.close()
  }
}

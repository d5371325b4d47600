import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyServer

/// Responses as other clients receive them, of a server that sends any bytes.
@Suite(.stallLimit()) struct SocketTransportTests {
  /// A server that answers each connection with the same bytes, and keeps what it received.
  private final class RawServer: Sendable {
    let url: URL
    let received = Locked<[UInt8]>([])
    private let loop: EventLoop
    private let listener: TCPListener

    init(_ answer: [UInt8], afterReading end: String = "\r\n\r\n") throws {
      loop = try EventLoop.start(named: "raw server")
      listener = try TCPListener(port: 0, on: loop)
      url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/"))
      try listener.start { [received] socket in
        Task {
          while !received.withLock({ String(decoding: $0, as: UTF8.self).hasSuffix(end) }),
            let more = try? await socket.read()
          {
            received.withLock { $0 += more }
          }
          try? await socket.write(answer)
          await socket.close()
        }
      }
    }

    deinit {
      listener.close()
      loop.stop()
    }
  }

  private func get(_ answer: String, _ method: HTTP.Method = .get) async throws -> (HTTP.Response, Data) {
    try await get(Array(answer.utf8), method)
  }

  private func get(_ answer: [UInt8], _ method: HTTP.Method = .get) async throws -> (HTTP.Response, Data) {
    let server = try RawServer(answer)
    let response = try await SocketTransport().send(HTTP.Request(method, server.url, timeout: nil))
    return (response, try await response.body.collect())
  }

  @Test func trailersFollowTheBody() async throws {
    let (response, body) = try await get(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nabc\r\n2\r\nde\r\n0\r\nSum: 5\r\nSum: 6\r\n\r\n"
    )
    #expect(body == Data("abcde".utf8))
    #expect(response.trailers?.fields == ["Sum": "5", "Sum": "6"])
  }

  @Test(arguments: [
    "Content-Length: 2\r\nContent-Length: 2", "Content-Length: 2, 2", "Content-Length: 2", "X: 1\r\n folded",
  ])
  func theBodyHasItsLength(_ fields: String) async throws {
    let (response, body) = try await get("HTTP/1.1 200\r\n\(fields)\r\n\r\nok")
    #expect(body == Data("ok".utf8))
    #expect(response.status == 200 && response.reason == nil)
    #expect(
      response.fields.first?.value
        == (fields.hasPrefix("X") ? "1 folded" : fields.hasSuffix(", 2") ? "2, 2" : "2"))
  }

  @Test func fieldsThatAreNotUTF8AreLatin1() async throws {
    let (response, _) = try await get(
      Array("HTTP/1.0 299 Gr".utf8) + [0xFC] + Array("n\nX: na".utf8) + [0xEF]
        + Array("ve\nSet-Cookie: b=1\nSet-Cookie: a=2\nX-A: \u{E4}\n\n".utf8))
    #expect(response.status == 299 && response.reason == "Grün")
    #expect(response.fields.map(\.value) == ["naïve", "b=1", "a=2", "ä"])
    // They are sent on as they were received.
    #expect(response.fields.first?.bytes == Array("na".utf8) + [0xEF] + Array("ve".utf8))
    #expect(response.fields.last?.bytes == Array("ä".utf8))
    var request = HTTP.Request(.get, try #require(URL(string: "http://h/")))
    request.fields = response.fields
    #expect(try request.head().firstRange(of: Array("X: na".utf8) + [0xEF] + Array("ve\r\n".utf8)) != nil)
  }

  @Test func interimResponsesAreSkippedAndAHeadHasNoBody() async throws {
    let (response, body) = try await get(
      "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", .head)
    #expect(response.status == 200 && body.isEmpty && response.fields["Link"] == nil)
  }

  @Test(arguments: [
    ("", TransportError.Code.connectionLost),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", .connectionLost),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .connectionLost),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", .unreadableResponse),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc", .unreadableResponse),
    ("SSH-2.0-x\r\n\r\n", .unreadableResponse), ("HTTP/1.1 200 OK\r\nbroken\r\n\r\n", .unreadableResponse),
  ])
  func aBrokenResponseIsAnError(_ answer: String, _ code: TransportError.Code) async throws {
    let error = await #expect(throws: TransportError.self) { try await get(answer) }
    #expect(error?.code == code)
  }

  /// Catches waiting for the end of a line that may never arrive.
  @Test(arguments: [
    ("S", true), ("SSH-2.0-x", true), ("<!doctype html>", true), ("HTTP/2 200\r\n", true),
    ("\r\n\r\n220 ", true),
    ("HTT", false), ("\r\nHTTP/1.", false), ("HTTP/1.1 200", false),
  ])
  func whatCannotBeAStatusLineIsJudgedAtOnce(_ beginning: String, _ isUnreadable: Bool) throws {
    var reader = ResponseReader(toHead: false)
    reader.append(Array(beginning.utf8))
    guard isUnreadable else {
      #expect(try reader.next() == nil)
      return
    }
    let error = #expect(throws: TransportError.self) { try reader.next() }
    #expect(error?.code == .unreadableResponse)
    #expect(error?.message.contains("It begins with") == true, "\(String(describing: error))")
  }

  /// A server that goes on with interim responses has sent something.
  @Test func anEndlessSeriesOfInterimResponsesIsUnreadable() async throws {
    let interim = "HTTP/1.1 102 Processing\r\n\r\n"
    let (response, body) = try await get(
      String(repeating: interim, count: 100) + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    #expect(response.status == 200 && body == Data("ok".utf8))
    // Without a final response; the connection stays open until the client has judged.
    var reader = ResponseReader(toHead: false)
    reader.append(Array(String(repeating: interim, count: 101).utf8))
    let error = #expect(throws: TransportError.self) { try reader.next() }
    #expect(error?.code == .unreadableResponse)
    #expect(error?.message.contains("more than 100 interim responses") == true)
  }

  @Test func endlessEmptyLinesAreUnreadable() throws {
    var reader = ResponseReader(toHead: false)
    let error = #expect(throws: TransportError.self) {
      for _ in 0..<1000 {
        reader.append(Array(repeating: 0x0A, count: 1000))
        _ = try reader.next()
      }
    }
    #expect(error?.code == .unreadableResponse)
  }

  @Test func anUploadHasTheFramingOfItsRequest() async throws {
    for (fields, line, end) in [
      (["Content-Length": "9"], "\r\nContent-Length: 2\r\n", "\r\n\r\nab"),
      (
        ["Transfer-Encoding": "chunked"], "\r\nTransfer-Encoding: chunked\r\n", "\r\n\r\n2\r\nab\r\n0\r\n\r\n"
      ),
    ] as [(HTTP.Fields, String, String)] {
      let server = try RawServer(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8), afterReading: end)
      let request = HTTP.Request(
        .post, server.url, fields: fields, body: Data("ab".utf8), timeout: nil)
      #expect(try await SocketTransport().send(request).status == 204)
      let received = server.received.withLock { String(decoding: $0, as: UTF8.self) }
      #expect(
        received.contains(line) && received.split(separator: "Content-Length").count <= 2, "\(received)")
    }
  }

  /// The same steps however the bytes arrive.
  @Test func theReaderAcceptsBytesCutAnywhere() throws {
    let bytes = Array(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n"
        .utf8)
    for cut in 0...bytes.count {
      var reader = ResponseReader(toHead: false)
      var (body, trailers): ([UInt8], HTTP.Fields?) = ([], nil)
      for part in [bytes[..<cut], bytes[cut...]] {
        reader.append(Array(part))
        steps: while trailers == nil, let step = try reader.next() {
          switch step {
          case .head(let head): #expect(head.status == 200)
          case .bytes(let bytes): body += bytes
          case .end(let fields): trailers = fields
          }
        }
      }
      #expect(body == Array("abc".utf8) && trailers == ["A": "b"], "cut at \(cut)")
    }
  }
}

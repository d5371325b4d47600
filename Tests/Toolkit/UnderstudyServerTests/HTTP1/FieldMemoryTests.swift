import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyTesting
@testable import UnderstudyServer

/// A parser with a cache of the last request's fields must give the same result as a new one.
@Suite(.stallLimit()) struct FieldMemoryTests {
  static let conversations: [[String]] = [
    // The same fields; then one more, one less, another value, another order.
    [
      "GET /1 HTTP/1.1\r\nHost: a\r\nAccept: x\r\n\r\n", "GET /2 HTTP/1.1\r\nHost: a\r\nAccept: x\r\n\r\n",
      "GET /3 HTTP/1.1\r\nHost: a\r\nAccept: x\r\nX: 1\r\n\r\n", "GET /4 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /5 HTTP/1.1\r\nHost: b\r\n\r\n", "GET /5 HTTP/1.1\r\nAccept: x\r\nHost: b\r\n\r\n",
    ],
    // The request line is not cached.
    [
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "DELETE /x HTTP/1.0\r\nHost: a\r\n\r\n",
      "GET /y HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
    // Lengths, codings and options are cached with the fields.
    [
      "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab",
      "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\ncd",
      "POST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nefg",
      "POST /4 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n0\r\n\r\n",
      "POST /5 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nij\r\n0\r\n\r\n",
      "GET /6 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      "GET /7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    ],
  ]

  @Test(arguments: conversations) func eachRequestIsParsedLikeAFirstOne(requests: [String]) throws {
    let expected = try requests.map { try Self.read([$0]) }.joined()
    let whole = requests.joined()
    #expect(try Self.read(requests) == Array(expected), "a request at a time")
    #expect(try Self.read([whole]) == Array(expected), "all at once")
    for cut in 1..<whole.utf8.count {
      let pieces = [String(whole.utf8.prefix(cut)), String(whole.utf8.dropFirst(cut))].compactMap { $0 }
      #expect(try Self.read(pieces) == Array(expected), "cut after \(cut) bytes")
    }
  }

  @Test func cachedFieldsCountTowardsTheLimit() throws {
    var limits = ServerLimits()
    limits.headBytes = 64
    let fields = "Host: a\r\nAccept: application/json\r\n\r\n"
    var parser = RequestParser(limits: limits, authority: "127.0.0.1:1")
    parser.append(Array(("GET / HTTP/1.1\r\n" + fields).utf8))
    _ = try parser.next()
    _ = try parser.next()
    parser.append(Array(("GET /0123456789012345 HTTP/1.1\r\n" + fields).utf8))
    let refusal = #expect(throws: RequestRefusal.self) { try parser.next() }
    #expect(refusal?.status == 431)
  }

  /// The steps of a parser, as text.
  private static func read(_ pieces: [String]) throws -> [String] {
    var parser = RequestParser(limits: ServerLimits(), authority: "127.0.0.1:1")
    var steps: [String] = []
    for piece in pieces {
      parser.append(Array(piece.utf8))
      while let step = try parser.next() {
        switch step {
        case .head(let head):
          let fields = head.fields.map { "\($0.name): \($0.value)" }
          steps.append(
            "\(head.method) \(head.url) 1.\(head.minorVersion) \(fields) \(head.framing) \(head.keepsAlive)")
        case .body(let body):
          steps.append(body.map { String(decoding: $0, as: UTF8.self) } ?? "no body")
        }
      }
    }
    return steps
  }
}

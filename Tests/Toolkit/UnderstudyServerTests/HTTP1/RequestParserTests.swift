import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@testable import UnderstudyServer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Valid requests, independent of how the bytes are split.
@Suite(.stallLimit()) struct RequestParserTests {
  struct Message: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let lines: [String]

    init(_ name: String, _ text: String, _ lines: String...) {
      testDescription = name
      self.text = text
      self.lines = lines
    }
  }

  static let good: [Message] = [
    Message("the least", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://a/ 1.1 none", "no body"),
    Message("HTTP/1.0", "GET /x HTTP/1.0\r\n\r\n", "GET http://127.0.0.1:1/x 1.0 none close", "no body"),
    Message(
      "HTTP/1.0 kept alive", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
      "GET http://127.0.0.1:1/ 1.0 none", "no body"),
    Message(
      "a later minor version", "GET / HTTP/1.9\r\nHost: a\r\n\r\n", "GET http://a/ 1.9 none", "no body"),
    Message(
      "an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET http://127.0.0.1:1/ 1.1 none", "no body"),
    Message(
      "an IPv6 address", "GET /x HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "GET http://[::1]:80/x 1.1 none",
      "no body"),
    Message(
      "the last of several connection options",
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: , te,\r\nconnection:x , CLOSE\r\n\r\n",
      "GET http://a/ 1.1 none close", "no body"),
    Message(
      "fields with blanks, without a value, twice, and beyond ASCII",
      "GET / HTTP/1.1\r\nHost: a\r\nX-A: \t b c \t\r\nX:\r\nX-A:d\r\nX-U: ü\r\n\r\n",
      "GET http://a/ 1.1 none X-A=b c X= X-A=d X-U=ü", "no body"),
    Message(
      "empty lines before the request", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET http://a/ 1.1 none", "no body"),
    Message(
      "a body by its length", "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\nhello",
      "PUT http://a/ 1.1 5", "body hello"),
    Message(
      "the same length twice",
      "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi",
      "PUT http://a/ 1.1 2", "body hi"),
    Message(
      "an empty body", "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "PUT http://a/ 1.1 0",
      "body "),
    Message(
      "chunks with extensions, and trailers",
      "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:  Chunked\r\n\r\n3\r\nabc\r\n00a ; x=\"y\"\r\n0123456789\r\n0;z\r\nT: 1\r\nU: 2\r\n\r\n",
      "PUT http://a/ 1.1 chunked", "body abc0123456789"),
    Message(
      "every form of a chunk extension",
      "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "1;a\r\n1\r\n1;a=b;c\r\n2\r\n1\t ; \ta\t =\t b\r\n3\r\n"
        + "1;a=\"\";b=\"; \\\" \\\\ \\a\tü=\" ; c!=~\r\n4\r\n0 ;a=\"0\"\r\n\r\n",
      "PUT http://a/ 1.1 chunked", "body 1234"),
    Message(
      "no chunk", "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "PUT http://a/ 1.1 chunked", "body "),
    Message(
      "an expectation", "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n!",
      "PUT http://a/ 1.1 1 expects", "body !"),
    Message(
      "an expectation of HTTP/1.0", "PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n!",
      "PUT http://127.0.0.1:1/ 1.0 1 close", "body !"),
    Message(
      "the whole URL as the target", "GET HTTP://b:8080/x?y=/z HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET HTTP://b:8080/x?y=/z 1.1 none", "no body"),
    Message(
      "a URL without a path", "GET http://b?x HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://b?x 1.1 none",
      "no body"),
    Message(
      "the server as the target", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS http://a 1.1 none",
      "no body"),
    Message(
      "what has to be percent-encoded, and what is",
      "GET /a|ü%2fb?c=%20{d}&e=5%&f=%2 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET http://a/a%7C%C3%BC%2fb?c=%20%7Bd%7D&e=5%25&f=%252 1.1 none", "no body"),
    Message(
      "an unknown method", "M-SEARCH!x / HTTP/1.1\r\nHost: a\r\n\r\n",
      "M-SEARCH!x http://a/ 1.1 none", "no body"),
    Message(
      "several requests",
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPUT /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nGET\r\nGET /3 HTTP/1.1\r\nHost: b\r\n\r\n",
      "GET http://a/1 1.1 none", "no body", "PUT http://a/2 1.1 3", "body GET", "GET http://b/3 1.1 none",
      "no body"),
    Message(
      "a good request before a bad one", "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n???", "GET http://a/1 1.1 none",
      "no body", "400 A request begins with its method; this is not HTTP/1.1 without TLS (RFC 9112 §3)."),
  ]

  @Test(arguments: good) func reads(_ message: Message) {
    #expect(parserTranscript(of: [Array(message.text.utf8)]) == message.lines)
    for pieces in Array(message.text.utf8).everyCut {
      #expect(parserTranscript(of: pieces) == message.lines, "Cut after \(pieces[0].count) bytes.")
    }
  }

  /// The forms of an `IP-literal` (RFC 3986 §3.2.2).
  @Test(arguments: [
    "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::8", "2001:DB8::A:0b:c",
    "::ffff:127.0.0.1", "1:2:3:4:5:6:0.1.20.255", "::1.2.3.4",
  ]) func readsAddresses(_ literal: String) {
    for port in ["", ":", ":8080"] {
      let text = "GET /x HTTP/1.1\r\nHost: [\(literal)]\(port)\r\n\r\n"
      #expect(
        parserTranscript(of: [Array(text.utf8)]) == ["GET http://[\(literal)]\(port)/x 1.1 none", "no body"])
    }
  }

  /// Generated addresses: the parser accepts those that the system accepts.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func acceptsTheAddressesOfTheSystem(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var counts = [true: 0, false: 0]
    for _ in 0..<Effort.times(500) {
      var groups = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        let isGroup = Int.random(in: 0..<24, using: &random) > 0
        return (isGroup ? ["0", "1", "ab", "FFFF", "00a0"] : ["12345", "g"]).randomElement(using: &random)
          ?? ""
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        groups.append(
          ["1.2.3.4", "0.10.255.249", "256.1.1.1", "01.2.3.4", "1.2.3"].randomElement(using: &random) ?? "")
      }
      // An empty group is "::", also at the beginning and at the end.
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        groups.insert("", at: .random(in: 0...groups.count, using: &random))
      }
      var literal = groups.joined(separator: ":")
      if groups.first == "", Int.random(in: 0..<8, using: &random) > 0 { literal = ":" + literal }
      if groups.last == "", Int.random(in: 0..<8, using: &random) > 0 { literal += ":" }
      var address = in6_addr()
      let isAddress = inet_pton(AF_INET6, literal, &address) == 1
      let text = "GET / HTTP/1.1\r\nHost: [\(literal)]:80\r\n\r\n"
      let isAccepted = parserTranscript(of: [Array(text.utf8)]).last == "no body"
      #expect(isAccepted == isAddress, "[\(literal)]")
      counts[isAddress, default: 0] += 1
    }
    #expect(counts.allSatisfy { $0.value > 0 }, "Both kinds were tried: \(counts).")
  }

  /// Generated chunk extensions: the parser accepts those of the grammar of RFC 9112 §7.1.1.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func acceptsTheChunkExtensionsOfTheGrammar(_ seed: UInt64) {
    let grammar =
      /(?:[ \t]*;[ \t]*[a-z!]+(?:[ \t]*=[ \t]*(?:[a-z!]+|"(?:[a-z! \t;=,]|\\[a-z! \t;=,"\\])*"))?)*/
    var random = SeededGenerator(seed: seed)
    var counts = [true: 0, false: 0]
    for _ in 0..<Effort.times(500) {
      let parts = [";", ";", "=", " ", "\t", "a", "b!", "\"", "\\", "\";=\"", ","]
      let line = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
      // It must not continue the size.
      guard line.first != "a", line.first != "b" else { continue }
      let isValid = line.wholeMatch(of: grammar) != nil
      let text =
        "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\(line)\r\n!\r\n0\r\n\r\n"
      #expect((parserTranscript(of: [Array(text.utf8)]).last == "body !") == isValid, "\(line)")
      counts[isValid, default: 0] += 1
    }
    #expect(counts.allSatisfy { $0.value > 0 }, "Both kinds were tried: \(counts).")
  }

  /// The last message of the table ends within a request; every other one is exactly complete.
  @Test(arguments: good.dropLast()) func knowsWhereTheRequestEnds(_ message: Message) throws {
    var parser = RequestParser(limits: ServerLimits(), authority: "127.0.0.1:1")
    let bytes = Array(message.text.utf8)
    parser.append(bytes.dropLast())
    while try parser.next() != nil {}
    #expect(!parser.isBetweenRequests)
    parser.append([bytes[bytes.count - 1]])
    while try parser.next() != nil {}
    #expect(parser.isBetweenRequests && !parser.hasUnread && !parser.isInBody)
  }

  /// Arbitrary bytes: the parser does not trap, and its result does not depend on how they are split.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func damagedRequestsDoNotDependOnTheChunks(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var limits = ServerLimits()
    (limits.requestLineBytes, limits.headBytes, limits.fieldCount, limits.bodyBytes) = (60, 120, 4, 20)
    for _ in 0..<Effort.times(50) {
      var bytes: [UInt8] = []
      for message in Self.good.shuffled(using: &random).prefix(2) { bytes += message.text.utf8 }
      for _ in 0..<Int.random(in: 0...4, using: &random) { Self.damage(&bytes, &random) }
      let whole = parserTranscript(of: [bytes], limits: limits)
      #expect(parserTranscript(of: bytes.bytewise, limits: limits) == whole, "\(bytes)")
      let cut = Int.random(in: 0...bytes.count, using: &random)
      #expect(parserTranscript(of: bytes.cut(after: cut), limits: limits) == whole, "\(bytes)")
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
    guard place < bytes.count else { return }
    let strange: UInt8 = [UInt8]("\r\n\0 \t:;,%/*?#\u{7F}ÿ0fHTTP/1.1".utf8).randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[place] = strange
    case 1: bytes.insert(strange, at: place)
    case 2: bytes.remove(at: place)
    default: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
    }
  }
}

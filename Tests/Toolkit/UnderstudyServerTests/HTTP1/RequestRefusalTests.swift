import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyServer

/// Refused requests: input that two parsers could interpret differently, and input beyond a limit.
@Suite(.stallLimit()) struct RequestRefusalTests {
  struct Message: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: Int
    /// A part of the reason that the client receives.
    let reason: String
    let text: String

    init(_ name: String, _ status: Int, _ reason: String, _ text: String) {
      testDescription = name
      self.status = status
      self.reason = reason
      self.text = text
    }

    init(head name: String, _ status: Int, _ reason: String, _ fields: String) {
      self.init(name, status, reason, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n")
    }

    init(chunks name: String, _ status: Int, _ reason: String, _ chunks: String) {
      self.init(
        name, status, reason, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)")
    }
  }

  static let lines: [Message] = [
    Message("TLS", 400, "without TLS", "\u{16}\u{3}\u{1}"),
    Message("a space before the method", 400, "begins with its method", " GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("a control character in the method", 400, "method", "GE\0T / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("HTTP/0.9", 400, "no target, or no version", "GET /\r\n\r\n"),
    Message("no target", 400, "no target, or no version", "GET  HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("a space in the target", 400, "version", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("two spaces before the version", 400, "version", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("a space after the version", 400, "version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
    Message("a version in lower case", 400, "version", "GET / http/1.1\r\nHost: a\r\n\r\n"),
    Message("HTTP/2", 505, "HTTP/1.1", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    Message("a bare LF", 400, "LF only", "GET / HTTP/1.1\nHost: a\n\n"),
    Message("a bare CR", 400, "control character", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb: c\r\n\r\n"),
    Message("a CR that ends nothing", 400, "not followed by an LF", "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("empty lines without end", 400, "empty lines", times(9, "\r\n")),
  ]

  static let targets: [Message] = [
    Message("a proxy's method", 501, "CONNECT is not supported", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message(
      "the server for a method that is not for it", 400, "OPTIONS", "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("a path without a slash", 400, "neither", "GET a/b HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("another scheme", 400, "neither", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("a URL without a host", 400, "without a host", "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("a user in a URL", 400, "host", "GET http://u:p@b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("a fragment", 400, "fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
    Message("no host", 400, "requires a Host", "GET / HTTP/1.1\r\n\r\n"),
    Message("two hosts", 400, "two Host", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n"),
    Message("a host with a path", 400, "host", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    Message("a host with a space", 400, "host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
    Message("an invalid host beside a URL", 400, "host", "GET http://b/ HTTP/1.1\r\nHost: a b\r\n\r\n"),
    Message("an invalid port", 400, "host", "GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n"),
    Message("half an address", 400, "host", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"),
  ]

  static let fields: [Message] = [
    Message(head: "a blank before the colon", 400, "space before the colon", "X : y"),
    Message(head: "no name", 400, "no name", ": y"),
    Message(head: "no colon", 400, "no name and colon", "X"),
    Message(head: "a folded line", 400, "second line", "X: y\r\n z"),
    Message("a blank before the first field", 400, "second line", "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
    Message(head: "NUL in a value", 400, "The value of X contains a control", "X: a\0b"),
    Message(head: "NUL in a name", 400, "name of a field", "X\0: a"),
    Message(head: "a name beyond ASCII", 400, "name of a field", "Ü: a"),
    Message(head: "an unknown expectation", 417, "\"200-ok\"", "Expect: 200-ok"),
  ]

  /// Bodies that two parsers could frame differently, which allows request smuggling.
  static let framing: [Message] = [
    Message(
      head: "CL.TE", 400, "Content-Length and a Transfer-Encoding",
      "Content-Length: 4\r\nTransfer-Encoding: chunked"),
    Message(
      head: "TE.CL", 400, "Content-Length and a Transfer-Encoding",
      "Transfer-Encoding: chunked\r\nContent-Length: 4"),
    Message(
      head: "CL.TE in other cases", 400, "Content-Length and a Transfer-Encoding",
      "content-length: 4\r\ntRANSFER-eNCODING:\tcHUNKED"),
    Message(
      head: "TE with a blank before the colon", 400, "space before the colon", "Transfer-Encoding : chunked"),
    Message(head: "TE with a control character", 400, "control", "Transfer-Encoding: \u{B}chunked"),
    Message(head: "TE on a folded line", 400, "second line", "Transfer-Encoding:\r\n chunked"),
    Message(
      head: "TE twice", 400, "once, and last",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
    Message(head: "TE with chunked not last", 400, "once, and last", "Transfer-Encoding: chunked, identity"),
    Message(head: "TE with something like chunked", 501, "coding is chunked", "Transfer-Encoding: xchunked"),
    Message(head: "TE in quotes", 501, "coding is chunked", "Transfer-Encoding: \"chunked\""),
    Message(head: "TE with a parameter", 501, "coding is chunked", "Transfer-Encoding: chunked;q=1"),
    Message(head: "TE without chunked", 501, "coding is chunked", "Transfer-Encoding: identity"),
    Message(head: "TE with another coding", 501, "coding is chunked", "Transfer-Encoding: gzip, chunked"),
    Message(head: "TE with nothing", 501, "coding is chunked", "Transfer-Encoding:"),
    Message(
      "TE in HTTP/1.0", 400, "HTTP/1.0 does not", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
    Message(head: "two lengths", 400, "two different lengths", "Content-Length: 4\r\nContent-Length: 5"),
    Message(head: "two lengths in one", 400, "not a single number", "Content-Length: 4, 4"),
    Message(head: "a length with a sign", 400, "not a single number", "Content-Length: +4"),
    Message(head: "a negative length", 400, "not a single number", "Content-Length: -1"),
    Message(head: "a length with a blank", 400, "not a single number", "Content-Length: 1 0"),
    Message(head: "a hexadecimal length", 400, "not a single number", "Content-Length: 0x4"),
    Message(head: "an empty length", 400, "empty", "Content-Length: "),
    Message(
      head: "a length beyond any number", 413, "longer than 1000", "Content-Length: 99999999999999999999"),
    Message(head: "a length beyond the limit", 413, "longer than 1000 bytes", "Content-Length: 1001"),
  ]

  static let chunks: [Message] = [
    Message(chunks: "no size", 400, "not a hexadecimal number", "\r\n"),
    Message(chunks: "a size that is not a number", 400, "not a hexadecimal number", "x\r\n"),
    Message(chunks: "a negative size", 400, "not a hexadecimal number", "-1\r\n"),
    Message(chunks: "a size with a prefix", 400, "extension of a chunk is invalid", "0x1\r\na\r\n"),
    Message(chunks: "a blank before a size", 400, "not a hexadecimal number", " 1\r\na\r\n"),
    Message(chunks: "a blank after a size", 400, "extension of a chunk is invalid", "1 \r\na\r\n"),
    Message(chunks: "a bare LF after a size", 400, "LF only", "1\na\r\n"),
    Message(chunks: "a bare LF after a chunk", 400, "LF only", "1\r\na\n0\r\n\r\n"),
    Message(chunks: "a chunk longer than its size", 400, "longer than its size", "1\r\nab\r\n0\r\n\r\n"),
    Message(
      chunks: "a control character in an extension", 400, "extension of a chunk is invalid",
      "1;a\0\r\na\r\n"),
    Message(
      chunks: "a semicolon without an extension", 400, "extension of a chunk is invalid", "1;\r\na\r\n"),
    Message(chunks: "two semicolons", 400, "extension of a chunk is invalid", "1;;a\r\na\r\n"),
    Message(chunks: "a blank after an extension", 400, "extension of a chunk is invalid", "1;a \r\na\r\n"),
    Message(chunks: "an extension without a name", 400, "extension of a chunk is invalid", "1;=a\r\na\r\n"),
    Message(chunks: "an extension without a value", 400, "extension of a chunk is invalid", "1;a=\r\na\r\n"),
    Message(chunks: "an extension with a colon", 400, "extension of a chunk is invalid", "1;a:b\r\na\r\n"),
    Message(chunks: "two words in an extension", 400, "extension of a chunk is invalid", "1;a b\r\na\r\n"),
    Message(chunks: "a name in quotes", 400, "extension of a chunk is invalid", "1;\"a\"\r\na\r\n"),
    Message(chunks: "an extension beyond ASCII", 400, "extension of a chunk is invalid", "1;ü\r\na\r\n"),
    Message(chunks: "an open quote", 400, "extension of a chunk is invalid", "1;a=\"b\r\na\r\n"),
    Message(
      chunks: "a quote with an escaped end", 400, "extension of a chunk is invalid", "1;a=\"b\\\"\r\na\r\n"),
    Message(
      chunks: "a control character in a quote", 400, "extension of a chunk is invalid",
      "1;a=\"\u{1}\"\r\na\r\n"),
    Message(
      chunks: "an escaped control character", 400, "extension of a chunk is invalid",
      "1;a=\"\\\u{7F}\"\r\na\r\n"),
    Message(chunks: "text after a quote", 400, "extension of a chunk is invalid", "1;a=\"b\"c\r\na\r\n"),
    Message(
      chunks: "an invalid extension of the last chunk", 400, "extension of a chunk is invalid", "0;\r\n\r\n"),
    Message(chunks: "a size beyond any number", 413, "exceeds the supported range", "10000000000000000\r\n"),
    Message(chunks: "the greatest number", 413, "longer than 1000 bytes", "7fffffffffffffff\r\n"),
    Message(
      chunks: "chunks beyond the limit", 413, "longer than 1000 bytes",
      "3e8\r\n\(times(1_000, "a"))\r\n1\r\n"),
    Message(
      chunks: "a huge extension", 400, "longer than 1024 bytes",
      "1;\(times(1_023, "x"))\r\na\r\n"),
    Message(
      chunks: "nothing but extensions", 400, "more extensions than content",
      times(8, "1;\(times(300, "x"))\r\na\r\n")),
    Message(chunks: "a trailer without a colon", 400, "no name and colon", "0\r\nX\r\n\r\n"),
    Message(
      chunks: "trailers without end", 431, "longer than 2000 bytes",
      "0\r\n\(times(8, "X: \(times(300, "y"))\r\n"))"),
  ]

  static let sizes: [Message] = [
    Message(
      "a long target", 414, "longer than 300 bytes",
      "GET /\(times(290, "a")) HTTP/1.1\r\n"),
    Message(
      "a target without end", 414, "longer than 300 bytes", "GET /\(times(400, "a"))"),
    Message(head: "many fields", 431, "more than 20 fields", times(20, "X: y\r\n")),
    Message(
      head: "a long field", 431, "longer than 2000 bytes", "X: \(times(2_000, "y"))"),
    Message(
      head: "fields that are long together", 431, "longer than 2000 bytes",
      times(8, "X: \(times(300, "y"))\r\n")),
  ]

  static let limits: ServerLimits = {
    var limits = ServerLimits()
    (limits.requestLineBytes, limits.headBytes, limits.fieldCount, limits.bodyBytes) = (300, 2_000, 20, 1_000)
    return limits
  }()

  @Test(arguments: lines + targets + fields + framing + chunks + sizes)
  func refuses(
    _ message: Message
  )
    throws
  {
    let bytes = Array(message.text.utf8)
    let whole = parserTranscript(of: [bytes], limits: Self.limits)
    let last = try #require(whole.last)
    #expect(last.hasPrefix("\(message.status) ") && last.contains(message.reason), "\(whole)")
    // Nothing may be read as a body or another request.
    #expect(!whole.contains { $0.hasPrefix("body") || $0 == "no body" }, "\(whole)")
    for pieces in bytes.everyCut {
      #expect(
        parserTranscript(of: pieces, limits: Self.limits) == whole, "Cut after \(pieces[0].count) bytes.")
    }
  }

  /// Most of these consist of the right characters but violate the grammar (RFC 3986 §3.2.2).
  @Test(arguments: [
    "", ":", "1", "a.b", "1.2.3.4", ":::", "::1::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7", "1:2:3:4::5:6:7:8", "12345::", "::g", "::1%25eth0", "::1%eth0",
    "::1.2.3", "::1.2.3.256", "::1.2.3.04", "::1.2.3.4.5", "1.2.3.4::", "::1.2.3.4:5",
    "1:2:3:4:5:6:7:1.2.3.4", "v1.", "v.a", "vg.a", "v1", "v1.a/b",
  ]) func refusesAddresses(_ literal: String) {
    let refusal = "400 The host is not a name or an address with an optional port (RFC 9110 §7.2)."
    for text in [
      "GET / HTTP/1.1\r\nHost: [\(literal)]:80\r\n\r\n",
      "GET http://[\(literal)] HTTP/1.1\r\nHost: a\r\n\r\n",
    ] {
      #expect(parserTranscript(of: [Array(text.utf8)]) == [refusal])
    }
  }

  /// Catches a limit that is off by one.
  @Test func acceptsRequestsAtTheLimits() {
    let lineWithout = "GET / HTTP/1.1".utf8.count
    let target = "/" + String(repeating: "a", count: 300 - lineWithout)
    let fields = "Host: a\r\n" + times(18, "X: y\r\n") + "Content-Length: 1000\r\n"
    var limits = Self.limits
    limits.headBytes = 300 + 2 + fields.utf8.count + 2
    let text = "GET \(target) HTTP/1.1\r\n\(fields)\r\n" + times(1_000, "b")
    let lines = parserTranscript(of: [Array(text.utf8)], limits: limits)
    #expect(lines.last == "body " + times(1_000, "b"))
    limits.headBytes -= 1
    #expect(parserTranscript(of: [Array(text.utf8)], limits: limits).last?.hasPrefix("431 ") == true)
  }

  @Test func aLimitMayBeAnyNumber() {
    var limits = ServerLimits()
    (limits.requestLineBytes, limits.headBytes, limits.fieldCount, limits.bodyBytes) = (
      .max, .max, .max, .max
    )
    let text = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nhi\r\n0\r\nT: u\r\n\r\n"
    #expect(parserTranscript(of: [Array(text.utf8)], limits: limits).last == "body hi")
    (limits.requestLineBytes, limits.headBytes, limits.fieldCount, limits.bodyBytes) = (
      .min, .min, .min, .min
    )
    #expect(parserTranscript(of: [Array(text.utf8)], limits: limits).last?.hasPrefix("414 ") == true)
  }
}

private func times(_ count: Int, _ text: String) -> String {
  String(repeating: text, count: count)
}

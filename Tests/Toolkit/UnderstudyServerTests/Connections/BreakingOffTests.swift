import Foundation
import TestSupport
import Testing
import UnderstudyTesting
import Understudy
import UnderstudyHTTP
@testable import UnderstudyServer

/// The bytes that a client receives when a handler breaks an exchange.
@Suite(.stallLimit()) struct BreakingOffTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let error: any Error
    /// The bytes in place of a head.
    let instead: String
    /// The bytes after the chunk `one` of a chunked body.
    let after: String
    let ending: RawClient.Ending

    init(_ error: any Error, instead: String = "", after: String = "", _ ending: RawClient.Ending = .closed) {
      (self.error, self.instead, self.after, self.ending) = (error, instead, after, ending)
    }

    var testDescription: String { "\(error)" }
  }

  static let chunkedHead =
    "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
  static let cases: [Case] = [
    Case(ConnectionBreak.reset, .reset),
    Case(ConnectionBreak.close),
    Case(ConnectionBreak.bytes(Data("?\r\n".utf8)), instead: "?\r\n", after: "?\r\n"),
    Case(ConnectionBreak.truncatedChunk, instead: chunkedHead + "10\r\n", after: "10\r\n"),
    Case(ConnectionBreak.malformedChunk, instead: chunkedHead + "no size\r\n", after: "no size\r\n"),
    Case(
      TransportError(.unreadableResponse, ""), instead: "\u{1}\u{2}\u{3} This is not HTTP.\r\n\r\n",
      after: "no size\r\n"),
    Case(TransportError(.connectionLost, "")), Case(TransportError(.cancelled, "")),
    Case(TransportError(.offline, "")), Case(TransportError(.hostNotFound, "")),
    Case(TransportError(.connectionRefused, "")), Case(TransportError(.untrusted, "")),
    Case(TransportError(.tooManyRedirects, "")), Case(TransportError(.invalidRequest, "")),
    Case(TransportError(.bodyTooLarge, "")), Case(TransportError(.unknown, "")),
    Case(CancellationError()), Case(RawClient.Unexpected(description: "an error of the handler's own")),
  ]

  @Test(arguments: cases) func beforeTheHead(_ what: Case) async throws {
    let server = try await MockServer(Handler { _ in throw what.error })
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    #expect(try await client.ending() == (what.instead, what.ending))
    await server.close()
  }

  @Test(arguments: cases) func withinABodyInChunks(_ what: Case) async throws {
    let (text, ending) = try await broken(what.error, after: "one", to: get())
    #expect(text.hasSuffix("Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n" + what.after), "\(text)")
    #expect(ending == what.ending)
  }

  /// A chunk line would be read as part of such a body.
  @Test(arguments: cases) func withinABodyWithALength(_ what: Case) async throws {
    let (text, ending) = try await broken(
      what.error, after: "one", to: get(), fields: ["Content-Length": "9"])
    guard case ConnectionBreak.bytes? = what.error as? ConnectionBreak else {
      #expect(text.hasSuffix("GMT\r\n\r\none") && ending == what.ending, "\(text)")
      return
    }
    #expect(text.hasSuffix("GMT\r\n\r\none?\r\n") && ending == what.ending, "\(text)")
  }

  @Test func beforeTheFirstChunk() async throws {
    let server = try await MockServer(
      Handler { _ in HTTP.Response(status: 200, body: HTTP.Body(unfolding: { throw ConnectionBreak.close })) }
    )
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    let (text, ending) = try await client.ending()
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n") && ending == .closed)
    await server.close()
  }

  @Test(arguments: [ConnectionBreak.silence as any Error, TransportError(.timedOut, "")])
  func silenceLastsUntilTheClientDisconnects(_ error: any Error) async throws {
    let server = try await MockServer(
      Handler { request in
        if request.url.path() == "/head" { throw error }
        return HTTP.Response(status: 200, body: HTTP.Body(chunks: [Data("one".utf8)]).followed(by: error))
      })
    for path in ["/head", "/body"] {
      let client = try await RawClient.connect(to: server.port)
      try await client.send(get(path))
      if path == "/body" { _ = try await client.read(through: "one\r\n") }
      // The server answers other clients meanwhile, and sends nothing until this client has disconnected.
      let other = try await RawClient.connect(to: server.port)
      try await other.send(get("/body"))
      _ = try await other.read(through: "one\r\n")
      client.socket.endWriting()
      #expect(try await client.ending() == ("", .reset))
    }
    await server.close()
  }

  /// Closing the server does not wait for clients without an answer.
  @Test func silenceEndsWithTheServer() async throws {
    let server = try await MockServer(
      Handler { _ in
        HTTP.Response(
          status: 200, body: HTTP.Body(chunks: [Data("one".utf8)]).followed(by: ConnectionBreak.silence))
      })
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    _ = try await client.read(through: "one\r\n")
    await server.close()
    #expect(try await client.ending() == ("", .reset))
  }

  /// Sends a chunk, and breaks the exchange once the client has it, because a reset may discard unread bytes.
  private func broken(
    _ error: any Error, after chunk: String, to request: String, fields: HTTP.Fields = [:]
  ) async throws -> (text: String, ending: RawClient.Ending) {
    let feed = Feed()
    let server = try await MockServer(
      Handler { _ in HTTP.Response(status: 200, fields: fields, body: feed.body) })
    let client = try await RawClient.connect(to: server.port)
    try await client.send(request)
    feed.send(chunk)
    let first = try await client.read(through: fields.isEmpty ? "\(chunk)\r\n" : chunk)
    feed.end(with: error)
    let (rest, ending) = try await client.ending()
    await server.close()
    return (first + rest, ending)
  }
}

extension HTTP.Body {
  /// The same chunks, and then an error.
  fileprivate func followed(by error: any Error) -> HTTP.Body {
    HTTP.Body(perReader: {
      let next = makeReader()
      return {
        if let chunk = try await next() { return chunk }
        throw error
      }
    })
  }
}

import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting
@testable import UnderstudyServer

@Suite(.stallLimit()) struct MockServerTests {
  @Test func servesAClientOfThePlatform() async throws {
    let server = try await MockServer(Handler.echo)
    let transport = URLSessionTransport()
    let url = server.url.appending(path: "rest/v1/children")
    let (body, response) = try await transport.data(
      for: HTTP.Request(.post, url, body: Data(#"{"name":"Lyra"}"#.utf8)))
    #expect(response.status == 200)
    #expect(String(decoding: body, as: UTF8.self) == #"POST \#(url) {"name":"Lyra"}"#)
    await server.close()
    await #expect(throws: TransportError.self) { try await transport.send(HTTP.Request(.get, url)) }
  }

  @Test func answersRequestsOfOneConnectionInOrder() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\ntwo"
        + "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nth\r\n3\r\nree\r\n0\r\nT: 1\r\n\r\n"
        + "GET /4 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    #expect(try await client.response().body == "GET http://a/1 no body")
    #expect(try await client.response().body == "POST http://a/2 two")
    #expect(try await client.response().body == "POST http://a/3 three")
    let last = try await client.response()
    #expect(last.body == "GET http://a/4 no body")
    #expect(last.field("Connection") == "close")
    #expect(try await client.readToEnd() == "")
  }
}

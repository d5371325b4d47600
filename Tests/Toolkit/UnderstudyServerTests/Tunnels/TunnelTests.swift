import Foundation
import TestSupport
import Testing
import UnderstudyTesting
import Understudy
import UnderstudyHTTP
@testable import UnderstudyServer

/// A forward proxy, whose TLS is replaced by a record with one byte before the bytes of each side.
@Suite(.stallLimit()) struct TunnelTests {
  private struct Broken: Error, CustomStringConvertible {
    let description = "there is no certificate"
  }

  /// Removes the first byte of the client, and sends one before those of the server.
  private final class Tunnels: TunnelProvider {
    let passthrough: String?
    let isBroken: Bool
    /// Why TLS was not established.
    let reason: String?
    let ends = Locked(0)

    init(passthrough: String? = nil, isBroken: Bool = false, reason: String? = nil) {
      self.passthrough = passthrough
      self.isBroken = isBroken
      self.reason = reason
    }

    func passesThrough(_ target: TunnelTarget) -> Bool { target.host == passthrough }

    func terminateTLS(for target: TunnelTarget, on loop: EventLoop) async throws -> TLSTermination {
      if isBroken { throw Broken() }
      let (encrypted, far) = try TCPSocket.joined(on: loop)
      let (decrypted, near) = try TCPSocket.joined(on: loop)
      loop.task {
        _ = try? await far.read(dropping: 1, to: near)
        near.endWriting()
      }
      loop.task {
        try? await far.write([22])
        _ = try? await near.read(dropping: 0, to: far)
        await far.close()
        await near.close()
      }
      return TLSTermination(encrypted: encrypted, decrypted: decrypted) { [self] in
        ends.withLock { $0 += 1 }
        return reason
      }
    }
  }

  private func proxy(
    _ tunnels: Tunnels = Tunnels(), _ handler: Handler = .echo, refusals: Locked<[String]> = Locked([])
  ) async throws -> MockServer<Handler> {
    try await MockServer(
      handler, by: [],
      observer: ServerObserver(exchange: { _ in }) { status, reason in
        refusals.withLock { $0.append("\(status.map { "\($0)" } ?? "none"): \(reason)") }
      }, tunnels: tunnels)
  }

  private func tunnel(_ server: MockServer<Handler>, to target: String) async throws -> RawClient {
    let client = try await RawClient.connect(to: server.port)
    try await client.send("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n")
    #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 200 Connection established\r\n\r\n")
    return client
  }

  @Test func requestsHaveTheURLOfTheTunnel() async throws {
    let tunnels = Tunnels()
    let server = try await proxy(tunnels)
    let client = try await tunnel(server, to: "API.example.com:443")
    try await client.send("\u{16}" + get("/a?x=1").replacing("Host: a", with: "Host: api.example.com"))
    #expect(try await client.read(count: 1) == "\u{16}")
    #expect(try await client.response().body == "GET https://api.example.com/a?x=1 no body")
    // A URL is also valid in a tunnel, if it is that of its host.
    let absolute = "PUT https://api.example.com:443/b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"
    #expect(try await client.exchange(absolute).body == "PUT https://api.example.com/b hi")
    client.socket.endWriting()
    #expect(try await client.ending() == ("", .closed))
    await server.close()
    #expect(tunnels.ends.withLock { $0 } == 1)
  }

  @Test func otherPortsAreInTheURL() async throws {
    let server = try await proxy()
    let client = try await tunnel(server, to: "[::1]:8443")
    try await client.send("\u{16}" + get("/").replacing("Host: a", with: "Host: [::1]:8443"))
    _ = try await client.read(count: 1)
    #expect(try await client.response().body == "GET https://[::1]:8443/ no body")
    await server.close()
  }

  /// Some clients send also plain http through tunnels.
  @Test func requestsWithoutTLSFollowInATunnel() async throws {
    let server = try await proxy()
    let client = try await tunnel(server, to: "a:80")
    for number in 1...2 {
      #expect(try await client.exchange(get("/\(number)")).body == "GET http://a/\(number) no body")
    }
    await server.close()
  }

  @Test func aTunnelLeadsToItsHostAlone() async throws {
    let refusals = Locked<[String]>([])
    let server = try await proxy(refusals: refusals)
    for (host, target) in [("b", "/"), ("a:8080", "/"), ("a", "http://b/")] {
      let client = try await tunnel(server, to: "a:80")
      let response = try await client.exchange("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(response.status == 421 && response.body.contains("is not a:80"), "\(response.body)")
    }
    #expect(refusals.withLock { $0.count { $0.hasPrefix("421: ") } } == 3)
    // A tunnel in a tunnel would have the rights of the proxy, and not those of its host.
    let client = try await tunnel(server, to: "a:80")
    #expect(try await client.exchange("CONNECT b:80 HTTP/1.1\r\nHost: b:80\r\n\r\n").status == 501)
    await server.close()
  }

  @Test func aProxyAnswersURLsAndNotPaths() async throws {
    let server = try await proxy()
    let client = try await RawClient.connect(to: server.port)
    let answer = try await client.exchange("GET http://b:81/x HTTP/1.1\r\nHost: b:81\r\n\r\n")
    #expect(answer.body == "GET http://b:81/x no body")
    let refused = try await client.exchange(get("/x"))
    #expect(refused.status == 400 && refused.body.hasPrefix("This is a forward proxy."))
    await server.close()
  }

  @Test(arguments: [
    "a", "a:", "a:0", "a:99999", "a;b:443", "-a:443", "a..b:443", "/a", "http://a:443/", "$a:1",
  ])
  func anInvalidTargetIsRefused(_ target: String) async throws {
    let server = try await proxy()
    let client = try await RawClient.connect(to: server.port)
    #expect(try await client.exchange("CONNECT \(target) HTTP/1.1\r\nHost: a\r\n\r\n").status == 400)
    #expect(try await client.ending() == ("", .closed))
    await server.close()
  }

  @Test func bytesPassThrough() async throws {
    let upstream = try await MockServer(Handler.echo)
    let server = try await proxy(
      Tunnels(passthrough: "127.0.0.1"),
      Handler { _ in
        Issue.record("The proxy read a request of a tunnel that passes through.")
        return text("")
      })
    let client = try await RawClient.connect(to: server.port)
    // Bytes that follow at once belong to the tunnel, too.
    try await client.send(
      "CONNECT 127.0.0.1:\(upstream.port) HTTP/1.1\r\nHost: a\r\n\r\n" + get("/1"))
    #expect(try await client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    #expect(try await client.response().body == "GET http://a/1 no body")
    #expect(try await client.exchange(get("/2", "Connection: close\r\n")).body == "GET http://a/2 no body")
    // The end of the server's side arrives, while that of the client is still open.
    #expect(try await client.readToEnd() == "")
    client.socket.endWriting()
    await server.close()
    await upstream.close()
  }

  @Test func aClientsHalfCloseArrivesThroughATunnel() async throws {
    let upstream = try await MockServer(Handler.echo)
    let server = try await proxy(Tunnels(passthrough: "127.0.0.1"))
    let client = try await tunnel(server, to: "127.0.0.1:\(upstream.port)")
    try await client.send(get("/1"))
    client.socket.endWriting()
    #expect(try await client.response().body == "GET http://a/1 no body")
    #expect(try await client.ending() == ("", .closed))
    await server.close()
    await upstream.close()
  }

  @Test func aTunnelToNoServerIsRefused() async throws {
    let reservation = try PortReservation(port: 0)
    let server = try await proxy(Tunnels(passthrough: "127.0.0.1"))
    let client = try await RawClient.connect(to: server.port)
    let target = "127.0.0.1:\(reservation.port)"
    let response = try await client.exchange("CONNECT \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(response.status == 502 && response.body.hasPrefix("The tunnel to \(target) cannot be opened."))
    await server.close()
  }

  @Test func aFailureOfTLSIsReported() async throws {
    let refusals = Locked<[String]>([])
    let broken = try await proxy(Tunnels(isBroken: true), refusals: refusals)
    let client = try await tunnel(broken, to: "a:443")
    try await client.send("\u{16}")
    #expect(try await client.ending() == ("", .closed))
    await broken.close()
    let distrusted = try await proxy(Tunnels(reason: "the client does not trust it"), refusals: refusals)
    let other = try await tunnel(distrusted, to: "a:443")
    try await other.send("\u{16}")
    other.socket.endWriting()
    #expect(try await other.ending() == ("\u{16}", .closed))
    await distrusted.close()
    #expect(
      refusals.withLock { $0 } == [
        "none: TLS for a:443 failed: there is no certificate",
        "none: TLS for a:443 failed: the client does not trust it",
      ])
  }

  /// The reason that a program gives at its end does not concern requests that were answered.
  @Test func anEndWithoutAnAlertIsNotReported() async throws {
    let refusals = Locked<[String]>([])
    let server = try await proxy(Tunnels(reason: "unexpected end"), refusals: refusals)
    let client = try await tunnel(server, to: "a:443")
    try await client.send("\u{16}" + get("/"))
    _ = try await client.read(count: 1)
    #expect(try await client.response().status == 200)
    client.socket.endWriting()
    #expect(try await client.ending() == ("", .closed))
    await server.close()
    #expect(refusals.withLock { $0 } == [])
  }

  @Test func closingEndsIdleTunnelsAtOnce() async throws {
    let tunnels = Tunnels()
    let server = try await proxy(tunnels)
    let unused = try await tunnel(server, to: "a:443")
    let used = try await tunnel(server, to: "a:443")
    try await used.send("\u{16}" + get("/"))
    _ = try await used.read(count: 1)
    #expect(try await used.response().status == 200)
    // An unlimited grace period: an idle tunnel does not need one.
    await server.close(grace: .seconds(1 << 20))
    #expect(try await unused.ending() == ("", .closed))
    #expect(try await used.ending() == ("", .closed))
    #expect(tunnels.ends.withLock { $0 } == 1)
  }

  @Test func otherServersAreNoProxies() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    let response = try await client.exchange("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(response.status == 501 && response.body == "CONNECT is not supported.\n")
    await server.close()
  }
}

/// HTTP/2, which the server does not support.
@Suite(.stallLimit()) struct HTTP2Tests {
  @Test func priorKnowledgeIsRefusedWithTheReason() async throws {
    let refusals = Locked<[String]>([])
    let server = try await MockServer(
      Handler.echo, by: [],
      observer: ServerObserver(exchange: { _ in }) { status, reason in
        refusals.withLock { $0.append("\(status ?? 0): \(reason)") }
      })
    let client = try await RawClient.connect(to: server.port)
    // The preface, and an empty SETTINGS frame.
    let response = try await client.exchange(
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0")
    let reason = "HTTP/2.0 is not supported. Supported versions: HTTP/1.1, HTTP/1.0."
    #expect(response.head.hasPrefix("HTTP/1.1 505 HTTP Version Not Supported\r\n"))
    #expect(response.body == reason + "\n")
    #expect(try await client.ending() == ("", .closed))
    #expect(refusals.withLock { $0 } == ["505: \(reason)"])
    await server.close()
  }

  /// RFC 9110 §7.8.
  @Test func anUpgradeIsIgnored() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    let upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
    for number in 1...2 {
      let response = try await client.exchange(get("/\(number)", upgrade))
      #expect(response.status == 200 && response.body == "GET http://a/\(number) no body")
      #expect(response.field("Upgrade") == nil && response.field("Connection") == nil)
    }
    await server.close()
  }
}

extension TCPSocket {
  /// Creates two connected sockets.
  fileprivate static func joined(on loop: EventLoop) throws -> (TCPSocket, TCPSocket) {
    let (own, other) = try Descriptor.pair()
    _ = fcntl(other.number, F_SETFL, O_NONBLOCK)
    return (try TCPSocket(own, on: loop), try TCPSocket(other, on: loop))
  }

  /// Forwards bytes without the first ones until the end.
  fileprivate func read(dropping count: Int, to target: TCPSocket) async throws {
    var left = count
    while let bytes = try await read() {
      try await target.write(Array(bytes.dropFirst(left)))
      left -= min(left, bytes.count)
    }
  }
}

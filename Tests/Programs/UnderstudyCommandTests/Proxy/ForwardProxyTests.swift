import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

/// `record --proxy` and `replay --proxy`, with the client of OpenSSL.
@Suite(.stallLimit()) struct ForwardProxyTests {
  private struct Unexpected: Error {
    let text: String
  }

  /// A connection through a proxy, with or without TLS.
  private final class Client: Sendable {
    private let loop: EventLoop
    private let socket: TCPSocket
    private let process: RunningProcess?

    /// Connects to a proxy without TLS.
    init(to proxy: URL) async throws {
      loop = try EventLoop.start(named: "client")
      socket = try await TCPSocket.connect(to: "127.0.0.1", port: UInt16(proxy.port ?? 0), on: loop)
      process = nil
    }

    /// Connects to a host through a proxy with TLS, and trusts one certificate authority.
    init(to host: String, through proxy: URL, trusting authority: URL, errors: URL) throws {
      loop = try EventLoop.start(named: "client")
      let (own, other) = try TCPSocket.pair(on: loop)
      socket = own
      defer { close(other) }
      process = try ChildProcess([
        "openssl", "s_client", "-quiet", "-verify_return_error", "-verify_hostname", host, "-CAfile",
        authority.plainPath, "-proxy", "127.0.0.1:\(proxy.port ?? 0)", "-connect", "\(host):443",
      ]).start(on: other, errors: errors)
    }

    deinit {
      socket.abort()
      loop.stop()
    }

    func send(_ text: String) async throws { try await socket.write(Array(text.utf8)) }

    /// Reads up to the end of a text.
    func read(through text: String) async throws -> String {
      var bytes: [UInt8] = []
      while let more = try await socket.read() {
        bytes += more
        let found = String(decoding: bytes, as: UTF8.self)
        if found.hasSuffix(text) { return found }
      }
      throw Unexpected(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads up to the end of the connection.
    func readToEnd() async throws -> String {
      var bytes: [UInt8] = []
      while let more = try await socket.read() { bytes += more }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func get(_ target: String, _ host: String) -> String {
    "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
  }

  private let folder: TemporaryFolder
  private var authority: URL { folder.file("ca.pem") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func aReplayAnswersOverTLSByHost() async throws {
    // A line that begins with Q or R would be a command of `s_server`, if it were interactive.
    let file = try TemporaryFile(
      .exchange(.get, "https://api.example.com/a", answering: "Q\nR\nsecure", as: "text/plain"),
      .exchange(.get, "https://other.example.com/a", answering: "other", as: "text/plain"))
    let command = RunningCommand(["replay", file.path, "--proxy", "--ca", folder.path])
    let proxy = try await command.url()
    let client = try Client(
      to: "api.example.com", through: proxy, trusting: authority, errors: folder.file("client.log"))
    for _ in 1...2 {
      try await client.send(get("/a", "api.example.com"))
      #expect(try await client.read(through: "secure").hasSuffix("\r\n\r\nQ\nR\nsecure"))
    }
    try await client.send(get("/b", "api.example.com"))
    #expect(try await client.read(through: "}").hasPrefix("HTTP/1.1 501 "))
    let line = try await command.line(with: "#1")
    #expect(line.contains("GET https://api.example.com/a  200  10 B"))
    let (status, output, error) = await command.stop()
    #expect(status == 0 && error.isEmpty)
    #expect(try await client.readToEnd() == "")
    #expect(output.contains("\n  certificate authority: \(authority.plainPath)\n"))
    #expect(output.hasSuffix("Never requested:\n  entry 1: GET https://other.example.com/a"))
  }

  @Test func aClientWithoutTheAuthorityIsReported() async throws {
    let file = try TemporaryFile(.exchange(.get, "https://api.example.com/a"))
    let command = RunningCommand(["replay", file.path, "--proxy", "--ca", folder.path])
    let proxy = try await command.url()
    // The authority of another user.
    let other = try TemporaryFolder()
    let stranger = try CertificateAuthority(in: other.url, by: try OpenSSL("openssl"))
    let client = try Client(
      to: "api.example.com", through: proxy, trusting: stranger.certificate, errors: folder.file("client.log")
    )
    #expect(try await client.readToEnd() == "")
    let line = try await command.line(with: "invalid request")
    #expect(
      line.contains(
        "no response  TLS for api.example.com:443 failed: the client does not trust the certificate authority"
      ),
      "\(line)")
    #expect(await command.stop().status == 0)
  }

  @Test func exchangesAreRecordedWithTheirURLs() async throws {
    let server = try await MockServer(
      StubBackend {
        Stub(.get, "/a") { _ in
          HTTP.Response(
            status: 302,
            fields: [
              "Location": "http://127.0.0.1:1/x", "Set-Cookie": "a=1; Domain=127.0.0.1; Secure",
            ], body: HTTP.Body(Data("{\"access_token\":\"opensesame\"}".utf8)))
        }
        Stub(.get, "/hidden") { _ in try .json(["hidden"]) }
      })
    let file = folder.file("session.har")
    let command = RunningCommand([
      "record", "--proxy", "--ca", folder.path, "--passthrough", "localhost", "--output", file.plainPath,
    ])
    let proxy = try await command.url()
    let client = try await Client(to: proxy)
    let host = "127.0.0.1:\(server.port)"
    try await client.send(get("http://\(host)/a", host))
    let answer = try await client.read(through: "}")
    // Unlike those of a reverse proxy, these fields already have the meaning that the client knows.
    #expect(answer.contains("Location: http://127.0.0.1:1/x\r\n"))
    #expect(answer.contains("Set-Cookie: a=1; Domain=127.0.0.1; Secure\r\n"))
    #expect(answer.contains("opensesame"))
    let excepted = "localhost:\(server.port)"
    try await client.send(get("http://\(excepted)/hidden", excepted))
    #expect(try await client.read(through: "]").hasSuffix("[\"hidden\"]"))
    let (status, output, error) = await command.stop()
    #expect(status == 0, "\(error)")
    #expect(output.contains("\n  not recorded: localhost\n"))
    let archive = try HTTPArchive(contentsOf: file)
    #expect(archive.entries.map(\.request.url) == ["http://\(host)/a"])
    let text = try folder.read("session.har")
    #expect(!text.contains("opensesame") && !text.contains("PRIVATE KEY"))
    await server.close()
  }

  @Test(arguments: [
    (["record", "--proxy"], "record requires --output, and --upstream or --proxy."),
    (
      ["record", "--proxy", "--upstream", "http://a", "--output", "/x.har"],
      "--upstream cannot be combined with --proxy."
    ),
    (
      ["record", "--upstream", "http://a", "--output", "/nowhere/x.har", "--passthrough", "a"],
      "--passthrough requires --proxy."
    ),
    (
      ["record", "--proxy", "--output", "/nowhere/x.har", "--passthrough", "a:443"],
      "--passthrough requires a host name or an address without a port, found \"a:443\"."
    ),
    (
      ["record", "--proxy", "--output", "/nowhere/x.har", "--passthrough", "*.a"],
      "--passthrough requires a host name or an address without a port, found \"*.a\"."
    ),
    (["replay", "/nowhere.har", "--passthrough", "a"], "Unknown option \"--passthrough\"."),
    (
      ["record", "--proxy", "--output", "/nowhere/x.har"],
      "--proxy requires the program openssl. Install OpenSSL 3"
    ),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ words: [String], _ message: String) async {
    let result = await RunningCommand(words, openSSL: "/nowhere/openssl").end()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.error.hasPrefix("tool: \(message)") && !result.error.contains("\n"), "\(result.error)")
  }

  @Test(arguments: ["LibreSSL 3.3.6", "OpenSSL 1.1.1w  11 Sep 2023", "nonsense"])
  func anotherProgramIsRefused(_ version: String) async throws {
    try folder.write("#!/bin/sh\necho '\(version)'\n", to: "text")
    let program = folder.file("openssl").plainPath
    // Another program writes the script: what another test starts meanwhile has a copy of each descriptor of this process,
    // and a file that is open for writing cannot be run (ETXTBSY of execve(2)).
    let install = try Process.run(
      URL(filePath: "/usr/bin/install"), arguments: ["-m", "700", folder.file("text").plainPath, program])
    install.waitUntilExit()
    let words = ["record", "--proxy", "--ca", folder.path, "--output", folder.file("x.har").plainPath]
    let result = await RunningCommand(words, openSSL: program).end()
    #expect(result.status == 2)
    #expect(
      result.error.hasPrefix("tool: --proxy requires OpenSSL 3 or later, found \(version). Install OpenSSL 3")
    )
    // Nothing is created before the program is known.
    #expect(try folder.names == ["openssl", "text"])
  }
}

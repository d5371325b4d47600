import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct RecordCommandTests {
  /// Counts its calls, and returns a token.
  private struct Upstream: HTTPHandler {
    let calls = Locked(0)

    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      let number = calls.withLock { calls in
        calls += 1
        return calls
      }
      let body =
        #"{"path":"\#(request.url.path())","call":\#(number),"access_token":"opensesame-\#(number)"}"#
      return HTTP.Response(status: 200, body: Data(body.utf8), contentType: "application/json")
    }
  }

  private final class Folder: Sendable {
    let file = FileManager.default.temporaryDirectory.appending(path: "record-\(UUID())/session.har")
    var path: String { file.path(percentEncoded: false) }

    deinit {
      try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
    }
  }

  /// Records while an operation uses the proxy, and returns the last line of the output.
  private func record(
    _ server: MockServer<some HTTPHandler>, _ folder: Folder, _ words: String...,
    talking talk: (RunningCommand) async throws -> Void
  ) async throws -> String {
    let command = RunningCommand(
      ["record", "--upstream", server.url.absoluteString, "--output", folder.path] + words)
    try await talk(command)
    let (status, output, error) = await command.stop()
    #expect(status == 0, "\(error)")
    return output.split(separator: "\n").last.map(String.init) ?? ""
  }

  private func paths(_ folder: Folder) throws -> [String] {
    try HTTPArchive(contentsOf: folder.file).entries.compactMap { URL(string: $0.request.url)?.path() }
  }

  @Test func responsesAreInTheFileWithoutSecrets() async throws {
    let (server, folder) = (try await MockServer(Upstream()), Folder())
    let last = try await record(server, folder) { command in
      let (status, text) = try await command.send(.get, "/a")
      #expect(status == 200 && text.contains("opensesame-1"))
      _ = try await command.send(.get, "/b?x=1")
    }
    #expect(last == "Recorded to \(folder.path): 2 exchanges, 2 placeholders.")
    let text = String(decoding: try Data(contentsOf: folder.file), as: UTF8.self)
    #expect(!text.contains("opensesame"))
    #expect(text.contains(server.url.absoluteString))
    #expect(try paths(folder) == ["/a", "/b"])
    await server.close()
  }

  /// What URLSession on Linux cannot receive, and what a proxy could lose.
  @Test func theFileHasWhatAClientWouldReceive() async throws {
    let folder = Folder()
    let loop = try EventLoop.start(named: "raw server")
    let listener = try TCPListener(port: 0, on: loop)
    defer {
      listener.close()
      loop.stop()
    }
    let answer =
      Array("HTTP/1.1 200\r\nSet-Cookie: b=1\r\nSet-Cookie: a=1\r\nX-Name: na".utf8) + [0xEF]
      + Array("ve\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nChecksum: 5\r\n\r\n".utf8)
    try listener.start { socket in
      Task {
        var bytes: [UInt8] = []
        while !bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8), let more = try? await socket.read() {
          bytes += more
        }
        try? await socket.write(answer)
        await socket.close()
      }
    }
    let command = RunningCommand(
      ["record", "--upstream", "http://127.0.0.1:\(listener.port)", "--output", folder.path])
    let request = HTTP.Request(
      .post, try await command.url().appending(path: "a"), fields: ["Transfer-Encoding": "chunked"],
      body: Data("up".utf8), timeout: nil)
    let response = try await SocketTransport().send(request)
    #expect(try await response.body.collect() == Data("ok".utf8))
    #expect(response.fields.values(of: "Set-Cookie") == ["b=1", "a=1"])
    #expect(response.trailers?.fields == ["Checksum": "5"])
    #expect(await command.stop().status == 0)
    let entry = try #require(try HTTPArchive(contentsOf: folder.file).entries.first)
    #expect(entry.request.headers.contains { $0.name == "Transfer-Encoding" && $0.value == "chunked" })
    #expect(entry.request.postData?.text == "up")
    #expect(entry.response.headers.count { $0.name == "Set-Cookie" } == 2)
    #expect(entry.response.headers.contains { $0.value == "naïve" })
    #expect(entry.response.trailers?.map(\.value) == ["5"] && entry.response.content.text == "ok")
  }

  /// `printf 'hello hello hello' | gzip`, and the same as zlib and raw deflate.
  @Test(arguments: [
    ("gzip", "H4sIAAAAAAACA8tIzcnJV8hAkACAiPnlEQAAAA=="), ("deflate", "eJzLSM3JyVfIQJAAOi4GfQ=="),
    ("deflate", "y0jNyclXyECQAA=="),
  ])
  func anEncodedBodyIsRecordedDecoded(_ coding: String, _ base64: String) async throws {
    let bytes = try #require(Data(base64Encoded: base64))
    let backend = StubBackend {
      Stub(.get, "/whole") { _ in
        HTTP.Response(status: 200, fields: ["Content-Encoding": coding], body: HTTP.Body(bytes))
      }
      Stub(.get, "/damaged") { _ in
        HTTP.Response(status: 200, fields: ["Content-Encoding": coding], body: HTTP.Body(bytes.dropLast()))
      }
    }
    let (server, folder) = (try await MockServer(backend), Folder())
    _ = try await record(server, folder) { command in
      let (_, text) = try await command.send(.get, "/whole")
      #expect(text == "hello hello hello")
      await #expect(throws: (any Error).self) { try await command.send(.get, "/damaged") }
    }
    let entries = try HTTPArchive(contentsOf: folder.file).entries
    #expect(entries.first?.response.content.text == "hello hello hello")
    guard case .failed(let error)? = entries.last?.response.content.stream?.ending else {
      return #expect(Bool(false), "the end of the damaged body was not recorded")
    }
    #expect(error.code == .unreadableResponse)
    await server.close()
  }

  /// A server that ignores `Accept-Encoding: identity` and has a coding that zlib does not decode.
  @Test(arguments: ["br", "zstd", "gzip, br"])
  func aBodyWithAnotherCodingIsPassedOnAsItIs(_ coding: String) async throws {
    let bytes = Data([0x1B, 0x04, 0x00, 0xF8, 0x8D, 0x94, 0x6E, 0xDE, 0x44, 0x55, 0x86, 0x96, 0x20, 0x21])
    let backend = StubBackend {
      Stub(.get, "/a") { _ in
        HTTP.Response(status: 200, fields: ["Content-Encoding": coding], body: HTTP.Body(bytes))
      }
    }
    let (server, folder) = (try await MockServer(backend), Folder())
    func receive(_ command: RunningCommand) async throws {
      let request = HTTP.Request(.get, try await command.url().appending(path: "a"), timeout: nil)
      let response = try await SocketTransport().send(request)
      #expect(response.status == 200 && response.fields["Content-Encoding"] == coding)
      #expect(response.fields["Content-Length"] == "\(bytes.count)")
      #expect(try await response.body.collect() == bytes)
    }
    let command = RunningCommand(
      ["record", "--upstream", server.url.absoluteString, "--output", folder.path])
    try await receive(command)
    try await receive(command)
    let error = await command.stop().error
    #expect(error.contains("/a has a body encoded with \(coding), though none was requested"))
    #expect(error.contains("not searched for secrets") && !error.contains("\n"), "once: \(error)")
    let content = try #require(try HTTPArchive(contentsOf: folder.file).entries.first).response.content
    #expect(content.text == bytes.base64EncodedString() && content.isEncoded)
    let replay = RunningCommand(["replay", folder.path])
    try await receive(replay)
    #expect(await replay.stop().status == 0)
    await server.close()
  }

  @Test func aBodyBeyondTheLimitIsReported() async throws {
    let (server, folder) = (try await MockServer(Upstream()), Folder())
    let command = RunningCommand(
      ["record", "--upstream", server.url.absoluteString, "--output", folder.path, "--body-limit", "0"])
    #expect(try await command.send(.get, "/a?token=secret-of-the-url-1").1.contains("opensesame"))
    let (status, _, error) = await command.stop()
    #expect(status == 0)
    #expect(
      error.hasPrefix("tool: GET \(server.url)/a?token=redacted-1 was cut off at the limit of 0 B"),
      "\(error)")
    #expect(try HTTPArchive(contentsOf: folder.file).entries.first?.response.content.size == 0)
    await server.close()
  }

  /// A full disk: each exchange is reported at once, and all of them at the end.
  @Test func exchangesThatCannotBeWrittenAreReported() async throws {
    let (server, folder) = (try await MockServer(Upstream()), Folder())
    let command = RunningCommand(
      ["record", "--upstream", server.url.absoluteString, "--output", folder.path])
    _ = try await command.send(.get, "/a")
    // Not made writable again: its descriptor may have another owner then.
    _ = try RefusingFile(RecordingJournal.url(of: folder.file))
    for path in ["/b?token=secret-of-the-url-1", "/c"] {
      #expect(try await command.send(.get, path).0 == 200)
    }
    let (status, _, error) = await command.stop()
    let lines = error.split(separator: "\n")
    #expect(status == 2)
    #expect(lines.first?.hasPrefix("tool: GET \(server.url)/b?token=redacted-") == true, "\(error)")
    #expect(lines.first?.contains(" was not written: Bad file descriptor. ") == true)
    #expect(lines.dropFirst().first?.hasPrefix("tool: GET \(server.url)/c was not written: ") == true)
    #expect(error.contains("\ntool: 2 of 3 exchanges were not written: Bad file descriptor."), "\(error)")
    #expect(error.contains("session.har.journal has the others, 1 of them."))
    await server.close()
  }

  /// After a kill there is only the journal.
  @Test func theJournalOfAKilledRecorderIsNamed() async throws {
    let (server, folder) = (try await MockServer(Upstream()), Folder())
    func leaveJournal() async throws {
      let recorder = try RecordingTransport(
        around: InProcessTransport(to: Upstream()), into: folder.file)
      _ = try await recorder.send(HTTP.Request(.get, server.url.appending(path: "killed")))
    }
    try await leaveJournal()
    let words = ["record", "--upstream", server.url.absoluteString, "--output", folder.path]
    let refused = await RunningCommand(words).end()
    #expect(refused.status == 2 && !refused.error.contains("\n"))
    #expect(
      refused.error.hasPrefix(
        "tool: \(folder.path).journal has the exchanges of a recorder that was killed. To make \(folder.path) of them: "
          + "tool redact "), "\(refused.error)")
    #expect(await CommandResult("redact \(folder.path)").status == 0)
    #expect(try paths(folder) == ["/killed"])
    await server.close()
  }

  // MARK: Loops

  @Test(arguments: [
    "127.0.0.1", "localhost", "LOCALHOST", "[::1]", "0.0.0.0", "127.0.0.2", "2130706433", "0x7f.1",
    "[::ffff:127.0.0.1]", "[::]",
  ])
  func itsOwnAddressIsRefusedAsTheUpstream(_ host: String) async {
    let folder = Folder()
    let result = await RunningCommand(
      ["record", "--upstream", "http://\(host):18080", "--port", "18080", "--output", folder.path]
    ).end()
    #expect(result.status == 2)
    #expect(
      result.error.hasPrefix("tool: --upstream http://\(host):18080 is the address of the proxy itself."),
      "\(result.error)")
  }

  /// A request that comes back by another server is answered once, and the recording has no mark of the proxy.
  @Test func aRequestThatComesBackIsRefused() async throws {
    let relay = Relay()
    let (server, folder) = (try await MockServer(relay), Folder())
    let command = RunningCommand(
      ["record", "--upstream", server.url.absoluteString, "--output", folder.path])
    relay.target.withLock { [url = try await command.url()] in $0 = url }
    let (status, text) = try await command.send(.get, "/a")
    #expect(status == 508)
    #expect(text == "The upstream leads back to this proxy, which has sent this request itself.\n")
    #expect(relay.count.withLock { $0 } == 1)
    #expect(await command.stop().status == 0)
    let entries = try HTTPArchive(contentsOf: folder.file).entries
    #expect(entries.map(\.response.status) == [508])
    #expect(entries.first?.request.headers.contains { $0.name == "Via" } == false)
    await server.close()
  }

  /// Forwards requests with their fields.
  private struct Relay: HTTPHandler {
    let target = Locked<URL?>(nil)
    let count = Locked(0)

    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      guard let target = target.withLock(\.self) else { return HTTP.Response(status: 503) }
      count.withLock { $0 += 1 }
      return try await ReverseProxy(to: target, over: SocketTransport()).respond(to: request)
    }
  }

  @Test func anExistingFileRequiresAMode() async throws {
    let (server, folder) = (try await MockServer(Upstream()), Folder())
    _ = try await record(server, folder) { _ = try await $0.send(.get, "/a") }
    let refused = await RunningCommand(
      ["record", "--upstream", server.url.absoluteString, "--output", folder.path]
    ).end()
    #expect(refused.status == 2)
    #expect(
      refused.error
        == "tool: \(folder.path) exists. Choose another file, or --mode new, replace or all."
    )
    _ = try await record(server, folder, "--mode", "new") { command in
      let answers = [try await command.send(.get, "/a").1, try await command.send(.get, "/b").1]
      #expect(answers[0].contains(#""call":1"#) && answers[1].contains(#""call":2"#))
    }
    #expect(try paths(folder) == ["/a", "/b"])
    _ = try await record(server, folder, "--mode", "replace") { _ = try await $0.send(.get, "/c") }
    #expect(try paths(folder) == ["/c"])
    await server.close()
  }

  @Test(arguments: [
    ([], "record requires --output, and --upstream or --proxy. See tool record --help."),
    (["--upstream", "here"], "--upstream requires an http or https URL, found \"here\"."),
    (["--mode", "none"], "Unknown mode \"none\". Valid values: once, new, replace, all."),
    (["file.har"], "Unexpected argument \"file.har\". See tool record --help."),
    (
      ["--upstream", "http://127.0.0.1:9", "--output", "/dev/null/x.har"],
      "The recording x cannot be written to /dev/null/"
    ),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ words: [String], _ message: String) async {
    let result = await RunningCommand(["record"] + words).end()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.error.hasPrefix("tool: " + message) && !result.error.contains("\n"), "\(result.error)")
  }
}

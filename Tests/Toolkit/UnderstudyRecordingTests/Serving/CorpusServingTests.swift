import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyServer
import UnderstudyTesting

/// Files of other tools, requested as a client would: in process and over a socket.
///
/// Each exchange that a file answers is answered with its status, its fields and its body.
@Suite(.stallLimit()) struct CorpusServingTests {
  private static let folder = ProcessInfo.processInfo.environment["UNDERSTUDY_CORPUS"].map {
    URL(filePath: $0)
  }

  private static let files: [URL] = {
    guard let folder else { return [] }
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "har/wellformed"), includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "har" }.sorted { $0.path < $1.path }
  }()

  private static let isThere = ConditionTrait.enabled(
    if: folder != nil, "Set UNDERSTUDY_CORPUS to a folder with har/wellformed.")

  /// The fields of a connection, which each connection sets, and those that a server rewrites for itself.
  private static let ownFields: Set = [
    "connection", "content-length", "content-encoding", "date", "expect", "host", "keep-alive", "location",
    "set-cookie", "te", "transfer-encoding", "upgrade",
  ]

  @Test(Self.isThere, arguments: Effort.some(of: files, every: 3)) func answersOverASocketAsRecorded(
    _ file: URL
  ) async throws {
    let archive = try HTTPArchive(contentsOf: file)
    let server = try await MockServer(ReplayHandler(archive))
    let failures = await failures(of: archive, over: SocketTransport(time: TestClock().time), at: server.url)
    await server.close(grace: .zero)
    #expect(failures == [], "\(file.lastPathComponent)")
  }

  @Test(Self.isThere, arguments: Effort.some(of: files, every: 3)) func answersInProcessAsRecorded(
    _ file: URL
  ) async throws {
    let archive = try HTTPArchive(contentsOf: file)
    let failures = await failures(of: archive, over: ReplayingTransport(archive), at: nil)
    #expect(failures == [], "\(file.lastPathComponent)")
  }

  /// Without its secrets, a file answers a client that still has them.
  @Test(Self.isThere, arguments: Effort.some(of: files, every: 3)) func aRedactedFileAnswersTheSameRequests(
    _ file: URL
  ) async throws {
    let archive = try HTTPArchive(contentsOf: file)
    let redacted = archive.redacted(by: .standard)
    let failures = await failures(
      of: redacted, askedBy: archive, over: ReplayingTransport(redacted), at: nil)
    #expect(failures == [], "\(file.lastPathComponent)")
  }

  /// The exchanges with another answer than recorded, one line each.
  ///
  /// - Parameter asked: The file with the requests, if it is another one.
  private func failures(
    of archive: HTTPArchive, askedBy asked: HTTPArchive? = nil, over transport: some HTTPTransport,
    at server: URL?
  ) async -> [String] {
    var failures: [String] = []
    let asked = asked?.entries ?? archive.entries
    for (number, entry) in archive.entries.enumerated() where isRequestable(entry) {
      let name = "entry \(number), \(entry.request.method) \(entry.request.url.prefix(100)): "
      guard let request = request(asked[number].request, at: server) else {
        failures.append(name + "invalid request")
        continue
      }
      do {
        let (body, response) = try await transport.data(for: request)
        if let difference = difference(response, body, from: entry) { failures.append(name + difference) }
      } catch {
        let error = TransportError(wrapping: error)
        if entry.response.failure == nil { failures.append(name + "\(error.code): \(error.message)") }
      }
    }
    return failures
  }

  /// Whether a client can request the entry from a server, and receives an answer or a failure.
  private func isRequestable(_ entry: HTTPArchive.Entry) -> Bool {
    let url = entry.request.url.lowercased()
    return (url.hasPrefix("http:") || url.hasPrefix("https:")) && entry.request.method.rawValue != "CONNECT"
      && !entry.isWebSocket && entry.response.failure?.code != .timedOut
  }

  private func request(_ recorded: HTTPArchive.Request, at server: URL?) -> HTTP.Request? {
    guard var request = HTTP.Request(recorded) else { return nil }
    request.fields = HTTP.Fields(
      request.fields.filter {
        !$0.name.hasPrefix(":") && !Self.ownFields.contains($0.name.lowercased())
      })
    guard let server else { return request }
    guard var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else { return nil }
    (parts.scheme, parts.host, parts.port, parts.user, parts.password) = (
      "http", server.host(), server.port, nil, nil
    )
    guard let url = parts.url else { return nil }
    request.url = url
    return request
  }

  private func difference(_ response: HTTP.Response, _ body: Data, from entry: HTTPArchive.Entry) -> String? {
    let recorded = entry.response
    guard response.status == recorded.status else {
      return "status \(response.status): \(String(decoding: body.prefix(300), as: UTF8.self))"
    }
    let hasBody = entry.request.method != .head && ![204, 304].contains(recorded.status)
    if hasBody, body != recorded.content.body ?? Data() { return "another body of \(body.count) bytes" }
    let expected = values(HTTP.Fields(recorded: recorded.headers))
    let found = values(response.fields)
    return expected == found
      ? nil : "fields \(found.subtracting(expected)), not \(expected.subtracting(found))"
  }

  private func values(_ fields: HTTP.Fields) -> Set<String> {
    Set(
      fields.filter { !Self.ownFields.contains($0.name.lowercased()) }.map {
        "\($0.name.lowercased()): \($0.value.trimmingCharacters(in: .whitespaces))"
      })
  }
}

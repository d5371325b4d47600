import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// The properties of every archive: a redacted one has no secrets, and redaction is idempotent.
@Suite(.stallLimit()) struct RedactionPropertyTests {
  /// Random combinations of parts of secrets, names and escapes.
  private static let pieces = [
    "token", "=", "&", "?", "\"", "\\\"", "\\", ":", " ", "{", "}", "password", "eyJabc", ".", "eyJhbGciOiJ9",
    "sk-",
    "abcdefghijklmnopqrst", "redacted-1", "redacted-", "7", "https://u:", "@h", "/", "%22", "+", "é",
    "name=\"secret\"",
    "\r\n\r\n", "\r\n--b", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "\n", "hunter22",
    "s3cret/+", ",",
    "12345678", "access_token", "Bearer ",
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...24, using: &generator))
      .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  private static func archive(_ generator: inout SeededGenerator) -> HTTPArchive {
    func fields(_ generator: inout SeededGenerator) -> HTTP.Fields {
      let names = ["Authorization", "Cookie", "X-Note", "apikey", "Set-Cookie", "Location"]
      return HTTP.Fields(
        (0..<3).map { _ in .init(name: names.randomElement(using: &generator) ?? "", value: text(&generator))
        })
    }
    let entries = (0..<4).map { _ in
      var request = HTTP.Request(.post, URL(filePath: "/"), fields: fields(&generator))
      request.body = Data(text(&generator).utf8)
      if Bool.random(using: &generator) {
        request.fields["Content-Type"] = "application/x-www-form-urlencoded"
      }
      var body = Data(text(&generator).utf8)
      if Bool.random(using: &generator) { body.append(0xFF) }
      var content = HTTPArchive.Content(body, mimeType: "text/plain")
      let cut = Int.random(in: 0...body.count, using: &generator)
      content.stream = .init(
        chunks: [.init(time: 0, size: cut), .init(time: 1, size: body.count - cut)], ending: .complete, at: 1)
      var archived = HTTPArchive.Request(request)
      archived["url"] = .string("https://h.example/" + text(&generator))
      return HTTPArchive.Entry(
        startedDateTime: Date(timeIntervalSince1970: 0), request: archived,
        response: .init(status: 200, fields: fields(&generator), content: content),
        timings: .init(wait: 0, receive: 0))
    }
    var log = HTTPArchive.Log(entries: entries)
    log.fixtures = .object([
      .init(text(&generator), .string(text(&generator))), .init("password", .string(text(&generator))),
    ])
    return HTTPArchive(log: log)
  }

  @Test func generatedArchives() throws {
    for seed in 0..<UInt64(Effort.times(8)) {
      var generator = SeededGenerator(seed: seed)
      try check(Self.archive(&generator), "seed \(seed)")
    }
  }

  private static let folder = ProcessInfo.processInfo.environment["UNDERSTUDY_CORPUS"].map {
    URL(filePath: $0)
  }

  @Test(
    Effort.needsAll, .enabled(if: folder != nil, "Set UNDERSTUDY_CORPUS to a folder with har/wellformed."))
  func filesOfOtherTools() throws {
    let folder = try #require(Self.folder).appending(path: "har/wellformed")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let archives = files.filter { $0.pathExtension == "har" }.sorted { $0.path < $1.path }
    for file in archives {
      try check(try HTTPArchive(contentsOf: file), file.lastPathComponent)
    }
  }

  private func check(_ archive: HTTPArchive, _ name: String) throws {
    let redacted = archive.redacted(by: .standard)
    #expect(redacted.secrets(by: .standard) == [], "\(name)")
    let difference = difference(redacted.redacted(by: .standard), redacted)
    #expect(difference == nil, "\(name)")
    #expect(redacted.entries.count == archive.entries.count, "\(name)")
    for (entry, other) in zip(redacted.entries, archive.entries) {
      let content = entry.response.content
      guard let chunks = content.stream?.chunks, let body = content.body else { continue }
      let whole =
        other.response.content.stream?.chunks.reduce(0) { $0 + $1.size } == other.response.content.body?.count
      if whole { #expect(chunks.reduce(0) { $0 + $1.size } == body.count, "\(name)") }
    }
  }

  /// The first different lines, because a whole archive is too long for a message.
  private func difference(_ one: HTTPArchive, _ other: HTTPArchive) -> String? {
    guard one != other else { return nil }
    let lines = [one, other].map { String(decoding: $0.data, as: UTF8.self).split(separator: "\n") }
    let all = lines.map { Set($0) }
    return zip(lines[0], lines[1]).filter { !all[1].contains($0) || !all[0].contains($1) }.prefix(2)
      .map { "\($0.prefix(300)) and \($1.prefix(300))" }.joined(separator: "; ")
  }
}

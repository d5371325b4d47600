import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// Requests that are not found by the hash of their path.
@Suite(.stallLimit()) struct LazyLookupTests {
  private static let placeholders = ["redacted-1": "request URL"]

  @Test func aShortSecretInThePathIsFound() async throws {
    var redaction = Redaction.standard
    redaction.literals = ["pin-4711"]
    let archive = HTTPArchive(
      answering: try [.get("/a/b"), .get("/a/redacted-1/b")], placeholders: Self.placeholders)
    let replay = ReplayingTransport(archive, redaction: redaction)
    #expect(try await replay.text(for: .get("/a/pin-4711/b")) == "1")
  }

  @Test func anIgnoredPathIsNotUsedForTheLookup() async throws {
    let matching = RequestMatching(parts: .all.subtracting([.path, .method]))
    let replay = ReplayingTransport(
      HTTPArchive(answering: try [.get("/a?x=1"), .get("/a?x=2")]), matching: matching)
    var request = try HTTP.Request.get("/b?x=2")
    request.method = .delete
    #expect(try await replay.text(for: request) == "1")
  }

  /// The search for the nearest entry computes only some keys of equal entries, which must not replace the others.
  @Test func aMismatchUsesUpNoResponses() async throws {
    let archive = HTTPArchive(answering: try (0..<100).map { _ in try .get("/status") })
    let replay = ReplayingTransport(archive, repetition: .repeatsLast)
    #expect(try await replay.failure(of: .get("/favicon.ico"))?.code == .invalidRequest)
    for number in 0..<100 {
      let text = try await replay.text(for: .get("/status"))
      #expect(text == "\(number)")
    }
    #expect(replay.unusedEntries.isEmpty)
  }

  /// Only the matching entry is decoded.
  @Test func otherEntriesAreNotDecoded() async throws {
    let looks = Locked<[String]>([])
    let rule = RequestMatching.Rule("path") { request in
      looks.withLock { $0.append(request.url.path()) }
      return nil
    }
    let archive = HTTPArchive(answering: try (0..<1000).map { try .get("/n/\($0)") })
    let replay = ReplayingTransport(archive, matching: RequestMatching(rules: [rule]))
    #expect(looks.withLock { $0.isEmpty })
    #expect(try await replay.text(for: .get("/n/999")) == "999")
    #expect(looks.withLock { $0 } == ["/n/999", "/n/999"])
  }

  @Test func responseIfRecordedDoesNotCountAsUnanswered() async throws {
    let replay = ReplayingTransport(HTTPArchive(answering: try [.get("/a")]))
    #expect(try await replay.responseIfRecorded(to: .get("/b")) == nil)
    let response = try #require(try await replay.responseIfRecorded(to: .get("/a")))
    #expect(try await response.body.collect() == Data("0".utf8))
    #expect(try await replay.responseIfRecorded(to: .get("/a")) == nil, "it was given")
    #expect(replay.unansweredRequests.isEmpty && replay.unusedEntries.isEmpty)
  }
}

import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct OrderTests {
  private func ordered(
    _ targets: [String], _ repetition: ReplayingTransport.Repetition = .fails
  ) throws -> ReplayingTransport {
    ReplayingTransport(
      HTTPArchive(answering: try targets.map { try .get($0) }), order: .ordered, repetition: repetition)
  }

  @Test func requestsInRecordedOrderPass() async throws {
    let targets = ["/a", "/b", "/a", "/c"]
    let replay = try ordered(targets)
    for (number, target) in targets.enumerated() {
      #expect(try await replay.text(for: .get(target)) == "\(number)")
    }
    #expect(replay.unusedEntries.isEmpty)
    let failure = await replay.failure(of: try .get("/c"))
    #expect(failure?.message.contains("sent more often than recorded") == true)
  }

  @Test func aRequestThatIsTooEarlyReportsTheExpectedOne() async throws {
    let replay = try ordered(["/a", "/b?token=secret-77", "/c"])
    #expect(try await replay.text(for: .get("/a")) == "0")
    let failure = await replay.failure(of: try .get("/c"))
    #expect(failure?.code == .invalidRequest)
    let message = failure?.message ?? ""
    #expect(
      message.contains(
        "expected entry 1, GET https://api.example/b?token=redacted, found GET https://api.example/c"),
      "\(message)")
    #expect(message.contains("sent too early"))
    #expect(message.contains("order: .unordered"))
    // The request used no entry, so requests in recorded order still pass.
    #expect(replay.unusedEntries.map(\.index) == [1, 2])
    #expect(try await replay.text(for: .get("/b?token=secret-77")) == "1")
    #expect(try await replay.text(for: .get("/c")) == "2")
  }

  @Test func repetitionsFollowTheRecordedOrder() async throws {
    let replay = try ordered(["/a", "/b", "/a", "/c"], .repeatsLast)
    #expect(try await replay.text(for: .get("/a")) == "0")
    #expect(await replay.failure(of: try .get("/a")) != nil, "the second one is after /b")
    #expect(try await replay.text(for: .get("/b")) == "1")
    #expect(try await replay.text(for: .get("/b")) == "1")
    #expect(try await replay.text(for: .get("/a")) == "2")
    #expect(try await replay.text(for: .get("/a")) == "2")
    #expect(try await replay.text(for: .get("/c")) == "3")
    #expect(try await replay.text(for: .get("/a")) == "2")
  }

  /// An entry whose request cannot be sent does not block the later ones.
  @Test func anEntryThatCannotBeRequestedIsSkipped() async throws {
    var archive = HTTPArchive(answering: try [.get("/a"), .get("/b")])
    archive.entries[0].request["postData"] = .object([
      .init("mimeType", .string("")), .init("text", .string("!")), .init("_encoding", .string("base64")),
    ])
    let replay = ReplayingTransport(archive, order: .ordered)
    #expect(try await replay.text(for: .get("/b")) == "1")
    #expect(replay.unusedEntries.map(\.index) == [0])
  }

  /// In any order, every request receives its own response, and equal requests receive theirs in recorded order.
  @Test(arguments: 0..<UInt64(Effort.times(4))) func requestsInAnyOrderReceiveTheirResponses(_ seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let requests = try (0..<60).map { number -> HTTP.Request in
      let kind = Int.random(in: 0..<30, using: &random)
      switch kind % 5 {
      case 0: return try .get("/path/\(kind)")
      case 1: return try .get("/query?n=\(kind)&m=1")
      case 2: return try .post("/body", #"{"n": \#(kind)}"#)
      case 3: return try .get("/field", fields: ["Authorization": "Basic \(kind)"])
      default: return HTTP.Request(HTTP.Method(rawValue: "M\(kind)"), try HTTP.Request.get("/method").url)
      }
    }
    let replay = ReplayingTransport(HTTPArchive(answering: requests), redaction: .off)
    for (index, request) in requests.enumerated().shuffled(using: &random) {
      let answer = try #require(Int(try await replay.text(for: request)), "seed \(seed)")
      #expect(requests[answer] == request, "seed \(seed), request \(index)")
    }
    #expect(replay.unusedEntries.isEmpty, "seed \(seed)")

    let again = ReplayingTransport(HTTPArchive(answering: requests), redaction: .off)
    var given: [HTTP.Request: [Int]] = [:]
    for request in requests.shuffled(using: &random) {
      given[request, default: []].append(try #require(Int(try await again.text(for: request))))
    }
    #expect(given.values.allSatisfy { $0 == $0.sorted() }, "seed \(seed)")
  }

  /// Two hundred concurrent replays, each of its own recording.
  @Test func replaysAreIndependent() async throws {
    try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
      for number in 0..<200 {
        group.addTask {
          let target = "/own/\(number)"
          let archive = HTTPArchive(answering: try [.get("/all"), .get(target), .get("/all")])
          let replay = ReplayingTransport(archive)
          var seen = [try await replay.text(for: .get(target))]
          let stranger = await replay.failure(of: try .get("/own/\(number + 1)"))
          seen.append(stranger?.code.description ?? "answered")
          for _ in 0..<2 { seen.append(try await replay.text(for: .get("/all"))) }
          seen.append("\(replay.unansweredRequests.count) \(replay.unusedEntries.count)")
          return (number, seen)
        }
      }
      for try await (number, seen) in group {
        #expect(seen == ["1", "invalid request", "0", "2", "1 0"], "\(number)")
      }
    }
  }
}

import Foundation
import TestSupport
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct ReplayingTransportTests {
  /// A recording of these requests, each with its index as the response.
  private func record(_ requests: [HTTP.Request]) async throws -> HTTPArchive {
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in .json("{}") })
    for request in requests { _ = try await recorder.data(for: request) }
    var archive = recorder.recording
    for index in archive.entries.indices {
      let body = Data("\(index)".utf8)
      archive.entries[index].response.content = .init(body, mimeType: "application/json")
    }
    return archive
  }

  @Test func theOrderOfQueryItemsAndMembersIsIgnored() async throws {
    let archive = try await record([
      .get("/a?x=1&y=2&x=3"), .post("/b", #"{"a": 1, "b": [1, {"c": 2.0, "d": "é"}]}"#),
    ])
    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: .post("/b", #"{"b":[1.0,{"d":"\u00e9","c":2}],"a":1}"#)) == "1")
    #expect(try await replay.text(for: .get("/a?x=3&x=1&y=2#part")) == "0")
  }

  @Test func equivalentOriginsAreEqual() async throws {
    let replay = ReplayingTransport(try await record([.get("/")]))
    let url = try #require(URL(string: "HTTPS://API.example:443"))
    #expect(try await replay.text(for: HTTP.Request(.get, url)) == "0")
  }

  @Test(
    arguments: [
      ("GET", "/a?x=2", nil, "query: recorded x=1, requested x=2"),
      ("GET", "/a?x=1&y=", nil, "query: recorded nothing more, requested y="),
      ("PUT", "/a?x=1", nil, "method: recorded GET, requested PUT"),
      ("GET", "/ab?x=1", nil, "path: recorded /a, requested /ab"),
      ("POST", "/b", #"{"a": [1, 3], "c": 1}"#, "body $.a[1]: recorded 2, requested 3"),
      ("POST", "/b", #"{"a": [1, 2], "c": 1}"#, "body $.c: recorded nothing, requested 1"),
      ("POST", "/b", #"{"a": [1]}"#, "body $.a[1]: recorded 2, requested nothing"),
      ("POST", "/b", "text", #"requested "text""#),
    ] as [(String, String, String?, String)])
  func aMismatchReportsTheDifferences(
    _ method: String, _ target: String, _ body: String?, _ difference: String
  ) async throws {
    let replay = ReplayingTransport(try await record([.get("/a?x=1"), .post("/b", #"{"a": [1, 2]}"#)]))
    var request = try HTTP.Request.get(target)
    request.method = HTTP.Method(rawValue: method)
    request.body = body.map { Data($0.utf8) }
    let failure = await replay.failure(of: request)
    #expect(failure?.code == .invalidRequest)
    let message = failure?.message ?? ""
    #expect(message.contains("  \(difference)") || message.contains(difference), "\(message)")
    #expect(message.contains("nearest: entry \(method == "POST" ? 1 : 0), "), "\(message)")
    #expect(message.contains("re-record the session"))
    #expect(replay.unansweredRequests == [message])
    #expect(replay.unusedEntries.map(\.index) == [0, 1], "an unanswered request uses no entry")
  }

  @Test func anEmptyRecordingIsReported() async throws {
    let failure = await ReplayingTransport(HTTPArchive(log: .init())).failure(of: try .get("/"))
    #expect(failure?.message.contains("The recording is empty.") == true)
  }

  @Test func identicalRequestsAreAnsweredInOrder() async throws {
    let archive = try await record([.get("/a"), .get("/b"), .get("/a")])
    let strict = ReplayingTransport(archive)
    #expect(try await strict.text(for: .get("/a")) == "0")
    #expect(strict.unusedEntries.map(\.index) == [1, 2])
    #expect(try await strict.text(for: .get("/a")) == "2")
    let failure = await strict.failure(of: try .get("/a"))
    #expect(failure?.message.contains("sent more often than recorded") == true)
    #expect(strict.unusedEntries.map(\.index) == [1])

    let lenient = ReplayingTransport(archive, repetition: .repeatsLast)
    for expected in ["0", "2", "2", "2"] {
      #expect(try await lenient.text(for: .get("/a")) == expected)
    }
  }

  @Test func concurrentEqualRequestsReceiveOneResponseEach() async throws {
    let replay = ReplayingTransport(
      try await record(Array(repeating: try .get("/a"), count: 50)))
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await replay.text(for: .get("/a")) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers.count == 50)
  }

  @Test func theComparedPartsAreSelected() async throws {
    let fields: HTTP.Fields = ["X-Tenant": "one"]
    let archive = try await record([.post("/a?x=1&t=5", "1", fields: fields)])
    let other = try HTTP.Request.post("/a?x=1&t=6", "2", fields: ["X-Tenant": "two"])
    let loose = RequestMatching(ignoredQueryItems: ["t"], body: .ignored)
    #expect(try await ReplayingTransport(archive, matching: loose).text(for: other) == "0")
    var strict = loose
    strict.fieldNames.insert("x-tenant")
    let failure = await ReplayingTransport(archive, matching: strict).failure(of: other)
    #expect(failure?.message.contains("header x-tenant: recorded one, requested two") == true)
  }

  // MARK: Secrets

  /// Two clients with their own passwords, in another order than recorded, and with other passwords.
  @Test func theClientsOwnSecretsMayDiffer() async throws {
    let request = { (name: String, key: String) in
      try HTTP.Request.get("/me", fields: ["Authorization": "Bearer \(key)", "X-Name": name])
    }
    let archive = try await record([
      request("a", "key-aaaa"), request("b", "key-bbbb"), request("a", "key-aaaa"),
    ])
    let replay = ReplayingTransport(
      archive, matching: RequestMatching(fieldNames: ["Authorization", "X-Name"]))
    #expect(try await replay.text(for: request("b", "other-2")) == "1", "only the name decides")
    #expect(try await replay.text(for: request("a", "other-1")) == "0", "another secret is another client")
    #expect(try await replay.text(for: request("a", "other-1")) == "2", "and the first is still the first")
    let failure = await replay.failure(of: try request("a", "other-3"))
    #expect(failure?.message.contains("other-3") == false, "no secret is in a message")
  }

  @Test func aTokenOfAResponseMustBeSentUnchanged() async throws {
    let recorder = RecordingTransport(
      around: ScriptedTransport { request in
        request.url.path() == "/token" ? .json(#"{"access_token": "t-12345678"}"#) : .json("[]")
      })
    _ = try await recorder.data(for: .get("/token"))
    _ = try await recorder.data(for: .get("/rows", fields: ["Authorization": "Bearer t-12345678"]))
    let replay = ReplayingTransport(recorder.recording)
    let unauthorized = await replay.failure(of: try .get("/rows"))
    #expect(
      unauthorized?.message.contains("header authorization: recorded Bearer redacted, requested nothing")
        == true)
    #expect(try await replay.text(for: .get("/token")) == #"{"access_token": "redacted-1"}"#)
    let stranger = await replay.failure(of: try .get("/rows", fields: ["Authorization": "Bearer forged-9"]))
    #expect(stranger?.message.contains("another secret") == true)
    #expect(
      try await replay.text(for: .get("/rows", fields: ["Authorization": "Bearer redacted-1"])) == "[]")
  }

  @Test func archivesOfOtherToolsKeepTheirSecrets() async throws {
    let recorder = RecordingTransport(around: ScriptedTransport { _ in .json("1") }, redaction: .off)
    let request = try HTTP.Request.post(
      "/?token=abc", #"{"password": 1234}"#, fields: ["Authorization": "Bearer x"])
    _ = try await recorder.data(for: request)
    #expect(try await ReplayingTransport(recorder.recording).text(for: request) == "1")
    var forged = request
    forged.fields["Authorization"] = "Bearer y"
    #expect(await ReplayingTransport(recorder.recording).failure(of: forged) != nil)
  }

  @Test func aRecordedSecretIsFoundInEveryPart() async throws {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"
    let request = try HTTP.Request.post("/a/\(token)?u=\(token)", #"{"note": "see \#(token)"}"#)
    let replay = ReplayingTransport(try await record([request]))
    #expect(try await replay.text(for: request) == "0")
  }

  /// More responses than a replay keeps, of which one is too large to be kept.
  @Test func aRepeatedResponseIsTheSameEachTime() async throws {
    var archive = try await record((0..<200).map { try .get("/\($0)") })
    archive.entries[7].response.content = .init(Data(count: 100_000), mimeType: "text/plain")
    let replay = ReplayingTransport(archive, repetition: .repeatsLast)
    for _ in 1...3 {
      for number in 0..<200 {
        let (body, response) = try await replay.data(for: .get("/\(number)"))
        #expect(body == (number == 7 ? Data(count: 100_000) : Data("\(number)".utf8)))
        #expect(response.status == 200 && response.fields["Content-Type"] == "application/json")
      }
    }
    #expect(replay.unusedEntries.isEmpty)
  }

  @Test func theFirstUnansweredRequestsAreKeptAndTheOthersCounted() async throws {
    let replay = ReplayingTransport(try await record([.get("/a")]))
    for number in 0..<1_002 { _ = await replay.failure(of: try .get("/b/\(number)")) }
    let messages = replay.unansweredRequests
    #expect(messages.count == 1_001)
    #expect(messages[999].contains("/b/999"))
    #expect(messages.last == "2 more requests without a match, whose messages were dropped")
  }
}

import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyServer
import UnderstudyTesting

@testable import UnderstudyRecordingTesting

/// Two users, two tenants and a secret as a parameter: each request has the answer to itself, in any order.
@Suite(.stallLimit()) struct TwoUsersTests {
  private static let users = ["alice", "bob"]
  private static let tenants = ["acme", "globex"]

  /// A service whose answers show who asked, for which tenant.
  private static let service = ScriptedTransport { request in
    let path = request.url.path()
    if path == "/sign-in" {
      let name = users.first { request.body?.firstRange(of: Data($0.utf8)) != nil } ?? ""
      return .json(#"{"access_token":"\#(secret(of: name, "token"))"}"#)
    }
    let given = "\(request.fields["Authorization"] ?? "") \(request.url.query() ?? "")"
    let user = users.first {
      given.contains(secret(of: $0, "token")) || given.contains(secret(of: $0, "key"))
    }
    return .json(
      #"{"path":"\#(path)","tenant":"\#(request.fields["X-Tenant"] ?? "")","user":"\#(user ?? "")"}"#)
  }

  private static func secret(of name: String, _ kind: String) -> String { "\(name)-\(kind)-5Qx7Tb92" }

  /// A request of one user for one tenant, with what its answer must be.
  private struct Ask: Sendable {
    let user: String
    let tenant: String
    let isByParameter: Bool
  }

  private static let asks = users.flatMap { user in
    tenants.flatMap { tenant in [true, false].map { Ask(user: user, tenant: tenant, isByParameter: $0) } }
  }

  /// Signs both users in, sends the requests, and returns the wrong answers.
  private static func wrongAnswers(
    _ asks: [Ask], signingIn users: [String], at origin: String, over transport: some HTTPTransport
  ) async throws -> [String] {
    func request(
      _ method: HTTP.Method, _ target: String, _ fields: HTTP.Fields = [:], _ body: String? = nil
    ) throws -> HTTP.Request {
      HTTP.Request(
        method, try #require(URL(string: origin + target)), fields: fields, body: body.map { Data($0.utf8) })
    }
    var tokens: [String: String] = [:]
    for user in users {
      let body = #"{"name":"\#(user)","password":"\#(secret(of: user, "password"))"}"#
      let (data, _) = try await transport.data(
        for: request(.post, "/sign-in", ["Content-Type": "application/json"], body))
      tokens[user] = try JSONDecoder().decode([String: String].self, from: data)["access_token"]
      // A request that only its owner sends shows to whom the key belongs.
      let key = secret(of: user, "key")
      _ = try await transport.data(for: request(.get, "/keys/\(user)?api_key=\(key)"))
    }
    var wrong: [String] = []
    for ask in asks {
      var fields: HTTP.Fields = ["X-Tenant": ask.tenant, "X-Request-ID": UUID().uuidString]
      var target = "/orders"
      if ask.isByParameter {
        target += "?api_key=" + secret(of: ask.user, "key")
      } else {
        fields["Authorization"] = "Bearer \(tokens[ask.user] ?? "")"
      }
      let text = try await transport.text(for: request(.get, target, fields))
      let expected = #"{"path":"/orders","tenant":"\#(ask.tenant)","user":"\#(ask.user)"}"#
      if text != expected { wrong.append("expected \(expected), found \(text)") }
    }
    return wrong
  }

  private static func recorded() async throws -> HTTPArchive {
    let recorder = RecordingTransport(around: service)
    let wrong = try await wrongAnswers(asks, signingIn: users, at: "https://api.example", over: recorder)
    #expect(wrong == [], "as recorded")
    let archive = try HTTPArchive(recorder.recording.data)
    for user in users {
      for kind in ["token", "key", "password"] {
        #expect(archive.data.firstRange(of: Data(secret(of: user, kind).utf8)) == nil)
      }
    }
    return archive
  }

  /// Fails if equal requests are answered in recorded order, or if a secret is answered by the first placeholder.
  @Test(arguments: Effort.some(of: 0..<8, every: 4)) func answersInProcessInAnyOrder(_ seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let archive = try await Self.recorded()
    let replay = ReplayingTransport(archive)
    let wrong = try await Self.wrongAnswers(
      Self.asks.shuffled(using: &random), signingIn: Self.users.shuffled(using: &random),
      at: "https://api.example", over: replay)
    #expect(wrong == [], "seed \(seed)")
    #expect(replay.unusedEntries.isEmpty)
  }

  @Test(arguments: Effort.some(of: 0..<4, every: 2)) func answersOverASocketInAnyOrder(_ seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let server = try await MockServer(ReplayHandler(try await Self.recorded()))
    // Twice, because a server repeats answers.
    let asks = (Self.asks + Self.asks).shuffled(using: &random)
    let wrong = try await Self.wrongAnswers(
      asks, signingIn: Self.users.shuffled(using: &random), at: server.url.absoluteString,
      over: SocketTransport(time: TestClock().time))
    await server.close(grace: .zero)
    #expect(wrong == [], "seed \(seed)")
  }

  /// By the trait, whose scope records a test, and then replays it.
  @Test(arguments: Effort.some(of: 0..<4, every: 2)) func answersByTheTraitInAnyOrder(_ seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appending(path: "two-users-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let test = try #require(Test.current)
    let orders = [
      (Self.asks, Self.users),
      (Self.asks.shuffled(using: &random), Self.users.shuffled(using: &random)),
    ]
    for (mode, (asks, users)) in zip([RecordingMode.once, .replayOnly], orders) {
      let scope = RecordingScope(
        bundle: nil, options: RecordingOptions(mode: mode), upstream: { Self.service },
        filePath: folder.appending(path: "SomeTests.swift").path(), sourceLocation: #_sourceLocation)
      try await scope.run("two/users", of: test, nil, needsRecording: true) {
        let wrong = try await Self.wrongAnswers(
          asks, signingIn: users, at: "https://api.example", over: .recorded)
        #expect(wrong == [], "seed \(seed), \(mode)")
      }
    }
  }
}

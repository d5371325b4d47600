import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// Closures that change exchanges before they are written, and responses before they are returned.
@Suite(.stallLimit()) struct ExchangeClosuresTests {
  private struct WrongPage: Error {}

  /// A service whose access token is `access-<n>` for the n-th sign-in, and which answers calls with it.
  private static func service() -> ScriptedTransport {
    let count = Locked(0)
    return ScriptedTransport { request in
      switch request.url.path() {
      case "/token":
        let number = count.withLock { count in
          count += 1
          return count
        }
        return .json(#"{"access_token":"opaque-value-\#(number)","expires_at":1700000000}"#)
      case "/gone": throw TransportError(.connectionLost, "The connection was lost.")
      default: return .json(#"{"name":"Mia"}"#)
      }
    }
  }

  private func record(_ file: URL, _ paths: String..., options: RecordingOptions) async throws {
    var options = options
    options.mode = .replace
    let session = try RecordingSession(
      RecordingPlace(file: file, madeBy: "make it"), options: options, upstream: Self.service())
    for path in paths { _ = try? await session.text(for: .get(path)) }
    #expect(try session.finish().isGood)
  }

  @Test func anExchangeIsChangedBeforeItIsWritten() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("changed.har")
    let options = RecordingOptions(beforeWriting: { request, response in
      request.fields["X-Trace"] = nil
      response?.fields["X-Served-By"] = "somewhere"
      if let body = response?.body.bytes {
        let text = String(decoding: body, as: UTF8.self).replacing("Mia", with: "Ada")
        response?.body = HTTP.Body(Data(text.utf8))
      }
      return true
    })
    let session = try RecordingSession(
      RecordingPlace(file: file, madeBy: "make it"),
      options: {
        var options = options
        options.mode = .replace
        return options
      }(), upstream: Self.service())
    var request = try HTTP.Request.get("/me")
    request.fields["X-Trace"] = "7"
    // What the test receives is unchanged.
    #expect(try await session.text(for: request) == #"{"name":"Mia"}"#)
    #expect(try session.finish().isGood)
    let entry = try #require(try HTTPArchive(contentsOf: file).entries.first)
    #expect(!entry.request.headers.contains { $0.name == "X-Trace" })
    #expect(entry.response.headers.contains { $0.name == "X-Served-By" && $0.value == "somewhere" })
    #expect(entry.response.content.text == #"{"name":"Ada"}"#)
    #expect(entry.response.content.stream?.chunks.map(\.size) == [14])
    let replay = ReplayingTransport(try HTTPArchive(contentsOf: file))
    #expect(try await replay.text(for: .get("/me")) == #"{"name":"Ada"}"#)
  }

  @Test func whatTheClosureRefusesIsNotWritten() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("refused.har")
    let failures = Locked(0)
    let options = RecordingOptions(beforeWriting: { request, response in
      if response == nil { failures.withLock { $0 += 1 } }
      return request.url.path() != "/metrics"
    })
    try await record(file, "/metrics", "/me", "/gone", "/metrics", options: options)
    let entries = try HTTPArchive(contentsOf: file).entries
    #expect(entries.map { $0.request.url.suffix(5) } == ["le/me", "/gone"])
    #expect(entries.last?.response.failure?.code == .connectionLost)
    #expect(failures.withLock { $0 } == 1)
  }

  @Test func aSecretThatTheClosureAddsIsReplaced() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("secret.har")
    let options = RecordingOptions(beforeWriting: { request, _ in
      request.fields["Authorization"] = "Bearer opensesame-1234"
      return true
    })
    try await record(file, "/me", options: options)
    #expect(!(try String(contentsOf: file, encoding: .utf8)).contains("opensesame"))
  }

  @Test func aResponseIsChangedBeforeItIsReturned() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("renewed.har")
    try await record(file, "/token", "/me?n=1", options: RecordingOptions())
    let session = try RecordingSession(
      RecordingPlace(file: file, madeBy: "make it"),
      options: RecordingOptions(
        mode: .replayOnly,
        beforeReplaying: { request, response in
          let text = String(decoding: try await response.body.collect(), as: UTF8.self)
          // A template: the answer depends on the request.
          let renewed = text.replacing("1700000000", with: "1900000000")
            .replacing("Mia", with: "Mia \(request.url.query() ?? "")")
          response.body = HTTP.Body(Data(renewed.utf8))
        }))
    #expect(try await session.text(for: .get("/token")).contains("1900000000"))
    #expect(try await session.text(for: .get("/me?n=1")) == #"{"name":"Mia n=1"}"#)
    #expect(try session.finish().isGood)
  }

  /// Signs in, and calls with the token; returns the token.
  private func signInAndCall(over session: RecordingSession, sending other: String? = nil) async throws
    -> String
  {
    struct Token: Decodable { let access_token: String }
    let answer = try await session.text(for: .get("/token"))
    let token = try JSONDecoder().decode(Token.self, from: Data(answer.utf8)).access_token
    var request = try HTTP.Request.get("/me")
    request.fields["Authorization"] = "Bearer \(other ?? token)"
    #expect(try await session.text(for: request) == #"{"name":"Mia"}"#)
    return token
  }

  @Test func aRenewedTokenIsAcceptedInLaterRequests() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("token.har")
    let recording = try RecordingSession(
      RecordingPlace(file: file, madeBy: "make it"), options: RecordingOptions(mode: .replace),
      upstream: Self.service())
    _ = try await signInAndCall(over: recording)
    #expect(try recording.finish().isGood)
    let options = RecordingOptions(
      mode: .replayOnly,
      beforeReplaying: { request, response in
        guard request.url.path() == "/token" else { return }
        response.body = HTTP.Body(Data(#"{"access_token":"token-of-today"}"#.utf8))
      })
    let session = try RecordingSession(RecordingPlace(file: file, madeBy: "make it"), options: options)
    #expect(try await signInAndCall(over: session) == "token-of-today")
    #expect(try session.finish().isGood)
    // Without the closure, a token that no response contained is refused.
    let strict = try RecordingSession(
      RecordingPlace(file: file, madeBy: "make it"), options: RecordingOptions(mode: .replayOnly))
    await #expect(throws: TransportError.self) {
      _ = try await signInAndCall(over: strict, sending: "token-of-today")
    }
    strict.cancel()
  }

  @Test func anErrorOfTheClosureFailsTheRequest() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("error.har")
    try await record(file, "/me", options: RecordingOptions())
    let errors: [(any Error, TransportError.Code, Int)] = [
      (WrongPage(), .invalidRequest, 1), (TransportError(.timedOut, "Late."), .timedOut, 0),
      (CancellationError(), .cancelled, 0),
    ]
    for (error, code, failureCount) in errors {
      let session = try RecordingSession(
        RecordingPlace(file: file, madeBy: "make it"),
        options: RecordingOptions(mode: .replayOnly, beforeReplaying: { _, _ in throw error }))
      #expect(try await session.failure(of: .get("/me"))?.code == code)
      let outcome = try session.finish()
      #expect(outcome.failures.count == failureCount)
      if let failure = outcome.failures.first {
        #expect(
          failure.description == "The closure beforeReplaying failed for GET /me: WrongPage()")
      }
    }
  }
}

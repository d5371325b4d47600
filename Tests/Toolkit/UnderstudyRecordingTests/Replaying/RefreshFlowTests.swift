import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// Signing in, a call, a refusal, a refresh and another call: recorded, checked for secrets, and replayed.
@Suite(.stallLimit()) struct RefreshFlowTests {
  private static func token(_ number: Int) -> String {
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyIiwibiI6\(number)fQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg\(number)"
  }
  private static let apiKey = "anon-key-7f3a9b"
  private static let password = "correct horse / battery+staple"
  private static let secrets = [token(1), token(2), "refresh-1-zQx", "refresh-2-zQy", apiKey, password]

  /// A server whose access tokens can be used once.
  private static func server() -> ScriptedTransport {
    let uses = Locked<[String: Int]>([:])
    return ScriptedTransport { request in
      let body = String(decoding: request.body ?? Data(), as: UTF8.self)
      switch request.url.query() {
      case "grant_type=password":
        let expires = #""expires_in":3600"#
        return .json(#"{"access_token":"\#(token(1))","refresh_token":"refresh-1-zQx",\#(expires)}"#)
      case "grant_type=refresh_token" where body.contains("refresh-1-zQx"):
        return .json(#"{"access_token":"\#(token(2))","refresh_token":"refresh-2-zQy","expires_in":3600}"#)
      default:
        let key = request.fields["Authorization"] ?? ""
        let count = uses.withLock { uses in
          uses[key, default: 0] += 1
          return uses[key, default: 0]
        }
        let isKnown = [token(1), token(2)].contains { key == "Bearer \($0)" }
        return isKnown && count == 1
          ? .json(#"[{"name":"Mia"}]"#) : .json(#"{"message":"JWT expired"}"#, status: 401)
      }
    }
  }

  private struct Session: Decodable {
    let access_token: String
    let refresh_token: String
    let expires_in: Int
  }

  /// The statuses and bodies of a client's calls.
  private func run(over transport: some HTTPTransport, apiKey: String, password: String) async throws
    -> [String]
  {
    func post(_ grant: String, _ body: [String: String]) async throws -> Session {
      let data = try JSONEncoder().encode(body)
      let request = try HTTP.Request.post(
        "/auth/v1/token?grant_type=\(grant)", String(decoding: data, as: UTF8.self),
        fields: ["apikey": apiKey])
      return try JSONDecoder().decode(Session.self, from: try await transport.data(for: request).0)
    }
    var seen: [String] = []
    func call(_ session: Session) async throws -> Int {
      let (data, response) = try await transport.data(
        for: .get(
          "/rest/v1/children",
          fields: ["apikey": apiKey, "Authorization": "Bearer \(session.access_token)"]))
      seen.append("\(response.status) \(String(decoding: data, as: UTF8.self))")
      return response.status
    }
    var session = try await post("password", ["email": "a@example.org", "password": password])
    #expect(try await call(session) == 200)
    #expect(try await call(session) == 401)
    session = try await post("refresh_token", ["refresh_token": session.refresh_token])
    #expect(try await call(session) == 200)
    seen.append("\(session.expires_in)")
    return seen
  }

  @Test func replaysWithoutTheSecrets() async throws {
    let recorder = RecordingTransport(around: Self.server())
    let live = try await run(over: recorder, apiKey: Self.apiKey, password: Self.password)
    #expect(
      live == [#"200 [{"name":"Mia"}]"#, #"401 {"message":"JWT expired"}"#, #"200 [{"name":"Mia"}]"#, "3600"])

    let file = recorder.recording.data
    for secret in Self.secrets {
      let parts = [secret, String(secret.suffix(12)), secret.replacing("/", with: "\\/")]
      for part in parts { #expect(file.firstRange(of: Data(part.utf8)) == nil, "\(part) is in the file") }
    }

    // With the secrets of the recording, and with others, as on a machine without them.
    for (apiKey, password) in [(Self.apiKey, Self.password), ("no-key", "no-password")] {
      let replay = ReplayingTransport(try HTTPArchive(file))
      let again = try await run(over: replay, apiKey: apiKey, password: password)
      #expect(again == live)
      #expect(replay.unusedEntries.isEmpty && replay.unansweredRequests.isEmpty)
    }
  }
}

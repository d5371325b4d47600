import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting
@testable import UnderstudySupabase

/// Authenticator apps as second factors (`internal/api/mfa.go`, `internal/models/factor.go`).
@Suite(.stallLimit()) struct SecondFactorTests {
  let client: AuthClient

  init() throws {
    client = try AuthClient {
      $0.secondFactors.enrollsAuthenticators = true
      $0.secondFactors.verifiesAuthenticators = true
      $0.secondFactors.limit = 2
      $0.allowsAnonymousSignIns = true
    }
  }

  /// RFC 6238 appendix B, cut to six digits.
  @Test(arguments: [
    (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
    (2_000_000_000, "279037"), (20_000_000_000, "353130"),
  ])
  func codesAreThoseOfTheStandard(second: Int64, code: String) {
    let app = Authenticator(key: Array("12345678901234567890".utf8))
    #expect(app.code(at: second) == code)
    #expect(app.text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    #expect(app.accepts(code, at: second + 30) && app.accepts(code, at: second - 30))
    #expect(!app.accepts(code, at: second + 60) && !app.accepts(code, at: second - 60))
  }

  private func enroll(_ token: String, name: String = "phone") async throws -> Answer {
    try await client.post(
      "factors", #"{"factor_type":"totp","friendly_name":"\#(name)","issuer":"us"}"#, token: token)
  }

  /// Returns the code that the app of a factor shows now.
  private func code(of id: String) throws -> String {
    let factors = client.auth.users.flatMap(\.factors)
    let factor = try #require(factors.first { $0.id.uuidString.lowercased() == id })
    return factor.authenticator.code(at: Int64(client.project.clock.time.now.timeIntervalSince1970))
  }

  private func challenge(_ id: String, _ token: String) async throws -> String {
    let answer = try await client.post("factors/\(id)/challenge", "{}", token: token)
    #expect(answer.json?["type"]?.stringValue == "totp")
    return try #require(answer.json?["id"]?.stringValue)
  }

  private func verify(_ id: String, _ challenge: String, _ code: String, _ token: String) async throws
    -> Answer
  {
    try await client.post(
      "factors/\(id)/verify", #"{"challenge_id":"\#(challenge)","code":"\#(code)"}"#, token: token)
  }

  private func claims(_ token: String) throws -> JSONValue {
    try client.auth.claims(of: token)
  }

  @Test func aCodeRaisesTheLevelOfItsSessionAndEndsTheOthers() async throws {
    let (other, token) = (try client.signIn(), try client.signIn())
    #expect(try claims(token)["aal"]?.stringValue == "aal1")
    let enrolled = try await enroll(token)
    let id = try #require(enrolled.json?["id"]?.stringValue)
    #expect(enrolled.json?["totp"]?["secret"]?.stringValue?.utf8.count == 32)
    let uri = try #require(enrolled.json?["totp"]?["uri"]?.stringValue)
    #expect(uri.hasPrefix("otpauth://totp/us:pat@example.com?algorithm=SHA1&digits=6&issuer=us&period=30&"))
    let challenge = try await challenge(id, token)
    let verified = try await verify(id, challenge, try code(of: id), token)
    #expect(verified.status == 200)
    let raised = try #require(verified.json?["access_token"]?.stringValue)
    #expect(try claims(raised)["aal"]?.stringValue == "aal2")
    #expect(
      try claims(raised)["amr"]?.compactText
        == #"[{"method":"totp","timestamp":1767441600},{"method":"password","timestamp":1767441600}]"#)
    #expect(try claims(raised)["session_id"] == claims(token)["session_id"])
    #expect(try await client.send(.get, "user", token: other).code == "session_not_found")
    let user = try await client.send(.get, "user", token: raised)
    guard case .array(let factors)? = user.json?["factors"] else { throw NotRefused() }
    #expect(factors.map { $0["status"]?.stringValue } == ["verified"])
    #expect(factors.first?["factor_type"]?.stringValue == "totp")
    // The level outlives a refresh, and the challenge is used.
    let refresh = try #require(verified.json?["refresh_token"]?.stringValue)
    let refreshed = try client.auth.refresh(refresh).accessToken
    #expect(try claims(refreshed)["aal"]?.stringValue == "aal2")
    #expect(try await verify(id, challenge, try code(of: id), raised).code == "mfa_factor_not_found")
  }

  /// Policies of a project ask `auth.mfa_factors` whether a user has a second factor.
  @Test func theTableHasTheFactors() async throws {
    func rows() throws -> [[String]] {
      try client.project.database.select(from: "auth.mfa_factors").map { row in
        ["id", "user_id", "friendly_name", "factor_type", "status"].map { row[$0].text }
      }
    }
    let token = try client.signIn()
    let user = client.project.pat.uuidString.lowercased()
    let id = try #require(try await enroll(token).json?["id"]?.stringValue)
    #expect(try rows() == [[id, user, "phone", "totp", "unverified"]])
    let second = try #require(try await enroll(token, name: "").json?["id"]?.stringValue)
    #expect(try rows().map { $0[0] } == [id, second])
    let challenge = try await challenge(id, token)
    #expect(
      try client.project.database.select(from: "auth.mfa_factors").map { $0["last_challenged_at"] }.contains(
        .null))
    let raised = try #require(
      try await verify(id, challenge, try code(of: id), token).json?["access_token"]?.stringValue)
    #expect(try rows() == [[id, user, "phone", "totp", "verified"]])
    #expect(try await client.send(.delete, "factors/\(id)", token: raised).status == 200)
    #expect(try rows().isEmpty)
  }

  @Test func wrongAndLateCodesAreRefused() async throws {
    let token = try client.signIn()
    let id = try #require(try await enroll(token).json?["id"]?.stringValue)
    let challenge = try await challenge(id, token)
    #expect(try await verify(id, challenge, "12345", token).code == "mfa_verification_failed")
    #expect(try await verify(id, challenge, "", token).code == "validation_failed")
    #expect(try await verify(id, "x", "123456", token).code == "bad_json")
    client.project.clock.advance(by: 301)
    #expect(try await verify(id, challenge, try code(of: id), token).code == "mfa_challenge_expired")
    #expect(try await verify(id, challenge, try code(of: id), token).code == "mfa_factor_not_found")
  }

  @Test func factorsAreLimitedAndTheirNamesDiffer() async throws {
    let token = try client.signIn()
    #expect(try await enroll(token).status == 200)
    #expect(try await enroll(token).code == "mfa_factor_name_conflict")
    #expect(try await enroll(token, name: "b").status == 200)
    #expect(try await enroll(token, name: "c").code == "too_many_enrolled_mfa_factors")
    // A factor that was never challenged expires after five minutes.
    client.project.clock.advance(by: 301)
    #expect(try await enroll(token, name: "c").status == 200)
  }

  @Test func aVerifiedFactorIsRemovedOnlyWithOne() async throws {
    let token = try client.signIn()
    let id = try #require(try await enroll(token).json?["id"]?.stringValue)
    let verified = try await verify(id, try await challenge(id, token), try code(of: id), token)
    let raised = try #require(verified.json?["access_token"]?.stringValue)
    let weak = try client.signIn()
    #expect(try await client.send(.delete, "factors/\(id)", token: weak).code == "insufficient_aal")
    let another = try await enroll(weak, name: "b")
    #expect(another.status == 403 && another.code == "insufficient_aal")
    let removed = try await client.send(.delete, "factors/\(id)", token: raised)
    #expect(removed.json?["id"]?.stringValue == id)
    // The session remains, at the lower level.
    #expect(try await enroll(raised, name: "b").status == 200)
    let kim = try client.signIn("kim@example.com", "secret2")
    let own = try #require(try await enroll(kim).json?["id"]?.stringValue)
    #expect(try await client.send(.delete, "factors/\(own)", token: raised).code == "mfa_factor_not_found")
  }

  @Test func theBackendListsAndRemovesFactors() async throws {
    let path = "users/\(client.project.pat.uuidString)"
    let id = try #require(try await enroll(try client.signIn()).json?["id"]?.stringValue)
    let listed = try await client.administer(.get, "admin/\(path)/factors")
    #expect(listed.text.contains(id) && listed.text.contains(#""status":"unverified""#))
    #expect(try await client.administer(.delete, "admin/\(path)/factors/\(id)").status == 200)
    #expect(try await client.administer(.get, "admin/\(path)/factors").text == "[]")
    #expect(
      try await client.administer(.delete, "admin/\(path)/factors/\(id)").code == "mfa_factor_not_found")
    #expect(try await client.administer(.get, "admin/\(path)/passkeys").text == "[]")
    #expect(try await client.administer(.delete, "admin/\(path)/passkeys/\(id)").status == 404)
  }

  @Test func anAnonymousUserHasNoFactors() async throws {
    let answer = try await client.post("signup", "{}")
    let token = try #require(answer.json?["access_token"]?.stringValue)
    #expect(try await enroll(token).code == "no_authorization")
  }
}

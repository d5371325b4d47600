import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct SessionTests {
  let project: TodoProject
  var auth: AuthServer { project.auth }

  init() throws {
    project = try TodoProject()
  }

  private func signIn() throws -> AuthSession {
    try auth.signIn(email: "PAT@example.com", password: "secret1")
  }

  private func claims(of token: String) throws -> JSONValue {
    let parts = token.split(separator: ".")
    try #require(parts.count == 3)
    let padding = String(repeating: "=", count: (4 - parts[1].count % 4) % 4)
    let text = (parts[1] + padding).replacing("-", with: "+").replacing("_", with: "/")
    return try JSONValue(parsing: try #require(Data(base64Encoded: String(text))))
  }

  @Test func tokensHaveTheirUserAndTheirExpiry() throws {
    let session = try signIn()
    let claims = try claims(of: session.accessToken)
    #expect(claims["sub"]?.stringValue == project.pat.uuidString.lowercased())
    #expect(claims["role"]?.stringValue == "authenticated")
    #expect(claims["iat"] == .number("1767441600"))
    #expect(claims["exp"] == .number("1767445200"))
    #expect(claims["session_id"]?.stringValue.flatMap(UUID.init) != nil)
    #expect(session.accessToken.hasPrefix("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."))
  }

  @Test func aRefreshDoesNotChangeWhenTheUserSignedIn() throws {
    let session = try signIn()
    let first = try claims(of: session.accessToken)
    #expect(first["amr"]?.compactText == #"[{"method":"password","timestamp":1767441600}]"#)
    project.clock.advance(by: 600)
    let next = try claims(of: try auth.refresh(session.refreshToken).accessToken)
    #expect(next["amr"] == first["amr"] && next["iat"] == .number("1767442200"))
  }

  @Test func aTokenIsValidUntilItsLastSecond() throws {
    let session = try signIn()
    project.clock.advance(by: 3599.8)
    #expect(try auth.role(for: session.accessToken) == .user(project.pat))
    project.clock.advance(by: 1)
    #expect(throws: PostgRESTError.tokenExpired) { try auth.role(for: session.accessToken) }
    #expect(throws: AuthAPIError.badToken) { try auth.user(for: session.accessToken) }
    let next = try auth.refresh(session.refreshToken)
    #expect(try auth.role(for: next.accessToken) == .user(project.pat))
    #expect(try claims(of: next.accessToken)["session_id"] == claims(of: session.accessToken)["session_id"])
  }

  @Test func aChangedTokenIsRefused() throws {
    let token = try signIn().accessToken
    let parts = token.split(separator: ".").map(String.init)
    let other = try auth.signIn(email: "kim@example.com", password: "secret2").accessToken
    let mixed = [parts[0], String(other.split(separator: ".")[1]), parts[2]].joined(separator: ".")
    #expect(throws: PostgRESTError.unverifiedToken) { try auth.role(for: mixed) }
    // {"alg":"none"}
    #expect(throws: PostgRESTError.unverifiedToken) { try auth.role(for: "eyJhbGciOiJub25lIn0.\(parts[1]).") }
    #expect(throws: PostgRESTError.malformedToken("Expected 3 parts in JWT; got 1")) {
      try auth.role(for: "x")
    }
    auth.rotateSigningSecret()
    #expect(throws: PostgRESTError.unverifiedToken) { try auth.role(for: token) }
  }

  /// `RefreshTokenGrant` in `internal/tokens/service.go`.
  @Test func aUsedRefreshTokenReturnsTheNextOneWhileThatIsUnused() throws {
    let first = try signIn()
    let second = try auth.refresh(first.refreshToken)
    // A client that lost the answer asks again, however late.
    project.clock.advance(by: 3000)
    let again = try auth.refresh(first.refreshToken)
    #expect(again.refreshToken == second.refreshToken)
    #expect(again.accessToken != second.accessToken)
    #expect(try auth.user(for: again.accessToken).id == project.pat)
    #expect(throws: AuthAPIError.refreshTokenNotFound) { try auth.refresh("made up") }
  }

  @Test(arguments: [(10.0, true), (10.1, false)])
  func anOlderRefreshTokenCanBeReusedForTenSeconds(_ seconds: Double, _ isAccepted: Bool) throws {
    let first = try signIn()
    let second = try auth.refresh(first.refreshToken)
    let third = try auth.refresh(second.refreshToken)
    project.clock.advance(by: seconds)
    if isAccepted {
      let other = try auth.refresh(first.refreshToken)
      #expect(![second.refreshToken, third.refreshToken].contains(other.refreshToken))
      #expect(throws: Never.self) { try auth.refresh(third.refreshToken) }
    } else {
      #expect(throws: AuthAPIError.refreshTokenAlreadyUsed) { try auth.refresh(first.refreshToken) }
      // As after a theft, the session's other refresh tokens are revoked too.
      project.clock.advance(by: 11)
      #expect(throws: AuthAPIError.refreshTokenAlreadyUsed) { try auth.refresh(third.refreshToken) }
      // Other sessions are not.
      #expect(throws: Never.self) { try auth.refresh(try signIn().refreshToken) }
    }
  }

  @Test(arguments: [
    (AuthServer.SignOutScope.local, [false, true]), (.global, [false, false]), (.others, [true, false]),
  ])
  func signingOutEndsTheSessions(_ scope: AuthServer.SignOutScope, _ goOn: [Bool]) throws {
    let sessions = [try signIn(), try signIn()]
    let kim = try auth.signIn(email: "kim@example.com", password: "secret2")
    try auth.signOut(sessions[0].accessToken, scope: scope)
    for (session, goesOn) in zip(sessions, goOn) {
      if goesOn {
        #expect(throws: Never.self) { try auth.user(for: session.accessToken) }
      } else {
        #expect(throws: AuthAPIError.sessionNotFound) { try auth.user(for: session.accessToken) }
        #expect(throws: AuthAPIError.refreshTokenNotFound) { try auth.refresh(session.refreshToken) }
      }
      // PostgREST does not check whether the session still exists.
      #expect(throws: Never.self) { try auth.role(for: session.accessToken) }
    }
    #expect(throws: Never.self) { try auth.user(for: kim.accessToken) }
  }

  @Test func limitedRequestsAreRefusedOneByOne() throws {
    auth.limitRequests(2, retryAfter: .seconds(3))
    for _ in 0..<2 {
      #expect(throws: AuthAPIError.rateLimit(retryAfter: .seconds(3))) { try signIn() }
    }
    #expect(throws: Never.self) { try signIn() }
  }

  @Test func expiringTokensEarlyLeavesLaterOnesValid() throws {
    let session = try signIn()
    auth.expireAccessTokens(of: project.pat)
    #expect(throws: PostgRESTError.tokenExpired) { try auth.role(for: session.accessToken) }
    #expect(throws: Never.self) { try auth.role(for: try auth.refresh(session.refreshToken).accessToken) }
  }

  @Test func accountsAreUnique() throws {
    let error = try refusal { () throws(PostgRESTError) in
      try auth.addUser(email: "PAT@example.com", password: "other")
    }
    #expect(error.code == "23505")
    #expect(throws: Never.self) { try signIn() }
  }

  @Test func aRemovedUserIsUnknown() throws {
    let session = try signIn()
    try auth.removeUser(project.pat)
    #expect(throws: AuthAPIError.invalidCredentials) { try signIn() }
    #expect(throws: AuthAPIError.refreshTokenNotFound) { try auth.refresh(session.refreshToken) }
  }
}

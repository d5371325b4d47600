import Foundation
import Testing
import Understudy
import UnderstudyTesting
@testable import UnderstudySupabase

/// The memory of an auth server.
@Suite(.stallLimit()) struct AuthStateTests {
  @Test func expiredTokensAreRemoved() throws {
    let project = try TodoProject()
    var session = try project.auth.signIn(email: "pat@example.com", password: "secret1")
    for round in 1...1000 {
      project.clock.advance(by: 3600)
      session = try project.auth.refresh(session.refreshToken)
      if round.isMultiple(of: 2) { project.auth.expireAccessTokens(of: project.pat) }
    }
    let remembered = project.auth.state.withLock { state in
      state.accessTokens.values.reduce(0) { $0 + $1.count } + state.expiredTokens.count
    }
    #expect(remembered <= 130)
    // A token that a test has expired remains expired until its original expiry.
    let (kept, expired) = (try project.auth.refresh(session.refreshToken), session.accessToken)
    #expect(throws: (any Error).self) { try project.auth.role(for: expired) }
    #expect(try project.auth.role(for: kept.accessToken) == .user(project.pat))
  }

  @Test func aTokenRemainsExpiredAfterManyOthers() throws {
    let project = try TodoProject()
    let first = try project.auth.signIn(email: "pat@example.com", password: "secret1")
    project.auth.expireAccessTokens(of: project.pat)
    var session = first
    for _ in 1...500 { session = try project.auth.refresh(session.refreshToken) }
    #expect(throws: (any Error).self) { try project.auth.role(for: first.accessToken) }
    #expect(try project.auth.role(for: session.accessToken) == .user(project.pat))
  }

  @Test func anEndedSessionIsRemoved() throws {
    let project = try TodoProject()
    let (one, other) = (
      try project.auth.signIn(email: "pat@example.com", password: "secret1"),
      try project.auth.signIn(email: "pat@example.com", password: "secret1")
    )
    let next = try project.auth.refresh(one.refreshToken)
    try project.auth.signOut(next.accessToken, scope: .local)
    #expect(project.auth.state.withLock { Set($0.refreshTokens.keys) } == [other.refreshToken])
    project.auth.endSessions(of: project.pat)
    #expect(project.auth.state.withLock { $0.refreshTokens.isEmpty && $0.sessions.isEmpty })
  }
}

import Foundation
import Understudy
import UnderstudyHTTP

extension AuthState {
  /// A sign-in on one device, which refreshes prolong (`models.Session`).
  struct Session {
    let id: UUID
    let userID: UUID
    /// How the user signed in (`models.AuthenticationMethod`).
    let method: String
    let createdAt: Date
    /// The factor that confirmed the session after the sign-in; `nil` before.
    var secondFactor: SecondFactor?
    /// The refresh tokens of the session, in the order of their creation.
    var refreshTokens: [String] = []

    /// A second factor that confirmed a session (`models.AMRClaim`, `sessions.factor_id`).
    struct SecondFactor {
      let id: UUID
      let verifiedAt: Date
    }
  }

  /// A refresh token (`models.RefreshToken`).
  struct RefreshToken {
    let session: UUID
    /// The token for which it was exchanged; `nil` for the first of a session.
    let parent: String?
    /// Whether it was exchanged, or its whole session was revoked.
    var isRevoked = false
    var updatedAt: Date
  }

  /// An access token that was issued.
  struct IssuedToken {
    let text: String
    /// The last second in which it is valid, since 1970.
    let expiresAt: Int64
  }

  /// Signs a user in and stores the account (`IssueRefreshToken`).
  ///
  /// - Parameter account: The account, whose contacts are those that are stored.
  mutating func beginSession(
    of account: inout Account, method: String, at now: Date
  ) throws(AuthAPIError) -> AuthSession {
    account.user.lastSignInAt = now
    account.user.updatedAt = now
    let (id, columns) = (account.user.id, account.columns)
    do throws(PostgRESTError) {
      try writeRow(columns, from: accounts[id]?.columns ?? [:], of: id)
    } catch {
      throw .databaseError("granting user")
    }
    accounts[account.user.id] = account
    let session = Session(id: nextID(), userID: account.user.id, method: method, createdAt: now)
    sessions[session.id] = session
    return issueTokens(for: session, of: account.user, at: now)
  }

  /// Issues new tokens for a session.
  ///
  /// - Parameters:
  ///   - parent: The refresh token that is exchanged, which becomes used.
  ///   - active: A refresh token to return again instead of a new one.
  mutating func issueTokens(
    for session: Session, of user: AuthUser, parent: String? = nil, active: String? = nil, at now: Date
  ) -> AuthSession {
    let second = now.wholeSeconds
    let expiresAt = second + lifetime
    let text = AccessToken.signed(
      AccessToken.claims(
        of: user, session, issuedAt: second, expiresAt: expiresAt,
        id: generator.nextUUIDString()),
      with: secret)
    let refreshToken =
      active ?? String(generator.nextUUIDString().filter { $0 != "-" }.prefix(24))
    if active == nil {
      if let parent {
        refreshTokens[parent]?.isRevoked = true
        refreshTokens[parent]?.updatedAt = now
      }
      refreshTokens[refreshToken] = RefreshToken(session: session.id, parent: parent, updatedAt: now)
      sessions[session.id]?.refreshTokens.append(refreshToken)
    }
    forgetExpiredTokens(at: second)
    accessTokens[user.id, default: []].append(IssuedToken(text: text, expiresAt: expiresAt))
    return AuthSession(
      accessToken: text, refreshToken: refreshToken,
      expiresAt: Date(timeIntervalSince1970: Double(expiresAt)), lifetime: .seconds(lifetime), user: user)
  }

  /// Returns the newest refresh token of a session that is not used (`FindCurrentlyActiveRefreshToken`).
  func activeRefreshToken(of session: UUID) -> String? {
    sessions[session]?.refreshTokens.last { refreshTokens[$0]?.isRevoked == false }
  }

  /// Revokes every refresh token of a session, as after a theft (`RevokeTokenFamily`).
  mutating func revokeRefreshTokens(of session: UUID, at now: Date) {
    for token in sessions[session]?.refreshTokens ?? [] where refreshTokens[token]?.isRevoked == false {
      refreshTokens[token]?.isRevoked = true
      refreshTokens[token]?.updatedAt = now
    }
  }

  /// Ends the sessions of a user.
  mutating func endSessions(of user: UUID, except kept: UUID? = nil) {
    for session in sessions.values where session.userID == user && session.id != kept { end(session.id) }
  }

  mutating func end(_ session: UUID) {
    for token in sessions.removeValue(forKey: session)?.refreshTokens ?? [] { refreshTokens[token] = nil }
  }

  /// Removes expired tokens, once as many have been issued as were left the last time.
  private mutating func forgetExpiredTokens(at second: Int64) {
    tokensUntilTidying -= 1
    guard tokensUntilTidying <= 0 else { return }
    accessTokens = accessTokens.mapValues { $0.filter { $0.expiresAt >= second } }.filter {
      !$0.value.isEmpty
    }
    expiredTokens = expiredTokens.filter { $0.value.expiresAt >= second }
    tokensUntilTidying = max(64, accessTokens.values.reduce(expiredTokens.count) { $0 + $1.count })
  }
}

extension AuthState {
  /// Reads a token and verifies its signature; the caller checks its expiry.
  mutating func read(_ token: String) throws(AccessToken.Refusal) -> AccessToken {
    if let known = checkedTokens[token] { return known }
    let read = try AccessToken(token, secret: secret)
    if checkedTokens.count >= 64 { checkedTokens = [:] }
    checkedTokens[token] = read
    return read
  }

  /// Returns the session and the account of a valid token (`requireAuthentication`).
  ///
  /// A token that a backend has signed itself may have no session.
  mutating func session(
    of text: String, at now: Date
  ) throws(AuthAPIError) -> (session: Session?, account: Account) {
    guard let token = try? read(text), !isExpired(token, text, at: now), let user = token.userID else {
      throw .badToken
    }
    guard let account = accounts[user] else { throw .tokenUserNotFound }
    let session = token.sessionID.flatMap { sessions[$0] }
    guard token.sessionID == nil || session?.userID == user else { throw .sessionNotFound }
    guard !account.user.isBanned(at: now) else { throw .userIsBanned }
    return (session, account)
  }

  func isExpired(_ token: AccessToken, _ text: String, at now: Date) -> Bool {
    expiredTokens[text] != nil || token.expiresAt.map { now.timeIntervalSince1970 > Double($0) } ?? false
  }

  /// Expires a token early.
  mutating func expire(_ token: IssuedToken) {
    expiredTokens[token.text] = token
    for watcher in (expiryWatchers.removeValue(forKey: token.text) ?? [:]).values { watcher.finish() }
  }

  /// Returns a stream that ends when a test expires a token early, and the id to stop watching.
  mutating func watchExpiry(of text: String) -> (watch: AsyncStream<Never>, id: Int) {
    let (stream, wake) = AsyncStream<Never>.makeStream()
    lastWatcher += 1
    if expiredTokens[text] != nil {
      wake.finish()
    } else {
      expiryWatchers[text, default: [:]][lastWatcher] = wake
    }
    return (stream, lastWatcher)
  }

  mutating func stopWatchingExpiry(of text: String, _ id: Int) {
    expiryWatchers[text]?[id] = nil
    if expiryWatchers[text]?.isEmpty == true { expiryWatchers[text] = nil }
  }
}

import Foundation
import Understudy
import UnderstudyHTTP

extension SeededGenerator {
  /// Returns the next version 4 UUID.
  mutating func nextUUID() -> UUID {
    guard let id = UUID(uuidString: nextUUIDString()) else {
      preconditionFailure("A generated UUID is in its canonical form.")
    }
    return id
  }
}

/// The state of an auth server.
struct AuthState {
  struct Account {
    var user: AuthUser
    /// The password, which is not hashed, because the accounts of a double are fictitious; `nil` without one.
    var password: String?
  }

  struct Session {
    let id: UUID
    let userID: UUID
    /// The refresh tokens of the session, in the order of their creation.
    var refreshTokens: [String] = []
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

  var accounts: [String: Account] = [:]
  var emails: [UUID: String] = [:]
  var sessions: [UUID: Session] = [:]
  /// The access tokens of each user, whose sessions may have ended.
  var accessTokens: [UUID: [IssuedToken]] = [:]
  /// The refresh tokens, including used ones, while their session lasts.
  var refreshTokens: [String: RefreshToken] = [:]
  /// The tokens that a test has expired early.
  var expiredTokens: [String: IssuedToken] = [:]
  /// The number of tokens that may be issued before expired ones are removed.
  private var tokensUntilTidying = 64
  /// The tokens with a verified signature, so that each is verified only once.
  var checkedTokens: [String: AccessToken] = [:]
  var secret: [UInt8]
  var generator: SeededGenerator
  var limitedRequests = 0
  var retryAfter: Duration?
  /// The number of requested exchanges of refresh tokens.
  var exchanges = 0 {
    didSet { exchangeWatchers.update(exchanges) }
  }
  var exchangeWatchers = CountWatchers()
  /// The streams that end when a test expires a token early.
  private var expiryWatchers: [String: [Int: AsyncStream<Never>.Continuation]] = [:]
  private var lastWatcher = 0

  init(seed: UInt64, secret: String) {
    // So that identifiers differ from those of a database with the same seed.
    generator = SeededGenerator(seed: seed ^ 0x5A17_0A07_5E55_1055)
    // The first draw was once the secret. It is skipped, so that ids remain those of existing recordings.
    _ = generator.nextUUIDString()
    self.secret = Array(secret.utf8)
  }

  mutating func nextID() -> UUID {
    generator.nextUUID()
  }

  func account(of user: UUID) -> Account? {
    emails[user].flatMap { accounts[$0] }
  }

  /// - Throws: 429 while requests are limited.
  mutating func countRequest() throws(AuthAPIError) {
    guard limitedRequests > 0 else { return }
    limitedRequests -= 1
    throw .rateLimit(retryAfter: retryAfter)
  }

  /// Issues new tokens for a session, which begins if it is new.
  ///
  /// - Parameters:
  ///   - parent: The refresh token that is exchanged, which becomes used.
  ///   - active: A refresh token to return again instead of a new one.
  mutating func issueTokens(
    for session: UUID, of user: AuthUser, parent: String? = nil, active: String? = nil, at now: Date,
    lifetime: Int64
  ) -> AuthSession {
    let second = Int64(max(-1e15, min(1e15, now.timeIntervalSince1970.rounded(.down))))
    let expiresAt = second + lifetime
    let text = AccessToken.signed(
      AccessToken.claims(
        of: user, session: session, issuedAt: second, expiresAt: expiresAt, id: generator.nextUUIDString()),
      with: secret)
    let refreshToken =
      active ?? String(generator.nextUUIDString().filter { $0 != "-" }.prefix(24))
    if active == nil {
      if let parent {
        refreshTokens[parent]?.isRevoked = true
        refreshTokens[parent]?.updatedAt = now
      }
      refreshTokens[refreshToken] = RefreshToken(session: session, parent: parent, updatedAt: now)
      sessions[session, default: Session(id: session, userID: user.id)].refreshTokens.append(refreshToken)
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

  /// Reads a token and verifies its signature; the caller checks its expiry.
  mutating func read(_ token: String) throws(AccessToken.Refusal) -> AccessToken {
    if let known = checkedTokens[token] { return known }
    let read = try AccessToken(token, secret: secret)
    if checkedTokens.count >= 64 { checkedTokens = [:] }
    checkedTokens[token] = read
    return read
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

  /// Expires a token early.
  mutating func expire(_ token: IssuedToken) {
    expiredTokens[token.text] = token
    for watcher in (expiryWatchers.removeValue(forKey: token.text) ?? [:]).values { watcher.finish() }
  }

  func isExpired(_ token: AccessToken, _ text: String, at now: Date) -> Bool {
    expiredTokens[text] != nil || token.expiresAt.map { now.timeIntervalSince1970 > Double($0) } ?? false
  }
}

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
    let user: AuthUser
    /// The password, which is not hashed, because the accounts of a double are fictitious.
    let password: String
    var isBanned = false
  }

  struct Session {
    let id: UUID
    let userID: UUID
    /// The valid refresh token; `nil` after a used one was presented again.
    var refreshToken: String?
    /// All refresh tokens of the session, including used ones.
    var refreshTokens: [String] = []
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
  /// The session of each refresh token, including used ones, while the session lasts.
  var refreshTokens: [String: UUID] = [:]
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

  init(seed: UInt64) {
    // So that identifiers differ from those of a database with the same seed.
    generator = SeededGenerator(seed: seed ^ 0x5A17_0A07_5E55_1055)
    secret = Array(generator.nextUUIDString().utf8)
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

  /// Issues new tokens for a session; its previous refresh token becomes used.
  mutating func issueTokens(for session: UUID, of user: AuthUser, at now: Date, lifetime: Int64)
    -> AuthSession
  {
    let second = Int64(max(-1e15, min(1e15, now.timeIntervalSince1970.rounded(.down))))
    let token = AccessToken(
      userID: user.id, sessionID: session, email: user.email, issuedAt: second, expiresAt: second + lifetime)
    let text = token.signed(with: secret, id: generator.nextUUIDString())
    let refreshToken = String(generator.nextUUIDString().filter { $0 != "-" }.prefix(24))
    refreshTokens[refreshToken] = session
    var own = sessions.removeValue(forKey: session) ?? Session(id: session, userID: user.id)
    own.refreshToken = refreshToken
    own.refreshTokens.append(refreshToken)
    sessions[session] = own
    forgetExpiredTokens(at: second)
    accessTokens[user.id, default: []].append(IssuedToken(text: text, expiresAt: token.expiresAt))
    return AuthSession(
      accessToken: text, refreshToken: refreshToken,
      expiresAt: Date(timeIntervalSince1970: Double(token.expiresAt)), lifetime: .seconds(lifetime),
      user: user)
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
    expiredTokens[text] != nil || now.timeIntervalSince1970 > Double(token.expiresAt)
  }
}

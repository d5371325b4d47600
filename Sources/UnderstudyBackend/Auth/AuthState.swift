import Foundation
import UnderstudyPrimitives
import UnderstudyTransport

/// Everything that an auth server knows.
struct AuthState {
  struct Account {
    let user: AuthUser
    /// Not kept as a hash: the accounts of a double are made up.
    let password: String
    var isBanned = false
  }

  struct Session {
    let id: UUID
    let userID: UUID
    /// The one refresh token that is good; `nil` after one that was used came again.
    var refreshToken: String?
  }

  var accounts: [String: Account] = [:]
  var emails: [UUID: String] = [:]
  var sessions: [UUID: Session] = [:]
  /// The access tokens that were issued to each user, whose sessions may have ended.
  var accessTokens: [UUID: [String]] = [:]
  /// The session of each refresh token, used or not, while the session lasts.
  var refreshTokens: [String: UUID] = [:]
  /// Tokens that a test has let expire before their time.
  var expiredTokens: Set<String> = []
  /// Tokens whose signature has been checked, so that it is checked once.
  var checkedTokens: [String: AccessToken] = [:]
  var secret: [UInt8]
  var generator: SeededGenerator
  var limitedRequests = 0
  var retryAfter: Duration?
  /// How many exchanges of refresh tokens were asked for.
  var exchanges = 0

  init(seed: UInt64) {
    // Other identifiers than a database's with the same seed.
    generator = SeededGenerator(seed: seed ^ 0x5A17_0A07_5E55_1055)
    secret = Array(generator.nextUUIDString().utf8)
  }

  mutating func nextID() -> UUID {
    UUID(uuidString: generator.nextUUIDString()) ?? UUID()
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

  /// New tokens for a session; its refresh token is used up.
  mutating func issueTokens(for session: UUID, of user: AuthUser, at now: Date, lifetime: Int64)
    -> AuthSession
  {
    let second = Int64(max(-1e15, min(1e15, now.timeIntervalSince1970.rounded(.down))))
    let token = AccessToken(
      userID: user.id, sessionID: session, email: user.email, issuedAt: second, expiresAt: second + lifetime)
    let text = token.signed(with: secret, id: generator.nextUUIDString())
    let refreshToken = String(generator.nextUUIDString().filter { $0 != "-" }.prefix(24))
    refreshTokens[refreshToken] = session
    sessions[session, default: Session(id: session, userID: user.id)].refreshToken = refreshToken
    accessTokens[user.id, default: []].append(text)
    return AuthSession(
      accessToken: text, refreshToken: refreshToken,
      expiresAt: Date(timeIntervalSince1970: Double(token.expiresAt)), lifetime: .seconds(lifetime),
      user: user)
  }

  mutating func end(_ session: UUID) {
    sessions[session] = nil
    refreshTokens = refreshTokens.filter { $0.value != session }
  }

  /// Reads a token and checks its signature; the time is the caller's matter.
  mutating func read(_ token: String) throws(AccessToken.Refusal) -> AccessToken {
    if let known = checkedTokens[token] { return known }
    let read = try AccessToken(token, secret: secret)
    if checkedTokens.count >= 64 { checkedTokens = [:] }
    checkedTokens[token] = read
    return read
  }

  func isExpired(_ token: AccessToken, _ text: String, at now: Date) -> Bool {
    expiredTokens.contains(text) || now.timeIntervalSince1970 > Double(token.expiresAt)
  }
}

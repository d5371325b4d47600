public import Foundation
public import Understudy
import UnderstudyHTTP

/// An auth server in memory, with the rules and errors of Supabase Auth (GoTrue).
///
/// Access tokens are JSON Web Tokens that expire on the injected `Time`. A refresh token is exchanged for the next one.
/// It can be used again for ten seconds, and later as long as the next one is not used: then it returns that one, as
/// for a client that lost the answer. Any later use is refused and revokes the session's refresh tokens, as after a
/// theft (`RefreshTokenGrant`). When a session ends, its access tokens remain valid until they expire, as in the real
/// service, which does not check them against the auth server.
public final class AuthServer: Sendable {
  /// The secret with which a project of `supabase start` signs its tokens and keys.
  public static let localJWTSecret: String = "super-secret-jwt-token-with-at-least-32-characters-long"
  /// The time for which a refresh token can be used again (`refresh_token_reuse_interval` in `supabase/config.toml`).
  private static let reuseInterval: TimeInterval = 10

  let state: Locked<AuthState>
  let database: InMemoryDatabase
  let time: Time
  private let lifetime: Int64

  /// Creates an auth server without accounts.
  ///
  /// - Parameters:
  ///   - database: The database whose table `auth.users` contains the users, for foreign keys.
  ///   - seed: The seed of identifiers and tokens.
  ///   - time: The clock for the expiry of tokens.
  ///   - tokenLifetime: The lifetime of an access token, truncated to whole seconds.
  ///   - jwtSecret: The secret with which tokens are signed. A token that is signed with it elsewhere is valid too.
  public init(
    database: InMemoryDatabase, seed: UInt64 = 0, time: Time = .system,
    tokenLifetime: Duration = .seconds(3600), jwtSecret: String = AuthServer.localJWTSecret
  ) {
    self.database = database
    self.time = time
    // A thousand years, which cannot overflow.
    lifetime = max(0, min(31_556_952_000, tokenLifetime.components.seconds))
    state = Locked(AuthState(seed: seed, secret: jwtSecret))
  }

  /// Creates an account with a confirmed address and returns its id.
  ///
  /// - Parameters:
  ///   - id: The id; `nil` generates one.
  ///   - email: The address, which is stored in lowercase.
  ///   - password: The password.
  /// - Throws: 23505 if an account with the id or the address exists, and the other errors of the database.
  @discardableResult
  public func addUser(id: UUID? = nil, email: String, password: String) throws(PostgRESTError) -> UUID {
    try addUser(id: id, email: email, password: password, data: []).id
  }

  /// Creates an account.
  ///
  /// - Parameters:
  ///   - password: The password; `nil` for an account that cannot sign in with one.
  ///   - data: The user's metadata.
  ///   - isConfirmed: Whether the address is confirmed.
  /// - Throws: The errors of the public function.
  func addUser(
    id: UUID? = nil, email: String, password: String?, data: [JSONValue.Member], isConfirmed: Bool = true
  ) throws(PostgRESTError) -> AuthUser {
    let id = id ?? state.withLock { $0.nextID() }
    let email = email.lowercased()
    try database.insert(["id": .uuid(id), "email": .text(email)], into: "auth.users")
    let now = time.now
    return state.withLock { state in
      let user = AuthUser(
        id: id, email: email, identity: Self.identity(of: id), data: data, isConfirmed: isConfirmed, at: now)
      state.accounts[email] = AuthState.Account(user: user, password: password)
      state.emails[id] = email
      return user
    }
  }

  /// Returns the id of a user's identity, which is not drawn, so that the ids of other things do not depend on it.
  private static func identity(of user: UUID) -> UUID {
    var bytes = Array(SHA256.hash("identity:\(user.uuidString)".utf8).prefix(16))
    (bytes[6], bytes[8]) = (bytes[6] & 0x0F | 0x40, bytes[8] & 0x3F | 0x80)
    let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { SHA256.hexadecimal(bytes[$0]) }
    guard let id = UUID(uuidString: parts.joined(separator: "-")) else {
      preconditionFailure("Sixteen bytes are a UUID.")
    }
    return id
  }

  /// Starts a session.
  ///
  /// - Throws: `invalid_credentials` for an unknown address and for a wrong password; `user_banned`;
  ///   `email_not_confirmed`; `over_request_rate_limit`.
  package func signIn(email: String, password: String) throws(AuthAPIError) -> AuthSession {
    let now = time.now
    return try state.withLock { [lifetime] (state) throws(AuthAPIError) in
      try state.countRequest()
      let email = email.lowercased()
      guard var user = state.accounts[email]?.user, let own = state.accounts[email]?.password else {
        throw .invalidCredentials
      }
      // In the order of `ResourceOwnerPasswordGrant`.
      guard !user.isBanned(at: now) else { throw .userBanned }
      guard own == password else { throw .invalidCredentials }
      guard user.confirmedAt != nil else { throw .emailNotConfirmed }
      user.lastSignInAt = now
      user.updatedAt = now
      state.accounts[email]?.user = user
      let session = state.nextID()
      return state.issueTokens(for: session, of: user, at: now, lifetime: lifetime)
    }
  }

  /// Exchanges a refresh token for new tokens of the same session.
  ///
  /// - Throws: `refresh_token_not_found` for one that is unknown or whose session has ended;
  ///   `refresh_token_already_used`; `user_banned`; `over_request_rate_limit`.
  package func refresh(_ refreshToken: String) throws(AuthAPIError) -> AuthSession {
    let now = time.now
    return try state.withLock { [lifetime] (state) throws(AuthAPIError) in
      state.exchanges += 1
      try state.countRequest()
      guard let token = state.refreshTokens[refreshToken], let session = state.sessions[token.session],
        let user = state.account(of: session.userID)?.user
      else { throw .refreshTokenNotFound }
      guard !user.isBanned(at: now) else { throw .bannedRefresh }
      if token.isRevoked {
        if let active = state.activeRefreshToken(of: session.id),
          state.refreshTokens[active]?.parent == refreshToken
        {
          return state.issueTokens(for: session.id, of: user, active: active, at: now, lifetime: lifetime)
        }
        guard now <= token.updatedAt.addingTimeInterval(Self.reuseInterval) else {
          state.revokeRefreshTokens(of: session.id, at: now)
          throw .refreshTokenAlreadyUsed
        }
      }
      return state.issueTokens(
        for: session.id, of: user, parent: refreshToken, at: now, lifetime: lifetime)
    }
  }

  /// Returns the user of a token.
  ///
  /// - Throws: `bad_jwt` for an expired or unknown token; `session_not_found` once the session
  ///   has ended; `over_request_rate_limit`.
  package func user(for accessToken: String) throws(AuthAPIError) -> AuthUser {
    let now = time.now
    return try state.withLock { (state) throws(AuthAPIError) in
      try state.countRequest()
      return try state.session(of: accessToken, at: now).account.user
    }
  }

  /// Changes of an account.
  struct Changes {
    var email: String?
    var password: String?
    var userMetadata: [JSONValue.Member] = []
    var appMetadata: [JSONValue.Member] = []
    var isConfirmed = false
    /// The time for which the user is banned; zero lifts the ban.
    var ban: Duration?
  }

  /// Changes the account of a token's user (`UserUpdate`); another password ends the other sessions.
  ///
  /// - Throws: The errors of ``user(for:)``; `same_password`.
  func updateUser(for accessToken: String, _ changes: Changes) throws(AuthAPIError) -> AuthUser {
    let now = time.now
    return try state.withLock { (state) throws(AuthAPIError) in
      try state.countRequest()
      let (session, account) = try state.session(of: accessToken, at: now)
      if let password = changes.password, password == account.password { throw .samePassword }
      return state.change(account.user.id, changes, keeping: session, at: now)
    }
  }

  /// Changes an account on behalf of the backend (`adminUserUpdate`); another password ends every session.
  ///
  /// - Throws: `user_not_found`; `unexpected_failure` if the address is that of another account.
  func updateUser(_ id: UUID, _ changes: Changes) throws(AuthAPIError) -> AuthUser {
    let old = try user(id)
    if let email = changes.email?.lowercased(), email != old.email {
      do throws(PostgRESTError) {
        try database.update("auth.users", set: ["email": .text(email)], where: .equals("id", .uuid(id)))
      } catch {
        throw AuthAPIError(status: 500, code: "unexpected_failure", message: "Error updating user")
      }
    }
    let now = time.now
    return state.withLock { $0.change(id, changes, keeping: nil, at: now) }
  }

  /// The accounts, the newest first.
  var users: [AuthUser] {
    state.withLock { $0.accounts.values.map(\.user) }
      .sorted { ($1.createdAt, $1.id.uuidString) < ($0.createdAt, $0.id.uuidString) }
  }

  /// The sessions that signing out ends.
  package enum SignOutScope: String, Sendable, Hashable {
    /// All sessions of the user.
    case global
    /// The session of the token.
    case local
    /// All sessions of the user except that of the token.
    case others
  }

  /// Ends sessions.
  ///
  /// - Throws: The errors of ``user(for:)``.
  package func signOut(_ accessToken: String, scope: SignOutScope = .global) throws(AuthAPIError) {
    let now = time.now
    try state.withLock { (state) throws(AuthAPIError) in
      try state.countRequest()
      let (session, account) = try state.session(of: accessToken, at: now)
      for (id, other) in state.sessions where other.userID == account.user.id {
        if scope == .global || (scope == .local) == (id == session) { state.end(id) }
      }
    }
  }

  /// Returns the role that a token grants at the database, by the rules of PostgREST, which does not call the auth
  /// server.
  ///
  /// - Throws: PGRST301 for an invalid token or one that was signed with another secret; PGRST303 once it has
  ///   expired.
  package func role(for accessToken: String) throws(PostgRESTError) -> DatabaseRole {
    let now = time.now
    return try state.withLock { (state) throws(PostgRESTError) in
      let token: AccessToken
      do throws(AccessToken.Refusal) {
        token = try state.read(accessToken)
      } catch {
        switch error {
        case .parts(let count): throw .malformedToken("Expected 3 parts in JWT; got \(count)")
        case .signature: throw .unverifiedToken
        case .claims: throw .malformedClaims
        }
      }
      guard !state.isExpired(token, accessToken, at: now) else { throw .tokenExpired }
      guard let role = token.databaseRole else {
        throw PostgRESTError(code: "22023", message: "role \"\(token.role)\" does not exist")
      }
      return role
    }
  }
}

extension AccessToken {
  /// The role at the database; `nil` for one that no project has.
  var databaseRole: DatabaseRole? {
    switch role {
    case "anon": .anonymous
    case "service_role": .service
    case "authenticated": userID.map { .user($0) }
    default: nil
    }
  }
}

extension AuthState {
  /// Returns the session and the account of a valid token.
  fileprivate mutating func session(
    of text: String, at now: Date
  ) throws(AuthAPIError) -> (id: UUID, account: Account) {
    guard let token = try? read(text), !isExpired(token, text, at: now), token.userID != nil else {
      throw .badToken
    }
    guard let id = token.sessionID, let session = sessions[id], let account = account(of: session.userID)
    else { throw .sessionNotFound }
    guard !account.user.isBanned(at: now) else { throw .userIsBanned }
    return (session.id, account)
  }

  /// Changes an account and returns it.
  ///
  /// - Parameter session: The session that another password does not end.
  fileprivate mutating func change(
    _ id: UUID, _ changes: AuthServer.Changes, keeping session: UUID?, at now: Date
  ) -> AuthUser {
    guard let old = emails[id], var account = accounts[old] else {
      preconditionFailure("An account is looked up before it is changed.")
    }
    account.user.updatedAt = now
    if changes.isConfirmed { account.user.confirm(at: now) }
    if let email = changes.email?.lowercased() {
      accounts[old] = nil
      emails[id] = email
      account.user.email = email
      account.user.identity.data = account.user.identity.data.merging([
        .init("email", .string(email)), .init("email_verified", .boolean(changes.isConfirmed)),
      ])
    }
    account.user.userMetadata = account.user.userMetadata.merging(changes.userMetadata)
    account.user.appMetadata = account.user.appMetadata.merging(changes.appMetadata)
    if let ban = changes.ban {
      account.user.bannedUntil = ban == .zero ? nil : now.addingTimeInterval(ban / .seconds(1))
    }
    if let password = changes.password {
      account.password = password
      endSessions(of: id, except: session)
    }
    accounts[account.user.email] = account
    return account.user
  }
}

/// The result of signing in or refreshing.
package struct AuthSession: Sendable, Hashable {
  /// A JSON Web Token that identifies the caller until `expiresAt`.
  package let accessToken: String
  /// The refresh token, which can be exchanged for the next tokens.
  package let refreshToken: String
  /// The last second in which the access token is valid.
  package let expiresAt: Date
  /// The remaining lifetime of the access token.
  package let lifetime: Duration
  /// The signed-in user.
  package let user: AuthUser
}

/// Conditions that only a test can create.
extension AuthServer {
  /// Returns the user with an id.
  ///
  /// - Throws: `user_not_found`.
  package func user(_ id: UUID) throws(AuthAPIError) -> AuthUser {
    guard let account = state.withLock({ $0.account(of: id) }) else { throw .userNotFound }
    return account.user
  }

  /// The number of requested exchanges of refresh tokens, including refused ones.
  package var exchangeCount: Int {
    state.withLock { $0.exchanges }
  }

  /// Returns once `count` exchanges of refresh tokens have been requested, or the task is cancelled.
  package func waitForExchanges(_ count: Int) async {
    let watch = state.withLock { state in
      state.exchangeWatchers.add(for: max(count, state.exchanges), now: state.exchanges)
    }
    for await _ in watch {}
  }

  /// Returns the number of open sessions of a user.
  package func sessionCount(of user: UUID) -> Int {
    state.withLock { state in state.sessions.values.count { $0.userID == user } }
  }

  /// Ends every session of a user: their refresh tokens become invalid.
  public func endSessions(of user: UUID) {
    state.withLock { $0.endSessions(of: user) }
  }

  /// Expires the current access tokens of a user, without advancing the time.
  ///
  /// Their sessions remain open, so that a refresh returns new ones; see also ``endSessions(of:)``.
  public func expireAccessTokens(of user: UUID) {
    state.withLock { state in
      for token in state.accessTokens.removeValue(forKey: user) ?? [] {
        state.expire(token)
      }
    }
  }

  /// Changes the signing secret, so that earlier access tokens become invalid.
  package func rotateSigningSecret() {
    state.withLock { state in
      state.secret = Array(state.generator.nextUUIDString().utf8)
      state.checkedTokens = [:]
    }
  }

  /// Refuses the next requests with `over_request_rate_limit`.
  ///
  /// - Parameters:
  ///   - count: The number of requests; 0 accepts all.
  ///   - delay: The value of `Retry-After`, rounded up to whole seconds, at most a day; `nil` omits it.
  public func limitRequests(_ count: Int, retryAfter delay: Duration? = nil) {
    state.withLock {
      $0.limitedRequests = max(0, count)
      $0.retryAfter = delay
    }
  }

  /// Bans a user, or lifts the ban.
  ///
  /// A banned user can neither sign in nor refresh.
  public func setBanned(_ isBanned: Bool, user: UUID) {
    // A hundred years, as in Supabase's documentation.
    let end = time.now.addingTimeInterval(3_155_760_000)
    state.withLock { state in
      guard let email = state.emails[user] else { return }
      state.accounts[email]?.user.bannedUntil = isBanned ? end : nil
    }
  }

  /// Removes an account with its sessions; rows that refer to the user are handled by their foreign keys.
  ///
  /// - Throws: 23503 if a row refers to the user and its foreign key has no action; then nothing is removed.
  public func removeUser(_ user: UUID) throws(PostgRESTError) {
    try database.delete(from: "auth.users", where: .equals("id", .uuid(user)))
    state.withLock { state in
      state.endSessions(of: user)
      if let email = state.emails.removeValue(forKey: user) { state.accounts[email] = nil }
    }
  }
}

extension AuthServer {
  /// Waits until an access token is no longer valid, by its time or because a test expired it.
  ///
  /// Returns at once for an invalid token. An immediate clock does not advance for this.
  ///
  /// - Throws: `CancellationError`.
  package func waitForExpiry(of accessToken: String) async throws {
    while let grant = try? grant(for: accessToken) {
      try await waitForExpiry(of: accessToken, grant, atMost: .seconds(3600))
    }
    try Task.checkCancellation()
  }

  /// The rights that a verified token grants.
  struct Grant: Sendable {
    let role: DatabaseRole
    /// The date of expiry; `nil` for the keys of the project, which do not expire.
    let expiresAt: Date?
  }

  /// The reason why a token is refused, by the rules of a server that counts the second of its expiry as expired.
  enum GrantRefusal: Error, Hashable {
    case malformed
    case signature
    case expired(secondsAgo: Int64)
  }

  /// Checks a token.
  func grant(for accessToken: String) throws(GrantRefusal) -> Grant {
    let second = Int64(max(-1e15, min(1e15, time.now.timeIntervalSince1970.rounded(.down))))
    return try state.withLock { (state) throws(GrantRefusal) in
      let token: AccessToken
      do throws(AccessToken.Refusal) {
        token = try state.read(accessToken)
      } catch {
        switch error {
        case .signature: throw .signature
        case .parts, .claims: throw .malformed
        }
      }
      let expiresAt = token.expiresAt ?? .max
      if state.expiredTokens[accessToken] != nil || second >= expiresAt {
        throw .expired(secondsAgo: max(0, second - expiresAt))
      }
      guard let role = token.databaseRole else { throw .malformed }
      return Grant(role: role, expiresAt: token.expiresAt.map { Date(timeIntervalSince1970: Double($0)) })
    }
  }

  /// Waits until a token expires, at most for `limit`.
  ///
  /// - Throws: `CancellationError`.
  func waitForExpiry(of accessToken: String, _ grant: Grant, atMost limit: Duration) async throws {
    guard let expiry = grant.expiresAt else { return try await time.sleep(inBackgroundFor: limit) }
    let left = Duration.seconds(max(0, expiry.timeIntervalSince(time.now)))
    let (watch, id) = state.withLock { $0.watchExpiry(of: accessToken) }
    defer { state.withLock { $0.stopWatchingExpiry(of: accessToken, id) } }
    do {
      try await time.withTimeout(min(limit, left)) { for await _ in watch {} }
    } catch is TimeoutError {
    }
    try Task.checkCancellation()
  }
}

extension AuthServer {
  /// Returns a token with these claims, signed with the project's secret.
  func signed(_ claims: JSONValue) -> String {
    state.withLock { AccessToken.signed(claims, with: $0.secret) }
  }

  /// Returns the claims of a token that is signed with the project's secret; it may have expired.
  func claims(of token: String) throws(AccessToken.Refusal) -> JSONValue {
    try state.withLock { (state) throws(AccessToken.Refusal) in
      try AccessToken.claims(of: token, secret: state.secret)
    }
  }
}

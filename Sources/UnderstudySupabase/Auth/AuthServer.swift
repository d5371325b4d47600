public import Foundation
public import Understudy
import UnderstudyHTTP

/// An auth server in memory, with the rules and errors of Supabase Auth (GoTrue).
///
/// Access tokens are JSON Web Tokens that expire on the injected `Time`. A refresh token can be used for one
/// exchange. A second use is refused and revokes the current refresh token of the session, as after a theft. When
/// a session ends, its access tokens remain valid until they expire, as in the real service, which does not check them
/// against the auth server.
public final class AuthServer: Sendable {
  let state: Locked<AuthState>
  let database: InMemoryDatabase
  let time: Time
  private let lifetime: Int64

  /// Creates an auth server without accounts.
  ///
  /// - Parameters:
  ///   - database: The database whose table `auth.users` contains the users, for foreign keys.
  ///   - seed: The seed of identifiers, tokens and the signing secret.
  ///   - time: The clock for the expiry of tokens.
  ///   - tokenLifetime: The lifetime of an access token, truncated to whole seconds.
  public init(
    database: InMemoryDatabase, seed: UInt64 = 0, time: Time = .system,
    tokenLifetime: Duration = .seconds(3600)
  ) {
    self.database = database
    self.time = time
    // A thousand years, which cannot overflow.
    lifetime = max(0, min(31_556_952_000, tokenLifetime.components.seconds))
    state = Locked(AuthState(seed: seed))
  }

  /// Creates an account and returns its id.
  ///
  /// - Parameters:
  ///   - id: The id; `nil` generates one.
  ///   - email: The address, which is stored in lowercase.
  ///   - password: The password.
  /// - Throws: 23505 if an account with the id or the address exists, and the other errors of the database.
  @discardableResult
  public func addUser(id: UUID? = nil, email: String, password: String) throws(PostgRESTError) -> UUID {
    let id = id ?? state.withLock { $0.nextID() }
    let email = email.lowercased()
    try database.insert(["id": .uuid(id), "email": .text(email)], into: "auth.users")
    let user = AuthUser(id: id, email: email, createdAt: time.now)
    state.withLock {
      $0.accounts[email] = AuthState.Account(user: user, password: password)
      $0.emails[id] = email
    }
    return id
  }

  /// Starts a session.
  ///
  /// - Throws: `invalid_credentials` for an unknown address and for a wrong password; `user_banned`;
  ///   `over_request_rate_limit`.
  package func signIn(email: String, password: String) throws(AuthAPIError) -> AuthSession {
    let now = time.now
    return try state.withLock { [lifetime] (state) throws(AuthAPIError) in
      try state.countRequest()
      guard let account = state.accounts[email.lowercased()], account.password == password else {
        throw .invalidCredentials
      }
      guard !account.isBanned else { throw .userBanned }
      let session = state.nextID()
      return state.issueTokens(for: session, of: account.user, at: now, lifetime: lifetime)
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
      guard let id = state.refreshTokens[refreshToken], let session = state.sessions[id],
        let account = state.account(of: session.userID)
      else { throw .refreshTokenNotFound }
      guard !account.isBanned else { throw .userBanned }
      guard session.refreshToken == refreshToken else {
        state.sessions[id]?.refreshToken = nil
        throw .refreshTokenAlreadyUsed
      }
      return state.issueTokens(for: id, of: account.user, at: now, lifetime: lifetime)
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
      return .user(token.userID)
    }
  }
}

extension AuthState {
  /// Returns the session and the account of a valid token.
  fileprivate mutating func session(
    of text: String, at now: Date
  ) throws(AuthAPIError) -> (id: UUID, account: Account) {
    guard let token = try? read(text), !isExpired(token, text, at: now) else { throw .badToken }
    guard let session = sessions[token.sessionID], let account = account(of: session.userID) else {
      throw .sessionNotFound
    }
    return (session.id, account)
  }
}

/// An account.
package struct AuthUser: Sendable, Hashable, Identifiable {
  /// The value of `auth.uid()` in policies.
  package let id: UUID
  /// The address, in lower case.
  package let email: String
  /// The creation date.
  package let createdAt: Date
}

/// The result of signing in or refreshing.
package struct AuthSession: Sendable, Hashable {
  /// A JSON Web Token that identifies the caller until `expiresAt`.
  package let accessToken: String
  /// The refresh token, which can be exchanged once for the next session.
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
    state.withLock { state in
      for session in state.sessions.values where session.userID == user { state.end(session.id) }
    }
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
    state.withLock { state in
      guard let email = state.emails[user] else { return }
      state.accounts[email]?.isBanned = isBanned
    }
  }

  /// Removes an account with its sessions; rows that refer to the user are handled by their foreign keys.
  ///
  /// - Throws: 23503 if a row refers to the user and its foreign key has no action; then nothing is removed.
  public func removeUser(_ user: UUID) throws(PostgRESTError) {
    try database.delete(from: "auth.users", where: .equals("id", .uuid(user)))
    state.withLock { state in
      for session in state.sessions.values where session.userID == user { state.end(session.id) }
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
      if state.expiredTokens[accessToken] != nil || second >= token.expiresAt {
        throw .expired(secondsAgo: max(0, second - token.expiresAt))
      }
      return Grant(
        role: .user(token.userID), expiresAt: Date(timeIntervalSince1970: Double(token.expiresAt)))
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

public import Foundation
public import Understudy
import UnderstudyHTTP

/// Accounts, sessions and tokens in memory, with the rules and refusals of Supabase Auth (GoTrue).
///
/// Access tokens are JSON Web Tokens that expire on the injected `Time`. A refresh token is good for one
/// exchange; when it comes again it is refused and its session's other one with it, as after a theft. What
/// ends a session leaves the access tokens good until they expire, as for real: nobody asks the auth server
/// about them.
public final class AuthServer: Sendable {
  let state: Locked<AuthState>
  let database: InMemoryDatabase
  let time: Time
  private let lifetime: Int64

  /// An auth server without accounts.
  ///
  /// - Parameters:
  ///   - database: Where the users become rows of `auth.users`, which foreign keys refer to.
  ///   - seed: What identifiers, tokens and the signing secret come from.
  ///   - tokenLifetime: How long an access token holds; kept to whole seconds.
  public init(
    database: InMemoryDatabase, seed: UInt64 = 0, time: Time = .system,
    tokenLifetime: Duration = .seconds(3600)
  ) {
    self.database = database
    self.time = time
    // A thousand years are enough, and cannot overflow.
    lifetime = max(0, min(31_556_952_000, tokenLifetime.components.seconds))
    state = Locked(AuthState(seed: seed))
  }

  /// Makes an account and returns its id.
  ///
  /// - Parameter id: `nil` generates one.
  /// - Throws: 23505 if the id or the address has an account, and what the database refuses with.
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
  /// - Throws: `invalid_credentials` for an unknown address as for a wrong password; `user_banned`;
  ///   `over_request_rate_limit`.
  public func signIn(email: String, password: String) throws(AuthAPIError) -> AuthSession {
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
  public func refresh(_ refreshToken: String) throws(AuthAPIError) -> AuthSession {
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

  /// Whose token it is.
  ///
  /// - Throws: `bad_jwt` for one that is expired or not this server's; `session_not_found` once the session
  ///   has ended; `over_request_rate_limit`.
  public func user(for accessToken: String) throws(AuthAPIError) -> AuthUser {
    let now = time.now
    return try state.withLock { (state) throws(AuthAPIError) in
      try state.countRequest()
      return try state.session(of: accessToken, at: now).account.user
    }
  }

  /// Which sessions signing out ends.
  public enum SignOutScope: String, Sendable, Hashable {
    /// All of the user's.
    case global
    /// The token's.
    case local
    /// All of the user's but the token's.
    case others
  }

  /// Ends sessions.
  ///
  /// - Throws: As ``user(for:)``.
  public func signOut(_ accessToken: String, scope: SignOutScope = .global) throws(AuthAPIError) {
    let now = time.now
    try state.withLock { (state) throws(AuthAPIError) in
      try state.countRequest()
      let (session, account) = try state.session(of: accessToken, at: now)
      for (id, other) in state.sessions where other.userID == account.user.id {
        if scope == .global || (scope == .local) == (id == session) { state.end(id) }
      }
    }
  }

  /// The role that a token gives at the database, by the rules of PostgREST, which asks no auth server.
  ///
  /// - Throws: PGRST301 for a token that cannot be read or was signed with another secret; PGRST303 once its
  ///   time is over.
  public func role(for accessToken: String) throws(PostgRESTError) -> DatabaseRole {
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
  /// The session and the account of a token that is still good.
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

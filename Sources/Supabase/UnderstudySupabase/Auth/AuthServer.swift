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
///
/// Mails and text messages are kept in ``messages`` in place of being sent. Their codes depend on the seed.
public final class AuthServer: Sendable {
  /// The secret with which a project of `supabase start` signs its tokens and keys.
  public static let localJWTSecret: String = "super-secret-jwt-token-with-at-least-32-characters-long"
  let state: Locked<AuthState>
  let settings: AuthSettings
  let time: Time

  /// Creates an auth server with the accounts of the database.
  ///
  /// A user whom the schema inserted into `auth.users`, as the seeds of projects do, signs in with the password that
  /// `crypt` hashed.
  ///
  /// - Parameters:
  ///   - database: The database whose table `auth.users` contains the users, for foreign keys.
  ///   - seed: The seed of identifiers and tokens.
  ///   - time: The clock for the expiry of tokens.
  ///   - tokenLifetime: The lifetime of an access token, truncated to whole seconds.
  ///   - jwtSecret: The secret with which tokens are signed. A token that is signed with it elsewhere is valid too.
  ///   - settings: What the project confirms and allows.
  public init(
    database: InMemoryDatabase, seed: UInt64 = 0, time: Time = .system,
    tokenLifetime: Duration = .seconds(3600), jwtSecret: String = AuthServer.localJWTSecret,
    settings: AuthSettings = AuthSettings()
  ) {
    self.settings = settings
    self.time = time
    // A thousand years, which cannot overflow.
    let lifetime = max(0, min(31_556_952_000, tokenLifetime.components.seconds))
    state = Locked(
      AuthState(seed: seed, secret: jwtSecret, lifetime: lifetime, settings: settings, database: database))
    state.withLock { $0.readUsers(at: time.now) }
  }

  /// Performs a request, which counts while requests are limited.
  func perform<Result: Sendable>(
    _ request: (_ state: inout AuthState, _ now: Date) throws(AuthAPIError) -> Result
  ) throws(AuthAPIError) -> Result {
    let now = time.now
    return try state.withLock { (state) throws(AuthAPIError) in
      try state.countRequest()
      return try request(&state, now)
    }
  }
}

/// Conditions that only a test can create.
extension AuthServer {
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
    state.withLock { $0.limitRequests(count, retryAfter: delay) }
  }

  /// Bans a user, or lifts the ban.
  ///
  /// A banned user can neither sign in nor refresh.
  public func setBanned(_ isBanned: Bool, user: UUID) {
    // A hundred years, as in Supabase's documentation.
    let end = time.now.addingTimeInterval(3_155_760_000)
    state.withLock { $0.accounts[user]?.user.bannedUntil = isBanned ? end : nil }
  }
}

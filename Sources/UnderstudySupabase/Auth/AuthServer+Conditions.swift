public import Foundation
import Understudy
import UnderstudyHTTP

/// What a test can bring about that a client cannot.
extension AuthServer {
  /// An account's user.
  ///
  /// - Throws: `user_not_found`.
  public func user(_ id: UUID) throws(AuthAPIError) -> AuthUser {
    guard let account = state.withLock({ $0.account(of: id) }) else { throw .userNotFound }
    return account.user
  }

  /// How many exchanges of refresh tokens were asked for, the refused ones among them.
  public var exchangeCount: Int {
    state.withLock { $0.exchanges }
  }

  /// Returns once so many exchanges of refresh tokens were asked for, or the task is cancelled.
  public func waitForExchanges(_ count: Int) async {
    let watch = state.withLock { state in
      state.exchangeWatchers.add(for: max(count, state.exchanges), now: state.exchanges)
    }
    for await _ in watch {}
  }

  /// How many sessions of a user go on, on how many devices.
  public func sessionCount(of user: UUID) -> Int {
    state.withLock { state in state.sessions.values.count { $0.userID == user } }
  }

  /// Ends every session of a user: no refresh token is good any more.
  public func endSessions(of user: UUID) {
    state.withLock { state in
      for session in state.sessions.values where session.userID == user { state.end(session.id) }
    }
  }

  /// Lets the access tokens of a user that were issued so far expire now, without moving time on.
  ///
  /// Their sessions go on: a refresh gives new ones, unless ``endSessions(of:)`` has seen to that.
  public func expireAccessTokens(of user: UUID) {
    state.withLock { state in
      for token in state.accessTokens.removeValue(forKey: user) ?? [] {
        state.expire(token)
      }
    }
  }

  /// Signs with another secret from now on: no access token that was issued before verifies.
  public func rotateSigningSecret() {
    state.withLock { state in
      state.secret = Array(state.generator.nextUUIDString().utf8)
      state.checkedTokens = [:]
    }
  }

  /// Refuses the next requests with `over_request_rate_limit`.
  ///
  /// - Parameters:
  ///   - count: How many; 0 refuses none.
  ///   - delay: What `Retry-After` says; `nil` says nothing.
  public func limitRequests(_ count: Int, retryAfter delay: Duration? = nil) {
    state.withLock {
      $0.limitedRequests = max(0, count)
      $0.retryAfter = delay
    }
  }

  /// Closes an account, or opens it again.
  ///
  /// A banned user can neither sign in nor refresh.
  public func setBanned(_ isBanned: Bool, user: UUID) {
    state.withLock { state in
      guard let email = state.emails[user] else { return }
      state.accounts[email]?.isBanned = isBanned
    }
  }

  /// Removes an account with its sessions; what refers to the user goes the way of its foreign key.
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

package import Foundation
import Understudy
import UnderstudyHTTP

/// Sessions: signing in with a password, refreshing and signing out.
extension AuthServer {
  /// Starts a session.
  ///
  /// - Throws: `invalid_credentials` for an unknown address and for a wrong password; `user_banned`;
  ///   `email_not_confirmed`; `over_request_rate_limit`.
  package func signIn(email: String, password: String) throws(AuthAPIError) -> AuthSession {
    try signIn(.email(email.lowercased()), password: password)
  }

  /// Starts a session with a password (`ResourceOwnerPasswordGrant`).
  ///
  /// - Throws: The errors of ``signIn(email:password:)``; `phone_not_confirmed`.
  func signIn(_ contact: Contact, password: String) throws(AuthAPIError) -> AuthSession {
    try perform { (state, now) throws(AuthAPIError) in
      guard var account = state.account(with: contact) else { throw .invalidCredentials }
      guard account.password != nil || account.passwordHash != nil else { throw .invalidCredentials }
      guard !account.user.isBanned(at: now) else { throw .userBanned }
      guard state.isPassword(password, of: account) else { throw .invalidCredentials }
      switch contact {
      case .email: guard account.user.emailConfirmedAt != nil else { throw .emailNotConfirmed }
      case .phone: guard account.user.phoneConfirmedAt != nil else { throw .phoneNotConfirmed }
      }
      return try state.beginSession(of: &account, method: "password", at: now)
    }
  }

  /// Exchanges a refresh token for new tokens of the same session.
  ///
  /// - Throws: `refresh_token_not_found` for one that is unknown or whose session has ended;
  ///   `refresh_token_already_used`; `user_banned`; `over_request_rate_limit`.
  package func refresh(_ refreshToken: String) throws(AuthAPIError) -> AuthSession {
    let now = time.now
    return try state.withLock { (state) throws(AuthAPIError) in
      state.exchanges += 1
      try state.countRequest()
      guard let token = state.refreshTokens[refreshToken], let session = state.sessions[token.session],
        let user = state.accounts[session.userID]?.user
      else { throw .refreshTokenNotFound }
      guard !user.isBanned(at: now) else { throw .bannedRefresh }
      if token.isRevoked {
        if let active = state.activeRefreshToken(of: session.id),
          state.refreshTokens[active]?.parent == refreshToken
        {
          return state.issueTokens(for: session, of: user, active: active, at: now)
        }
        guard now <= token.updatedAt.addingTimeInterval(settings.refreshTokenReuseInterval / .seconds(1))
        else {
          state.revokeRefreshTokens(of: session.id, at: now)
          throw .refreshTokenAlreadyUsed
        }
      }
      return state.issueTokens(for: session, of: user, parent: refreshToken, at: now)
    }
  }

  /// Returns the user of a token.
  ///
  /// - Throws: `bad_jwt` for an expired or unknown token; `user_not_found` for a removed user; `session_not_found` once
  ///   the session has ended; `user_banned`; `over_request_rate_limit`.
  package func user(for accessToken: String) throws(AuthAPIError) -> AuthUser {
    try perform { (state, now) throws(AuthAPIError) in
      try state.session(of: accessToken, at: now).account.user
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
    try perform { (state, now) throws(AuthAPIError) in
      let (session, account) = try state.session(of: accessToken, at: now)
      for (id, other) in state.sessions where other.userID == account.user.id {
        if session == nil || scope == .global || (scope == .local) == (id == session?.id) { state.end(id) }
      }
    }
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

import Foundation
import Understudy
import UnderstudyHTTP

/// What access tokens grant, and how long.
extension AuthServer {
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
      guard let role = DatabaseRole(token) else {
        throw PostgRESTError(code: "22023", message: "role \"\(token.role)\" does not exist")
      }
      return role
    }
  }
}

extension AuthServer {
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
    let second = time.now.wholeSeconds
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
      guard let role = DatabaseRole(token) else { throw .malformed }
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

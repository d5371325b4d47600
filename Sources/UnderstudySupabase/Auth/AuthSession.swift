public import Foundation

/// An account.
public struct AuthUser: Sendable, Hashable, Identifiable {
  /// What `auth.uid()` is to the policies.
  public let id: UUID
  /// In lower case.
  public let email: String
  /// When the account was made.
  public let createdAt: Date
}

/// What signing in and refreshing give.
public struct AuthSession: Sendable, Hashable {
  /// A JSON Web Token: what says who the caller is until ``expiresAt``.
  public let accessToken: String
  /// Gives the next session, once.
  public let refreshToken: String
  /// The last second in which the access token holds.
  public let expiresAt: Date
  /// How long the access token holds from now.
  public let lifetime: Duration
  /// Who is signed in.
  public let user: AuthUser
}

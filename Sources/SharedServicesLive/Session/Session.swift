import Foundation

/// The tokens of a signed-in user.
struct Session: Sendable, Hashable {
  /// The number of the sign-in; a token exchange keeps it.
  let number: Int
  let userID: UUID
  var accessToken: String
  var refreshToken: String
  var expiresAt: Date

  /// The time before expiry at which tokens are exchanged, in seconds, as in supabase-swift.
  static let margin: TimeInterval = 30

  func isFresh(at now: Date) -> Bool {
    expiresAt.timeIntervalSince(now) > Self.margin
  }
}

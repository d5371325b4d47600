import Foundation

/// The tokens of a user who is signed in.
struct Session: Sendable, Hashable {
  /// Which sign-in it comes from; new tokens leave it as it is.
  let number: Int
  let userID: UUID
  var accessToken: String
  var refreshToken: String
  var expiresAt: Date

  /// The time before expiry from which on new tokens are asked for, in seconds, as in supabase-swift.
  static let margin: TimeInterval = 30

  func isFresh(at now: Date) -> Bool {
    expiresAt.timeIntervalSince(now) > Self.margin
  }
}

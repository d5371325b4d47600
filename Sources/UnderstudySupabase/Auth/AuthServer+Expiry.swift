import Foundation
import Understudy
import UnderstudyHTTP

extension AuthServer {
  /// Waits until an access token holds no longer, by its time or because a test let it expire.
  ///
  /// Returns at once for what is no token of this server. A time that jumps does not jump for this.
  ///
  /// - Throws: `CancellationError`.
  public func waitForExpiry(of accessToken: String) async throws {
    while let grant = try? grant(for: accessToken) {
      try await waitForExpiry(of: accessToken, grant, atMost: .seconds(3600))
    }
    try Task.checkCancellation()
  }

  /// A token that has been checked, by whoever goes on without it for a while.
  struct Grant: Sendable {
    let role: DatabaseRole
    /// `nil` for the keys of the project, which hold for ever.
    let expiresAt: Date?
  }

  /// What is wrong with a token, by the rules of a server that counts the second of its end as past.
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

  /// Waits until a token's time is over, or longest for `limit`.
  ///
  /// - Throws: `CancellationError`.
  func waitForExpiry(of accessToken: String, _ grant: Grant, atMost limit: Duration) async throws {
    guard let expiry = grant.expiresAt else { return try await time.sleep(inBackgroundFor: limit) }
    let left = Duration.seconds(max(0, expiry.timeIntervalSince(time.now)))
    let (watch, id) = state.withLock { $0.watchExpiry(of: accessToken) }
    defer { state.withLock { $0.stopWatchingExpiry(of: accessToken, id) } }
    do {
      try await time.withTimeout(min(limit, left)) { for await _ in watch {} }
    } catch let error as TransportError where error.code == .timedOut {
    }
    try Task.checkCancellation()
  }
}

public import Foundation
public import SharedServices
public import UnderstudyBackend
import UnderstudyPrimitives
import UnderstudyTransport

/// Signing in and out at an auth server in memory.
///
/// The session is that of one device: two services on one server are two devices. Nothing waits, so a call
/// either finds its task cancelled and changes nothing, or runs to its end.
public final class InMemoryAuthService: AuthService {
  let server: AuthServer
  private let session = Locked<AuthSession?>(nil)

  /// A device where nobody is signed in.
  public init(server: AuthServer) {
    self.server = server
  }

  /// The user who is signed in, or `nil`.
  public var userID: UUID? { session.withLock { $0?.user.id } }

  /// Starts a session and returns the user's id; see `AuthService`.
  ///
  /// - Throws: `.authentication(.invalidCredentials)`, `.authentication(.userBanned)`,
  ///   `.network(.rateLimited)`, `.cancelled`.
  public func signIn(email: String, password: String) async throws(AppError) -> UUID {
    try AppError.checkCancellation()
    return try signInNow(email: email, password: password)
  }

  /// Ends the session here and at the server; see `AuthService`.
  ///
  /// - Throws: `.network(.rateLimited)`, after the session here is over; `.cancelled`, before.
  public func signOut() async throws(AppError) {
    try AppError.checkCancellation()
    let last = session.withLock { session in
      defer { session = nil }
      return session
    }
    guard let last else { return }
    do throws(AuthAPIError) {
      do throws(AuthAPIError) {
        try server.signOut(last.accessToken, scope: .local)
      } catch {
        guard error.code == "bad_jwt" else { throw error }
        // The access token has expired; the session can still be ended with a new one.
        try server.signOut(try server.refresh(last.refreshToken).accessToken, scope: .local)
      }
    } catch {
      let error = AppError(error)
      // The server has ended the session already, which is what was wanted.
      if error != .network(.unauthorized) { throw error }
    }
  }

  /// The user who is signed in.
  ///
  /// - Throws: `.authentication(.notSignedIn)`, `.cancelled`.
  public func currentUserID() async throws(AppError) -> UUID {
    try AppError.checkCancellation()
    guard let userID else { throw .authentication(.notSignedIn) }
    return userID
  }

  /// Exchanges the session's tokens for new ones; see `AuthService`.
  ///
  /// - Throws: `.authentication(.notSignedIn)`, `.network(.unauthorized)` once the server has ended the
  ///   session, `.authentication(.userBanned)`, `.network(.rateLimited)`, `.cancelled`.
  public func refresh() async throws(AppError) {
    try AppError.checkCancellation()
    _ = try refreshedToken(insteadOf: try accessToken())
  }

  /// The token of the session, which may have expired.
  ///
  /// - Throws: `.authentication(.notSignedIn)`.
  func accessToken() throws(AppError) -> String {
    guard let token = session.withLock({ $0?.accessToken }) else { throw .authentication(.notSignedIn) }
    return token
  }

  /// A token that is not this one: a new one, unless another caller has already exchanged it.
  ///
  /// - Throws: As ``refresh()``.
  func refreshedToken(insteadOf old: String) throws(AppError) -> String {
    try session.withLock { [server] (session) throws(AppError) in
      guard let current = session else { throw .authentication(.notSignedIn) }
      guard current.accessToken == old else { return current.accessToken }
      do throws(AuthAPIError) {
        let new = try server.refresh(current.refreshToken)
        session = new
        return new.accessToken
      } catch {
        let error = AppError(error)
        if error == .network(.unauthorized) { session = nil }
        throw error
      }
    }
  }

  @discardableResult
  func signInNow(email: String, password: String) throws(AppError) -> UUID {
    do throws(AuthAPIError) {
      let new = try server.signIn(email: email, password: password)
      session.withLock { $0 = new }
      return new.user.id
    } catch {
      throw AppError(error)
    }
  }
}

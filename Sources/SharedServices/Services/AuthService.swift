public import Foundation

/// Who uses the app: signing in and out, and the session in between.
///
/// What every implementation must do is `Contract.authService` in `SharedServicesContracts`.
public protocol AuthService: Sendable {
  /// Starts a session and returns the user's id. A session that was there is replaced only on success.
  ///
  /// - Throws: `.authentication(.invalidCredentials)` for an unknown address as for a wrong password, so that
  ///   nobody learns which addresses have an account; `.authentication(.userBanned)`; else `.network`.
  func signIn(email: String, password: String) async throws(AppError) -> UUID

  /// Ends the session. Signing out when signed out is a success.
  ///
  /// The session on this device is over even when the server cannot be told; that failure is thrown afterwards. So
  /// it is when the task is cancelled while the call is under way. A task that was cancelled before changes nothing.
  func signOut() async throws(AppError)

  /// The user who is signed in; asks no server.
  ///
  /// - Throws: `.authentication(.notSignedIn)` without a session.
  func currentUserID() async throws(AppError) -> UUID

  /// Exchanges the session's tokens for new ones. Calls at the same time share one exchange.
  ///
  /// - Throws: `.authentication(.notSignedIn)` without a session; `.network(.unauthorized)` when the server has
  ///   ended it, and then it is over on this device too. After any other failure it can be tried again.
  func refresh() async throws(AppError)
}

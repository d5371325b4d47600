public import Foundation

/// A service that signs users in and out, and holds the session.
///
/// `Contract.authService` in `SharedServicesContracts` specifies the required behaviour.
public protocol AuthService: Sendable {
  /// Starts a session and returns the user's id.
  ///
  /// An existing session is replaced only on success.
  ///
  /// - Throws: `.authentication(.invalidCredentials)` for an unknown address as well as for a wrong password, so that
  ///   the error does not reveal which addresses have an account; `.authentication(.userBanned)`; otherwise `.network`.
  func signIn(email: String, password: String) async throws(AppError) -> UUID

  /// Ends the session.
  ///
  /// Signing out without a session succeeds.
  ///
  /// The session on this device ends even if the request to the server fails or the task is cancelled during the call;
  /// the error is thrown afterwards. A task that was cancelled before the call changes nothing.
  func signOut() async throws(AppError)

  /// Returns the id of the signed-in user, without a request to the server.
  ///
  /// - Throws: `.authentication(.notSignedIn)` without a session.
  func currentUserID() async throws(AppError) -> UUID

  /// Exchanges the session's tokens for new ones.
  ///
  /// Concurrent calls share one exchange.
  ///
  /// - Throws: `.authentication(.notSignedIn)` without a session; `.network(.unauthorized)` if the server has ended the
  ///   session, which then ends on this device too. After any other error, such as `.authentication(.userBanned)`, the
  ///   session is kept and the call can be repeated.
  func refresh() async throws(AppError)
}

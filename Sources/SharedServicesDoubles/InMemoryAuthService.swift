public import Foundation
public import SharedServices
import Understudy
import UnderstudyHTTP
package import UnderstudySupabase

/// Authentication with an auth server in memory.
///
/// The session is that of one device: two services on one server are two devices. Calls do not suspend: a
/// call in a cancelled task changes nothing, and any other runs to its end.
public final class InMemoryAuthService: AuthService {
  let server: AuthServer
  private let device = Locked(Device())

  private struct Device {
    var session: AuthSession? {
      didSet {
        if let old = oldValue?.user.id, old != session?.user.id { ends += 1 }
        for (id, watcher) in watchers where watcher.user != session?.user.id {
          watcher.wake.finish()
          watchers[id] = nil
        }
      }
    }
    /// The number of sessions that ended or were replaced by another user's.
    var ends = 0
    /// The streams that end with a user's session.
    var watchers: [Int: (user: UUID, wake: AsyncStream<Never>.Continuation)] = [:]
    var lastWatcher = 0
  }

  /// A device that is signed out.
  package init(server: AuthServer) {
    self.server = server
  }

  /// The user who is signed in, or `nil`.
  public var userID: UUID? { device.withLock { $0.session?.user.id } }

  /// The number of sessions that ended here: while it does not change, the user who is signed in stays the same.
  var endCount: Int { device.withLock { $0.ends } }

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
    let last = device.withLock { device in
      defer { device.session = nil }
      return device.session
    }
    guard let last else { return }
    do throws(AuthAPIError) {
      do throws(AuthAPIError) {
        try server.signOut(last.accessToken, scope: .local)
      } catch {
        guard error.code == "bad_jwt" else { throw error }
        // The access token has expired; a new one can still end the session.
        try server.signOut(try server.refresh(last.refreshToken).accessToken, scope: .local)
      }
    } catch {
      let error = AppError(error)
      // The server has already ended the session.
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
    guard let token = device.withLock({ $0.session?.accessToken }) else {
      throw .authentication(.notSignedIn)
    }
    return token
  }

  /// A newer token: a refreshed one, unless another caller has already refreshed it.
  ///
  /// - Throws: As ``refresh()``.
  func refreshedToken(insteadOf old: String) throws(AppError) -> String {
    try device.withLock { [server] (device) throws(AppError) in
      guard let current = device.session else { throw .authentication(.notSignedIn) }
      guard current.accessToken == old else { return current.accessToken }
      do throws(AuthAPIError) {
        let new = try server.refresh(current.refreshToken)
        device.session = new
        return new.accessToken
      } catch {
        let error = AppError(error)
        if error == .network(.unauthorized) { device.session = nil }
        throw error
      }
    }
  }

  @discardableResult
  func signInNow(email: String, password: String) throws(AppError) -> UUID {
    do throws(AuthAPIError) {
      let new = try server.signIn(email: email, password: password)
      device.withLock { $0.session = new }
      return new.user.id
    } catch {
      throw AppError(error)
    }
  }

  /// Returns once a user is no longer signed in here, or the task is cancelled.
  func waitForEnd(ofSessionOf user: UUID) async {
    let (ends, wake) = AsyncStream<Never>.makeStream()
    let id = device.withLock { device in
      device.lastWatcher += 1
      if device.session?.user.id == user {
        device.watchers[device.lastWatcher] = (user, wake)
      } else {
        wake.finish()
      }
      return device.lastWatcher
    }
    for await _ in ends {}
    device.withLock { $0.watchers[id] = nil }
  }
}

extension InMemoryAuthService {
  /// Runs a call with the rights of the session, refreshed once if its token has expired.
  ///
  /// - Parameters:
  ///   - meaning: The app's error for a refusal, if it differs from the common one.
  ///   - body: Returns `nil` for a row that cannot be read.
  /// - Throws: `.cancelled`, as ``role()``, and what the database refuses.
  func perform<Result>(
    refusedAs meaning: (PostgRESTError) -> AppError = { AppError($0) },
    _ body: (DatabaseRole) throws(PostgRESTError) -> Result?
  ) throws(AppError) -> Result {
    try AppError.checkCancellation()
    let role = try role()
    let result: Result?
    do throws(PostgRESTError) { result = try body(role) } catch { throw meaning(error) }
    guard let result else { throw .network(.unreadableAnswer) }
    return result
  }

  /// The role of the user who is signed in.
  ///
  /// - Throws: `.authentication(.notSignedIn)`, `.network(.unauthorized)` once the session has ended.
  func role() throws(AppError) -> DatabaseRole {
    let token = try accessToken()
    do throws(PostgRESTError) {
      return try server.role(for: token)
    } catch {
      let token = try refreshedToken(insteadOf: token)
      do throws(PostgRESTError) { return try server.role(for: token) } catch { throw AppError(error) }
    }
  }
}

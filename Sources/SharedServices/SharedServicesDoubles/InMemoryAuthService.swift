public import Foundation
public import SharedServices
import Understudy

/// Signing in and out on one device, with accounts and sessions in memory.
///
/// Calls do not suspend: a call in a cancelled task changes nothing, and any other runs to its end.
public final class InMemoryAuthService: AuthService {
  let backend: InMemoryBackend
  let device: Int

  /// Creates a device that is signed out.
  package init(_ backend: InMemoryBackend) {
    self.backend = backend
    device = backend.state.withLock { state in
      state.lastDevice += 1
      return state.lastDevice
    }
  }

  deinit { backend.state.withLock { $0.setSession(nil, of: device) } }

  /// The signed-in user, or `nil`.
  public var userID: UUID? { backend.state.withLock { $0.devices[device]?.user } }

  /// Starts a session and returns the user's id; see `AuthService`.
  ///
  /// - Throws: `.authentication(.invalidCredentials)`, `.authentication(.userBanned)`, `.network(.rateLimited)`,
  ///   `.cancelled`.
  public func signIn(email: String, password: String) async throws(AppError) -> UUID {
    try AppError.checkCancellation()
    return try signInNow(email: email, password: password)
  }

  @discardableResult
  func signInNow(email: String, password: String) throws(AppError) -> UUID {
    let now = backend.time.now
    return try backend.state.withLock { (state) throws(AppError) in
      try state.countRequest()
      guard let user = state.accountIDs[email.lowercased()], let account = state.accounts[user] else {
        throw .authentication(.invalidCredentials)
      }
      // GoTrue looks at the ban before it looks at the password (`ResourceOwnerPasswordGrant`).
      guard !account.isBanned else { throw .authentication(.userBanned) }
      guard account.password.exactly == password.exactly else { throw .authentication(.invalidCredentials) }
      let session = state.newID()
      state.sessions[session] = user
      state.setSession(state.newSession(session, of: user, now), of: device)
      return user
    }
  }

  /// Ends the session on the device and at the server; see `AuthService`.
  ///
  /// - Throws: `.network(.rateLimited)` and `.authentication(.userBanned)`, after the session on the device has ended;
  ///   `.cancelled`, before.
  public func signOut() async throws(AppError) {
    try AppError.checkCancellation()
    let now = backend.time.now
    try backend.state.withLock { (state) throws(AppError) in
      guard let session = state.devices[device] else { return }
      state.setSession(nil, of: device)
      try state.countRequest()
      if state.hasExpired(session, now) {
        // Only a new token can end the session at the server; without one, the server has ended it.
        do throws(AppError) {
          _ = try state.exchange(session, now)
        } catch .network(.unauthorized) {
          return
        }
      }
      state.sessions[session.id] = nil
    }
  }

  /// Returns the signed-in user's id.
  ///
  /// - Throws: `.authentication(.notSignedIn)`, `.cancelled`.
  public func currentUserID() async throws(AppError) -> UUID {
    try AppError.checkCancellation()
    guard let userID else { throw .authentication(.notSignedIn) }
    return userID
  }

  /// Exchanges the session's tokens for new ones; see `AuthService`.
  ///
  /// - Throws: `.authentication(.notSignedIn)`, `.network(.unauthorized)` once the server has ended the session,
  ///   `.authentication(.userBanned)`, `.network(.rateLimited)`, `.cancelled`.
  public func refresh() async throws(AppError) {
    try AppError.checkCancellation()
    let now = backend.time.now
    try backend.state.withLock { (state) throws(AppError) in _ = try state.refresh(device, now) }
  }

  /// Performs a call for stored values with the rights of the signed-in user, whose token is exchanged if it has
  /// expired.
  ///
  /// - Throws: `.cancelled`, `.authentication(.notSignedIn)`, the errors of ``refresh()``, `.network(.serverError)`
  ///   while calls fail, and the errors of `body`.
  func perform<Result: Sendable>(
    _ body: (inout InMemoryBackend.State, _ user: UUID, _ now: Date) throws(AppError) -> Result
  ) throws(AppError) -> Result {
    try AppError.checkCancellation()
    let now = backend.time.now
    return try backend.state.withLock { (state) throws(AppError) in
      let user = try state.session(of: device, now).user
      if state.isFailing { throw .network(.serverError) }
      return try body(&state, user, now)
    }
  }
}

/// An account at the server.
struct Account: Sendable {
  let password: String
  var isBanned = false
}

/// A session as a device holds it.
struct DeviceSession: Sendable {
  /// The id of the session at the server.
  let id: UUID
  let user: UUID
  /// The number of the access token.
  let token: Int
  let expiresAt: Date
}

extension InMemoryBackend.State {
  /// Counts a request for tokens, or for the end of a session.
  fileprivate mutating func countRequest() throws(AppError) {
    guard limit.count > 0 else { return }
    limit.count -= 1
    throw .network(.rateLimited(retryAfter: limit.delay))
  }

  fileprivate mutating func newSession(_ id: UUID, of user: UUID, _ now: Date) -> DeviceSession {
    lastToken += 1
    return DeviceSession(
      id: id, user: user, token: lastToken, expiresAt: now.addingTimeInterval(tokenLifetime))
  }

  /// Starts or ends the session of a device; the subscriptions of another user end.
  mutating func setSession(_ session: DeviceSession?, of device: Int) {
    devices[device] = session
    for (id, subscription) in subscriptions
    where subscription.device == device && subscription.user != session?.user {
      subscriptions[id]?.end(with: .network(.unauthorized))
    }
  }

  fileprivate func hasExpired(_ session: DeviceSession, _ now: Date) -> Bool {
    session.expiresAt <= now || session.token <= expiredTokens[session.user] ?? 0
  }

  /// Exchanges the tokens of a session.
  fileprivate mutating func exchange(_ session: DeviceSession, _ now: Date) throws(AppError) -> DeviceSession
  {
    exchangeCount += 1
    try countRequest()
    guard sessions[session.id] != nil else { throw .network(.unauthorized) }
    guard accounts[session.user]?.isBanned != true else { throw .authentication(.userBanned) }
    return newSession(session.id, of: session.user, now)
  }

  /// Exchanges the tokens of a device.
  fileprivate mutating func refresh(_ device: Int, _ now: Date) throws(AppError) -> DeviceSession {
    guard let session = devices[device] else { throw .authentication(.notSignedIn) }
    do throws(AppError) {
      let new = try exchange(session, now)
      devices[device] = new
      return new
    } catch {
      if error == .network(.unauthorized) { setSession(nil, of: device) }
      throw error
    }
  }

  /// Returns the session of a device, with a token that has not expired.
  mutating func session(of device: Int, _ now: Date) throws(AppError) -> DeviceSession {
    guard let session = devices[device] else { throw .authentication(.notSignedIn) }
    return hasExpired(session, now) ? try refresh(device, now) : session
  }
}

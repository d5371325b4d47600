public import Foundation
public import Observation
public import SharedServices

/// The view model of signing in and out, and the one holder of the signed-in user (seed 001, pattern 3).
///
/// The root view injects it; the other view models of a user's data take it, show nothing of another user, and report
/// an ended session to it, so that the end is announced everywhere as ``State/expired``.
@MainActor
@Observable
public final class AuthViewModel {
  /// Whether a user is signed in.
  public enum State: Sendable, Hashable {
    /// The service has not been asked yet.
    case unknown
    /// No user is signed in.
    case signedOut
    /// The user with this id is signed in.
    case signedIn(UUID)
    /// The session has ended by itself; the user has to sign in again.
    case expired
  }

  /// Whether a user is signed in.
  public private(set) var state: State = .unknown

  /// The text in the field for the address.
  public var email: String = ""

  /// The text in the field for the password; empty once a user is signed in or out.
  public var password: String = ""

  /// The user whose data may be shown: the signed-in one, or the one whose session has expired.
  ///
  /// After an expired session the screens keep what the user was doing, until another user is signed in.
  public var userID: UUID? {
    switch state {
    case .signedIn(let user): user
    case .expired: expiredUserID
    case .unknown, .signedOut: nil
    }
  }

  /// Whether an action is in progress.
  public var isLoading: Bool { actions.isRunning { _ in true } }

  /// The message of the last error, for the user.
  public var errorMessage: String? { actions.errorMessage }

  /// The user to whom something on a screen belongs.
  enum Owner: Sendable, Hashable {
    case user(UUID)
    /// A user who was not known yet after so many sessions had ended: the next one who is.
    case unknown(since: Int)
  }

  private let service: any AuthService
  private let actions: ScreenActions = ScreenActions(auth: nil)
  private var expiredUserID: UUID?
  /// The number of users who were signed out or replaced.
  private var ends = 0
  /// The number of times that the user has signed in here.
  private(set) var signIns = 0
  /// The number of changes of the state; an answer to an earlier question is out of date.
  @ObservationIgnored private var changes = 0
  @ObservationIgnored private var signOutsUnderWay = 0
  /// The last call of the service: a call begins after the previous one has ended, so the last one counts.
  @ObservationIgnored private var lastCall: Task<Void, Never>?
  /// Cancels the actions of the current user on other screens.
  @ObservationIgnored var runs: [ObjectIdentifier: @MainActor () -> Void] = [:]

  // No view model has a default service as in seeds 001 and 002: a forgotten argument in a test would reach it.
  /// Creates a view model that does not know yet whether a user is signed in; see ``restore()``.
  public init(service: any AuthService) {
    self.service = service
  }

  /// Finds out whether a user is signed in, when the app starts.
  public func restore() async {
    await actions.perform(.restore) { [self] run throws(AppError) in
      let before = changes
      do throws(AppError) {
        try await call(in: run) { service throws(AppError) in _ = try await self.currentUserID(at: service) }
      } catch .authentication(.notSignedIn) {
        if changes == before, state == .unknown { become(.signedOut) }
        if changes == before, isSignedIn { expire() }
      }
    }
  }

  /// Signs in with the address and the password in the fields.
  ///
  /// A failed attempt keeps the fields, and an existing session. A second call during the first has no effect.
  public func signIn() async {
    let (address, secret) = (email.trimmingCharacters(in: .whitespacesAndNewlines), password)
    actions.abandonCancelled()
    guard !actions.isRunning({ $0 == .signIn }) else { return }
    guard !address.isEmpty, !secret.isEmpty else {
      return actions.refuse(.signIn, "Please enter your email and password.")
    }
    await actions.perform(.signIn) { [self] run throws(AppError) in
      try await call(in: run) { service throws(AppError) in
        // A session that has begun counts, even if the user no longer waits for it.
        let user = try await service.signIn(email: address, password: secret)
        guard self.signOutsUnderWay == 0 else { return }
        self.signIns += 1
        self.become(.signedIn(user), replacesUnknown: true)
      }
      try run.check()
      password = ""
      actions.dismissMessages()
    }
  }

  /// Signs the user out.
  ///
  /// The user's data disappear at once. The session on this device ends even if the server cannot be reached, in which
  /// case the error is shown. An attempt to sign in is abandoned.
  public func signOut() async {
    if Task.isCancelled { return }
    let isNew = !actions.isRunning { $0 == .signOut }
    guard isNew else { return }
    actions.abandonAll()
    let email = email
    become(.signedOut)
    (self.email, password) = ("", "")
    actions.dismissMessages()
    signOutsUnderWay += 1
    // The call is not part of the action: it goes on if that is cancelled.
    let last = lastCall
    let call = Task {
      await last?.value
      let failure: AppError?
      do throws(AppError) {
        try await service.signOut()
        failure = nil
      } catch {
        failure = error
      }
      signOutsUnderWay -= 1
      // The session ends in any case, unless the service violates its contract.
      if failure != nil, signOutsUnderWay == 0, case .signedOut = state,
        let user = try? await service.currentUserID(), signOutsUnderWay == 0, case .signedOut = state
      {
        become(.signedIn(user))
        self.email = email
      }
      return failure
    }
    lastCall = Task { _ = await call.value }
    await actions.perform(.signOut) { _ throws(AppError) in
      if let failure = await call.value { throw failure }
    }
  }

  /// Renews the session.
  ///
  /// If the server has ended it, the state is ``State/expired``; after any other error the session is kept.
  public func refresh() async {
    await actions.perform(.refresh) { [self] run throws(AppError) in
      let owner = owner
      do throws(AppError) {
        try await call(in: run) { service throws(AppError) in
          try await service.refresh()
          _ = try await self.currentUserID(at: service)
        }
      } catch {
        _ = announce(error, of: owner)
        throw error.endsSession && state == .expired ? .sessionEnded : error
      }
    }
  }

  /// Removes the message, as the button of an alert does.
  public func dismissMessage() {
    actions.dismissMessages()
  }

  // MARK: - For the screens

  /// The user to whom something that begins now belongs.
  var owner: Owner { userID.map { .user($0) } ?? .unknown(since: ends) }

  /// Whether what belongs to a user may be shown.
  func isCurrent(_ owner: Owner) -> Bool {
    switch owner {
    case .user(let user): userID == user
    case .unknown(let ends): self.ends == ends
    }
  }

  /// Whether a user is signed in.
  var isSignedIn: Bool {
    if case .signedIn = state { true } else { false }
  }

  /// Returns the signed-in user, as the service reports it.
  ///
  /// - Throws: `.cancelled` if another user was signed in during the call, or none.
  func currentUserID() async throws(AppError) -> UUID {
    guard signOutsUnderWay == 0 else { throw .authentication(.notSignedIn) }
    return try await currentUserID(at: service)
  }

  /// Returns the message for a failed call, and changes the state if the session has ended.
  func announce(_ failure: AppError, of owner: Owner) -> String {
    guard failure.endsSession, isCurrent(owner), state != .signedOut else { return failure.userFacingMessage }
    expire()
    return AppError.sessionEnded.userFacingMessage
  }

  // MARK: - Calls and states

  private func currentUserID(at service: any AuthService) async throws(AppError) -> UUID {
    let before = changes
    let user = try await service.currentUserID()
    if changes == before, state != .signedIn(user) { become(.signedIn(user)) }
    guard state == .signedIn(user) else { throw .cancelled }
    return user
  }

  /// - Parameter replacesUnknown: Whether a user who is not known is another one, which is so for every sign-in.
  private func become(_ next: State, replacesUnknown: Bool = false) {
    changes += 1
    let (last, wasSignedOut) = (userID, state == .signedOut)
    expiredUserID = nil
    state = next
    if case .signedIn(let user) = next {
      let isSame = last.map { $0 == user } ?? (wasSignedOut || !replacesUnknown)
      if isSame { return }
    }
    ends += 1
    for cancel in Array(runs.values) { cancel() }
  }

  private func expire() {
    if state == .expired { return }
    changes += 1
    (expiredUserID, state) = (userID, .expired)
  }

  /// Calls the service after the previous call has ended, unless the action is over by then.
  private func call(
    in run: ScreenActions.Run, _ body: (any AuthService) async throws(AppError) -> Void
  ) async throws(AppError) {
    let last = lastCall
    let (ended, end) = AsyncStream<Never>.makeStream()
    lastCall = Task { for await _ in ended {} }
    defer { end.finish() }
    await last?.value
    try run.check()
    try await body(service)
  }
}

extension AppError {
  /// The error that announces the end of a session.
  static var sessionEnded: AppError { .network(.unauthorized) }

  /// Whether the error means that there is no session.
  var endsSession: Bool { self == .network(.unauthorized) || self == .authentication(.notSignedIn) }
}

import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy

/// An authentication service with one mistake.
struct WrongAuthService: AuthService {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    case tellsWhichAddressesExist
    case signsOutBeforeSigningIn
    case keepsTheFirstSession
    case failsToSignOutTwice
    case staysSignedInOffline
    case signsOutEverywhere
    case signsOutHereAlone
    case closesItsConnection
    case invitesAGuest
    case forgetsTheUserOnRefresh
    case refreshesTheFirstUser
    case bringsTheUserBack
    case signsOtherDevicesOut
    case asksWhoIsSignedIn
    case signsOutWhenUnreadable
    case signsOutWhenBanned
    case signsOutWhenARefreshIsCancelled
    case cancelsSharedRefreshes
    case staysSignedInWhenTheServerFails
    case keepsWhatALostAnswerSaid
    case refusesRefreshesAtOnce
    case signsOutWhenRefreshFails
    case hidesTheDelay
    case staysSignedInWhenCancelled
    case signsOutWhenCancelledBefore
  }

  /// The state that a mistake keeps between calls.
  private struct Memory {
    /// The user who is treated as signed in, whatever the session is.
    var user: UUID?
    /// The first user who signed in.
    var first: UUID?
    /// Whether the user is treated as signed out, whatever the session is.
    var isForgotten = false
    var isClosed = false
    var refreshes = 0
    var exchange: Task<Result<Void, AppError>, Never>?
  }

  let base: any AuthService
  let backend: InMemorySharedServices
  let mistake: Mistake
  private let memory: Locked<Memory> = Locked(Memory())

  init(base: any AuthService, backend: InMemorySharedServices, mistake: Mistake) {
    self.base = base
    self.backend = backend
    self.mistake = mistake
  }

  func signIn(email: String, password: String) async throws(AppError) -> UUID {
    if memory.withLock({ $0.isClosed }) { throw .network(.noConnection) }
    if mistake == .signsOutBeforeSigningIn { try await base.signOut() }
    if mistake == .signsOtherDevicesOut, let user = memory.withLock({ $0.first }) {
      backend.endSessions(of: user)
    }
    do throws(AppError) {
      if mistake == .keepsTheFirstSession, backend.auth.userID != nil {
        // Sends the request to the server and discards the resulting tokens.
        return try await backend.onAnotherDevice().auth.signIn(
          email: email, password: password)
      }
      let user = try await base.signIn(email: email, password: password)
      memory.withLock { memory in
        memory.isForgotten = false
        memory.first = memory.first ?? user
        if mistake == .refreshesTheFirstUser { memory.user = user }
      }
      return user
    } catch .authentication(.invalidCredentials)
      where mistake == .tellsWhichAddressesExist && email.hasPrefix("no-")
    {
      throw .network(.notFound)
    } catch .network(.connectionLost) where mistake == .keepsWhatALostAnswerSaid {
      // Takes the session for begun, because the server may have begun it.
      memory.withLock { $0.user = UUID() }
      throw .network(.connectionLost)
    } catch {
      throw mistake == .hidesTheDelay ? error.withoutDelay : error
    }
  }

  func signOut() async throws(AppError) {
    switch mistake {
    case .failsToSignOutTwice: _ = try await base.currentUserID()
    case .staysSignedInOffline:
      // Calls the server first, and removes the session only on success.
      if backend.auth.userID != nil { try await base.refresh() }
    case .signsOutWhenCancelledBefore where Task.isCancelled:
      // The caller's cancellation does not reach a separate task.
      await Task { [base] in try? await base.signOut() }.value
      return
    case .signsOutHereAlone:
      defer { memory.withLock { $0.isForgotten = true } }
      if backend.auth.userID != nil { try await base.refresh() }
      return
    default: break
    }
    let user = backend.auth.userID
    do throws(AppError) {
      try await base.signOut()
    } catch .cancelled where mistake == .staysSignedInWhenCancelled {
      memory.withLock { $0.user = user }
      throw .cancelled
    } catch .network(.serverError) where mistake == .staysSignedInWhenTheServerFails {
      memory.withLock { $0.user = user }
      throw .network(.serverError)
    }
    if mistake == .refreshesTheFirstUser { memory.withLock { $0.user = nil } }
    if mistake == .signsOutEverywhere, let user { backend.endSessions(of: user) }
    if mistake == .closesItsConnection { memory.withLock { $0.isClosed = true } }
  }

  func currentUserID() async throws(AppError) -> UUID {
    if memory.withLock({ $0.isForgotten }) { throw .authentication(.notSignedIn) }
    if mistake == .asksWhoIsSignedIn { try await base.refresh() }
    if let user = memory.withLock({ $0.user }) { return user }
    do throws(AppError) {
      return try await base.currentUserID()
    } catch .authentication(.notSignedIn) where mistake == .invitesAGuest {
      return UUID()
    }
  }

  func refresh() async throws(AppError) {
    if mistake == .signsOutHereAlone, memory.withLock({ $0.isForgotten }) {
      throw .authentication(.notSignedIn)
    }
    let user = mistake == .bringsTheUserBack ? backend.auth.userID : nil
    defer { if let user { memory.withLock { $0.user = user } } }
    do throws(AppError) {
      switch mistake {
      case .refusesRefreshesAtOnce: try await refreshAlone()
      case .cancelsSharedRefreshes: try await refreshTogether()
      default: try await base.refresh()
      }
      if mistake == .forgetsTheUserOnRefresh { memory.withLock { $0.isForgotten = true } }
      if mistake == .refreshesTheFirstUser { memory.withLock { $0.user = $0.first } }
    } catch {
      switch (error, mistake) {
      case (.network(.unreadableAnswer), .signsOutWhenUnreadable),
        (.authentication(.userBanned), .signsOutWhenBanned), (_, .signsOutWhenRefreshFails):
        try? await base.signOut()
      case (.cancelled, .signsOutWhenARefreshIsCancelled):
        // The caller's cancellation does not reach a separate task.
        await Task { [backend] in try? await backend.auth.signOut() }.value
      default: break
      }
      throw error
    }
  }

  /// Refreshes, or waits for the refresh that is under way.
  private func refreshTogether() async throws(AppError) {
    let task = memory.withLock { [base] memory in
      if let task = memory.exchange { return task }
      let task = Task { () async -> Result<Void, AppError> in
        do throws(AppError) { return .success(try await base.refresh()) } catch { return .failure(error) }
      }
      memory.exchange = task
      return task
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    memory.withLock { $0.exchange = nil }
    try result.get()
  }

  /// Refreshes unless another refresh is in progress.
  private func refreshAlone() async throws(AppError) {
    let isFirst = memory.withLock { memory in
      defer { memory.refreshes += 1 }
      return memory.refreshes == 0
    }
    defer { memory.withLock { $0.refreshes -= 1 } }
    guard isFirst else { throw .network(.conflict) }
    try await base.refresh()
  }
}

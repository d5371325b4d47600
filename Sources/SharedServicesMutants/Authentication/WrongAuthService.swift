import Foundation
import SharedServices
import UnderstudyPrimitives

/// An authentication service that is right but for one thing.
struct WrongAuthService: AuthService {
  /// What it does wrong.
  enum Mistake: String, CaseIterable, Sendable {
    case tellsWhichAddressesExist
    case signsOutBeforeSigningIn
    case failsToSignOutTwice
    case staysSignedInOffline
    case invitesAGuest
    case signsOutWhenRefreshFails
    case hidesTheDelay
    case showsCancellation
    case staysSignedInWhenCancelled
    case signsOutWhenCancelledBefore
    case ignoresAnExpiredToken
  }

  let base: any AuthService
  let mistake: Mistake
  private let kept = Locked<UUID?>(nil)

  init(base: any AuthService, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  func signIn(email: String, password: String) async throws(AppError) -> UUID {
    if mistake == .signsOutBeforeSigningIn { try await base.signOut() }
    do throws(AppError) {
      return try await base.signIn(email: email, password: password)
    } catch .authentication(.invalidCredentials)
      where mistake == .tellsWhichAddressesExist && email.hasPrefix("no-")
    {
      throw .network(.notFound)
    } catch .network(.rateLimited) where mistake == .hidesTheDelay {
      throw .network(.rateLimited(retryAfter: nil))
    } catch .cancelled where mistake == .showsCancellation {
      throw .network(.noConnection)
    }
  }

  func signOut() async throws(AppError) {
    if mistake == .failsToSignOutTwice { _ = try await base.currentUserID() }
    if mistake == .staysSignedInOffline {
      // Asks the server first, and forgets the session only if that worked.
      try await base.refresh()
    }
    if mistake == .signsOutWhenCancelledBefore {
      let base = base
      // A task of its own does not hear of the caller's cancellation.
      await Task { try? await base.signOut() }.value
      return
    }
    if mistake == .ignoresAnExpiredToken {
      // Forgets the session here, and takes the server's refusal of its token for an end of the session there.
      kept.withLock { $0 = UUID() }
      return
    }
    let user = try? await base.currentUserID()
    do throws(AppError) {
      try await base.signOut()
    } catch .cancelled where mistake == .staysSignedInWhenCancelled {
      kept.withLock { $0 = user }
      throw .cancelled
    }
  }

  func currentUserID() async throws(AppError) -> UUID {
    if mistake == .staysSignedInWhenCancelled, let user = kept.withLock({ $0 }) { return user }
    do throws(AppError) {
      return try await base.currentUserID()
    } catch .authentication(.notSignedIn) where mistake == .invitesAGuest {
      return UUID()
    }
  }

  func refresh() async throws(AppError) {
    do throws(AppError) {
      try await base.refresh()
    } catch {
      if mistake == .signsOutWhenRefreshFails { try? await base.signOut() }
      throw error
    }
  }
}

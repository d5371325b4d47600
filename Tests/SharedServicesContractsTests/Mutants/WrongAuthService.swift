import Foundation
import SharedServices

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
  }

  let base: any AuthService
  let mistake: Mistake

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
    try await base.signOut()
  }

  func currentUserID() async throws(AppError) -> UUID {
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

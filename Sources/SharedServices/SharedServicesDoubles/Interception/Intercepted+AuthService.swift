public import Foundation
public import SharedServices
public import Understudy

// What a fault does to a session is not for the fault to say, so two methods are written by hand.

extension Intercepted where Base: AuthService {
  /// Signs in through the interceptors.
  ///
  /// Whatever a server did, an answer that does not come starts no session.
  public func signIn(email: String, password: String) async throws(AppError) -> UUID {
    try await intercept(.signIn, email, password, whenFailing: .none, failure: AppError.init) {
      base, email, password throws(AppError) in
      try await base.signIn(email: email, password: password)
    }
  }

  /// Signs out through the interceptors.
  ///
  /// The session on the device also ends if the server cannot be reached, or if the call is cancelled under way.
  public func signOut() async throws(AppError) {
    let wasCancelledBefore = Task.isCancelled
    let hasReachedBase = Locked(false)
    do throws(AppError) {
      try await intercept(.signOut, whenFailing: .whole, failure: AppError.init) { base throws(AppError) in
        hasReachedBase.withLock { $0 = true }
        try await base.signOut()
      }
    } catch .cancelled where !wasCancelledBefore {
      if hasReachedBase.withLock({ $0 }) { throw .cancelled }
      // A call that was held has not reached the base, which would change nothing in a cancelled task. A task of its
      // own does not hear of the cancellation; whatever else fails, the call was cancelled.
      await Task { [base] in try? await base.signOut() }.value
      throw .cancelled
    }
  }
}

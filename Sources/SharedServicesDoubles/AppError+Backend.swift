import SharedServices
import UnderstudyHTTP
import UnderstudySupabase

extension AppError {
  /// What a refusal of the database means to the app.
  init(_ error: PostgRESTError) {
    self.init(
      Refusal(status: error.status(isAuthenticated: true), code: error.code, message: error.message))
  }

  /// What a refusal of the auth server means to the app.
  init(_ error: AuthAPIError) {
    self.init(
      Refusal(status: error.status, code: error.code, message: error.message, retryAfter: error.retryAfter))
  }

  /// Throws `.cancelled` in a cancelled task, before anything has changed.
  static func checkCancellation() throws(AppError) {
    if Task.isCancelled { throw .cancelled }
  }
}

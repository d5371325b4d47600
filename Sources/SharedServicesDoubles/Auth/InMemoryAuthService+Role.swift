import SharedServices
import UnderstudyHTTP
import UnderstudySupabase

extension InMemoryAuthService {
  /// Runs a call with the rights of the session, refreshed once if its token no longer holds.
  ///
  /// - Parameters:
  ///   - meaning: What a refusal means to the app, where the call knows more than the common rule.
  ///   - body: `nil` is a row that cannot be read.
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
  /// - Throws: `.authentication(.notSignedIn)`, `.network(.unauthorized)` once the session is over.
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

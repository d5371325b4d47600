public import Foundation
public import SharedServices
import UnderstudyTransport

/// An authentication service that uses Supabase Auth (GoTrue).
public struct SupabaseAuthService: AuthService {
  private let client: SupabaseClient

  /// Creates a service whose session all services of the client share.
  public init(_ client: SupabaseClient) {
    self.client = client
  }

  /// Starts a session with `POST /auth/v1/token?grant_type=password`.
  public func signIn(email: String, password: String) async throws(AppError) -> UUID {
    let tokens = try await client.wire.tokens(
      grant: "password", proof: ["email": email, "password": password])
    await client.sessions.start(tokens)
    return tokens.user.id
  }

  /// Ends the session on this device, then at the server with `POST /auth/v1/logout?scope=local`.
  ///
  /// The user's other devices stay signed in. An expired access token is exchanged first, because the server does not
  /// end a session for it. Any other 401, 403 or 404 means that the server does not know the session, and counts as
  /// success.
  ///
  /// - Throws: `.cancelled` if the task is cancelled before the call; the session then continues.
  public func signOut() async throws(AppError) {
    if Task.isCancelled { throw .cancelled }
    guard let session = await client.sessions.end() else { return }
    var answer = try await logOut(session.accessToken)
    if answer.errorResponse(now: client.wire.time.now)?.code == "bad_jwt" {
      do throws(AppError) {
        let tokens = try await client.wire.tokens(
          grant: "refresh_token", proof: ["refresh_token": session.refreshToken])
        answer = try await logOut(tokens.accessToken)
      } catch .network(.unauthorized) {
        return
      }
    }
    guard ![401, 403, 404].contains(answer.status) else { return }
    if let refusal = answer.errorResponse(now: client.wire.time.now) { throw AppError(refusal) }
  }

  private func logOut(_ token: String) async throws(AppError) -> Answer {
    var call = SupabaseCall(
      method: .post, path: "auth/v1/logout", query: [URLQueryItem(name: "scope", value: "local")])
    call.fields["X-Supabase-Api-Version"] = SupabaseWire.authVersion
    return try await client.wire.answer(to: call, token: token)
  }

  /// Returns the id of the session's user, without a request to the server.
  public func currentUserID() async throws(AppError) -> UUID {
    try await client.sessions.current().userID
  }

  /// Exchanges the tokens with `POST /auth/v1/token?grant_type=refresh_token`.
  public func refresh() async throws(AppError) {
    try await client.sessions.refresh()
  }
}

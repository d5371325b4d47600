public import Foundation
public import SharedServices
import UnderstudyTransport

/// Signs in and out with Supabase Auth (GoTrue).
public struct SupabaseAuthService: AuthService {
  private let client: SupabaseClient

  /// A service that signs in for every service of the client.
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

  /// Ends the session on this device, then tells the server with `POST /auth/v1/logout`.
  ///
  /// A 401, 403 or 404 says that the server knows no such session (any more), and so counts as told.
  public func signOut() async throws(AppError) {
    guard let session = await client.sessions.end() else { return }
    var call = SupabaseCall(method: .post, path: "auth/v1/logout")
    call.fields["X-Supabase-Api-Version"] = AuthAPIError.newerVersion
    let answer = try await client.wire.answer(to: call, token: session.accessToken)
    guard ![401, 403, 404].contains(answer.status) else { return }
    if let refusal = answer.refusal(now: client.wire.time.now) { throw AppError(refusal) }
  }

  /// The user of the session; asks no server.
  public func currentUserID() async throws(AppError) -> UUID {
    try await client.sessions.current().userID
  }

  /// Exchanges the tokens with `POST /auth/v1/token?grant_type=refresh_token`.
  public func refresh() async throws(AppError) {
    try await client.sessions.refresh()
  }
}

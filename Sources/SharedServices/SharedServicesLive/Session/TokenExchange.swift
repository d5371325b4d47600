import Foundation
import SharedServices
import UnderstudyTransport

/// GoTrue's response to a password or a refresh token.
struct TokenAnswer: Sendable, Decodable {
  struct User: Sendable, Decodable {
    let id: UUID
  }

  let accessToken: String
  let refreshToken: String
  /// The lifetime in seconds from now.
  ///
  /// `expires_at` is ignored, because the device's clock may be wrong.
  let expiresIn: Double
  let user: User

  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case expiresIn = "expires_in"
    case user
  }

  func session(number: Int, now: Date) -> SignedInSession {
    SignedInSession(
      number: number, userID: user.id, accessToken: accessToken, refreshToken: refreshToken,
      expiresAt: now.addingTimeInterval(expiresIn))
  }
}

extension SupabaseWire {
  /// Requests tokens (`POST /auth/v1/token`).
  ///
  /// - Parameters:
  ///   - grant: The grant type, `password` or `refresh_token`.
  ///   - proof: The members of the body for the grant type.
  func tokens(grant: String, proof: [String: String]) async throws(AppError) -> TokenAnswer {
    var call = SupabaseCall(
      method: .post, path: "auth/v1/token", query: [URLQueryItem(name: "grant_type", value: grant)],
      body: .json(of: proof))
    call.fields["X-Supabase-Api-Version"] = SupabaseWire.authVersion
    let answer = try await self.answer(to: call, token: nil)
    if let refusal = answer.errorResponse(now: time.now) { throw AppError(refusal) }
    return try answer.decoded(TokenAnswer.self)
  }
}

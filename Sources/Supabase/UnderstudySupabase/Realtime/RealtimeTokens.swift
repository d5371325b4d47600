import UnderstudyHTTP

/// A check of the tokens of channels.
struct RealtimeTokens: Sendable {
  let emulator: SupabaseEmulator
  /// The token of channels without their own token.
  let connectionKey: String

  /// The reason why a token is not accepted.
  struct Refusal: Error {
    /// The reason in the reply to a join.
    let reason: String
    /// The text of the `system` message when the channel is shut down.
    let message: String
  }

  /// Returns the token that applies to a join (`RealtimeChannel.assign_access_token`).
  ///
  /// A publishable or secret key, which begins with `sb_`, is replaced by the connection's key.
  func token(of payload: JSONValue) -> String {
    guard let token = payload["user_token"]?.stringValue ?? payload["access_token"]?.stringValue,
      !token.hasPrefix("sb_")
    else { return connectionKey }
    return token
  }

  func grant(for token: String) throws(Refusal) -> AuthServer.Grant {
    if token == emulator.apiKey { return AuthServer.Grant(role: .anonymous, expiresAt: nil) }
    if token == emulator.serviceKey { return AuthServer.Grant(role: .service, expiresAt: nil) }
    do throws(AuthServer.GrantRefusal) {
      return try emulator.auth.grant(for: token)
    } catch {
      switch error {
      case .malformed:
        let message = "The token provided is not a valid JWT"
        throw Refusal(reason: "MalformedJWT: " + message, message: message)
      case .signature:
        throw Refusal(
          reason: "JwtSignatureError: Failed to validate JWT signature", message: ":signature_error")
      case .expired(let seconds):
        let message = "Token has expired \(seconds) seconds ago"
        throw Refusal(reason: "InvalidJWTToken: " + message, message: message)
      }
    }
  }
}

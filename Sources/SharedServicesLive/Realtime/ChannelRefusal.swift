import SharedServices

/// The server's reason for refusing a join or shutting down a channel.
///
/// The only code is the first word of a join's reason (`RealtimeChannel.join`); the message of a shutdown has none
/// (`RealtimeChannel.shutdown_response`).
struct ChannelRefusal: Error, Sendable {
  let message: String

  /// Whether the server might accept another token.
  var concernsToken: Bool {
    switch code {
    case "InvalidJWTToken", "MalformedJWT", "JwtSignatureError", "JwtSignerError": true
    default:
      ["Token has expired", "The token provided", "Fields `role` and `exp`", ":signature_error"]
        .contains { message.hasPrefix($0) }
    }
  }

  /// The app's error for the refusal.
  var error: AppError {
    if concernsToken { return .network(.unauthorized) }
    switch code {
    case "Unauthorized", "PrivateOnly": return .network(.forbidden)
    case "ChannelRateLimitReached", "ConnectionRateLimitReached", "ClientJoinRateLimitReached",
      "DatabaseConnectionRateLimitReached":
      return .network(.rateLimited(retryAfter: nil))
    default: return .network(.serverError)
    }
  }

  private var code: Substring { message.prefix { $0 != ":" } }
}

import SharedServices

/// Why the server refused a join, or shut a channel down, in its words.
///
/// There are no codes but the first word of a reason (`RealtimeChannel.join`), and none in what is said of a channel
/// that is shut down (`RealtimeChannel.shutdown_response`).
struct ChannelRefusal: Error, Sendable {
  let message: String

  /// Whether another token might be accepted.
  var concernsToken: Bool {
    switch code {
    case "InvalidJWTToken", "MalformedJWT", "JwtSignatureError", "JwtSignerError": true
    default:
      ["Token has expired", "The token provided", "Fields `role` and `exp`", ":signature_error"]
        .contains { message.hasPrefix($0) }
    }
  }

  /// What it means to the app.
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

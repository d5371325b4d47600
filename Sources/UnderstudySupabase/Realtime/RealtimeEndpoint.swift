import Foundation
import UnderstudyHTTP

/// What Realtime answers below `/realtime/v1`: the handshake of its WebSocket.
struct RealtimeEndpoint {
  let emulator: SupabaseEmulator

  /// - Parameter key: The key of the project that the request brought.
  func respond(_ target: RequestTarget, path: [String], key: String) -> HTTPResponse {
    guard path == ["websocket"] else {
      return HTTPResponse(
        status: 404, body: .json(of: ["error": "not found"]), contentType: "application/json")
    }
    // A version that is not served is refused without a word (`Phoenix.Transports.WebSocket.call`).
    guard let version = PhoenixVersion(target["vsn"]) else { return HTTPResponse(status: 403) }
    return .webSocket { [emulator] socket in
      await RealtimeConnection(
        socket, version, RealtimeTokens(emulator: emulator, connectionKey: key), emulator.database,
        emulator.auth.time
      ).run()
    }
  }
}

/// What a channel's token lets it see.
struct RealtimeTokens: Sendable {
  let emulator: SupabaseEmulator
  /// What holds for a channel that brings no token.
  let connectionKey: String

  /// Why a token is not accepted.
  struct Refusal: Error {
    /// What a join is refused with.
    let reason: String
    /// What the `system` message of a channel says that is shut down.
    let message: String
  }

  /// The token that counts for a join (`RealtimeChannel.assign_access_token`).
  ///
  /// A publishable or a secret key, which begins with `sb_`, stands for the key of the connection.
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

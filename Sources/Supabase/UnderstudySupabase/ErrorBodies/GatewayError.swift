import Foundation
package import UnderstudyHTTP

/// An error response of the gateway of all Supabase services: of Kong, or of Cloudflare in front of it.
package enum GatewayError: Error, Hashable, Sendable {
  /// The request has no `apikey`, neither in a header field nor in the query.
  case missingAPIKey
  /// The `apikey` is not the one of this project.
  case invalidAPIKey
  /// Kong received no valid response of the service (502, `error_handlers.lua`).
  case badGateway
  /// Cloudflare received no valid response of the project; with one of its own statuses.
  case projectUnreachable(status: Int)

  /// Creates the error with a status that no service sends itself; `nil` for another status.
  package init?(status: Int) {
    switch status {
    case 502: self = .badGateway
    // "Cloudflare 5xx errors": 520 to 527, and 530.
    case 520...527, 530: self = .projectUnreachable(status: status)
    default: return nil
    }
  }

  /// The response, whose body is JSON if it is of Kong.
  package var response: HTTP.Response {
    switch self {
    case .missingAPIKey:
      Self.response(
        401, "No API key found in request", hint: "No `apikey` request header or url param was found.")
    case .invalidAPIKey: Self.response(401, "Invalid API key")
    case .badGateway: Self.response(502, "An invalid response was received from the upstream server")
    case .projectUnreachable(let status):
      HTTP.Response(
        status: status, body: Data("error code: \(status)".utf8), contentType: "text/plain; charset=UTF-8")
    }
  }

  private static func response(_ status: Int, _ message: String, hint: String? = nil) -> HTTP.Response {
    var body = ["message": message]
    body["hint"] = hint
    return HTTP.Response(
      status: status, body: .json(of: body), contentType: "application/json; charset=utf-8")
  }
}

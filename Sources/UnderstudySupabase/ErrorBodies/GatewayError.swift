import Foundation
public import UnderstudyHTTP

/// An error response of the gateway of all Supabase services.
package enum GatewayError: Error, Hashable, Sendable {
  /// The request has no `apikey`, neither in a header field nor in the query.
  case missingAPIKey
  /// The `apikey` is not the one of this project.
  case invalidAPIKey

  /// The response with status 401.
  package var response: HTTP.Response {
    let body: [String: String] =
      switch self {
      case .missingAPIKey:
        [
          "message": "No API key found in request",
          "hint": "No `apikey` request header or url param was found.",
        ]
      case .invalidAPIKey: ["message": "Invalid API key"]
      }
    return HTTP.Response(
      status: 401, body: .json(of: body), contentType: "application/json; charset=utf-8")
  }
}

import Foundation
package import UnderstudyHTTP

/// An error response of a Supabase edge function, or of the platform that runs it.
package struct EdgeFunctionError: Error, Hashable, Sendable {
  /// The HTTP status.
  package let status: Int
  /// The error code, such as `NOT_FOUND`; a function can define its own.
  package let code: String
  /// The message, in one sentence.
  package let message: String
  /// Whether the platform sends the error, with the code also as `sb-error-code`, and the function has not run.
  package let isOfPlatform: Bool

  /// Creates an error from its parts.
  package init(status: Int, code: String, message: String, isOfPlatform: Bool = false) {
    self.status = status
    self.code = code
    self.message = message
    self.isOfPlatform = isOfPlatform
  }

  /// The response.
  ///
  /// The platform's own has the code also as `sb-error-code`, and `x-relay-error` if the function could not run or end:
  /// clients look at that field before the status, so a refused token must not have it.
  package var response: HTTP.Response {
    var fields: HTTP.Fields = isOfPlatform ? ["sb-error-code": code] : [:]
    if isOfPlatform, status >= 500 { fields["x-relay-error"] = "true" }
    return HTTP.Response(
      status: status, fields: fields,
      body: .json(of: ["code": code, "message": message]), contentType: "application/json")
  }
}

extension EdgeFunctionError {
  /// The error for an unknown function.
  package static let unknownFunction: EdgeFunctionError = EdgeFunctionError(
    status: 404, code: "NOT_FOUND", message: "Requested function was not found", isOfPlatform: true)
  /// The error for a bearer token that is invalid or has expired.
  package static let invalidToken: EdgeFunctionError = EdgeFunctionError(
    status: 401, code: "UNAUTHORIZED_INVALID_JWT", message: "Invalid JWT", isOfPlatform: true)
}

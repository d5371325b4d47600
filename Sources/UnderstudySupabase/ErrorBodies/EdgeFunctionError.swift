import Foundation
public import UnderstudyHTTP

/// A refusal of a Supabase edge function, or of the platform that runs it.
package struct EdgeFunctionError: Error, Hashable, Sendable {
  /// The HTTP status.
  package let status: Int
  /// Such as `NOT_FOUND`; a function chooses its own.
  package let code: String
  /// What is wrong, in one sentence.
  package let message: String
  /// Whether the platform says it, which then repeats the code as `sb-error-code`, and the function has not run.
  package let isOfPlatform: Bool

  /// A refusal with these parts.
  package init(status: Int, code: String, message: String, isOfPlatform: Bool = false) {
    self.status = status
    self.code = code
    self.message = message
    self.isOfPlatform = isOfPlatform
  }

  /// The whole answer.
  package var response: HTTP.Response {
    HTTP.Response(
      status: status, fields: isOfPlatform ? ["sb-error-code": code] : [:],
      body: .json(of: ["code": code, "message": message]), contentType: "application/json")
  }
}

extension EdgeFunctionError {
  /// No function has this name.
  package static let unknownFunction: EdgeFunctionError = EdgeFunctionError(
    status: 404, code: "NOT_FOUND", message: "Requested function was not found", isOfPlatform: true)
  /// The bearer token cannot be read or verified, or its time is over.
  package static let invalidToken: EdgeFunctionError = EdgeFunctionError(
    status: 401, code: "UNAUTHORIZED_INVALID_JWT", message: "Invalid JWT", isOfPlatform: true)
}

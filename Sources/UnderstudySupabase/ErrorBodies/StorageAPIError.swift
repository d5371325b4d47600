import Foundation
package import UnderstudyHTTP

/// An error response of Supabase Storage (`storage`, `storage-error.ts` and `error-handler.ts`).
package struct StorageAPIError: Error, Hashable, Sendable {
  /// The status in the body, such as 404.
  package let statusCode: Int
  /// The code, such as `NoSuchKey`.
  package let code: String
  /// The older name, such as `not_found`.
  package let error: String
  /// The message, in one sentence.
  package let message: String

  /// Creates an error from its parts.
  ///
  /// - Parameter error: The older name; `nil` for the code.
  package init(statusCode: Int, code: String, error: String? = nil, message: String) {
    self.statusCode = statusCode
    self.code = code
    self.error = error ?? code
    self.message = message
  }

  /// The status of the response: Storage sends 400 for every error of a client, except for those of its gateway (401)
  /// and of its limits (429).
  package var status: Int {
    statusCode >= 500 || [401, 429].contains(statusCode) ? statusCode : 400
  }

  /// The response, with the status as a text.
  package var response: HTTP.Response {
    HTTP.Response(
      status: status,
      body: .json(of: [
        "statusCode": String(statusCode), "code": code, "error": error, "message": message,
      ]), contentType: "application/json; charset=utf-8")
  }

  /// Returns the error for what the emulator does not support (status 501).
  ///
  /// - Parameter feature: What is not supported, as the end of a sentence.
  package static func notSupported(_ feature: String) -> StorageAPIError {
    StorageAPIError(
      statusCode: 501, code: "NotSupported", message: PostgRESTError.notSupported(feature).message)
  }
}

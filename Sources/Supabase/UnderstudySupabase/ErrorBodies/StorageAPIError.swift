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

/// The errors of `internal/errors/codes.ts`.
extension StorageAPIError {
  static func invalidRequest(_ message: String) -> StorageAPIError {
    StorageAPIError(statusCode: 400, code: "InvalidRequest", error: "Error", message: message)
  }

  static func invalidParameter(_ name: String) -> StorageAPIError {
    StorageAPIError(statusCode: 400, code: "InvalidParameter", message: "Invalid Parameter \(name)")
  }

  static func accessDenied(_ message: String) -> StorageAPIError {
    StorageAPIError(statusCode: 403, code: "AccessDenied", error: "Unauthorized", message: message)
  }

  static let refusedByPolicy = accessDenied("new row violates row-level security policy")
  static let alreadyExists = StorageAPIError(
    statusCode: 409, code: "ResourceAlreadyExists", error: "Duplicate", message: "The resource already exists"
  )
  static let databaseTimeout = StorageAPIError(
    statusCode: 544, code: "DatabaseTimeout", message: "The connection to the database timed out")
  static let noSuchBucket = StorageAPIError(
    statusCode: 404, code: "NoSuchBucket", error: "Bucket not found", message: "Bucket not found")
  static let noSuchKey = StorageAPIError(
    statusCode: 404, code: "NoSuchKey", error: "not_found", message: "Object not found")
  static let bucketNotEmpty = StorageAPIError(
    statusCode: 409, code: "ResourceNotEmpty", message: "The bucket you tried to delete is not empty")
  static let invalidBucketName = StorageAPIError(
    statusCode: 400, code: "InvalidBucketName", error: "Invalid Input", message: "Bucket name invalid")
  static let tooLarge = StorageAPIError(
    statusCode: 413, code: "EntityTooLarge", error: "Payload too large",
    message: "The object exceeded the maximum allowed size")
  static let noContent = StorageAPIError(
    statusCode: 400, code: "InvalidRequest", message: "No content provided")
  static let invalidRange = StorageAPIError(
    statusCode: 400, code: "InvalidRange", error: "invalid_range", message: "invalid range provided")

  static func invalidKey(_ key: String) -> StorageAPIError {
    StorageAPIError(statusCode: 400, code: "InvalidKey", message: "Invalid key: \(key)")
  }

  static func invalidType(_ type: String) -> StorageAPIError {
    StorageAPIError(
      statusCode: 415, code: "InvalidMimeType", error: "invalid_mime_type",
      message: "mime type \(type) is not supported")
  }

  static func invalidJWT(_ message: String) -> StorageAPIError {
    StorageAPIError(statusCode: 400, code: "InvalidJWT", message: message)
  }

  static func invalidSignature(_ message: String = "Invalid signature") -> StorageAPIError {
    StorageAPIError(statusCode: 400, code: "InvalidSignature", message: message)
  }

  /// Translates an error of the database (`DBError.fromDBError`).
  init(_ error: PostgRESTError) {
    self =
      switch error.code {
      case "42501":
        error.message.contains("row-level security") ? .refusedByPolicy : .accessDenied(error.message)
      case "23505": .alreadyExists
      case "23503":
        StorageAPIError(
          statusCode: 404, code: "InvalidRequest", message: "The parent resource does not exist")
      case "57014": .databaseTimeout
      default:
        StorageAPIError(
          statusCode: 500, code: "DatabaseError", message: "database error, code: \(error.code)")
      }
  }
}

import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// The file in a request (`fileUploadFromRequest`): a part of a form, or the body.
struct Upload {
  let bytes: Data
  let type: String
  let cacheControl: String
  let userMetadata: JSONValue?
  /// The size of the body, which is greater than that of the file if the body is a form.
  private let declaredSize: Int

  /// The limit of a project without one of its own (`file_size_limit` of `supabase start`).
  private static let greatestSize = 50.0 * 1024 * 1024

  /// - Throws: `InvalidKey`, `InvalidMimeType`, `EntityTooLarge`, or `InvalidRequest` without a file.
  init(_ request: HTTP.Request, to name: String, in bucket: DatabaseRow) throws(StorageAPIError) {
    let body = request.body ?? Data()
    let contentType = request.fields["Content-Type"]
    declaredSize = body.count
    if let contentType, contentType.lowercased().hasPrefix("multipart/form-data") {
      guard let parts = MultipartPart.parts(of: Array(body), type: contentType),
        let file = parts.first(where: { $0.fileName != nil })
      else { throw .noContent }
      func field(_ names: String...) -> String? {
        parts.first { $0.fileName == nil && names.contains($0.name) }
          .map { String(decoding: $0.bytes, as: UTF8.self) }
      }
      bytes = Data(file.bytes)
      type = field("contentType") ?? file.type ?? "application/octet-stream"
      cacheControl = field("cacheControl").map { "max-age=\($0)" } ?? "no-cache"
      userMetadata = field("metadata", "userMetadata").flatMap { try? JSONValue(parsing: Data($0.utf8)) }
    } else {
      bytes = body
      type = contentType ?? "application/octet-stream"
      cacheControl = request.fields["Cache-Control"] ?? "no-cache"
      userMetadata = Self.userMetadata(encoded: request.fields["x-metadata"])
    }
    try StorageEndpoint.check(key: name)
    // A client creates an empty folder by this object, whatever the bucket allows; it has no bytes (`isEmptyFolder`).
    guard !name.hasSuffix(".emptyFolderPlaceholder") else {
      guard bytes.isEmpty else { throw .tooLarge }
      return
    }
    if let allowed = bucket["allowed_mime_types"].textArrayValue, !allowed.isEmpty,
      !allowed.contains(where: { Self.matches(type, $0) })
    {
      throw .invalidType(type)
    }
    let limit = min(
      bucket["file_size_limit"].integerValue.map(Double.init) ?? Self.greatestSize, Self.greatestSize)
    guard Double(bytes.count) <= limit else { throw .tooLarge }
  }

  /// Returns whether a type is one that a bucket allows, such as `image/*` (`validateMimeType`).
  private static func matches(_ type: String, _ allowed: String) -> Bool {
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    let pattern = allowed.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, pattern.count > 1, parts[0] == pattern[0] else { return false }
    return pattern[1] == "*" || pattern[1] == parts[1]
  }

  /// Returns the object in a field `x-metadata`, which is base64 of JSON.
  static func userMetadata(encoded field: String?) -> JSONValue? {
    field.flatMap { Data(base64Encoded: $0) }.flatMap { try? JSONValue(parsing: $0) }
  }

  /// The metadata that the policies see when they decide about the upload (`uploader.ts`).
  var metadataBeforeStoring: JSONValue {
    .object([
      .init("mimetype", .string(type)), .init("contentLength", .number(String(declaredSize))),
    ])
  }

  /// Returns the metadata in the row of the object.
  func metadata(at date: Date) -> JSONValue {
    let modified = Timestamp(date)?.text(separator: "T", offset: "Z") ?? ""
    return .object([
      .init("eTag", .string(Self.tag(of: bytes))), .init("size", .number(String(bytes.count))),
      .init("mimetype", .string(type)), .init("cacheControl", .string(cacheControl)),
      .init("lastModified", .string(modified)), .init("contentLength", .number(String(bytes.count))),
      .init("httpStatusCode", .number("200")),
    ])
  }

  /// Returns an entity tag (RFC 9110 §8.8.3): the first half of the bytes' SHA-256.
  private static func tag(of bytes: Data) -> String {
    "\"\(ByteEncoding.hexadecimal(Digest.sha256(bytes).prefix(16)))\""
  }
}

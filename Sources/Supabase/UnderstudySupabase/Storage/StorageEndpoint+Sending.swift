import Foundation
import UnderstudyHTTP

/// Sending objects, and the signed URLs that need no token of a user.
extension StorageEndpoint {
  /// Sends an object (`renderer.ts`), whole or a range of it.
  ///
  /// - Parameter expiry: When the URL expires, which goes to caches instead of the time of the object.
  func send(
    _ row: DatabaseRow, _ request: HTTP.Request, _ target: RequestTarget, expiry: Date? = nil
  ) throws(StorageAPIError) -> HTTP.Response {
    guard let version = row["version"].textValue, let bytes = database.files[version] else {
      throw StorageAPIError(
        statusCode: 404, code: "NoSuchKey", error: "Not found", message: "The resource was not found")
    }
    let metadata = row["metadata"].jsonValue ?? .object([])
    var fields: HTTP.Fields = ["Accept-Ranges": "bytes", "X-Robots-Tag": "none"]
    fields["ETag"] = metadata["eTag"]?.stringValue
    if let expiry {
      fields["Expires"] = HTTPDate.text(of: expiry)
    } else {
      fields["Cache-Control"] = metadata["cacheControl"]?.stringValue
    }
    if let date = row["updated_at"].timestampValue { fields["Last-Modified"] = HTTPDate.text(of: date) }
    if let name = target["download"] {
      let encoded = PostgRESTEndpoint.encoded(name)
      fields["Content-Disposition"] =
        name.isEmpty ? "attachment;" : "attachment; filename=\(encoded); filename*=UTF-8''\(encoded)"
    }
    // The renderer of HEAD (`head.ts`) has no conditions.
    let isHead = request.method == .head
    if !isHead, let tag = fields["ETag"], request.fields["If-None-Match"] == tag {
      return HTTP.Response(status: 304, fields: fields)
    }
    if !isHead, let since = request.fields["If-Modified-Since"].flatMap(Self.seconds(ofDate:)),
      let date = row["updated_at"].timestampValue, HTTPDate.seconds(of: date) <= since
    {
      return HTTP.Response(status: 304, fields: fields)
    }
    fields["Content-Type"] = metadata["mimetype"]?.stringValue ?? "application/octet-stream"
    if !isHead, let field = request.fields["Range"] {
      guard let range = Self.range(field, of: bytes.count) else { throw .invalidRange }
      fields["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
      return HTTP.Response(
        status: 206, fields: fields, body: HTTP.Body(bytes.dropFirst(range.lowerBound).prefix(range.count)))
    }
    if isHead { fields["Content-Length"] = String(bytes.count) }
    return HTTP.Response(status: 200, fields: fields, body: HTTP.Body(isHead ? Data() : bytes))
  }

  /// Returns the seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
  private static func seconds(ofDate text: String) -> Int64? {
    let parts = text.split(separator: " ").map(String.init)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: parts[2]),
      let date = try? Timestamp("\(parts[3])-\(padded(month + 1, to: 2))-\(parts[1])T\(parts[4])Z")
    else { return nil }
    return HTTPDate.seconds(of: date.date)
  }

  /// Returns the only range of a field (RFC 9110 §14.2); `nil` if no byte is in it.
  private static func range(_ field: String, of count: Int) -> Range<Int>? {
    let parts = field.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0] == "bytes" else { return nil }
    let bounds = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return nil }
    switch (Int(bounds[0]), Int(bounds[1])) {
    case (let first?, let last?) where first <= last && first >= 0 && first < count:
      return first..<min(count, last == Int.max ? count : last + 1)
    case (let first?, nil) where bounds[1].isEmpty && first >= 0 && first < count: return first..<count
    case (nil, let length?) where bounds[0].isEmpty && length > 0 && count > 0:
      return max(0, count - length)..<count
    default: return nil
    }
  }

  func info(of row: DatabaseRow) throws(StorageAPIError) -> HTTP.Response {
    let metadata = row["metadata"].jsonValue ?? .object([])
    return Self.json(
      .object([
        .init("id", row["id"].json), .init("name", row["name"].json),
        .init("version", row["version"].json), .init("bucket_id", row["bucket_id"].json),
        .init("size", metadata["size"] ?? .null), .init("content_type", metadata["mimetype"] ?? .null),
        .init("cache_control", metadata["cacheControl"] ?? .null), .init("etag", metadata["eTag"] ?? .null),
        .init("metadata", row["user_metadata"].json),
        .init("last_modified", row["updated_at"].json),
        .init("created_at", row["created_at"].json),
      ]))
  }

  // MARK: Public buckets

  func publicObject(_ bucket: String, _ name: String) throws(StorageAPIError) -> DatabaseRow {
    guard try self.bucket(bucket, as: .service)["public"].booleanValue == true else {
      throw .noSuchBucket
    }
    return try object(bucket, name, as: .service)
  }

  func sendPublic(
    _ request: HTTP.Request, _ target: RequestTarget, _ bucket: String, _ name: String
  ) throws(StorageAPIError) -> HTTP.Response {
    guard [.get, .head].contains(request.method) else { return Self.notFound(request) }
    return try send(try publicObject(bucket, name), request, target)
  }

  // MARK: Signed URLs

  func sign(_ exchange: StorageExchange, _ bucket: String, _ name: String) throws(StorageAPIError)
    -> HTTP.Response
  {
    let body = try exchange.body()
    let lifetime = try Self.lifetime(in: body)
    _ = try object(bucket, name, as: exchange.role)
    let transformation = try Self.transformation(in: body)
    return Self.json(
      .object([.init("signedURL", .string(signedURL(bucket, name, lifetime, transformation)))]))
  }

  func signMany(_ exchange: StorageExchange, _ bucket: String) throws(StorageAPIError) -> HTTP.Response {
    let body = try exchange.body()
    let lifetime = try Self.lifetime(in: body)
    guard case .array(let paths)? = body["paths"], (1...1_000).contains(paths.count) else {
      throw .invalidRequest("body/paths must NOT have fewer than 1 items")
    }
    let names = paths.compactMap(\.stringValue)
    let found = try objects(where: Self.filter(bucket, names), as: exchange.role)
    let visible = Set(found.compactMap { $0["name"].textValue })
    return Self.json(
      .array(
        names.map { path in
          let isVisible = visible.contains(path)
          let error = "Either the object does not exist or you do not have access to it"
          return .object([
            .init("error", isVisible ? .null : .string(error)), .init("path", .string(path)),
            .init("signedURL", isVisible ? .string(signedURL(bucket, path, lifetime)) : .null),
          ])
        }))
  }

  private static func lifetime(in body: JSONValue) throws(StorageAPIError) -> Int {
    guard let lifetime = body.storageInteger("expiresIn"), lifetime >= 1, lifetime <= Int(Int32.max) else {
      throw .invalidRequest(
        body["expiresIn"] == nil
          ? "body must have required property 'expiresIn'" : "body/expiresIn must be >= 1")
    }
    return lifetime
  }

  private func signedURL(
    _ bucket: String, _ name: String, _ lifetime: Int, _ transformation: String? = nil
  ) -> String {
    let url = "\(bucket)/\(name)"
    let claims = transformation.map { [JSONValue.Member("transformations", .string($0))] } ?? []
    let route = transformation == nil ? "object" : "render/image"
    return "/\(route)/sign/\(url)?token=\(token(of: url, scope: "download", lifetime, claims))"
  }

  private func token(
    of url: String, scope: String, _ lifetime: Int, _ others: [JSONValue.Member] = []
  ) -> String {
    let now = Int(database.now.timeIntervalSince1970)
    return auth.signed(
      .object(
        others + [
          .init("url", .string(url)), .init("scope", .string(scope)), .init("iat", .number(String(now))),
          .init("exp", .number(String(now + lifetime))),
        ]))
  }

  /// Returns the claims of the token in a signed URL (`verifyObjectSignature`).
  private func claims(
    in target: RequestTarget, _ bucket: String, _ name: String, scope: String
  ) throws(StorageAPIError) -> JSONValue {
    guard let token = target["token"], !token.isEmpty else {
      throw .invalidRequest("querystring must have required property 'token'")
    }
    let claims: JSONValue
    do throws(AccessToken.Refusal) {
      claims = try auth.claims(of: token)
    } catch {
      switch error {
      case .parts: throw .invalidJWT("Invalid Compact JWS")
      case .signature, .claims: throw .invalidJWT("signature verification failed")
      }
    }
    guard let expiry = claims["exp"]?.numberValue, expiry > database.now.timeIntervalSince1970 else {
      throw .invalidJWT(#""exp" claim timestamp check failed"#)
    }
    guard claims["scope"]?.stringValue == scope else {
      throw .invalidSignature("Token is not scoped for \(scope)")
    }
    guard claims["url"]?.stringValue == "\(bucket)/\(name)" else { throw .invalidSignature() }
    return claims
  }

  /// Returns when the signed URL of an object expires.
  ///
  /// - Throws: `InvalidJWT` and `InvalidSignature`.
  func checkSignature(
    _ target: RequestTarget, _ bucket: String, _ name: String
  ) throws(StorageAPIError) -> Date {
    let expiry = try claims(in: target, bucket, name, scope: "download")["exp"]?.numberValue
    return Date(timeIntervalSince1970: expiry ?? 0)
  }

  func sendSigned(
    _ request: HTTP.Request, _ target: RequestTarget, _ bucket: String, _ name: String
  ) throws(StorageAPIError) -> HTTP.Response {
    let expiry = try checkSignature(target, bucket, name)
    return try send(try object(bucket, name, as: .service), request, target, expiry: expiry)
  }

  /// Two hours (`UPLOAD_SIGNED_URL_EXPIRATION_TIME`, of `supabase start`).
  private static let lifetimeOfUploads = 7_200

  func signUpload(_ exchange: StorageExchange, _ bucket: String, _ name: String) throws(StorageAPIError)
    -> HTTP.Response
  {
    try Self.check(key: name)
    try checkUpload(bucket, name, exchange.role, owner: exchange.owner, replaces: exchange.replaces)
    var others: [JSONValue.Member] = [.init("upsert", .boolean(exchange.replaces))]
    if let owner = exchange.owner { others.append(.init("owner", .string(owner.uuidString.lowercased()))) }
    let token = token(of: "\(bucket)/\(name)", scope: "upload", Self.lifetimeOfUploads, others)
    return Self.json(
      .object([
        .init("url", .string("/object/upload/sign/\(bucket)/\(name)?token=\(token)")),
        .init("token", .string(token)),
      ]))
  }

  func uploadSigned(
    _ request: HTTP.Request, _ target: RequestTarget, _ bucket: String, _ name: String
  ) throws(StorageAPIError) -> HTTP.Response {
    let claims = try claims(in: target, bucket, name, scope: "upload")
    let owner = claims["owner"]?.stringValue.flatMap(UUID.init(uuidString:))
    let upload = try Upload(request, to: name, in: try self.bucket(bucket, as: .service))
    try checkUpload(
      bucket, name, .service, owner: owner, replaces: claims["upsert"] == .boolean(true),
      metadata: upload.metadataBeforeStoring, userMetadata: upload.userMetadata)
    _ = try store(upload, bucket, name, owner: owner)
    // Unlike an upload with a token of a user, without the id (`uploadSignedObject.ts`).
    return Self.json(.object([.init("Key", .string("\(bucket)/\(name)"))]))
  }
}

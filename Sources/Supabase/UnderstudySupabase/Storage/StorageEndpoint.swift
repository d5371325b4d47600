import Foundation
import UnderstudyHTTP

/// The endpoints of Storage under `/storage/v1` (`storage`, `src/http/routes`).
///
/// The rows of buckets and objects are in the database, whose policies apply to them; the bytes are beside it. Not
/// supported: resumable uploads, S3, the transformation of images that are not SVG, and buckets of vectors and for analytics.
struct StorageEndpoint {
  let database: InMemoryDatabase
  let auth: AuthServer
  /// The role of a request with a token or a key.
  let caller: Result<DatabaseRole, PostgRESTError>

  /// A request with its path below `/storage/v1`.
  struct StorageExchange {
    let request: HTTP.Request
    let target: RequestTarget
    let role: DatabaseRole

    /// The members of the body.
    ///
    /// - Throws: `InvalidRequest`.
    func body() throws(StorageAPIError) -> JSONValue {
      guard let body = try? JSONValue(objectIn: request) else { throw .invalidRequest("body must be object") }
      return body
    }

    /// The user, who owns what the request creates.
    var owner: UUID? { role.userID }

    /// Whether an upload or a copy replaces an existing object.
    var replaces: Bool { request.fields["x-upsert"] == "true" }
  }

  func respond(to request: HTTP.Request, _ target: RequestTarget, path: [String]) -> HTTP.Response {
    do throws(StorageAPIError) {
      let rest = Array(path.dropFirst(2))
      switch (path.first, path.dropFirst().first) {
      case ("object", "public") where rest.count > 1:
        return try sendPublic(request, target, rest[0], Self.name(rest.dropFirst()))
      case ("object", "info") where rest.first == "public" && rest.count > 2:
        return try info(of: try publicObject(rest[1], Self.name(rest.dropFirst(2))))
      case ("object", "sign") where rest.count > 1 && [.get, .head].contains(request.method):
        return try sendSigned(request, target, rest[0], Self.name(rest.dropFirst()))
      case ("object", "upload") where rest.first == "sign" && rest.count > 2 && request.method == .put:
        return try uploadSigned(request, target, rest[1], Self.name(rest.dropFirst(2)))
      case ("render", "image"): return try render(request, target, rest)
      case ("object", let bucket?)
      where !rest.isEmpty && !["authenticated", "info"].contains(bucket)
        && [.get, .head].contains(request.method) && !isAuthenticated(request):
        return try sendPublic(request, target, bucket, Self.name(rest))
      default: break
      }
      let exchange = StorageExchange(request: request, target: target, role: try role(of: request))
      switch path.first {
      case "bucket": return try bucket(exchange, Array(path.dropFirst()))
      case "object": return try object(exchange, Array(path.dropFirst()))
      case "upload": throw .notSupported("resumable uploads")
      case "s3": throw .notSupported("the S3 protocol of Storage")
      case "vector": throw .notSupported("vector buckets of Storage")
      case "iceberg": throw .notSupported("analytics buckets of Storage")
      default: return Self.notFound(request)
      }
    } catch {
      return error.response
    }
  }

  /// - Throws: `InvalidRequest` without a token, `AccessDenied` with an invalid one (`plugins/jwt.ts`).
  func role(of request: HTTP.Request) throws(StorageAPIError) -> DatabaseRole {
    guard request.fields["Authorization"] != nil || request.fields["apikey"] != nil else {
      throw .invalidRequest("headers must have required property 'authorization'")
    }
    do throws(PostgRESTError) { return try caller.get() } catch {
      let isExpired = error.code == "PGRST303"
      throw .accessDenied(isExpired ? #""exp" claim timestamp check failed"# : "Invalid Compact JWS")
    }
  }

  /// Whether a request has a valid token or key; `object/BUCKET/NAME` of a public bucket needs none (`getObject.ts`).
  private func isAuthenticated(_ request: HTTP.Request) -> Bool { (try? role(of: request)) != nil }

  // MARK: Results

  static func notFound(_ request: HTTP.Request) -> HTTP.Response {
    StorageAPIError(
      statusCode: 404, code: "InvalidRequest", error: "Not Found",
      message: "Route \(request.method.rawValue):\(request.url.path()) not found"
    ).response
  }

  static func json(_ value: JSONValue) -> HTTP.Response {
    HTTP.Response(
      status: 200, body: Data(value.compactText.utf8), contentType: "application/json; charset=utf-8")
  }

  static func message(_ text: String) -> HTTP.Response {
    json(.object([.init("message", .string(text))]))
  }

  /// Returns the members of an object for the columns of a row.
  static func members(_ columns: [String], of row: DatabaseRow?) -> [JSONValue.Member] {
    columns.map { .init($0, row?[$0].json ?? .null) }
  }

  /// Returns the name of an object, whose slashes divide it into folders.
  static func name(_ path: some Sequence<String>) -> String { path.joined(separator: "/") }

  /// Runs a statement, whose errors become those of Storage (`database/errors.ts`).
  func statement<Result>(
    _ body: () throws(PostgRESTError) -> Result
  ) throws(StorageAPIError) -> Result {
    do throws(PostgRESTError) { return try body() } catch { throw StorageAPIError(error) }
  }
}

extension JSONValue {
  /// Returns the text of a required member.
  ///
  /// - Throws: `InvalidRequest`, as the schema of the route does.
  func storageText(_ name: String) throws(StorageAPIError) -> String {
    switch self[name] {
    case .string(let text)?: return text
    case nil: throw .invalidRequest("body must have required property '\(name)'")
    default: throw .invalidRequest("body/\(name) must be string")
    }
  }

  /// Returns the integer of a member, which may be written as text: the service converts it, and storage-py sends it so.
  func storageInteger(_ name: String) -> Int? {
    self[name]?.integerValue ?? self[name]?.stringValue.flatMap { Int($0) }
  }
}

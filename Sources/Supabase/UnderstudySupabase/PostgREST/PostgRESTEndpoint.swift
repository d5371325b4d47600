import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// The endpoints of PostgREST under `/rest/v1`.
///
/// Each request becomes one statement (`Query/Statements.hs`), which runs as the caller in a transaction of its own.
struct PostgRESTEndpoint {
  let database: InMemoryDatabase
  var settings: RESTSettings

  init(database: InMemoryDatabase, settings: RESTSettings = RESTSettings()) {
    self.database = database
    self.settings = settings.overridden(by: database.catalogue)
  }

  func respond(
    to request: HTTP.Request, _ target: RequestTarget, path: [String],
    caller: Result<DatabaseRole, PostgRESTError>
  ) -> HTTP.Response {
    do throws(PostgRESTError) {
      let role = try caller.get()
      if path.isEmpty { throw .notSupported("the description of the API (OpenAPI)") }
      let isCall = path.count == 2 && path.first == "rpc"
      guard isCall || path.count == 1, let name = path.last else { throw .invalidPath }
      let schema = try schema(of: request)
      try checkMethod(request.method, isCall: isCall)
      let exchange = try PostgRESTExchange(
        self, request, target, name: QualifiedName(schema: schema, name), role: role, isCall: isCall)
      if isCall { return try call(exchange) }
      guard let table = exchange.catalogue.tables[exchange.name] else {
        let names = exchange.catalogue.tables.keys.filter { $0.schema == schema }.map(\.name).sorted()
        throw .unknownTable(
          name, schema: schema,
          suggestion: Similarity.best(of: name, among: names, least: 0.75).map {
            "Perhaps you meant the table '\(schema).\($0)'"
          })
      }
      switch request.method {
      case .post: return try insert(exchange, into: table)
      case .put: return try upsert(exchange, into: table)
      case .patch: return try update(exchange, table)
      case .delete: return try delete(exchange, from: table)
      case .options: return options(table)
      default: return try read(exchange, table)
      }
    } catch {
      let role = (try? caller.get()) ?? .anonymous
      return Self.response(to: error, isAuthenticated: role.isAuthenticated)
    }
  }

  /// The schema that the request names, or the default one.
  ///
  /// - Throws: PGRST106.
  private func schema(of request: HTTP.Request) throws(PostgRESTError) -> String {
    let writes: [HTTP.Method] = [.post, .patch, .put, .delete]
    let profile = request.fields[writes.contains(request.method) ? "Content-Profile" : "Accept-Profile"]
    guard let profile else { return settings.schemas.first ?? "public" }
    guard settings.schemas.contains(profile) else {
      throw .unknownSchema(profile, exposed: settings.schemas)
    }
    return profile
  }

  private func checkMethod(_ method: HTTP.Method, isCall: Bool) throws(PostgRESTError) {
    if isCall {
      guard [.get, .head, .post, .options].contains(method) else { throw .invalidCallMethod(method.rawValue) }
    } else {
      guard [.get, .head, .post, .put, .patch, .delete, .options].contains(method) else {
        throw .unsupportedMethod(method.rawValue)
      }
    }
  }

  private func options(_ table: Table) -> HTTP.Response {
    var methods = ["OPTIONS", "GET", "HEAD", "POST"]
    if table.primaryKey != nil { methods.append("PUT") }
    methods += ["PATCH", "DELETE"]
    return HTTP.Response(
      status: 200, fields: ["Allow": methods.joined(separator: ","), "Access-Control-Allow-Origin": "*"])
  }

  /// Percent-encodes a part of a URL, except for the unreserved characters of RFC 3986 §2.3.
  static func encoded(_ text: String) -> String {
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
    guard let encoded = text.addingPercentEncoding(withAllowedCharacters: unreserved) else {
      preconditionFailure("Every string can be percent-encoded.")
    }
    return encoded
  }

  /// The response to an error.
  ///
  /// What the engine cannot run is refused as such, and not as an error of PostgreSQL.
  private static func response(to error: PostgRESTError, isAuthenticated: Bool) -> HTTP.Response {
    let refusal = " is not supported by the in-memory database"
    if error.code == PostgreSQLError.notSupportedCode {
      let feature = PostgRESTError.notSupported(error.message.replacing(refusal, with: ""))
      return feature.response(isAuthenticated: isAuthenticated)
    }
    return RaisedResponse.response(to: error) ?? error.response(isAuthenticated: isAuthenticated)
  }
}

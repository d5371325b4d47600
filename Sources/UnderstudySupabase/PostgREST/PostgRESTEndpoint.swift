import Foundation
import UnderstudyHTTP

/// What PostgREST answers below `/rest/v1`.
struct PostgRESTEndpoint {
  let database: InMemoryDatabase

  func respond(
    to request: HTTPRequest, _ target: RequestTarget, path: [String],
    caller: Result<DatabaseRole, PostgRESTError>
  ) -> HTTPResponse {
    do throws(PostgRESTError) {
      let role = try caller.get()
      guard path.count == 1, let name = path.first else { throw .invalidPath }
      guard [.get, .head, .post, .patch, .delete, .options].contains(request.method) else {
        throw .unsupportedMethod(request.method.rawValue)
      }
      let isRead = [.get, .head, .options].contains(request.method)
      if let schema = request.fields[isRead ? "Accept-Profile" : "Content-Profile"], schema != "public" {
        throw .unknownSchema(schema)
      }
      guard let table = database.tables.first(where: { $0.name == name && $0.isExposed }) else {
        throw .unknownTable(name)
      }
      if request.method == .options {
        return HTTPResponse(status: 200, fields: ["Allow": "OPTIONS,GET,HEAD,POST,PATCH,DELETE"])
      }
      let exchange = Exchange(
        request: request, table: table, role: role,
        parameters: try QueryParameters(target.query, table: name), preferences: Preferences(request.fields),
        isSingular: try Self.isSingular(request.fields["Accept"]),
        location: Self.location(of: name, target.query))
      switch request.method {
      case .post: return try insert(exchange)
      case .patch: return try update(exchange)
      case .delete: return try delete(exchange)
      default: return try select(exchange)
      }
    } catch {
      let role = (try? caller.get()) ?? .anonymous
      return error.response(isAuthenticated: role.isAuthenticated)
    }
  }

  /// Whether the client takes one object; else it takes an array.
  ///
  /// - Throws: PGRST107.
  private static func isSingular(_ accept: String?) throws(PostgRESTError) -> Bool {
    guard let accept else { return false }
    let types = accept.split(separator: ",").map { type in
      type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }
    for type in types {
      switch type {
      case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object": return true
      case "application/json", "application/vnd.pgrst.array+json", "application/*", "*/*": return false
      default: continue
      }
    }
    throw .unavailableMediaType(accept)
  }

  /// The value of `Content-Location`: the table and the query, sorted by the names.
  private static func location(of table: String, _ query: [RequestTarget.Item]) -> String {
    let items = query.enumerated().filter { $0.element.name != "apikey" }
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
      .map { encoded($0.element.name) + "=" + encoded($0.element.value) }
    return "/" + encoded(table) + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// A part of a URL, percent-encoded but for what RFC 3986 §2.3 leaves unreserved.
  static func encoded(_ text: String) -> String {
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}

extension PostgRESTEndpoint {
  /// A request to a table, read as far as its fields and its query go.
  struct Exchange {
    let request: HTTPRequest
    let table: Table
    let role: DatabaseRole
    let parameters: QueryParameters
    let preferences: Preferences
    let isSingular: Bool
    let location: String

    /// - Throws: PGRST116 if one row was asked for and there is another number of them.
    func checkCount(_ rows: Int) throws(PostgRESTError) {
      if isSingular, rows != 1 { throw .notSingular(rows: rows) }
    }

    /// An answer with rows in its body.
    func response(status: Int, _ fields: HTTPFields, _ rows: [DatabaseRow], _ writer: RowWriter)
      -> HTTPResponse
    {
      let body = isSingular ? rows.first.map(writer.object) ?? Data() : writer.array(rows)
      return HTTPResponse(
        status: status, fields: fields, body: request.method == .head ? Data() : body,
        contentType: isSingular
          ? "application/vnd.pgrst.object+json; charset=utf-8" : "application/json; charset=utf-8")
    }
  }
}

import Foundation
import UnderstudyHTTP

/// The endpoints of PostgREST under `/rest/v1`.
struct PostgRESTEndpoint {
  let database: InMemoryDatabase

  /// The number of rows that a selection returns at most, as a new project of Supabase has it (PostgREST, `db-max-rows`).
  private static let maximumRows = 1_000

  func respond(
    to request: HTTP.Request, _ target: RequestTarget, path: [String],
    caller: Result<DatabaseRole, PostgRESTError>
  ) -> HTTP.Response {
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
        return HTTP.Response(status: 200, fields: ["Allow": "OPTIONS,GET,HEAD,POST,PATCH,DELETE"])
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

  /// Returns whether the client accepts a single object instead of an array.
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

  /// Returns the value of `Content-Location`: the table and the query, sorted by the names.
  private static func location(of table: String, _ query: [RequestTarget.Item]) -> String {
    let items = query.enumerated().filter { $0.element.name != "apikey" }
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
      .map { encoded($0.element.name) + "=" + encoded($0.element.value) }
    return "/" + encoded(table) + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
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
}

extension PostgRESTEndpoint {
  /// A request to a table with its parsed fields and query.
  struct Exchange {
    let request: HTTP.Request
    let table: DatabaseTable
    let role: DatabaseRole
    let parameters: QueryParameters
    let preferences: Preferences
    let isSingular: Bool
    let location: String

    /// - Throws: PGRST116 if a single object was requested and the number of rows is not 1.
    func checkCount(_ rows: Int) throws(PostgRESTError) {
      if isSingular, rows != 1 { throw .notSingular(rows: rows) }
    }

    /// Returns a response with rows in its body.
    func response(status: Int, _ fields: HTTP.Fields, _ rows: [DatabaseRow], _ writer: RowWriter)
      -> HTTP.Response
    {
      let body: Data
      if isSingular {
        guard let row = rows.first else {
          preconditionFailure("The count of rows is checked before the answer.")
        }
        body = writer.object(row)
      } else {
        body = writer.array(rows)
      }
      return HTTP.Response(
        status: status, fields: fields, body: request.method == .head ? Data() : body,
        contentType: isSingular
          ? "application/vnd.pgrst.object+json; charset=utf-8" : "application/json; charset=utf-8")
    }
  }
}

extension PostgRESTEndpoint {
  func select(_ exchange: Exchange) throws(PostgRESTError) -> HTTP.Response {
    let parameters = exchange.parameters
    let range = try RowRange(parameters, exchange.request.fields["Range"])
    let writer = try RowWriter(parameters.selected, for: exchange.table.layout)
    let query = Query(
      filter: parameters.filter, orderings: parameters.orderings,
      limit: min(range.limit ?? Self.maximumRows, Self.maximumRows), offset: range.offset)
    let selection = try database.perform(.select, on: exchange.table.name, as: exchange.role) {
      (state, table, context) throws(PostgRESTError) in try state.select(query, from: table, context)
    }
    let total = exchange.preferences.count == nil ? nil : selection.total
    if let total, range.offset > total {
      throw .rangeNotSatisfiable(
        "An offset of \(range.offset) was requested, but there are only \(total) rows.")
    }
    try exchange.checkCount(selection.rows.count)
    var fields: HTTP.Fields = [
      "Content-Range": RowRange.contentRange(offset: range.offset, rows: selection.rows.count, total: total),
      "Content-Location": exchange.location,
    ]
    fields["Preference-Applied"] = exchange.preferences.applied(
      isInsert: false, isWrite: false, resolves: false)
    return exchange.response(
      status: RowRange.status(rows: selection.rows.count, total: total), fields, selection.rows, writer)
  }

  func insert(_ exchange: Exchange) throws(PostgRESTError) -> HTTP.Response {
    let (parameters, preferences) = (exchange.parameters, exchange.preferences)
    let body = try RequestRows(
      exchange.request, for: exchange.table.layout, columns: parameters.columns,
      usesDefaultsForMissing: preferences.usesDefaultsForMissing ?? false)
    let writer = try RowWriter(parameters.selected, for: exchange.table.layout)
    let target = parameters.conflictColumns ?? exchange.table.primaryKey
    let resolution =
      target.isEmpty
      ? nil
      : preferences.resolution.map {
        ConflictResolution(columns: target, merges: $0 == .merge, named: body.named)
      }
    let isRead = preferences.representation == .full || preferences.representation == .headersOnly
    let result = try database.perform(
      .insert, on: exchange.table.name, as: exchange.role, returnsRows: isRead
    ) { (state, table, context) throws(PostgRESTError) -> (rows: [DatabaseRow], inserted: Int) in
      let result = try state.insert(body.rows, into: table, onConflict: resolution, context)
      try exchange.checkCount(result.slots.count)
      return (result.slots.compactMap { state.row($0, of: table) }, result.inserted)
    }
    var fields: HTTP.Fields = ["Content-Range": contentRange(exchange, rows: result.rows.count)]
    fields["Preference-Applied"] = preferences.applied(
      isInsert: true, isWrite: true, resolves: resolution != nil)
    if preferences.representation == .headersOnly, result.rows.count == 1, let row = result.rows.first {
      let key = exchange.table.primaryKey.map { Self.encoded($0) + "=" + Self.encoded("eq.\(row[$0].text)") }
      if !key.isEmpty {
        fields["Location"] = "/\(Self.encoded(exchange.table.name))?\(key.joined(separator: "&"))"
      }
    }
    let status = resolution?.merges == true && result.inserted == 0 ? 200 : 201
    guard preferences.representation == .full else { return HTTP.Response(status: status, fields: fields) }
    return exchange.response(status: status, fields, result.rows, writer)
  }

  func update(_ exchange: Exchange) throws(PostgRESTError) -> HTTP.Response {
    let parameters = exchange.parameters
    let body = try RequestRows(
      exchange.request, for: exchange.table.layout, columns: parameters.columns, usesDefaultsForMissing: false
    )
    let writer = try RowWriter(parameters.selected, for: exchange.table.layout)
    let rows = try database.perform(.update, on: exchange.table.name, as: exchange.role) {
      (state, table, context) throws(PostgRESTError) -> [DatabaseRow] in
      let filter = try RowFilter(parameters.filter, for: exchange.table.layout)
      var slots: [Int] = []
      if let values = body.rows.first, !body.namesNoColumns {
        slots = try state.update(table, set: values, where: filter, context)
      }
      try exchange.checkCount(slots.count)
      return slots.compactMap { state.row($0, of: table) }
    }
    let total = exchange.preferences.count == nil ? nil : rows.count
    return written(
      exchange, rows, writer, contentRange: RowRange.contentRange(offset: 0, rows: rows.count, total: total))
  }

  func delete(_ exchange: Exchange) throws(PostgRESTError) -> HTTP.Response {
    let writer = try RowWriter(exchange.parameters.selected, for: exchange.table.layout)
    let rows = try database.perform(.delete, on: exchange.table.name, as: exchange.role) {
      (state, table, context) throws(PostgRESTError) -> [DatabaseRow] in
      let filter = try RowFilter(exchange.parameters.filter, for: exchange.table.layout)
      let rows = try state.delete(from: table, where: filter, context)
      try exchange.checkCount(rows.count)
      return rows
    }
    return written(exchange, rows, writer, contentRange: contentRange(exchange, rows: rows.count))
  }

  /// Returns the response to an update or a delete.
  private func written(
    _ exchange: Exchange, _ rows: [DatabaseRow], _ writer: RowWriter, contentRange: String
  ) -> HTTP.Response {
    var fields: HTTP.Fields = ["Content-Range": contentRange]
    fields["Preference-Applied"] = exchange.preferences.applied(
      isInsert: false, isWrite: true, resolves: false)
    guard exchange.preferences.representation == .full else {
      return HTTP.Response(status: 204, fields: fields)
    }
    return exchange.response(status: 200, fields, rows, writer)
  }

  /// Returns the range of a result without row numbers: only the total, if it was requested.
  private func contentRange(_ exchange: Exchange, rows: Int) -> String {
    RowRange.contentRange(offset: 0, rows: 0, total: exchange.preferences.count == nil ? nil : rows)
  }
}

/// The preferences in the `Prefer` fields of a request (RFC 7240).
struct Preferences {
  enum Representation: String {
    case minimal
    case headersOnly = "headers-only"
    case full = "representation"
  }

  enum Resolution: String {
    case merge = "merge-duplicates"
    case ignore = "ignore-duplicates"
  }

  let representation: Representation?
  let resolution: Resolution?
  let usesDefaultsForMissing: Bool?
  /// The requested count: `exact`, `planned` or `estimated`; a count in memory is always exact.
  let count: String?

  init(_ fields: HTTP.Fields) {
    var wishes: [String: String] = [:]
    for wish in fields.values(of: "Prefer").flatMap({ $0.split(separator: ",") }) {
      let parts = wish.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      // Of several preferences of one name the first applies (RFC 7240 §2).
      if parts.count == 2, wishes[parts[0]] == nil { wishes[parts[0]] = parts[1] }
    }
    representation = wishes["return"].flatMap(Representation.init)
    resolution = wishes["resolution"].flatMap(Resolution.init)
    usesDefaultsForMissing = ["default": true, "null": false][wishes["missing"] ?? ""]
    count = wishes["count"].flatMap { ["exact", "planned", "estimated"].contains($0) ? $0 : nil }
  }

  /// Returns the value of `Preference-Applied` for a request that reads or writes.
  func applied(isInsert: Bool, isWrite: Bool, resolves: Bool) -> String? {
    let wishes = [
      isInsert && resolves ? resolution.map { "resolution=\($0.rawValue)" } : nil,
      isInsert ? usesDefaultsForMissing.map { "missing=\($0 ? "default" : "null")" } : nil,
      isWrite ? representation.map { "return=\($0.rawValue)" } : nil,
      count.map { "count=\($0)" },
    ].compactMap { $0 }
    return wishes.isEmpty ? nil : wishes.joined(separator: ", ")
  }
}

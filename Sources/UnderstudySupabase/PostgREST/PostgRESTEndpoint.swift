import Foundation
import UnderstudyHTTP

/// The endpoints of PostgREST under `/rest/v1`.
struct PostgRESTEndpoint {
  let database: InMemoryDatabase
  /// The number of rows that a selection returns at most (PostgREST, `db-max-rows`); `nil` for no limit.
  let maximumRows: Int?

  func respond(
    to request: HTTP.Request, _ target: RequestTarget, path: [String],
    caller: Result<DatabaseRole, PostgRESTError>
  ) -> HTTP.Response {
    do throws(PostgRESTError) {
      let role = try caller.get()
      if path.isEmpty { throw .notSupported("the description of the API (OpenAPI)") }
      if path.count == 2, path.first == "rpc" { throw .notSupported("calling database functions (rpc)") }
      guard path.count == 1, let name = path.first else { throw .invalidPath }
      if request.method == .put { throw .notSupported("PUT") }
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
      let parameters = try QueryParameters(
        target.query, table: name, among: database.tables.filter(\.isExposed))
      let preferences = Preferences(request.fields)
      // `Plan.hs` checks them once the table and its query are known.
      try preferences.check()
      let exchange = Exchange(
        request: request, table: table, role: role, parameters: parameters, preferences: preferences,
        form: try Form(accept: request.fields["Accept"]), location: Self.location(of: name, target.query))
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
  /// The form of the rows in a body, as selected by `Accept` (`MediaType.hs`, `Plan/Negotiate.hs`).
  struct Form {
    /// Whether the body is a single object instead of an array.
    var isSingular = false
    /// Whether members that are `null` are left out (`json_strip_nulls`).
    var stripsNulls = false

    var contentType: String {
      let parameter = stripsNulls ? ";nulls=stripped" : ""
      return switch (isSingular, stripsNulls) {
      case (true, _): "application/vnd.pgrst.object+json\(parameter); charset=utf-8"
      case (false, true): "application/vnd.pgrst.array+json\(parameter); charset=utf-8"
      case (false, false): "application/json; charset=utf-8"
      }
    }

    /// Reads the first accepted media type that is supported.
    ///
    /// - Throws: PGRST107; 501 if PostgREST would respond with a type that the emulator does not support.
    init(accept: String?) throws(PostgRESTError) {
      guard let accept else { return }
      var unsupported: String?
      for type in accept.split(separator: ",") {
        let parts = type.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        let strips = parts.dropFirst().contains { parameter in
          ["nulls=stripped", "nulls=\"stripped\""].contains(parameter.filter { $0 != " " })
        }
        switch parts.first ?? "" {
        case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object":
          (isSingular, stripsNulls) = (true, strips)
          return
        case "application/vnd.pgrst.array+json", "application/vnd.pgrst.array":
          stripsNulls = strips
          return
        case "application/json", "application/*", "*/*": return
        case let name where ["text/csv", "application/geo+json"].contains(name):
          unsupported = unsupported ?? name
        default: continue
        }
      }
      if let unsupported { throw .notSupported("responses of the type \(unsupported)") }
      throw .unavailableMediaType(accept)
    }
  }

  /// A request to a table with its parsed fields and query.
  struct Exchange {
    let request: HTTP.Request
    let table: DatabaseTable
    let role: DatabaseRole
    let parameters: QueryParameters
    let preferences: Preferences
    let form: Form
    let location: String

    /// Checks the number of rows in a result (`MainTx.hs`).
    ///
    /// - Parameter isChange: Whether the rows were updated or deleted.
    /// - Throws: PGRST116 if a single object was requested and the number is not 1; PGRST124.
    func checkCount(_ rows: Int, isChange: Bool = false) throws(PostgRESTError) {
      if form.isSingular, rows != 1 { throw .notSingular(rows: rows) }
      if isChange, preferences.isStrict, let most = preferences.maximumAffected, rows > most {
        throw .tooManyAffected(rows: rows)
      }
    }

    /// Returns a response with rows in its body.
    func response(status: Int, _ fields: HTTP.Fields, _ rows: [DatabaseRow], _ writer: RowWriter)
      -> HTTP.Response
    {
      let body: Data
      if form.isSingular {
        guard let row = rows.first else {
          preconditionFailure("The count of rows is checked before the answer.")
        }
        body = writer.object(row)
      } else {
        body = writer.array(rows)
      }
      return HTTP.Response(
        status: status, fields: fields, body: request.method == .head ? Data() : body,
        contentType: form.contentType)
    }

    /// Returns a writer of the rows that the response contains.
    ///
    /// - Throws: 42703.
    func writer() throws(PostgRESTError) -> RowWriter {
      try RowWriter(parameters.selected, for: table.layout, strippingNulls: form.stripsNulls)
    }

    /// How the rows of a write are represented; `nil` if they are not.
    ///
    /// Without a representation, `select`, `order` and `limit` of a write are not read
    /// (`Query/Statements.hs`, `mainWrite`).
    func representation() throws(PostgRESTError) -> Representation? {
      guard preferences.representation == .full else {
        // The location of a new row is read with the selected columns (`Plan.hs`, `returnings`).
        if preferences.representation == .headersOnly { _ = try writer() }
        return nil
      }
      let writer = try writer()
      var returned = Set(table.primaryKey)
      for item in parameters.selected ?? [] { returned.insert(item.column) }
      let returnsAll = parameters.selected == nil || returned.contains("*")
      var keys: [DatabaseOrdering.Key] = []
      for ordering in parameters.orderings {
        guard returnsAll || returned.contains(ordering.column),
          let place = table.layout.positions[ordering.column]
        else { throw .unknownColumn(ordering.column, table: "pgrst_source") }
        keys.append((place, ordering))
      }
      return Representation(
        writer: writer, keys: keys, range: try RowRange(parameters, nil))
    }
  }

  /// The order and the range of the rows of a write in its response.
  struct Representation {
    let writer: RowWriter
    let keys: [DatabaseOrdering.Key]
    let range: RowRange

    func rows(of written: [DatabaseRow]) -> [DatabaseRow] {
      Array(
        DatabaseOrdering.sorted(written, by: keys).dropFirst(range.offset).prefix(range.limit ?? .max))
    }
  }
}

extension PostgRESTEndpoint {
  func select(_ exchange: Exchange) throws(PostgRESTError) -> HTTP.Response {
    let parameters = exchange.parameters
    // RFC 9110 §14.2: the field applies to GET only.
    let range = try RowRange(
      parameters, exchange.request.method == .get ? exchange.request.fields["Range"] : nil)
    let writer = try exchange.writer()
    let query = Query(
      filter: parameters.filter, orderings: parameters.orderings,
      limit: [range.limit, maximumRows].compactMap { $0 }.min(), offset: range.offset)
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
    fields["Preference-Applied"] = exchange.preferences.applied(to: .select)
    return exchange.response(
      status: RowRange.status(rows: selection.rows.count, total: total), fields, selection.rows, writer)
  }

  func insert(_ exchange: Exchange) throws(PostgRESTError) -> HTTP.Response {
    let (parameters, preferences) = (exchange.parameters, exchange.preferences)
    let body = try RequestRows(
      exchange.request, for: exchange.table.layout, columns: parameters.columns,
      usesDefaultsForMissing: preferences.usesDefaultsForMissing ?? false)
    let representation = try exchange.representation()
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
      let written = result.slots.compactMap { state.row($0, of: table) }
      let rows = representation?.rows(of: written) ?? written
      try exchange.checkCount(rows.count)
      return (rows, result.inserted)
    }
    var fields: HTTP.Fields = ["Content-Range": contentRange(exchange, rows: result.rows.count)]
    fields["Preference-Applied"] = preferences.applied(to: .insert, resolves: resolution != nil)
    if preferences.representation == .headersOnly, result.rows.count == 1, let row = result.rows.first {
      let key = exchange.table.primaryKey.map { Self.encoded($0) + "=" + Self.encoded("eq.\(row[$0].text)") }
      if !key.isEmpty {
        fields["Location"] = "/\(Self.encoded(exchange.table.name))?\(key.joined(separator: "&"))"
      }
    }
    let status = resolution?.merges == true && result.inserted == 0 ? 200 : 201
    guard let representation else { return HTTP.Response(status: status, fields: fields) }
    return exchange.response(status: status, fields, result.rows, representation.writer)
  }

  func update(_ exchange: Exchange) throws(PostgRESTError) -> HTTP.Response {
    let parameters = exchange.parameters
    let body = try RequestRows(
      exchange.request, for: exchange.table.layout, columns: parameters.columns, usesDefaultsForMissing: false
    )
    let representation = try exchange.representation()
    let rows = try database.perform(.update, on: exchange.table.name, as: exchange.role) {
      (state, table, context) throws(PostgRESTError) -> [DatabaseRow] in
      let filter = try RowFilter(parameters.filter, for: exchange.table.layout)
      var slots: [Int] = []
      if !body.namesNoColumns {
        // Without columns there is no `UPDATE` (`QueryBuilder.hs`).
        try Self.checkFilter(parameters.filter, of: "UPDATE")
        if let values = body.rows.first {
          slots = try state.update(table, set: values, where: filter, context)
        }
      }
      let written = slots.compactMap { state.row($0, of: table) }
      let rows = representation?.rows(of: written) ?? written
      try exchange.checkCount(rows.count, isChange: true)
      return rows
    }
    let total = exchange.preferences.count == nil ? nil : rows.count
    return written(
      exchange, as: .update, rows, representation,
      contentRange: RowRange.contentRange(offset: 0, rows: rows.count, total: total))
  }

  func delete(_ exchange: Exchange) throws(PostgRESTError) -> HTTP.Response {
    let representation = try exchange.representation()
    let rows = try database.perform(.delete, on: exchange.table.name, as: exchange.role) {
      (state, table, context) throws(PostgRESTError) -> [DatabaseRow] in
      let filter = try RowFilter(exchange.parameters.filter, for: exchange.table.layout)
      try Self.checkFilter(exchange.parameters.filter, of: "DELETE")
      let written = try state.delete(from: table, where: filter, context)
      let rows = representation?.rows(of: written) ?? written
      try exchange.checkCount(rows.count, isChange: true)
      return rows
    }
    return written(
      exchange, as: .delete, rows, representation, contentRange: contentRange(exchange, rows: rows.count))
  }

  /// Refuses a change of every row, as the extension `safeupdate` does, which Supabase loads for its API
  /// (`ALTER ROLE authenticator SET session_preload_libraries = safeupdate`).
  ///
  /// - Throws: 21000.
  private static func checkFilter(
    _ filter: DatabaseFilter, of statement: String
  ) throws(PostgRESTError) {
    if case .all = filter { throw .unfilteredChange(statement) }
  }

  /// Returns the response to an update or a delete.
  private func written(
    _ exchange: Exchange, as kind: StatementKind, _ rows: [DatabaseRow], _ representation: Representation?,
    contentRange: String
  ) -> HTTP.Response {
    var fields: HTTP.Fields = ["Content-Range": contentRange]
    fields["Preference-Applied"] = exchange.preferences.applied(to: kind)
    guard let representation else { return HTTP.Response(status: 204, fields: fields) }
    return exchange.response(status: 200, fields, rows, representation.writer)
  }

  /// Returns the range of a result without row numbers: only the total, if it was requested.
  private func contentRange(_ exchange: Exchange, rows: Int) -> String {
    RowRange.contentRange(offset: 0, rows: 0, total: exchange.preferences.count == nil ? nil : rows)
  }
}

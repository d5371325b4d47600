import Foundation
import UnderstudyHTTP

extension PostgRESTEndpoint {
  func select(_ exchange: Exchange) throws(PostgRESTError) -> HTTPResponse {
    let parameters = exchange.parameters
    let range = try RowRange(parameters, exchange.request.fields["Range"])
    let writer = try RowWriter(parameters.selected, for: exchange.table.layout)
    let query = Query(
      filter: parameters.filter, orderings: parameters.orderings, limit: range.limit, offset: range.offset)
    let selection = try database.perform(.select, on: exchange.table.name, as: exchange.role) {
      (state, table, context) throws(PostgRESTError) in try state.select(query, from: table, context)
    }
    let total = exchange.preferences.count == nil ? nil : selection.total
    if let total, range.offset > total {
      throw .rangeNotSatisfiable(
        "An offset of \(range.offset) was requested, but there are only \(total) rows.")
    }
    try exchange.checkCount(selection.rows.count)
    var fields: HTTPFields = [
      "Content-Range": RowRange.contentRange(offset: range.offset, rows: selection.rows.count, total: total),
      "Content-Location": exchange.location,
    ]
    fields["Preference-Applied"] = exchange.preferences.applied(
      isInsert: false, isWrite: false, resolves: false)
    return exchange.response(
      status: RowRange.status(rows: selection.rows.count, total: total), fields, selection.rows, writer)
  }

  func insert(_ exchange: Exchange) throws(PostgRESTError) -> HTTPResponse {
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
    var fields: HTTPFields = ["Content-Range": contentRange(exchange, rows: result.rows.count)]
    fields["Preference-Applied"] = preferences.applied(
      isInsert: true, isWrite: true, resolves: resolution != nil)
    if preferences.representation == .headersOnly, result.rows.count == 1, let row = result.rows.first {
      let key = exchange.table.primaryKey.map { Self.encoded($0) + "=" + Self.encoded("eq.\(row[$0].text)") }
      if !key.isEmpty {
        fields["Location"] = "/\(Self.encoded(exchange.table.name))?\(key.joined(separator: "&"))"
      }
    }
    let status = resolution?.merges == true && result.inserted == 0 ? 200 : 201
    guard preferences.representation == .full else { return HTTPResponse(status: status, fields: fields) }
    return exchange.response(status: status, fields, result.rows, writer)
  }

  func update(_ exchange: Exchange) throws(PostgRESTError) -> HTTPResponse {
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

  func delete(_ exchange: Exchange) throws(PostgRESTError) -> HTTPResponse {
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

  /// The answer to an update or a delete.
  private func written(
    _ exchange: Exchange, _ rows: [DatabaseRow], _ writer: RowWriter, contentRange: String
  ) -> HTTPResponse {
    var fields: HTTPFields = ["Content-Range": contentRange]
    fields["Preference-Applied"] = exchange.preferences.applied(
      isInsert: false, isWrite: true, resolves: false)
    guard exchange.preferences.representation == .full else {
      return HTTPResponse(status: 204, fields: fields)
    }
    return exchange.response(status: 200, fields, rows, writer)
  }

  /// Where the rows of a result have no numbers: only how many they are, if that was asked.
  private func contentRange(_ exchange: Exchange, rows: Int) -> String {
    RowRange.contentRange(offset: 0, rows: 0, total: exchange.preferences.count == nil ? nil : rows)
  }
}

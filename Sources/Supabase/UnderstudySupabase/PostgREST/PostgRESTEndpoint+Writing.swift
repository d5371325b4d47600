import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

extension PostgRESTEndpoint {
  // MARK: Statements

  func insert(_ exchange: PostgRESTExchange, into table: Table) throws(PostgRESTError) -> HTTP.Response {
    let preferences = exchange.preferences
    let body = try RequestBody(exchange.request, columns: exchange.query.columns, isCall: false)
    let rows = try BodyRows(body, for: table, usesDefaults: preferences.usesDefaultsForMissing ?? false)
    let change = try ChangePlan(exchange, table)
    let target = exchange.query.conflictColumns ?? change.key
    let resolution = target.isEmpty ? nil : preferences.resolution
    let merges = resolution == .merge
    var insert = rows.insert(into: table, where: merges ? [InsertedCount.counting(up: true)] : [])
    if let resolution {
      insert.conflict = rows.conflict(on: target, merges: resolution == .merge)
    }
    insert.returning = change.returning
    let outcome = try change.run(.insert(insert), kind: .insert, exchange) {
      (session, outcome) throws(PostgRESTError) in
      if merges { outcome.inserted = InsertedCount.value(session) }
    }
    var fields: HTTP.Fields = ["Content-Range": contentRange(exchange, rows: outcome.rows)]
    let resolves = !change.key.isEmpty || exchange.query.conflictColumns != nil
    fields["Preference-Applied"] = preferences.applied(to: .insert, resolves: resolves)
    if preferences.representation == .headersOnly, !outcome.location.isEmpty {
      let key = outcome.location.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
      fields["Location"] = "/\(Self.encoded(table.name.name))?\(key.joined(separator: "&"))"
    }
    let status = outcome.inserted.map { $0 <= 0 ? 200 : 201 } ?? 201
    return exchange.response(outcome, status: status, fields, hasBody: change.isRepresented)
  }

  /// PUT: inserts or replaces the row of a key.
  func upsert(_ exchange: PostgRESTExchange, into table: Table) throws(PostgRESTError) -> HTTP.Response {
    guard !exchange.query.limits.contains(where: { $0.path.isEmpty }) else { throw .putLimitNotAllowed }
    let body = try RequestBody(exchange.request, columns: nil, isCall: false)
    let change = try ChangePlan(exchange, table)
    let isKey = exchange.query.filters.filter(\.path.isEmpty).allSatisfy { filter in
      if case .filter(_, negated: false, .quantified("=", nil, _)) = filter.value { true } else { false }
    }
    guard exchange.query.combinations.isEmpty, !change.key.isEmpty,
      exchange.query.filterNames == Set(change.key), isKey
    else { throw .invalidPutFilters }
    let rows = try BodyRows(body, for: table, usesDefaults: false)
    let writer = ExpressionWriter(qualifier: BodyRows.alias, table: table, catalogue: exchange.catalogue)
    let conditions = exchange.query.filters.filter(\.path.isEmpty).map { writer.expression($0.value) }
    var insert = rows.insert(into: table, where: conditions + [InsertedCount.counting(up: true)])
    insert.conflict = rows.conflict(on: change.key, merges: true)
    insert.returning = change.returning
    let outcome = try change.run(.insert(insert), kind: .insert, exchange, isSingular: false) {
      (session, outcome) throws(PostgRESTError) in
      guard outcome.rows == 1 else { throw .putKeyMismatch }
      outcome.inserted = InsertedCount.value(session)
    }
    var fields: HTTP.Fields = [:]
    fields["Preference-Applied"] = exchange.preferences.applied(to: .upsert)
    let status = !change.isRepresented ? 204 : (outcome.inserted ?? 0) > 0 ? 201 : 200
    return exchange.response(outcome, status: status, fields, hasBody: change.isRepresented)
  }

  func update(_ exchange: PostgRESTExchange, _ table: Table) throws(PostgRESTError) -> HTTP.Response {
    let body = try RequestBody(exchange.request, columns: exchange.query.columns, isCall: false)
    let rows = try BodyRows(
      body, for: table, usesDefaults: exchange.preferences.usesDefaultsForMissing ?? false)
    let change = try ChangePlan(exchange, table)
    let statement: DataStatement
    if rows.columns.isEmpty {
      // Without columns there is no `UPDATE` (`QueryBuilder.hs`).
      let items = change.returning.isEmpty ? [Select.Item(.null)] : change.returning
      statement = .query(
        Query(.select(Select(items, from: [.table(table.name, nil)], where: .boolean(false)))))
    } else {
      statement = .update(
        Update(
          table.name, set: rows.columns.map { Assignment([$0.name], rows.value($0.name)) }, from: rows.from,
          where: change.filter ?? .boolean(false), returning: change.returning))
    }
    let refusal = rows.columns.isEmpty ? nil : change.unfilteredRefusal(of: "UPDATE")
    let outcome = try change.run(statement, kind: .update, exchange, refusal: refusal)
    let total = exchange.preferences.count == nil ? nil : outcome.rows
    var fields: HTTP.Fields = [
      "Content-Range": RowRange.contentRange(offset: 0, rows: outcome.rows, total: total)
    ]
    fields["Preference-Applied"] = exchange.preferences.applied(to: .update)
    return exchange.response(
      outcome, status: change.isRepresented ? 200 : 204, fields, hasBody: change.isRepresented)
  }

  func delete(_ exchange: PostgRESTExchange, from table: Table) throws(PostgRESTError) -> HTTP.Response {
    let change = try ChangePlan(exchange, table)
    let statement = Delete(
      from: table.name, where: change.filter ?? .boolean(false), returning: change.returning)
    let outcome = try change.run(
      .delete(statement), kind: .delete, exchange, refusal: change.unfilteredRefusal(of: "DELETE"))
    var fields: HTTP.Fields = ["Content-Range": contentRange(exchange, rows: outcome.rows)]
    fields["Preference-Applied"] = exchange.preferences.applied(to: .delete)
    return exchange.response(
      outcome, status: change.isRepresented ? 200 : 204, fields, hasBody: change.isRepresented)
  }

  /// Returns the range of a result without row numbers: only the total, if it was requested.
  private func contentRange(_ exchange: PostgRESTExchange, rows: Int) -> String {
    RowRange.contentRange(offset: 0, rows: 0, total: exchange.preferences.count == nil ? nil : rows)
  }
}

extension BodyRows {
  /// An insertion of the rows for which all conditions are true.
  fileprivate func insert(into table: Table, where conditions: [SQLExpression]) -> Insert {
    Insert(
      into: table.name, columns: columns.map(\.name),
      .query(
        Query(
          .select(
            Select(columns.map { Select.Item(value($0.name)) }, from: from, where: .all(conditions))))))
  }

  fileprivate func conflict(on target: [String], merges: Bool) -> Insert.Conflict {
    let keys = Insert.ConflictTarget.keys(target.map { .name([$0]) }, where: nil)
    guard merges, !columns.isEmpty else { return Insert.Conflict(target: keys, .doNothing) }
    return Insert.Conflict(
      target: keys,
      .update(
        columns.map { Assignment([$0.name], .column("excluded", $0.name)) },
        where: InsertedCount.counting(up: false)))
  }
}

/// What a change of rows returns, and which rows it concerns (`Plan.hs`, `mutateReadPlan`).
struct ChangePlan {
  let key: [String]
  /// Whether the rows are the body of the response.
  let isRepresented: Bool
  /// The conditions of the request on the rows.
  let filter: SQLExpression?
  let returning: [Select.Item]
  private let rows: Query

  init(_ exchange: PostgRESTExchange, _ table: Table) throws(PostgRESTError) {
    key = exchange.catalogue.primaryKey(of: table.name)
    let preference = exchange.preferences.representation
    isRepresented = preference == .full
    // The limits of a change are not read (`Plan.hs`, `addRanges`).
    let plan = try ReadPlan(
      exchange.query, of: table.name, origin: .source, filtersRoot: false, maximumRows: nil, rows: nil,
      allowsAggregates: exchange.allowsAggregates, exchange.relationships)
    let writer = ExpressionWriter(
      qualifier: table.name.name, table: table, catalogue: exchange.catalogue)
    let conditions =
      exchange.query.filters.filter(\.path.isEmpty).map { writer.expression($0.value) }
      + exchange.query.combinations.filter(\.path.isEmpty).map { writer.expression($0.value) }
    filter = .all(conditions)
    let columns = preference == .full || preference == .headersOnly ? plan.neededColumns(with: key) : []
    returning = columns.map { Select.Item(.column(table.name.name, $0)) }
    rows = try ReadQueryWriter(catalogue: exchange.catalogue).query(plan)
  }

  /// The error for a change of every row, which the extension `safeupdate` refuses.
  ///
  /// Supabase loads it for its API (`ALTER ROLE authenticator SET session_preload_libraries = safeupdate`).
  func unfilteredRefusal(of statement: String) -> PostgRESTError? {
    filter == nil ? .unfilteredChange(statement) : nil
  }

  /// Runs the change and reads the rows that it returns.
  ///
  /// - Parameters:
  ///   - isSingular: Whether the number of rows is checked.
  ///   - refusal: The error for the statement, if it is valid: it is thrown once its names have been found.
  ///   - finish: Reads what else the response needs. If it throws, the change is rolled back.
  func run(
    _ statement: DataStatement, kind: StatementKind, _ exchange: PostgRESTExchange, isSingular: Bool = true,
    refusal: PostgRESTError? = nil,
    _ finish: (Session, inout PostgRESTExchange.Outcome) throws(PostgRESTError) -> Void = { _, _ in }
  ) throws(PostgRESTError) -> PostgRESTExchange.Outcome {
    try exchange.transaction(reads: false, subject: (kind, exchange.subject)) {
      (session) throws(PostgRESTError) -> PostgRESTExchange.Outcome in
      var outcome = PostgRESTExchange.Outcome()
      if returning.isEmpty {
        // Without `RETURNING` the right to read the rows is not needed.
        let result = try session.result(of: statement)
        outcome.rows = result.affected
      } else {
        let result = ResultStatement(
          source: statement, rows: isRepresented ? .query(rows) : .source,
          body: isRepresented ? exchange.form.body(of: .rows) : nil,
          locationKey: exchange.preferences.representation == .headersOnly && kind == .insert ? key : [])
        outcome = try result.run(session)
      }
      if let refusal { throw refusal }
      if isSingular { try exchange.checkCount(outcome.rows, isLimited: kind != .insert) }
      try finish(session, &outcome)
      return outcome
    }
  }
}

import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

extension PostgRESTEndpoint {
  /// Calls a function: `/rpc/name`.
  func call(_ exchange: PostgRESTExchange) throws(PostgRESTError) -> HTTP.Response {
    let method = exchange.request.method
    let call = try CallPlan(exchange)
    let isVolatile = call.routine.definition.volatility == .volatile
    if method == .options {
      return HTTP.Response(
        status: 200,
        fields: [
          "Allow": isVolatile ? "OPTIONS,POST" : "OPTIONS,GET,HEAD,POST", "Access-Control-Allow-Origin": "*",
        ])
    }
    let range = try RowRange(exchange.query.rootRows, method == .get ? exchange.request.fields["Range"] : nil)
    let plan = try ReadPlan(
      exchange.query, of: call.relation, origin: .source, filtersRoot: true,
      maximumRows: settings.maximumRows,
      rows: RequestedRows(limit: range.limit, offset: range.offset),
      allowsAggregates: settings.allowsAggregates,
      exchange.relationships)
    let preferences = exchange.preferences
    let returnsSingle = call.result == .scalar || call.result == .row
    if preferences.isStrict, preferences.maximumAffected != nil, returnsSingle {
      try preferences.check()
      throw .maximumAffectedOfSingle
    }
    let writer = ReadQueryWriter(catalogue: exchange.catalogue)
    var columns = plan.neededColumns(with: [])
    if columns != ["*"], !columns.isEmpty { columns = Set(columns).union(plan.filteredColumns).sorted() }
    let statement = ResultStatement(
      source: .query(call.query(columns: columns)), rows: .query(try writer.query(plan)),
      body: method == .head ? nil : exchange.form.body(of: call.result),
      total: preferences.count == nil ? nil : writer.countQuery(plan))
    // PostgREST calls in a transaction that only reads, unless a volatile function is called with POST.
    let outcome = try exchange.transaction(reads: method != .post || !isVolatile, subject: nil) {
      (session) throws(PostgRESTError) -> PostgRESTExchange.Outcome in
      var outcome = try statement.run(session)
      if returnsSingle { outcome.rows = 1 }
      try exchange.checkCount(outcome.rows, isLimited: true)
      return outcome
    }
    try range.check(total: outcome.total)
    var fields: HTTP.Fields = [
      "Content-Range": RowRange.contentRange(offset: range.offset, rows: outcome.rows, total: outcome.total)
    ]
    fields["Preference-Applied"] = preferences.applied(to: .call)
    let status = call.returnsVoid ? 204 : RowRange.status(rows: outcome.rows, total: outcome.total)
    return exchange.response(outcome, status: status, fields, hasBody: !call.returnsVoid)
  }
}

extension ReadPlan {
  /// The columns that conditions name, which a call must return too (`Plan.hs`, `getFilterFieldNames`).
  fileprivate var filteredColumns: [String] {
    func names(_ condition: Condition) -> [String] {
      switch condition {
      case .filter(let field, _, _): [field.name]
      case .combination(_, _, let conditions): conditions.flatMap(names)
      case .embedding: []
      }
    }
    return conditions.flatMap(names) + children.flatMap(\.filteredColumns)
  }
}

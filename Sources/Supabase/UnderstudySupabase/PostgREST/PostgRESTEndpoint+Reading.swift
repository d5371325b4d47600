import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

extension PostgRESTEndpoint {
  func read(_ exchange: PostgRESTExchange, _ table: Table) throws(PostgRESTError) -> HTTP.Response {
    let (statement, range) = try selection(exchange, from: table)
    let outcome = try exchange.transaction(reads: true, subject: (.select, exchange.subject)) {
      (session) throws(PostgRESTError) -> PostgRESTExchange.Outcome in
      let outcome = try statement.run(session)
      try exchange.checkCount(outcome.rows)
      return outcome
    }
    try range.check(total: outcome.total)
    var fields: HTTP.Fields = [
      "Content-Range": RowRange.contentRange(offset: range.offset, rows: outcome.rows, total: outcome.total),
      "Content-Location": "/" + Self.encoded(table.name.name)
        + (exchange.query.canonical.isEmpty ? "" : "?" + exchange.query.canonical),
    ]
    fields["Preference-Applied"] = exchange.preferences.applied(to: .read)
    return exchange.response(
      outcome, status: RowRange.status(rows: outcome.rows, total: outcome.total), fields, hasBody: true)
  }

  /// The statement that selects the rows of a request.
  func selection(
    _ exchange: PostgRESTExchange, from table: Table
  ) throws(PostgRESTError) -> (statement: ResultStatement, range: RowRange) {
    // RFC 9110 §14.2: the field applies to GET only.
    let range = try RowRange(
      exchange.query.rootRows, exchange.request.method == .get ? exchange.request.fields["Range"] : nil)
    let plan = try ReadPlan(
      exchange.query, of: table.name, origin: .table, filtersRoot: true, maximumRows: settings.maximumRows,
      rows: RequestedRows(limit: range.limit, offset: range.offset),
      allowsAggregates: settings.allowsAggregates,
      exchange.relationships)
    let writer = ReadQueryWriter(catalogue: exchange.catalogue)
    let statement = ResultStatement(
      source: .query(try writer.query(plan)), rows: .source,
      body: exchange.request.method == .head ? nil : exchange.form.body(of: .rows),
      total: exchange.preferences.count == nil ? nil : writer.countQuery(plan))
    return (statement, range)
  }
}

extension RequestQuery {
  /// The `limit` and `offset` of the rows themselves.
  var rootRows: RequestedRows { limits.first { $0.path.isEmpty }?.value ?? RequestedRows() }
}

/// The statement that makes the body of a response (`Query/Statements.hs`).
struct ResultStatement {
  enum Rows {
    /// The rows of the source as they are.
    case source
    /// A selection of the rows of the source.
    case query(Query)
  }

  /// What reads, changes or calls.
  var source: DataStatement
  var rows: Rows
  /// The expression of the body; nil without one.
  var body: SQLExpression?
  /// The rows to count; nil if they are not counted.
  var total: Query?
  /// The columns of the key whose values are the location of a new row.
  var locationKey: [String] = []

  var query: Query {
    let rows: Query =
      switch self.rows {
      case .query(let query): query
      case .source:
        Query(
          .select(Select([Select.Item(.wildcard([]))], from: [.table(QualifiedName(ReadPlan.source), nil)])))
      }
    let count = SQLExpression.call(Call(QualifiedName("count"), isStar: true))
    let total = total.map { query in
      SQLExpression.subquery(
        Query(
          .select(
            Select([Select.Item(count)], from: [.query(query, TableAlias("counted"), isLateral: false)]))))
    }
    let first = Query(
      .select(
        Select(
          [Select.Item(SQLExpression.call("row_to_json", .name(["located"])).cast(to: "text"))],
          from: [.table(QualifiedName(ReadPlan.source), TableAlias("located"))])), limit: .number("1"))
    let items = [
      Select.Item(count, as: "rows"), Select.Item(body ?? .string(""), as: "body"),
      Select.Item(total ?? .null, as: "total"),
      Select.Item(locationKey.isEmpty ? .null : .subquery(first), as: "location"),
    ]
    return Query(
      with: WithClause([CommonTable(ReadPlan.source, source)]),
      .select(Select(items, from: [.query(rows, TableAlias(ResponseForm.rows), isLateral: false)])))
  }

  func run(_ session: Session) throws(PostgRESTError) -> PostgRESTExchange.Outcome {
    let result = try session.result(of: .query(query))
    guard let row = result.rows.first, row.count == 4 else {
      preconditionFailure("A query with aggregates and without groups returns one row.")
    }
    var outcome = PostgRESTExchange.Outcome()
    if case .integer(let count) = row[0] { outcome.rows = Int(count) }
    if case .text(let text) = row[1] { outcome.body = Data(text.utf8) }
    if case .integer(let total) = row[2] { outcome.total = Int(total) }
    if case .text(let text) = row[3], outcome.rows == 1,
      case .object(let members)? = try? JSONValue(parsing: Data(text.utf8))
    {
      outcome.location = members.filter { locationKey.contains($0.name) }.map { member in
        (
          member.name,
          member.value == .null ? "is.null" : "eq.\(member.value.stringValue ?? member.value.compactText)"
        )
      }
    }
    return outcome
  }
}

import UnderstudyPostgreSQL

/// Writes plans as queries (`Query/QueryBuilder.hs`).
struct ReadQueryWriter {
  let catalogue: Catalogue

  private func writer(_ plan: ReadPlan) -> ExpressionWriter {
    ExpressionWriter(qualifier: plan.qualifier, table: catalogue.tables[plan.described], catalogue: catalogue)
  }

  /// The rows of a plan, with the rows of embedded relations as documents.
  func query(_ plan: ReadPlan, parent: ReadPlan? = nil) throws(PostgRESTError) -> Query {
    let writer = writer(plan)
    var items: [Select.Item] = []
    if plan.columns.isEmpty, plan.children.isEmpty {
      items.append(Select.Item(.wildcard([plan.qualifier])))
    }
    for column in columns(of: plan) {
      items.append(try item(column, writer, countsRows: plan.countsRows(column, writer)))
    }
    var from = self.from(plan, parent)
    var order = plan.order.map(writer.sortKey)
    if plan.isToManySpread {
      // The order is that of the aggregated columns, which the rows must show.
      for (index, key) in order.enumerated() {
        items.append(Select.Item(key.expression, as: plan.orderName(index)))
      }
      order = []
    }
    for child in plan.children {
      items += embeddedItems(child)
      from = .join(
        Join(
          child.isInner ? .inner : .left, from,
          .query(try embeddedRows(child, in: plan), TableAlias(child.rowsAlias), isLateral: true),
          condition: .on(
            child.isInner && child.relationship?.isToOne == false
              ? .isTest(.name([child.rowsAlias]), .null, negated: true) : .boolean(true))))
    }
    let conditions = plan.conditions.map(writer.expression) + joinConditions(plan, parent)
    return Query(
      .select(Select(items, from: [from], where: .all(conditions), grouping: grouping(plan, writer))),
      order: order,
      limit: plan.rows.limit.map { .number(String(max(0, $0))) },
      offset: plan.rows.offset > 0 ? .number(String(plan.rows.offset)) : nil)
  }

  private func item(
    _ column: Selection.Column, _ writer: ExpressionWriter, countsRows: Bool
  ) throws(PostgRESTError) -> Select.Item {
    var expression = countsRows ? .call("count", .name([writer.qualifier])) : writer.expression(column.field)
    if let cast = column.cast { expression = .cast(expression, try Self.type(cast)) }
    guard let aggregate = column.aggregate else {
      return Select.Item(
        expression, as: column.alias ?? column.field.pathName ?? (countsRows ? "count" : nil))
    }
    let isStar = column.field.name == "*"
    expression = .call(
      Call(QualifiedName(aggregate.function), isStar ? [] : [Call.Argument(expression)], isStar: isStar))
    if let cast = aggregate.cast { expression = .cast(expression, try Self.type(cast)) }
    return Select.Item(expression, as: column.alias ?? aggregate.function)
  }

  /// The keys of the groups, if there are aggregates: all other columns (`groupF`).
  private func grouping(_ plan: ReadPlan, _ writer: ExpressionWriter) -> [Select.Grouping] {
    guard plan.isAggregated else { return [] }
    let columns = columns(of: plan).filter { $0.aggregate == nil }.map { column in
      column.alias.map { SQLExpression.name([$0]) } ?? writer.expression(column.field)
    }
    let embedded = plan.children.flatMap { child -> [SQLExpression] in
      if child.isSpread { return spreadNames(child).map { .column(child.rowsAlias, $0) } }
      return child.isEmptyEmbedding ? [] : [.name([child.shownName])]
    }
    return (columns + embedded).map { .expression($0) }
  }

  /// The columns of a plan.
  ///
  /// They are listed if the rows are groups, and for a spread of several rows, because each is an array.
  private func columns(of plan: ReadPlan) -> [Selection.Column] {
    guard plan.isToManySpread || plan.isAggregated, let table = catalogue.tables[plan.described] else {
      return plan.columns
    }
    return plan.columns.flatMap { column in
      guard column.field.name == "*", column.aggregate == nil else { return [column] }
      return table.columns.map { Selection.Column(field: RequestField(name: $0.name)) }
    }
  }

  /// The type of a cast.
  static func type(_ name: String) throws(PostgRESTError) -> TypeName {
    do throws(PostgreSQLError) {
      guard case .cast(_, let type) = try Script.expression("CAST(NULL AS \(name))") else {
        throw PostgreSQLError("42704", "type \"\(name)\" does not exist")
      }
      return type
    } catch {
      throw PostgRESTError(error)
    }
  }

  // MARK: Sources

  private func from(_ plan: ReadPlan, _ parent: ReadPlan?) -> TableReference {
    let alias = plan.relationAlias.map { TableAlias($0) }
    switch plan.relationship?.cardinality {
    case .computed(let function, _):
      let row = SQLExpression.name([parent?.qualifier ?? ""])
      let argument = SQLExpression.cast(row, TypeName(parent?.described ?? plan.relation))
      return .function(
        TableFunction([Call(function, [Call.Argument(argument)])], alias: alias), isLateral: true)
    case .manyToMany(let junction):
      return .join(Join(.cross, .table(plan.relation, alias), .table(junction.table, nil)))
    default: return .table(plan.relation, alias)
    }
  }

  private func joinConditions(_ plan: ReadPlan, _ parent: ReadPlan?) -> [SQLExpression] {
    guard let relationship = plan.relationship, let parent else { return [] }
    switch relationship.cardinality {
    case .computed: return []
    case .manyToOne(_, let columns), .oneToMany(_, let columns), .oneToOne(_, let columns):
      return columns.map { pair in
        .infix("=", .column(plan.qualifier, pair.target), .column(parent.qualifier, pair.source))
      }
    case .manyToMany(let junction):
      return junction.targetColumns.map { pair in
        .infix("=", .column(junction.table.name, pair.target), .column(plan.qualifier, pair.source))
      }
        + junction.sourceColumns.map { pair in
          .infix("=", .column(junction.table.name, pair.target), .column(parent.qualifier, pair.source))
        }
    }
  }

  // MARK: Embedded relations

  /// The rows of an embedded relation as the query around joins them: one row, or one array of all rows.
  private func embeddedRows(_ child: ReadPlan, in parent: ReadPlan) throws(PostgRESTError) -> Query {
    let rows = try query(child, parent: parent)
    guard child.relationship?.isToOne == false else { return rows }
    let alias = child.rowsAlias
    var items = [Select.Item(SQLExpression.call("json_agg", .name([alias])).cast(to: "jsonb"), as: alias)]
    if child.isSpread {
      let order = child.order.enumerated().map { index, term in
        SortKey(
          .column(alias, child.orderName(index)), isDescending: term.isDescending, nullsFirst: term.nullsFirst
        )
      }
      for name in spreadNames(child) {
        let array = SQLExpression.call("json_agg", [.column(alias, name)], orderedBy: order)
        items.append(
          Select.Item(SQLExpression.call("coalesce", array, .string("[]")).cast(to: "jsonb"), as: name))
      }
    }
    return Query(.select(Select(items, from: [.query(rows, TableAlias(alias), isLateral: false)])))
  }

  private func embeddedItems(_ child: ReadPlan) -> [Select.Item] {
    let alias = child.rowsAlias
    if child.isSpread {
      return spreadNames(child).map { name in
        Select.Item(.column(alias, name), as: name == "*" ? nil : name)
      }
    }
    guard !child.isEmptyEmbedding else { return [] }
    if child.relationship?.isToOne == true {
      return [
        Select.Item(
          SQLExpression.call("row_to_json", .wildcard([alias])).cast(to: "jsonb"), as: child.shownName)
      ]
    }
    return [Select.Item(.call("coalesce", .column(alias, alias), .string("[]")), as: child.shownName)]
  }

  /// The names of the columns that a spread relation gives to the row around.
  private func spreadNames(_ plan: ReadPlan) -> [String] {
    columns(of: plan).map { $0.alias ?? $0.field.pathName ?? $0.field.name }
      + plan.children.flatMap { child in
        child.isSpread ? spreadNames(child) : child.isEmptyEmbedding ? [] : [child.shownName]
      }
  }

  // MARK: Counting

  /// A row for each row of the plan without its limit (`readPlanToCountQuery`).
  func countQuery(_ plan: ReadPlan, parent: ReadPlan? = nil) -> Query {
    let writer = writer(plan)
    var conditions = plan.conditions.map { countCondition($0, plan, writer) } + joinConditions(plan, parent)
    for child in plan.children where child.isInner {
      conditions.append(.exists(countQuery(child, parent: plan)))
    }
    return Query(
      .select(Select([Select.Item(.number("1"))], from: [from(plan, parent)], where: .all(conditions))))
  }

  private func countCondition(_ condition: Condition, _ plan: ReadPlan, _ writer: ExpressionWriter)
    -> SQLExpression
  {
    switch condition {
    case .combination(let isNegated, let isAnd, let conditions):
      let parts = conditions.map { countCondition($0, plan, writer) }
      let combined: SQLExpression = isAnd ? .and(parts) : .or(parts)
      return isNegated ? .not(combined) : combined
    case .embedding(let rows, let isNull):
      guard let child = plan.children.first(where: { $0.rowsAlias == rows }) else { return .boolean(true) }
      let exists = SQLExpression.exists(countQuery(child, parent: plan))
      return isNull ? .not(exists) : exists
    case .filter: return writer.expression(condition)
    }
  }
}

extension ReadPlan {
  /// Whether a column `count` counts the rows: PostgreSQL reads `relation.count` as `count(relation)` unless the relation
  /// has such a column (PostgreSQL documentation, 38.5.3).
  func countsRows(_ column: Selection.Column, _ writer: ExpressionWriter) -> Bool {
    column.field == RequestField(name: "count") && column.aggregate == nil && relation.name != Self.source
      && !writer.has("count")
  }

  var isToManySpread: Bool { isSpread && relationship?.isToOne == false }

  /// Whether it only filters: `clients()` shows nothing.
  var isEmptyEmbedding: Bool { columns.isEmpty && children.allSatisfy(\.isEmptyEmbedding) }

  /// The name of the column with a key of the order, in the rows of a spread relation.
  func orderName(_ index: Int) -> String { "\(rowsAlias)_\(order[index].field.name)_\(index + 1)" }
}

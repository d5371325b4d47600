// Queries.
extension Printer {
  mutating func write(_ query: Query) {
    writeWith(query.with)
    write(query.body)
    if !query.order.isEmpty {
      write(" ORDER BY ")
      write(query.order)
    }
    if let limit = query.limit {
      write(" LIMIT ")
      write(limit)
    }
    if let offset = query.offset {
      write(" OFFSET ")
      write(offset)
    }
  }

  private mutating func writeWith(_ clause: WithClause?) {
    guard let clause else { return }
    write(clause.isRecursive ? "WITH RECURSIVE " : "WITH ")
    writeList(clause.tables) { printer, table in
      printer.writeName(table.name)
      if !table.columns.isEmpty { printer.writeNamesInParentheses(table.columns) }
      printer.write(" AS (")
      printer.write(table.statement)
      printer.write(")")
    }
    write(" ")
  }

  private mutating func write(_ body: Query.Body) {
    switch body {
    case .select(let select): write(select)
    case .values(let rows):
      write("VALUES ")
      writeList(rows) { printer, row in
        printer.write("(")
        printer.writeExpressions(row)
        printer.write(")")
      }
    case .setOperation(let operation, let isAll, let left, let right):
      // INTERSECT binds tighter than the others, and all associate to the left.
      let level = operation == .intersect ? 2 : 1
      writeOperand(left, minimum: level)
      write(" \(operation.rawValue.uppercased()) \(isAll ? "ALL " : "")")
      writeOperand(right, minimum: level + 1)
    }
  }

  private mutating func writeOperand(_ query: Query, minimum: Int) {
    let level =
      switch query.body {
      case .setOperation(.intersect, _, _, _): 2
      case .setOperation: 1
      default: 3
      }
    let isPlain = query.with == nil && query.order.isEmpty && query.limit == nil && query.offset == nil
    if isPlain, level >= minimum { write(query) } else { writeInParentheses(query) }
  }

  private mutating func write(_ select: Select) {
    write("SELECT")
    switch select.distinct {
    case .all: write(" DISTINCT")
    case .on(let keys):
      write(" DISTINCT ON (")
      writeExpressions(keys)
      write(")")
    case nil: break
    }
    if !select.items.isEmpty {
      write(" ")
      write(select.items)
    }
    writeFrom(" FROM ", select.from)
    writeFilter(" WHERE ", select.filter)
    if !select.grouping.isEmpty {
      write(" GROUP BY ")
      writeList(select.grouping) { printer, grouping in printer.write(grouping) }
    }
    writeFilter(" HAVING ", select.having)
    if !select.windows.isEmpty {
      write(" WINDOW ")
      writeList(select.windows) { printer, named in
        printer.writeName(named.name)
        printer.write(" AS ")
        printer.write(named.window)
      }
    }
  }

  mutating func writeFilter(_ words: String, _ filter: SQLExpression?) {
    guard let filter else { return }
    write(words)
    write(filter)
  }

  mutating func write(_ items: [Select.Item]) {
    writeList(items) { printer, item in
      printer.write(item.expression)
      if let name = item.name {
        printer.write(" AS ")
        printer.writeName(name)
      }
    }
  }

  private mutating func write(_ grouping: Select.Grouping) {
    switch grouping {
    case .expression(let expression): write(expression)
    case .set(let members):
      write("(")
      writeExpressions(members)
      write(")")
    case .rollup(let keys): writeKeys("ROLLUP", keys)
    case .cube(let keys): writeKeys("CUBE", keys)
    case .sets(let sets):
      write("GROUPING SETS (")
      writeList(sets) { printer, set in printer.write(set) }
      write(")")
    }
  }

  private mutating func writeKeys(_ word: String, _ keys: [[SQLExpression]]) {
    write("\(word) (")
    writeList(keys) { printer, key in
      guard key.count != 1 else { return printer.write(key[0]) }
      printer.write("(")
      printer.writeExpressions(key)
      printer.write(")")
    }
    write(")")
  }
}

// MARK: - FROM

extension Printer {
  mutating func writeFrom(_ word: String, _ references: [TableReference]) {
    guard !references.isEmpty else { return }
    write(word)
    writeList(references) { printer, reference in printer.write(reference) }
  }

  private mutating func write(_ reference: TableReference) {
    switch reference {
    case .table(let name, let alias):
      write(name)
      write(alias)
    case .query(let query, let alias, let isLateral):
      if isLateral { write("LATERAL ") }
      writeInParentheses(query)
      write(alias)
    case .function(let function, let isLateral):
      if isLateral { write("LATERAL ") }
      write(function)
    case .join(let join):
      if join.alias == nil {
        write(join)
      } else {
        write("(")
        write(join)
        write(")")
        write(join.alias)
      }
    }
  }

  private mutating func write(_ alias: TableAlias?) {
    guard let alias else { return }
    write(" AS ")
    writeName(alias.name)
    if !alias.columns.isEmpty { writeNamesInParentheses(alias.columns) }
  }

  private mutating func write(_ function: TableFunction) {
    if function.calls.count == 1, let call = function.calls.first {
      write(call)
    } else {
      write("ROWS FROM (")
      writeList(function.calls) { printer, call in printer.write(call) }
      write(")")
    }
    if function.hasOrdinality { write(" WITH ORDINALITY") }
    write(function.alias)
    guard !function.definitions.isEmpty else { return }
    write(function.alias == nil ? " AS (" : "(")
    writeList(function.definitions) { printer, definition in
      printer.writeName(definition.name)
      printer.write(" \(definition.type.sql)")
    }
    write(")")
  }

  /// A join without its alias.
  private mutating func write(_ join: Join) {
    write(join.left)
    if case .natural = join.condition { write(" NATURAL") }
    switch join.kind {
    case .cross: write(" CROSS JOIN ")
    case .inner: write(" JOIN ")
    case .left, .right, .full: write(" \(join.kind.rawValue.uppercased()) JOIN ")
    }
    if case .join(let inner) = join.right, inner.alias == nil {
      write("(")
      write(inner)
      write(")")
    } else {
      write(join.right)
    }
    switch join.condition {
    case .on(let condition):
      write(" ON ")
      write(condition)
    case .using(let columns):
      write(" USING ")
      writeNamesInParentheses(columns)
    case .natural, nil: break
    }
  }
}

// MARK: - Changes

extension Printer {
  mutating func write(_ statement: DataStatement) {
    switch statement {
    case .query(let query): write(query)
    case .insert(let insert): write(insert)
    case .update(let update):
      writeWith(update.with)
      write("UPDATE ")
      write(update.table)
      writeAlias(update.alias)
      write(" SET ")
      write(update.assignments)
      writeFrom(" FROM ", update.from)
      writeFilter(" WHERE ", update.filter)
      writeReturning(update.returning)
    case .delete(let delete):
      writeWith(delete.with)
      write("DELETE FROM ")
      write(delete.table)
      writeAlias(delete.alias)
      writeFrom(" USING ", delete.using)
      writeFilter(" WHERE ", delete.filter)
      writeReturning(delete.returning)
    }
  }

  private mutating func writeAlias(_ alias: String?) {
    guard let alias else { return }
    write(" AS ")
    writeName(alias)
  }

  private mutating func writeReturning(_ items: [Select.Item]) {
    guard !items.isEmpty else { return }
    write(" RETURNING ")
    write(items)
  }

  private mutating func write(_ insert: Insert) {
    writeWith(insert.with)
    write("INSERT INTO ")
    write(insert.table)
    writeAlias(insert.alias)
    if !insert.columns.isEmpty {
      write(" ")
      writeNamesInParentheses(insert.columns)
    }
    if let overriding = insert.overriding { write(" OVERRIDING \(overriding.rawValue.uppercased()) VALUE") }
    switch insert.source {
    case .defaultValues: write(" DEFAULT VALUES")
    case .query(let query):
      write(" ")
      write(query)
    }
    if let conflict = insert.conflict { write(conflict) }
    writeReturning(insert.returning)
  }

  private mutating func write(_ conflict: Insert.Conflict) {
    write(" ON CONFLICT")
    switch conflict.target {
    case .constraint(let name):
      write(" ON CONSTRAINT ")
      writeName(name)
    case .keys(let keys, let filter):
      write(" (")
      writeList(keys) { printer, key in printer.writeIndexKey(key) }
      write(")")
      writeFilter(" WHERE ", filter)
    case nil: break
    }
    switch conflict.action {
    case .doNothing: write(" DO NOTHING")
    case .update(let assignments, let filter):
      write(" DO UPDATE SET ")
      write(assignments)
      writeFilter(" WHERE ", filter)
    }
  }

  /// A key of an index: a name, a call, or an expression in parentheses.
  private mutating func writeIndexKey(_ key: SQLExpression) {
    switch key {
    case .name(let names) where names.count == 1: write(key)
    case .collate(let inner, let name):
      writeIndexKey(inner)
      write(" COLLATE ")
      write(name)
    default:
      write("(")
      write(key)
      write(")")
    }
  }

  private mutating func write(_ assignments: [Assignment]) {
    writeList(assignments) { printer, assignment in
      if assignment.columns.count == 1 {
        printer.writeName(assignment.columns[0])
        for step in assignment.path {
          switch step {
          case .element(let subscription): printer.write(subscription)
          case .field(let name):
            printer.write(".")
            printer.writeName(name)
          }
        }
      } else {
        printer.writeNamesInParentheses(assignment.columns)
      }
      printer.write(" = ")
      printer.write(assignment.value)
    }
  }
}

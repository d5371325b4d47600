/// A change of a row whose foreign keys and triggers wait for the end of the statement.
struct RowChange {
  var table: QualifiedName
  var old: Row?
  var new: Row?
  /// The columns that `UPDATE` names, for triggers `UPDATE OF`.
  var assigned: Set<Int> = []
}

extension Session {
  /// Tests the references of a new row (MATCH SIMPLE: a null satisfies it).
  func checkReferences(_ change: RowChange, _ writer: TableWriter) throws(PostgreSQLError) {
    guard let new = change.new else { return }
    for key in writer.outgoing {
      // An update that does not touch the columns needs no test.
      if let old = change.old, key.columns.allSatisfy({ old[$0] == new[$0] }) { continue }
      if key.foreignKey.isDeferrable, isDeferred(key.foreignKey) {
        deferred.append(change)
        continue
      }
      try checkReference(key, new, writer)
    }
  }

  func checkReference(_ key: TableWriter.BoundForeignKey, _ row: Row, _ writer: TableWriter)
    throws(PostgreSQLError)
  {
    let nulls = key.columns.count { row[$0].isNull }
    if nulls == key.columns.count { return }
    if nulls > 0 {
      guard key.foreignKey.matchesFull else { return }
      throw PostgreSQLError(
        "23503",
        "insert or update on table \"\(writer.table.name.name)\" violates foreign key constraint"
          + " \"\(key.foreignKey.name)\"",
        detail: "MATCH FULL does not allow mixing of null and nonnull key values.")
    }
    var values: Row = []
    for (index, column) in key.columns.enumerated() {
      let value = try key.casts[index]?.convert(row[column], self) ?? row[column]
      values.append(key.referencedComparators[index].key(value))
    }
    guard let data = state.data[key.foreignKey.table], !data.places(of: values, key.referenced).isEmpty else {
      let table = key.foreignKey.table.name
      throw PostgreSQLError(
        "23503",
        "insert or update on table \"\(writer.table.name.name)\" violates foreign key constraint"
          + " \"\(key.foreignKey.name)\"",
        detail: try isRestricted(by: writer.table)
          ? "Key is not present in table \"\(table)\"."
          : "Key \(describe(row, key.foreignKey.declared.map(\.column), writer.table)) is not present in table \"\(table)\"."
      )
    }
  }

  private func describe(_ row: Row, _ written: [String], _ table: Table) throws(PostgreSQLError) -> String {
    let names = written.joined(separator: ", ")
    let columns = written.compactMap(table.column)
    let values = try columns.map { (column) throws(PostgreSQLError) in
      try table.columns[column].type.text(of: row[column], context: self)
    }
    return "(\(names))=(\(values.joined(separator: ", ")))"
  }

  /// Does to the rows that refer to a removed or changed row what their foreign keys say.
  func followReferences(_ change: RowChange, _ writer: TableWriter) throws(PostgreSQLError) {
    guard let old = change.old else { return }
    for key in writer.incoming {
      if let new = change.new, key.referenced.allSatisfy({ old[$0] == new[$0] }) { continue }
      let referencing = try self.writer(for: key.table)
      var values: Row = []
      for (index, column) in key.referenced.enumerated() {
        guard !old[column].isNull else { break }
        values.append(key.referencedComparators[index].key(old[column]))
      }
      guard values.count == key.referenced.count, let data = state.data[key.table] else { continue }
      let places = data.places(of: values, key.columns)
      if places.isEmpty { continue }
      let action = change.new == nil ? key.foreignKey.onDelete : key.foreignKey.onUpdate
      switch action {
      case .noAction, .restrict:
        // Another row may have taken the key meanwhile.
        if action == .noAction, let target = state.data[writer.table.name],
          !target.places(of: values, key.referenced).isEmpty
        {
          continue
        }
        if action == .noAction, key.foreignKey.isDeferrable, isDeferred(key.foreignKey) {
          deferred += places.compactMap { data.heap[$0] }.map {
            RowChange(table: key.table, old: nil, new: $0)
          }
          continue
        }
        throw PostgreSQLError(
          "23503",
          "update or delete on table \"\(writer.table.name.name)\" violates foreign key constraint"
            + " \"\(key.foreignKey.name)\" on table \"\(key.table.name)\"",
          detail: try isRestricted(by: writer.table)
            ? "Key is still referenced from table \"\(key.table.name)\"."
            : "Key \(describe(old, key.foreignKey.declared.map(\.referenced), writer.table)) is still referenced from table"
              + " \"\(key.table.name)\".")
      case .cascade, .setNull, .setDefault:
        // Its own triggers and foreign keys wait behind those of the first row (ri_triggers.c, ri_PerformCheck).
        let frame = rowFrame()
        for place in places {
          guard let row = state.data[key.table]?.heap[place] else { continue }
          if action == .cascade, change.new == nil {
            try deleteRow(place, row, referencing, frame)
            continue
          }
          var changed = row
          for (index, column) in key.columns.enumerated() {
            switch action {
            case .cascade: changed[column] = change.new?[key.referenced[index]] ?? .null
            case .setDefault: changed[column] = try defaultValue(of: column, referencing.table)
            default: changed[column] = .null
            }
          }
          try updateRow(place, row, to: changed, referencing, assigned: Set(key.columns), frame)
        }
      }
    }
  }
}

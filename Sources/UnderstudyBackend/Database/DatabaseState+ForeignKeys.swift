import UnderstudyTransport

extension DatabaseState {
  /// Refuses rows that refer to nothing.
  ///
  /// Policies hide nothing from a foreign key.
  ///
  /// - Throws: 23503.
  func checkReferences(
    from slots: [Int], of table: Int, _ context: StatementContext
  ) throws(PostgRESTError) {
    let declared = tables[table].table
    for foreignKey in declared.foreignKeys {
      let referenced = try place(of: foreignKey.table)
      for slot in slots {
        guard let row = row(slot, of: table) else { continue }
        let values = foreignKey.columns.map { row[$0] }
        guard let key = IndexKey(values), !hasRow(with: key, in: foreignKey.referencedColumns, of: referenced)
        else { continue }
        throw .missingReference(
          constraint: foreignKey.name(in: declared.relation), table: declared.relation,
          key: context.isRestricted(in: declared) ? nil : (foreignKey.columns, values.map(\.text)),
          in: tables[referenced].table.relation)
      }
    }
  }

  /// Does to the rows that refer to rows which went, or changed their keys, what their foreign keys say.
  ///
  /// "No action" is looked at last, when cascades may have taken the rows that stood in the way.
  ///
  /// - Throws: 23503.
  mutating func followReferences(
    to rows: [[DatabaseValue]], of table: Int, isDeletion: Bool, _ context: StatementContext
  ) throws(PostgRESTError) {
    var gone = [(table: table, rows: rows)]
    var refused: [(table: Int, referring: Int, foreignKey: ForeignKey, rows: [[DatabaseValue]])] = []
    // Whatever a foreign key does, it does as the owner of the tables, whom policies do not bind.
    let owner = StatementContext(role: .service, now: context.now, returnsRows: false)
    while let next = gone.popLast() {
      for (referring, foreignKey) in references(to: next.table) {
        let action = isDeletion ? foreignKey.onDelete : .noAction
        if action == .noAction {
          refused.append((next.table, referring, foreignKey, next.rows))
          continue
        }
        let slots = slots(of: referring, referringBy: foreignKey, to: next.rows, of: next.table)
        if action == .cascade {
          let removed = slots.compactMap { tables[referring].slots[$0] }
          for slot in slots { remove(slot, from: referring) }
          if !removed.isEmpty { gone.append((referring, removed)) }
        } else {
          for slot in slots {
            guard var row = row(slot, of: referring) else { continue }
            for column in foreignKey.columns { row.layout.positions[column].map { row.values[$0] = .null } }
            try checkConstraints(row, of: referring, owner)
            try put(row.values, at: slot, in: referring, owner)
          }
        }
      }
    }
    for check in refused {
      let declared = tables[check.table].table
      let slots = slots(of: check.referring, referringBy: check.foreignKey, to: check.rows, of: check.table)
      guard let slot = slots.first, let row = row(slot, of: check.referring) else { continue }
      let referring = tables[check.referring].table.relation
      throw .stillReferenced(
        constraint: check.foreignKey.name(in: referring), table: declared.relation,
        key: context.isRestricted(in: declared)
          ? nil : (check.foreignKey.referencedColumns, check.foreignKey.columns.map { row[$0].text }),
        from: referring)
    }
  }

  private func references(to table: Int) -> [(Int, ForeignKey)] {
    tables.enumerated().flatMap { place, storage in
      storage.table.foreignKeys.filter { $0.table == tables[table].table.name }.map { (place, $0) }
    }
  }

  /// The places of the rows that refer to one of these, unless another row has that key by now.
  private func slots(
    of referring: Int, referringBy foreignKey: ForeignKey, to rows: [[DatabaseValue]], of table: Int
  ) -> [Int] {
    let layout = tables[table].table.layout
    let keys = Set(
      rows.compactMap { values in
        let row = DatabaseRow(layout: layout, values: values)
        return IndexKey(foreignKey.referencedColumns.map { row[$0] })
      }.filter { !hasRow(with: $0, in: foreignKey.referencedColumns, of: table) })
    guard !keys.isEmpty else { return [] }
    return tables[referring].slots.indices.filter { slot in
      guard let row = row(slot, of: referring), let key = IndexKey(foreignKey.columns.map { row[$0] }) else {
        return false
      }
      return keys.contains(key)
    }
  }

  private func hasRow(with key: IndexKey, in columns: [String], of table: Int) -> Bool {
    tables[table].slot(of: key, in: columns) != nil
  }
}

import UnderstudyHTTP

extension DatabaseState {
  /// Enforces the foreign keys of the rows written by a statement, row by row.
  ///
  /// References to an existing row are checked first: PostgreSQL's triggers run in the order of their names,
  /// `RI_ConstraintTrigger_a_…` before `RI_ConstraintTrigger_c_…`.
  ///
  /// - Parameter before: The previous rows in these slots.
  /// - Throws: 23503.
  mutating func settle(
    _ slots: [Int], of table: Int, before: [Int: [ColumnValue]], _ context: StatementContext
  ) throws(PostgRESTError) {
    for slot in slots {
      if let old = before[slot] {
        try followReferences(to: [old], of: table, isDeletion: false, context)
      }
      try checkReferences(from: [slot], of: table, context)
    }
  }

  /// Refuses rows whose referenced row is missing, in order.
  ///
  /// Foreign keys are not subject to policies.
  ///
  /// - Throws: 23503.
  func checkReferences(
    from slots: [Int], of table: Int, _ context: StatementContext
  ) throws(PostgRESTError) {
    let declared = tables[table].table
    for slot in slots {
      for foreignKey in declared.foreignKeys {
        let referenced = try place(of: foreignKey.table)
        guard let row = row(slot, of: table) else { continue }
        let values = foreignKey.columns.map { row[$0] }
        guard let key = IndexKey(values), !hasRow(with: key, in: foreignKey.referencedColumns, of: referenced)
        else { continue }
        throw .missingReference(
          constraint: foreignKey.name, table: declared.relation,
          key: context.isRestricted(in: declared) ? nil : (foreignKey.columns, values.map(\.text)),
          in: tables[referenced].table.relation)
      }
    }
  }

  /// Applies the foreign keys' actions to the rows that refer to deleted rows, or to rows whose keys have changed.
  ///
  /// The foreign keys are processed in the order of their creation, as PostgreSQL's triggers are, each with all its
  /// consequences before the next one. A foreign key without an action may therefore find that the referring row is
  /// already deleted.
  ///
  /// - Throws: 23503.
  mutating func followReferences(
    to rows: [[ColumnValue]], of table: Int, isDeletion: Bool, _ context: StatementContext
  ) throws(PostgRESTError) {
    var pending = references(to: rows, of: table, by: context)
    var referring: [Reference.Key: [IndexKey: [Int]]] = [:]
    // A foreign key acts as the owner of the tables, whom policies do not restrict.
    let owner = StatementContext(role: .service, now: context.now, returnsRows: false)
    while let next = pending.popLast() {
      let action = isDeletion ? next.foreignKey.onDelete : .noAction
      let slots = slots(with: next, known: &referring)
      guard let first = slots.first else { continue }
      switch action {
      case .noAction, .restrict:
        guard let row = row(first, of: next.referring) else { continue }
        let declared = tables[next.table].table
        throw .stillReferenced(
          constraint: next.foreignKey.name, table: declared.relation,
          key: next.context.isRestricted(in: declared)
            ? nil : (next.foreignKey.referencedColumns, next.foreignKey.columns.map { row[$0].text }),
          from: tables[next.referring].table.relation)
      case .cascade:
        let removed = slots.compactMap { tables[next.referring].slots[$0] }
        for slot in slots { remove(slot, from: next.referring) }
        pending += references(to: removed, of: next.referring, by: owner)
      case .setNull, .setDefault:
        var emptied: NewValues = tables[next.referring].table.columns.map { column in
          next.foreignKey.columns.contains(column.name) && action == .setNull ? .some(.null) : nil
        }
        if action == .setDefault {
          let defaults = try withDefaults(emptied, of: next.referring, owner)
          for (place, column) in tables[next.referring].table.columns.enumerated()
          where next.foreignKey.columns.contains(column.name) { emptied[place] = defaults[place] }
        }
        for slot in slots { try change(slot, of: next.referring, to: emptied, isRead: false, owner) }
        try checkReferences(from: slots, of: next.referring, owner)
      }
    }
  }

  /// A foreign key that may refer to a row that was deleted or has another key now.
  private struct Reference {
    let row: [ColumnValue]
    let table: Int
    let referring: Int
    let foreignKey: DatabaseForeignKey
    let context: StatementContext

    struct Key: Hashable {
      let referring: Int
      let foreignKey: DatabaseForeignKey
    }
  }

  /// Returns the references in reverse order, because they are taken from the end.
  private func references(
    to rows: [[ColumnValue]], of table: Int, by context: StatementContext
  ) -> [Reference] {
    let keys = references(to: table)
    return rows.flatMap { row in
      keys.map { Reference(row: row, table: table, referring: $0, foreignKey: $1, context: context) }
    }.reversed()
  }

  private func references(to table: Int) -> [(Int, DatabaseForeignKey)] {
    tables.enumerated().flatMap { place, storage in
      storage.table.foreignKeys.filter { $0.table == tables[table].table.name }.map { (place, $0) }
    }
  }

  /// Returns the slots of the rows that refer to a row, unless another row has taken its key.
  ///
  /// - Parameter known: The slots of the rows with each key when they were first looked up in this statement. It only
  ///   removes references; one that a default created is checked where it is created.
  private func slots(with reference: Reference, known: inout [Reference.Key: [IndexKey: [Int]]]) -> [Int] {
    let foreignKey = reference.foreignKey
    let row = DatabaseRow(layout: tables[reference.table].table.layout, values: reference.row)
    guard let key = IndexKey(foreignKey.referencedColumns.map { row[$0] }),
      !hasRow(with: key, in: foreignKey.referencedColumns, of: reference.table)
    else { return [] }
    func ownKey(at slot: Int) -> IndexKey? {
      self.row(slot, of: reference.referring).flatMap { row in IndexKey(foreignKey.columns.map { row[$0] }) }
    }
    let id = Reference.Key(referring: reference.referring, foreignKey: foreignKey)
    if known[id] == nil {
      var places: [IndexKey: [Int]] = [:]
      for slot in tables[reference.referring].slots.indices {
        if let own = ownKey(at: slot) { places[own, default: []].append(slot) }
      }
      known[id] = places
    }
    return (known[id]?[key] ?? []).filter { ownKey(at: $0) == key }
  }

  private func hasRow(with key: IndexKey, in columns: [String], of table: Int) -> Bool {
    tables[table].slot(of: key, in: columns) != nil
  }
}

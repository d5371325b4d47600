/// Writes the rows of a table: computes generated columns, tests constraints, and keeps indexes.
///
/// It is bound to the definitions of one moment, and used for any number of statements until they change.
final class TableWriter: Sendable {
  let table: Table
  private let generated: [(column: Int, value: Bound.Evaluate)]
  private let checks: [(name: String, condition: Bound.Evaluate)]
  /// The conditions of the partitions, one of which each row satisfies; nil if the table has no partitions.
  private let partitions: [Bound.Evaluate]?
  private let partitionKey: [Bound]
  private let lookups: [(columns: [Int], comparators: [Comparator])]
  let keys: [BoundKey]
  /// The keys of this table that other tables refer to, and those that it refers to.
  let outgoing: [BoundForeignKey]
  let incoming: [BoundForeignKey]
  /// In the order of their names, in which they fire.
  let triggers: [BoundTrigger]

  /// A unique key with what computes its values.
  struct BoundKey: Sendable {
    var index: Int
    var key: Key
    /// The columns, if it has an index among the look-ups.
    var columns: [Int]?
    var values: [Bound.Evaluate]
    var types: [DataType]
    var comparators: [Comparator]
    var filter: Bound.Evaluate?

    /// The values of a row, or nil if the row is not in the index: by its condition, or because nulls are distinct.
    func key(of row: Row, _ frame: Frame) throws(PostgreSQLError) -> Row? {
      frame.rows[0] = row
      if let filter, try filter(frame) != .boolean(true) { return nil }
      let found = try values.map { (value) throws(PostgreSQLError) in try value(frame) }
      if !key.nullsNotDistinct, found.contains(where: \.isNull) { return nil }
      return Comparator.key(found, comparators)
    }
  }

  struct BoundForeignKey: Sendable {
    var foreignKey: ForeignKey
    var table: QualifiedName
    var columns: [Int]
    var referenced: [Int]
    var comparators: [Comparator]
    /// The comparators of the referenced columns, whose type may be another one.
    var referencedComparators: [Comparator]
    /// Converts values to the referenced columns' types.
    var casts: [Cast?]
  }

  init(_ table: Table, _ binder: Binder) throws(PostgreSQLError) {
    self.table = table
    let scope = binder.scope(of: table)
    var generated: [(column: Int, value: Bound.Evaluate)] = []
    for (index, column) in table.columns.enumerated() {
      guard let expression = column.generated else { continue }
      let bound = try binder.coerce(
        binder.bind(expression, scope), to: column.type, modifier: column.modifier, .assignment)
      generated.append((index, bound.evaluate))
    }
    self.generated = generated
    // In the order of their names (relcache.c, CheckConstraintFetch).
    checks = try table.checks.sorted { $0.name < $1.name }.map { (check) throws(PostgreSQLError) in
      (check.name, try binder.condition(check.condition, scope, "CHECK").evaluate)
    }
    partitions = try table.partitioning.map { (partitioning) throws(PostgreSQLError) in
      try partitioning.partitions.values.map { (condition) throws(PostgreSQLError) in
        try binder.condition(condition, scope, "PARTITION").evaluate
      }
    }
    partitionKey = try (table.partitioning?.key ?? []).map { (key) throws(PostgreSQLError) in
      try binder.bind(key, scope)
    }
    func comparators(_ columns: [Int]) -> [Comparator] {
      columns.map { Comparator(binder.catalogue.base(of: table.columns[$0].type)) }
    }
    lookups = table.lookups.map { ($0.columns, comparators($0.columns)) }
    keys = try table.keys.enumerated().map { (entry) throws(PostgreSQLError) in
      let bounds = try entry.element.expressions.map { (expression) throws(PostgreSQLError) in
        try binder.bind(expression, scope)
      }
      let isLookup = entry.element.filter == nil && !entry.element.nullsNotDistinct
      return BoundKey(
        index: entry.offset, key: entry.element, columns: isLookup ? entry.element.columns(of: table) : nil,
        values: bounds.map(\.evaluate), types: bounds.map { binder.catalogue.base(of: $0.type.type) },
        comparators: bounds.map { Comparator(binder.catalogue.base(of: $0.type.type)) },
        filter: try entry.element.filter.map { (filter) throws(PostgreSQLError) in
          try binder.condition(filter, scope, "WHERE").evaluate
        })
    }
    triggers = try table.triggers.sorted { $0.name < $1.name }.map { (trigger) throws(PostgreSQLError) in
      try binder.bind(trigger, of: table)
    }
    outgoing = table.foreignKeys.compactMap { Self.bind($0, of: table, binder.catalogue) }
    incoming = binder.catalogue.tables.values.flatMap { other in
      other.foreignKeys.filter { $0.table == table.name }.compactMap {
        Self.bind($0, of: other, binder.catalogue)
      }
    }.sorted { $0.foreignKey.number < $1.foreignKey.number }
  }

  private static func bind(_ foreignKey: ForeignKey, of table: Table, _ catalogue: Catalogue)
    -> BoundForeignKey?
  {
    guard let target = catalogue.tables[foreignKey.table],
      let columns = table.columns(of: foreignKey.columns.map { .name([$0]) }),
      let referenced = target.columns(of: foreignKey.referenced.map { .name([$0]) })
    else { return nil }
    let own = columns.map { catalogue.base(of: table.columns[$0].type) }
    let others = referenced.map { catalogue.base(of: target.columns[$0].type) }
    return BoundForeignKey(
      foreignKey: foreignKey, table: table.name, columns: columns, referenced: referenced,
      comparators: own.map { Comparator($0) }, referencedComparators: others.map { Comparator($0) },
      casts: zip(own, others).map { $0 == $1 ? nil : Cast.find(from: $0, to: $1) })
  }

  // MARK: - Rows

  /// Fills in the generated columns.
  func generate(_ row: inout Row, _ frame: Frame) throws(PostgreSQLError) {
    for (column, value) in generated {
      frame.rows[0] = row
      row[column] = try value(frame)
    }
  }

  /// The name of the first check constraint that a row does not satisfy.
  func violatedCheck(_ row: Row, _ frame: Frame) throws(PostgreSQLError) -> String? {
    frame.rows[0] = row
    for (name, condition) in checks where try condition(frame) == .boolean(false) { return name }
    return nil
  }

  /// Tests `NOT NULL` and `CHECK`.
  func check(_ row: Row, _ frame: Frame, _ session: Session) throws(PostgreSQLError) {
    try checkPartition(row, frame, session)
    for (index, column) in table.columns.enumerated() where column.isNotNull && row[index].isNull {
      throw PostgreSQLError(
        "23502",
        "null value in column \"\(column.name)\" of relation \"\(table.name.name)\" violates not-null constraint",
        detail: try failingRow(row, session))
    }
    if let name = try violatedCheck(row, frame) {
      throw PostgreSQLError(
        "23514", "new row for relation \"\(table.name.name)\" violates check constraint \"\(name)\"",
        detail: try failingRow(row, session))
    }
  }

  /// Tests that a partition takes the row, which PostgreSQL does before the constraints (execPartition.c).
  private func checkPartition(_ row: Row, _ frame: Frame, _ session: Session) throws(PostgreSQLError) {
    guard let partitions else { return }
    frame.rows[0] = row
    for condition in partitions where try condition(frame) == .boolean(true) { return }
    let names = table.partitioning?.key.map { key in
      switch key {
      case .name, .call: key.sql
      default: "(\(key.sql))"
      }
    }
    let values = try partitionKey.map { (key) throws(PostgreSQLError) in
      let value = try key.evaluate(frame)
      return value.isNull ? "null" : try value.text(as: key.type, session)
    }
    throw PostgreSQLError(
      "23514", "no partition of relation \"\(table.name.name)\" found for row",
      detail:
        "Partition key of the failing row contains (\((names ?? []).joined(separator: ", "))) = (\(values.joined(separator: ", ")))."
    )
  }

  /// `Failing row contains (…)`, unless the values are none of the role's business.
  func failingRow(_ row: Row, _ session: Session) throws(PostgreSQLError) -> String? {
    // PostgreSQL shows no values of a table whose policies restrict the role (execMain.c, ExecBuildSlotValueDescription).
    guard !session.isRestricted(by: table) else { return nil }
    var texts: [String] = []
    for (value, column) in zip(row, table.columns) {
      let text = value.isNull ? "null" : try column.type.text(of: value, context: session)
      texts.append(text.utf8.count > 64 ? text.prefix(bytes: 64) + "..." : text)
    }
    return "Failing row contains (\(texts.joined(separator: ", ")))."
  }

  /// The place of the row that has the same key, if there is one.
  func conflict(
    _ key: BoundKey, _ row: Row, _ frame: Frame, except own: Heap.Place? = nil, _ session: Session
  ) throws(PostgreSQLError) -> Heap.Place? {
    guard let values = try key.key(of: row, frame), let data = session.state.data[table.name] else {
      return nil
    }
    let places =
      key.columns.map { data.places(of: values, $0) } ?? data.keys[key.index]?.places(of: values) ?? []
    return places.first { $0 != own }
  }

  /// 23505, with the values if the role may know them.
  func duplicate(
    _ key: BoundKey, _ row: Row, _ frame: Frame, _ session: Session
  ) throws(PostgreSQLError) -> PostgreSQLError {
    frame.rows[0] = row
    var detail: String?
    if !session.isRestricted(by: table) {
      let names = key.key.displayNames
      let values = try key.values.indices.map { (index) throws(PostgreSQLError) in
        let value = try key.values[index](frame)
        return value.isNull ? "null" : try key.types[index].text(of: value, context: session)
      }
      detail = "Key (\(names.joined(separator: ", ")))=(\(values.joined(separator: ", "))) already exists."
    }
    return PostgreSQLError(
      "23505", "duplicate key value violates unique constraint \"\(key.key.name)\"", detail: detail)
  }

  /// Writes a new row, whose constraints were tested.
  @discardableResult func insert(_ row: Row, _ frame: Frame, _ session: Session) throws(PostgreSQLError)
    -> Heap.Place
  {
    var entries: [(Int, Row)] = []
    for key in keys where key.columns == nil {
      if let values = try key.key(of: row, frame) { entries.append((key.index, values)) }
    }
    return session.change(table.name) { data in
      let place = data.heap.append(row)
      for (columns, comparators) in lookups {
        if let key = Self.key(row, columns, comparators) {
          data.lookups[columns, default: KeyIndex()].insert(key, at: place)
        }
      }
      for (index, values) in entries { data.keys[index, default: KeyIndex()].insert(values, at: place) }
      return place
    }
  }

  func remove(_ place: Heap.Place, _ row: Row, _ frame: Frame, _ session: Session) throws(PostgreSQLError) {
    var entries: [(Int, Row)] = []
    for key in keys where key.columns == nil {
      if let values = try key.key(of: row, frame) { entries.append((key.index, values)) }
    }
    session.change(table.name) { data in
      data.heap.remove(place)
      for (columns, comparators) in lookups {
        if let key = Self.key(row, columns, comparators) { data.lookups[columns]?.remove(key, at: place) }
      }
      for (index, values) in entries { data.keys[index]?.remove(values, at: place) }
    }
  }

  private static func key(_ row: Row, _ columns: [Int], _ comparators: [Comparator]) -> Row? {
    var key: Row = []
    for (column, comparator) in zip(columns, comparators) {
      if row[column].isNull { return nil }
      key.append(comparator.key(row[column]))
    }
    return key
  }

  /// The indexes of rows that exist already, after a definition has changed.
  func index(_ heap: Heap, _ session: Session) throws(PostgreSQLError) -> TableData {
    var data = TableData()
    data.heap = heap
    for (columns, _) in lookups { data.lookups[columns] = KeyIndex() }
    for key in keys where key.columns == nil { data.keys[key.index] = KeyIndex() }
    let frame = Frame(relations: 1, parent: nil, execution: Execution(session))
    try heap.forEach { place, row throws(PostgreSQLError) in
      for (columns, comparators) in lookups {
        if let key = Self.key(row, columns, comparators) { data.lookups[columns]?.insert(key, at: place) }
      }
      for key in keys where key.columns == nil {
        if let values = try key.key(of: row, frame) { data.keys[key.index]?.insert(values, at: place) }
      }
      return true
    }
    for key in keys {
      let index = key.columns.flatMap { data.lookups[$0] } ?? data.keys[key.index]
      try heap.forEach { _, row throws(PostgreSQLError) in
        guard let values = try key.key(of: row, frame), let places = index?.places(of: values),
          places.count > 1
        else {
          return true
        }
        let names = key.key.displayNames
        let texts = try key.types.indices.map { (index) throws(PostgreSQLError) in
          values[index].isNull ? "null" : try key.types[index].text(of: values[index], context: session)
        }
        throw PostgreSQLError(
          "23505", "could not create unique index \"\(key.key.name)\"",
          detail: "Key (\(names.joined(separator: ", ")))=(\(texts.joined(separator: ", "))) is duplicated.")
      }
    }
    return data
  }
}

extension Binder {
  /// The names of a table's columns, for expressions that its definition contains.
  func scope(of table: Table) -> Scope {
    let scope = Scope(parent: nil)
    let columns = columns(of: table)
    let relation = scope.add(
      Scope.Relation(alias: names?.ownName ?? table.name.name, table: table.name, columns: columns))
    scope.visible = columns.indices.map {
      Scope.Visible(
        name: columns[$0].name, bound: scope.column(relation, $0, depth: 0), relations: [relation])
    }
    return scope
  }
}

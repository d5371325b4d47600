/// A trigger with its function and its condition.
struct BoundTrigger: Sendable {
  var definition: CreateTrigger
  var routine: Routine
  /// `WHEN`, over the old row (0) and the new one (1).
  var condition: Bound.Evaluate?

  func isFired(by event: CreateTrigger.Event, assigned: Set<Int>, _ table: Table) -> Bool {
    definition.events.contains { own in
      switch (own, event) {
      case (.insert, .insert), (.delete, .delete), (.truncate, .truncate): true
      case (.update(let columns), .update):
        columns.isEmpty || columns.contains { name in table.column(name).map(assigned.contains) ?? false }
      default: false
      }
    }
  }
}

extension CreateTrigger.Event {
  /// The value of `TG_OP`.
  var operation: String {
    switch self {
    case .insert: "INSERT"
    case .delete: "DELETE"
    case .truncate: "TRUNCATE"
    case .update: "UPDATE"
    }
  }
}

extension Binder {
  func bind(_ trigger: CreateTrigger, of table: Table) throws(PostgreSQLError) -> BoundTrigger {
    let named = catalogue.routines(trigger.function, path)
    guard let routine = named.first(where: { $0.inputs.isEmpty }) else {
      throw PostgreSQLError("42883", "function \(trigger.function)() does not exist")
    }
    var bound = BoundTrigger(definition: trigger, routine: routine)
    if let condition = trigger.condition {
      let scope = Scope(parent: nil)
      for name in ["old", "new"] {
        _ = scope.add(Scope.Relation(alias: name, table: table.name, columns: columns(of: table)))
      }
      bound.condition = try self.condition(condition, scope, "WHEN").evaluate
    }
    return bound
  }
}

extension Session {
  /// The row that the `BEFORE` triggers leave, in the order of their names; nil if one of them skips it.
  func fireBefore(
    _ event: CreateTrigger.Event, _ writer: TableWriter, old: Row?, new: Row?, assigned: Set<Int> = []
  ) throws(PostgreSQLError) -> Row? {
    try fire(.before, event, writer, old: old, new: new, assigned: assigned)
  }

  /// The row that the `INSTEAD OF` triggers of a view leave; nil if one of them skips it.
  func fireInstead(
    _ event: CreateTrigger.Event, _ writer: TableWriter, old: Row?, new: Row?
  ) throws(PostgreSQLError) -> Row? {
    try fire(.insteadOf, event, writer, old: old, new: new, assigned: [])
  }

  private func fire(
    _ timing: CreateTrigger.Timing, _ event: CreateTrigger.Event, _ writer: TableWriter, old: Row?, new: Row?,
    assigned: Set<Int>
  ) throws(PostgreSQLError) -> Row? {
    var row = new ?? old
    let triggers = writer.triggers.filter { $0.definition.timing == timing && $0.definition.isForEachRow }
    for trigger in triggers where trigger.isFired(by: event, assigned: assigned, writer.table) {
      let current = new == nil ? nil : row
      guard try passes(trigger, old, current, writer.table) else { continue }
      let result = try call(trigger, event, writer.table, old: old, new: current)
      guard case .record(let changed)? = result else { return nil }
      if new != nil { row = changed }
    }
    return row
  }

  func fireAfter(_ change: RowChange, _ writer: TableWriter) throws(PostgreSQLError) {
    let event: CreateTrigger.Event =
      change.old == nil ? .insert : change.new == nil ? .delete : .update(of: [])
    let triggers = writer.triggers.filter { $0.definition.timing == .after && $0.definition.isForEachRow }
    for trigger in triggers where trigger.isFired(by: event, assigned: change.assigned, writer.table) {
      guard try passes(trigger, change.old, change.new, writer.table) else { continue }
      _ = try call(trigger, event, writer.table, old: change.old, new: change.new)
    }
  }

  /// Fires the triggers `FOR EACH STATEMENT`.
  func fireStatement(
    _ timing: CreateTrigger.Timing, _ event: CreateTrigger.Event, _ writer: TableWriter,
    assigned: Set<Int> = [],
    changes: [RowChange] = []
  ) throws(PostgreSQLError) {
    let triggers = writer.triggers.filter { $0.definition.timing == timing && !$0.definition.isForEachRow }
    for trigger in triggers where trigger.isFired(by: event, assigned: assigned, writer.table) {
      _ = try call(trigger, event, writer.table, old: nil, new: nil, changes: changes)
    }
  }

  private func passes(_ trigger: BoundTrigger, _ old: Row?, _ new: Row?, _ table: Table)
    throws(PostgreSQLError) -> Bool
  {
    guard let condition = trigger.condition else { return true }
    let frame = Frame(relations: 2, parent: nil, execution: Execution(self))
    let nulls: Row = Array(repeating: .null, count: table.columns.count)
    frame.rows = [old ?? nulls, new ?? nulls]
    return try condition(frame) == .boolean(true)
  }

  private func call(
    _ trigger: BoundTrigger, _ event: CreateTrigger.Event, _ table: Table, old: Row?, new: Row?,
    changes: [RowChange] = []
  ) throws(PostgreSQLError) -> Value? {
    let call = TriggerCall(
      definition: trigger.definition, operation: event.operation, table: table, old: old, new: new,
      changes: changes)
    let result = try run(trigger.routine, call)
    return result.isNull ? nil : result
  }
}

/// What a trigger's function knows of its call (PostgreSQL documentation, 43.10).
struct TriggerCall {
  var definition: CreateTrigger
  var operation: String
  var table: Table
  var old: Row?
  var new: Row?
  /// For transition tables.
  var changes: [RowChange]
}

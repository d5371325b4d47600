/// Plans of statements within functions.
///
/// A function in a loop is bound once.
struct RoutinePlans {
  /// What a plan depends on.
  struct Key: Hashable {
    var routine: Int
    var role: String
    /// The types of variables that take any row.
    var records: [BoundType]
    /// The number of the block, since it decides which variables are in sight.
    var block: Int
    var part: Part
  }

  enum Part: Hashable {
    case statement(DataStatement)
    case expression(SQLExpression, DataType?)
  }

  enum Plan {
    case query(QueryPlan)
    case expression(Bound)
  }

  private var plans: [Key: Plan] = [:]
  private var version = -1

  mutating func plan(
    _ key: Key, _ version: Int, _ make: () throws(PostgreSQLError) -> Plan
  ) throws(PostgreSQLError) -> Plan {
    if version != self.version {
      plans.removeAll()
      self.version = version
    }
    if let plan = plans[key] { return plan }
    let plan = try make()
    plans[key] = plan
    return plan
  }
}

extension Session {
  /// As many calls within calls as the stack of any thread surely holds.
  private static let deepestCall = 48

  /// Calls a function for one value.
  ///
  /// - Parameter records: The types of the arguments as records, if a parameter takes any record.
  func call(
    _ routine: Routine, _ arguments: [Value], records: [BoundType] = []
  ) throws(PostgreSQLError) -> Value {
    try rows(of: routine, arguments, records: records).first ?? .null
  }

  /// Calls a function for all of its rows.
  ///
  /// A row of several columns is a record.
  func rows(
    of routine: Routine, _ arguments: [Value], records: [BoundType] = []
  ) throws(PostgreSQLError) -> [Value] {
    try entering(routine) { () throws(PostgreSQLError) in
      switch routine.body {
      case .sql(let statements): return try run(statements, of: routine, arguments)
      case .procedure(let block):
        let run = ProcedureRun(self, routine, arguments, records: records)
        return try run.run(block)
      case .foreign(let language):
        throw PostgreSQLError.notSupported("a function in the language \(language)")
      }
    }
  }

  /// Calls the function of a trigger.
  func run(_ routine: Routine, _ call: TriggerCall) throws(PostgreSQLError) -> Value {
    try entering(routine) { () throws(PostgreSQLError) in
      guard case .procedure(let block) = routine.body else {
        throw PostgreSQLError.notSupported("a trigger's function in a language other than PL/pgSQL")
      }
      let run = ProcedureRun(self, routine, call)
      return try run.run(block).first ?? .null
    }
  }

  func runBlock(_ source: String, language: String) throws(PostgreSQLError) {
    guard language == "plpgsql" else { throw PostgreSQLError.notSupported("DO in the language \(language)") }
    let block = try ProcedureParser.parse(source)
    let definition = CreateFunction(
      QualifiedName("inline_code_block"), [], returns: nil, language: language, .source(source))
    let routine = Routine(
      name: definition.name, parameters: [], result: .void, returnsSet: false, columns: [],
      definition: definition,
      body: .procedure(block), identity: -1, number: -1)
    let run = ProcedureRun(self, routine, [])
    _ = try run.run(block)
  }

  /// Runs with the rights and the settings of a function.
  private func entering<Result>(
    _ routine: Routine, _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    guard callDepth < Self.deepestCall else {
      throw PostgreSQLError("54001", "stack depth limit exceeded")
    }
    callDepth += 1
    let outer = (role: role, path: path, timeZone: timeZone)
    let settingsBefore = routine.definition.settings.map { ($0.name, settings[$0.name]) }
    if routine.definition.isSecurityDefiner { role = Catalogue.owner }
    for setting in routine.definition.settings {
      set(setting.name, to: setting.values.joined(separator: ", "), isLocal: false)
    }
    defer {
      callDepth -= 1
      role = outer.role
      // What the function itself set otherwise stays set.
      if !settingsBefore.isEmpty { (path, timeZone) = (outer.path, outer.timeZone) }
      for (name, value) in settingsBefore { settings[name] = value }
    }
    return try body()
  }

  /// A function in SQL: the rows of its last statement.
  private func run(
    _ statements: [ScriptStatement], of routine: Routine, _ arguments: [Value]
  ) throws(PostgreSQLError) -> [Value] {
    var results: [Value] = []
    for (index, statement) in statements.enumerated() {
      guard case .data(let data) = statement.statement else {
        _ = try runNested(statement.statement)
        continue
      }
      let isLast = index == statements.count - 1
      let key = RoutinePlans.Key(
        routine: routine.identity, role: role, records: [], block: index, part: .statement(data))
      let made = try plans.plan(key, state.catalogue.version) { () throws(PostgreSQLError) in
        let scope = parameterScope(routine)
        let binder = binder()
        let plan = try binder.wholePlan(data, parent: scope)
        return .query(isLast ? try binder.convert(plan, toResultOf: routine) : plan)
      }
      guard case .query(let plan) = made else { preconditionFailure("A statement has a query's plan.") }
      let execution = Execution(self)
      let frame = Frame(relations: 1, parent: nil, execution: execution)
      frame.rows[0] = arguments
      results = []
      let isWhole = plan.columns.count > 1
      try plan.run(frame, execution) { (row) throws(PostgreSQLError) in
        if isLast { results.append(isWhole ? .record(row) : row.first ?? .null) }
        // The first row is enough of a function that returns one.
        return !isLast || routine.returnsSet || plan.isModifying
      }
    }
    return routine.result == .void ? [.null] : results
  }

  private func parameterScope(_ routine: Routine) -> Scope {
    let scope = Scope(parent: nil, holdsVariables: true)
    let binder = binder()
    let columns = routine.inputs.map { Scope.RelationColumn($0.name ?? "", binder.boundType($0.type)) }
    let relation = scope.add(Scope.Relation(alias: routine.name.name, columns: columns))
    for (index, input) in routine.inputs.enumerated() {
      for name in [input.name, "$\(index + 1)"].compactMap({ $0 }) {
        scope.visible.append(
          Scope.Visible(name: name, bound: scope.column(relation, index, depth: 0), relations: [relation]))
      }
    }
    return scope
  }

  /// A statement within a function: it shares the transaction.
  func runNested(_ statement: Statement) throws(PostgreSQLError) -> StatementResult {
    switch statement {
    case .begin, .commit, .rollback, .savepoint, .releaseSavepoint, .rollbackToSavepoint:
      throw PostgreSQLError("2D000", "invalid transaction termination")
    default: return try execute(statement)
    }
  }
}

extension Binder {
  /// The plan of a function's last statement with the types of its result.
  func convert(_ plan: QueryPlan, toResultOf routine: Routine) throws(PostgreSQLError) -> QueryPlan {
    let wanted: [DataType]
    if routine.result == .void { return plan }
    if !routine.columns.isEmpty {
      wanted = routine.columns.map(\.type)
    } else if case .composite(let name) = routine.result, let columns = catalogue.columns(of: name),
      plan.columns.count > 1 || columns.count == 1
    {
      wanted = columns.map(\.type)
    } else if routine.result == .record {
      return plan
    } else {
      wanted = [routine.result]
    }
    guard wanted.count == plan.columns.count else {
      throw PostgreSQLError(
        "42P13", "return type mismatch in function declared to return \(name(of: routine.result))",
        detail:
          "Final statement must return \(wanted.count == 1 ? "exactly one column" : "\(wanted.count) columns")."
      )
    }
    var converters: [Bound.Evaluate?] = []
    for (index, type) in wanted.enumerated() {
      let column = plan.columns[index]
      if column.type.type == type {
        converters.append(nil)
        continue
      }
      let value = Bound(column.type, modifier: column.modifier) { frame throws(PostgreSQLError) in
        frame.rows[0][index]
      }
      converters.append(
        plan.openColumns.contains(index)
          ? read(value, as: type) : try coerce(value, to: type, .assignment).evaluate)
    }
    guard converters.contains(where: { $0 != nil }) else { return plan }
    var converted = plan
    for (index, type) in wanted.enumerated() { converted.columns[index].type = boundType(type) }
    converted.run = { [converters] parent, execution, emit throws(PostgreSQLError) in
      let frame = Frame(relations: 1, parent: nil, execution: execution)
      try plan.run(parent, execution) { row throws(PostgreSQLError) in
        frame.rows[0] = row
        var row = row
        for (index, convert) in converters.enumerated() { if let convert { row[index] = try convert(frame) } }
        return try emit(row)
      }
    }
    return converted
  }
}

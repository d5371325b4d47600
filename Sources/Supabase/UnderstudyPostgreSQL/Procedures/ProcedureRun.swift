/// One call of a function in PL/pgSQL (PostgreSQL documentation, 43).
final class ProcedureRun {
  let session: Session
  let routine: Routine
  /// The variables of the blocks that are entered, the function's own first.
  var blocks: [Block] = []
  private var results: [Value] = []
  private var rowCount: Int64 = 0
  /// The error that a handler handles.
  private var handled: [PostgreSQLError] = []
  private let trigger: TriggerCall?
  private var conflict = Procedure.VariableConflict.error
  /// Numbers blocks by where they stand, for the plans of their statements.
  private var blockNumbers: [Int] = [0]

  struct Block {
    var label: String?
    var variables: [Variable]
    var values: [Value]
    /// Names that mean a variable of another name.
    var aliases: [String: Procedure.Target] = [:]
  }

  struct Variable {
    var name: String
    var type: BoundType
    var modifier: TypeModifier?
    var isConstant = false
    var isNotNull = false
    /// Whether it takes rows of any type.
    var isRecord = false
  }

  enum Flow {
    case next
    case exit(String?)
    case again(String?)
    case returned(Value?)
  }

  /// - Parameter records: The types of the arguments as records; empty if no parameter takes any record.
  init(_ session: Session, _ routine: Routine, _ arguments: [Value], records: [BoundType] = []) {
    self.session = session
    self.routine = routine
    trigger = nil
    let binder = session.binder()
    var block = Block(label: routine.name.name, variables: [], values: [])
    var arguments = arguments[...]
    var records = records[...]
    for parameter in routine.parameters {
      let isInput = parameter.mode != .output && parameter.mode != .table
      let record = isInput ? records.popFirst() : nil
      let isRecord = parameter.type == .record
      block.variables.append(
        Variable(
          name: parameter.name ?? "",
          type: record.flatMap { isRecord ? $0 : nil } ?? binder.boundType(parameter.type),
          isRecord: isRecord))
      block.values.append(isInput ? arguments.popFirst() ?? .null : .null)
    }
    var position = 0
    for (index, parameter) in routine.parameters.enumerated()
    where parameter.mode != .output && parameter.mode != .table {
      position += 1
      block.aliases["$\(position)"] = [block.variables[index].name]
      if parameter.name == nil { block.variables[index].name = "$\(position)" }
    }
    addFound(&block)
    blocks = [block]
  }

  init(_ session: Session, _ routine: Routine, _ call: TriggerCall) {
    self.session = session
    self.routine = routine
    trigger = call
    let type = session.binder().boundType(.composite(call.table.name))
    var block = Block(label: routine.name.name, variables: [], values: [])
    func add(_ name: String, _ type: BoundType, _ value: Value) {
      block.variables.append(Variable(name: name, type: type))
      block.values.append(value)
    }
    func text(_ name: String, _ value: String) { add(name, BoundType(.text), .text(value)) }
    add("new", type, call.new.map(Value.record) ?? .null)
    add("old", type, call.old.map(Value.record) ?? .null)
    text("tg_op", call.operation)
    text("tg_name", call.definition.name)
    text(
      "tg_when",
      call.definition.timing == .before ? "BEFORE" : call.definition.timing == .after ? "AFTER" : "INSTEAD OF"
    )
    text("tg_level", call.definition.isForEachRow ? "ROW" : "STATEMENT")
    text("tg_table_name", call.table.name.name)
    text("tg_relname", call.table.name.name)
    text("tg_table_schema", call.table.name.schema ?? "public")
    add("tg_nargs", BoundType(.integer), .integer(Int64(call.definition.arguments.count)))
    add(
      "tg_argv", BoundType(.array(.text)),
      .array(
        ArrayValue(
          dimensions: call.definition.arguments.isEmpty
            ? [] : [ArrayValue.Dimension(lowerBound: 0, count: call.definition.arguments.count)],
          elements: call.definition.arguments.map(Value.text))))
    addFound(&block)
    blocks = [block]
  }

  private func addFound(_ block: inout Block) {
    block.variables.append(Variable(name: "found", type: BoundType(.boolean)))
    block.values.append(.boolean(false))
  }

  /// The rows, or the one value, that the function returns.
  func run(_ body: Procedure.Block) throws(PostgreSQLError) -> [Value] {
    conflict = body.conflict
    let flow = try run(body, number: 1)
    if trigger != nil {
      guard case .returned(let value) = flow else {
        throw PostgreSQLError("2F005", "control reached end of trigger procedure without RETURN")
      }
      return [value ?? .null]
    }
    if routine.returnsSet { return results }
    let outputs = routine.parameters.indices.filter {
      [.output, .both, .table].contains(routine.parameters[$0].mode)
    }
    if !outputs.isEmpty {
      let values = outputs.map { blocks[0].values[$0] }
      return [values.count == 1 ? values[0] : .record(values)]
    }
    if case .returned(let value) = flow { return [value ?? .null] }
    guard routine.result == .void || routine.definition.isProcedure else {
      throw PostgreSQLError("2F005", "control reached end of function without RETURN")
    }
    return [.null]
  }

  // MARK: - Blocks

  private func run(_ body: Procedure.Block, number: Int) throws(PostgreSQLError) -> Flow {
    let depth = blocks.count
    blockNumbers.append(number)
    blocks.append(Block(label: body.label, variables: [], values: []))
    defer {
      blocks.removeSubrange(depth...)
      blockNumbers.removeLast()
    }
    for declaration in body.declarations { try declare(declaration) }
    guard !body.handlers.isEmpty else { return try leave(run(body.statements), body.label) }
    // A block with handlers is a subtransaction (43.6.8).
    let saved = (session.state, session.pending.count, session.changes.count, session.deferred.count, blocks)
    do throws(PostgreSQLError) {
      return try leave(run(body.statements), body.label)
    } catch {
      guard let handler = body.handlers.first(where: { $0.conditions.contains { error.isNamed($0) } }) else {
        throw error
      }
      session.restore(saved.0)
      session.forgetChanges(pending: saved.1, observed: saved.2, deferred: saved.3)
      // Variables keep their values (43.6.8).
      blocks.removeSubrange(saved.4.count...)
      handled.append(error)
      defer { handled.removeLast() }
      blocks.append(
        Block(
          label: nil,
          variables: [
            Variable(name: "sqlstate", type: BoundType(.text)),
            Variable(name: "sqlerrm", type: BoundType(.text)),
          ],
          values: [.text(error.code), .text(error.message)]))
      blockNumbers.append(number * 64 + 63)
      defer {
        blocks.removeLast()
        blockNumbers.removeLast()
      }
      return try leave(run(handler.statements), body.label)
    }
  }

  private func leave(_ flow: Flow, _ label: String?) -> Flow {
    if case .exit(let target?) = flow, target == label { .next } else { flow }
  }

  private func declare(_ declaration: Procedure.Declaration) throws(PostgreSQLError) {
    let block = blocks.count - 1
    switch declaration {
    case .variable(let variable):
      let (type, modifier) = try self.type(variable.type)
      var described = Variable(
        name: variable.name, type: session.binder().boundType(type), modifier: modifier,
        isNotNull: variable.isNotNull, isRecord: type == .record)
      let value = try variable.initial.map { (initial) throws(PostgreSQLError) in
        try evaluate(initial, as: described.isRecord ? nil : type, modifier)
      }
      if variable.isNotNull, value?.value.isNull ?? true {
        throw PostgreSQLError(
          "22004", "null value cannot be assigned to variable \"\(variable.name)\" declared NOT NULL")
      }
      if described.isRecord, let value { described.type = value.type }
      described.isConstant = variable.isConstant
      blocks[block].variables.append(described)
      blocks[block].values.append(value?.value ?? .null)
    case .alias(let name, let target): blocks[block].aliases[name] = [target]
    case .cursor:
      throw PostgreSQLError.notSupported("a cursor in PL/pgSQL", instead: "Use FOR … IN SELECT … LOOP.")
    }
  }

  private func type(_ name: TypeName) throws(PostgreSQLError) -> (DataType, TypeModifier?) {
    // `variable%TYPE`.
    if name.columnOfType == "", let place = find([name.name.name])?.first {
      let variable = blocks[place.block].variables[place.variable]
      return (variable.type.type, variable.modifier)
    }
    return try session.state.catalogue.type(name, session.path)
  }

  // MARK: - Statements

  private func run(_ statements: [Procedure.Statement]) throws(PostgreSQLError) -> Flow {
    for (index, statement) in statements.enumerated() {
      let flow = try run(statement, index)
      if case .next = flow { continue }
      return flow
    }
    return .next
  }

  private func run(_ statement: Procedure.Statement, _ index: Int) throws(PostgreSQLError) -> Flow {
    try session.checkCancellation()
    switch statement {
    case .nothing: break
    case .block(let block): return try run(block, number: (blockNumbers.last ?? 0) &* 64 &+ index &+ 1)
    case .assign(let target, let path, let expression): try assign(target, path, expression)
    case .sql(let statement, let into): try run(statement, into: into)
    case .other(let statement): _ = try session.runNested(statement)
    case .execute(let text, let into, let using):
      let result = try execute(text, using)
      rowCount = Int64(result.affected)
      if let into { try store(result, into) }
    case .conditional(let branches, let otherwise):
      for branch in branches where try test(branch.condition) { return try run(branch.statements) }
      return try run(otherwise)
    case .selection(let operand, let branches, let otherwise):
      return try select(operand, branches, otherwise)
    case .loop(let loop, let label, let statements): return try run(loop, label, statements)
    case .exit(let label, let condition):
      if try condition.map(test) ?? true { return .exit(label) }
    case .next(let label, let condition):
      if try condition.map(test) ?? true { return .again(label) }
    case .returnValue(let expression): return try returnValue(expression)
    case .returnNext(let expression):
      if let expression {
        results.append(try evaluate(expression, as: nil, nil).value)
      } else {
        let outputs = routine.parameters.indices.filter {
          routine.parameters[$0].mode == .output || routine.parameters[$0].mode == .table
        }
        let values = outputs.map { blocks[0].values[$0] }
        results.append(values.count == 1 ? values[0] : .record(values))
      }
    case .returnQuery(let statement):
      let plan = try plan(statement, converts: true)
      addResults(try result(of: plan))
    case .returnExecute(let text, let using):
      addResults(try execute(text, using))
    case .raise(let raise): try run(raise)
    case .assert(let condition, let message):
      guard try !test(condition) else { break }
      var text: String?
      if let message { text = try self.text(message) }
      throw PostgreSQLError("P0004", text ?? "assertion failed")
    case .getDiagnostics(let items, let isStacked):
      for item in items { try store(diagnostic(item.item, isStacked), BoundType(.text), in: item.target) }
    }
    return .next
  }

  /// `RETURN QUERY`.
  private func addResults(_ result: StatementResult) {
    rowCount = Int64(result.rows.count)
    setFound(!result.rows.isEmpty)
    results += result.rows.map { result.columns.count > 1 ? .record($0) : $0.first ?? .null }
  }

  private func returnValue(_ expression: SQLExpression?) throws(PostgreSQLError) -> Flow {
    guard let expression else { return .returned(nil) }
    if trigger != nil { return .returned(try evaluate(expression, as: nil, nil).value) }
    let wanted: DataType? = routine.result == .void || routine.result == .record ? nil : routine.result
    return .returned(try evaluate(expression, as: wanted, nil).value)
  }

  private func select(
    _ operand: SQLExpression?, _ branches: [Procedure.Selected], _ otherwise: [Procedure.Statement]?
  ) throws(PostgreSQLError) -> Flow {
    for branch in branches {
      for value in branch.values {
        let condition = operand.map { SQLExpression.infix("=", $0, value) } ?? value
        if try test(condition) { return try run(branch.statements) }
      }
    }
    guard let otherwise else {
      throw PostgreSQLError("20000", "case not found", hint: "CASE statement is missing ELSE part.")
    }
    return try run(otherwise)
  }

  private func run(
    _ loop: Procedure.Loop, _ label: String?, _ statements: [Procedure.Statement]
  ) throws(PostgreSQLError) -> Flow {
    // Whether to go on, or what leaves the loop.
    func turn() throws(PostgreSQLError) -> Flow? {
      try session.checkCancellation()
      switch try run(statements) {
      case .next: return nil
      case .exit(let target): return target == nil || target == label ? .next : .exit(target)
      case .again(let target): return target == nil || target == label ? nil : .again(target)
      case .returned(let value): return .returned(value)
      }
    }
    switch loop {
    case .forever:
      while true { if let flow = try turn() { return flow } }
    case .whileTrue(let condition):
      while try test(condition) { if let flow = try turn() { return flow } }
    case .range(let variable, let from, let to, let by, let isReverse):
      let start = try integer(from, "lower bound of FOR loop")
      let end = try integer(to, "upper bound of FOR loop")
      let step = try by.map { (by) throws(PostgreSQLError) in try integer(by, "BY value of FOR loop") } ?? 1
      guard step > 0 else { throw PostgreSQLError("22023", "BY value of FOR loop must be greater than zero") }
      blocks.append(
        Block(label: label, variables: [Variable(name: variable, type: BoundType(.integer))], values: [.null])
      )
      blockNumbers.append((blockNumbers.last ?? 0) &* 64 &+ 61)
      defer {
        blocks.removeLast()
        blockNumbers.removeLast()
      }
      var current = start
      while isReverse ? current >= end : current <= end {
        blocks[blocks.count - 1].values[0] = .integer(current)
        if let flow = try turn() { return flow }
        let (next, overflow) = current.addingReportingOverflow(isReverse ? -step : step)
        if overflow { break }
        current = next
      }
    case .query(let targets, let statement):
      let plan = try plan(statement)
      return try run(result(of: plan), targets, turn)
    case .execute(let targets, let text, let using):
      return try run(execute(text, using), targets, turn)
    case .elements(let target, let slice, let expression):
      let (value, type) = try evaluate(expression, as: nil, nil)
      guard case .array(let array) = value else {
        if value.isNull { throw PostgreSQLError("22004", "FOREACH expression must not be null") }
        throw PostgreSQLError(
          "42804", "FOREACH expression must yield an array, not type \(type.type.displayName)")
      }
      guard slice == 0 else { throw PostgreSQLError.notSupported("FOREACH … SLICE") }
      var element = DataType.text
      if case .array(let inner) = type.type { element = inner }
      for value in array.elements {
        try store(value, session.binder().boundType(element), in: target)
        if let flow = try turn() { return flow }
      }
    }
    return .next
  }

  private func run(
    _ result: StatementResult, _ targets: [Procedure.Target], _ turn: () throws(PostgreSQLError) -> Flow?
  ) throws(PostgreSQLError) -> Flow {
    for row in result.rows {
      try store(row, result.columns, targets)
      if let flow = try turn() { return flow }
    }
    setFound(!result.rows.isEmpty)
    return .next
  }

  private func integer(_ expression: SQLExpression, _ what: String) throws(PostgreSQLError) -> Int64 {
    guard case .integer(let value) = try evaluate(expression, as: .integer, nil).value else {
      throw PostgreSQLError("22004", "\(what) cannot be null")
    }
    return value
  }

  // MARK: - Statements of SQL

  private func run(_ statement: DataStatement, into: Procedure.Into?) throws(PostgreSQLError) {
    let plan = try plan(statement)
    let result = try result(of: plan)
    rowCount = Int64(result.affected)
    setFound(rowCount > 0)
    if let into { try store(result, into, isModifying: plan.isModifying) }
  }

  private func store(
    _ result: StatementResult, _ into: Procedure.Into, isModifying: Bool = false
  ) throws(PostgreSQLError) {
    setFound(!result.rows.isEmpty)
    if into.isStrict, result.rows.isEmpty { throw PostgreSQLError("P0002", "query returned no rows") }
    if into.isStrict || isModifying, result.rows.count > 1 {
      throw PostgreSQLError("P0003", "query returned more than one row")
    }
    let row = result.rows.first ?? result.columns.map { _ in .null }
    try store(row, result.columns, into.targets)
  }

  /// Puts a row into variables, or whole into one that takes rows.
  private func store(
    _ row: Row, _ columns: [StatementResult.Column], _ targets: [Procedure.Target]
  ) throws(PostgreSQLError) {
    if targets.count == 1, let place = find(targets[0]), place.count == 1 {
      let variable = blocks[place[0].block].variables[place[0].variable]
      let isComposite = if case .composite = variable.type.type { true } else { false }
      let holdsRow = columns.count == 1 && columns[0].type.type == variable.type.type
      if variable.isRecord || isComposite && !holdsRow {
        let type = BoundType(.record, fields: columns.map { BoundType.Field($0.name, $0.type) })
        // A single record in a single column is the row itself.
        if variable.isRecord, columns.count == 1, !columns[0].type.fields.isEmpty {
          try store(row[0], columns[0].type, in: targets[0])
        } else if isComposite {
          let padded = row.prefix(variable.type.fields.count)
          try store(
            .record(
              Array(padded) + Array(repeating: .null, count: variable.type.fields.count - padded.count)),
            padded.count == variable.type.fields.count ? type : variable.type, in: targets[0])
        } else {
          try store(.record(row), type, in: targets[0])
        }
        return
      }
    }
    for (index, target) in targets.enumerated() {
      if index < row.count {
        try store(row[index], columns[index].type, in: target)
      } else {
        try store(.null, BoundType(.unknown), in: target)
      }
    }
  }

  private func execute(_ expression: SQLExpression, _ using: [SQLExpression]) throws(PostgreSQLError)
    -> StatementResult
  {
    guard case .text(let text) = try evaluate(expression, as: .text, nil).value else {
      throw PostgreSQLError("22004", "query string argument of EXECUTE is null")
    }
    let values = try using.map { (value) throws(PostgreSQLError) in try evaluate(value, as: nil, nil) }
    var result = StatementResult()
    for statement in try Script.parse(text) {
      guard case .data(let data) = statement.statement else {
        result = try session.runNested(statement.statement)
        continue
      }
      let scope = Scope(parent: nil, holdsVariables: true)
      let relation = scope.add(
        Scope.Relation(alias: nil, columns: values.map { Scope.RelationColumn("", $0.type) }))
      for index in values.indices {
        scope.visible.append(
          Scope.Visible(
            name: "$\(index + 1)", bound: scope.column(relation, index, depth: 0), relations: [relation]))
      }
      let plan = try session.binder().wholePlan(data, parent: scope)
      let execution = Execution(session)
      let frame = Frame(relations: 1, parent: nil, execution: execution)
      frame.rows[0] = values.map(\.value)
      result = try StatementResult(plan, frame)
    }
    return result
  }

  // MARK: - RAISE and diagnostics

  private func run(_ raise: Procedure.Raise) throws(PostgreSQLError) {
    guard raise.format != nil || raise.condition != nil || !raise.options.isEmpty else {
      guard let error = handled.last else {
        throw PostgreSQLError("0Z002", "RAISE without parameters cannot be used outside an exception handler")
      }
      throw error
    }
    var message = ""
    var arguments = raise.arguments[...]
    var characters = Array(raise.format ?? "")[...]
    while let character = characters.popFirst() {
      guard character == "%" else {
        message.append(character)
        continue
      }
      if characters.first == "%" {
        characters.removeFirst()
        message += "%"
      } else if let argument = arguments.popFirst() {
        message += try text(argument) ?? "<NULL>"
      } else {
        throw PostgreSQLError("42601", "too few parameters specified for RAISE")
      }
    }
    guard arguments.isEmpty else { throw PostgreSQLError("42601", "too many parameters specified for RAISE") }
    var error = PostgreSQLError("P0001", message)
    if let condition = raise.condition {
      error.code = PostgreSQLError.code(named: condition) ?? condition
      if raise.format == nil { error.message = condition }
    }
    for option in raise.options {
      let value = try text(option.value) ?? ""
      switch option.name {
      case "errcode": error.code = PostgreSQLError.code(named: value) ?? value
      case "message": error.message = value
      case "detail": error.detail = value
      case "hint": error.hint = value
      default: break
      }
    }
    guard raise.level == .exception else {
      session.notices.append("\(raise.level.rawValue.uppercased()): \(error.message)")
      return
    }
    throw error
  }

  private func diagnostic(_ item: String, _ isStacked: Bool) throws(PostgreSQLError) -> Value {
    guard isStacked else {
      switch item {
      case "row_count": return .text(String(rowCount))
      default: return .text("")
      }
    }
    guard let error = handled.last else {
      throw PostgreSQLError("0Z002", "GET STACKED DIAGNOSTICS cannot be used outside an exception handler")
    }
    switch item {
    case "returned_sqlstate": return .text(error.code)
    case "message_text": return .text(error.message)
    case "pg_exception_detail": return .text(error.detail ?? "")
    case "pg_exception_hint": return .text(error.hint ?? "")
    default: return .text("")
    }
  }

  // MARK: - Expressions

  private func frame(_ execution: Execution) -> Frame {
    let frame = Frame(relations: 0, parent: nil, execution: execution)
    frame.rows = blocks.map(\.values)
    return frame
  }

  private func result(of plan: QueryPlan) throws(PostgreSQLError) -> StatementResult {
    try StatementResult(plan, frame(Execution(session)))
  }

  /// The variables in sight.
  ///
  /// Those of inner blocks hide others of their name.
  private func scope() -> Scope {
    let scope = Scope(parent: nil, holdsVariables: true)
    scope.conflict = conflict
    for block in blocks {
      _ = scope.add(
        Scope.Relation(
          alias: block.label,
          columns: block.variables.map { Scope.RelationColumn($0.name, $0.type, modifier: $0.modifier) }))
    }
    var seen: Set<String> = []
    for (index, block) in blocks.enumerated().reversed() {
      for (name, target) in block.aliases {
        guard let place = find(target)?.first, seen.insert(name).inserted else { continue }
        scope.visible.append(
          Scope.Visible(name: name, bound: scope.column(place.block, place.variable, depth: 0), relations: [])
        )
      }
      for (column, variable) in block.variables.enumerated() where seen.insert(variable.name).inserted {
        scope.visible.append(
          Scope.Visible(name: variable.name, bound: scope.column(index, column, depth: 0), relations: []))
      }
    }
    if let trigger { addTransitionTables(trigger, to: scope) }
    return scope
  }

  /// `REFERENCING NEW TABLE AS …`.
  private func addTransitionTables(_ trigger: TriggerCall, to scope: Scope) {
    let binder = session.binder()
    for (name, rows) in [
      (trigger.definition.newTable, trigger.changes.compactMap(\.new)),
      (trigger.definition.oldTable, trigger.changes.compactMap(\.old)),
    ] {
      guard let name else { continue }
      let columns = binder.columns(of: trigger.table)
      let plan = QueryPlan(columns: columns, uses: Bound.Uses(isVolatile: true)) {
        _, _, emit throws(PostgreSQLError) in
        for row in rows { guard try emit(row) else { return } }
      }
      scope.commonTables.append(
        CommonTableBinding(name: name, columns: columns, node: -1, plan: plan, level: scope.level))
    }
  }

  private var records: [BoundType] {
    blocks.flatMap { block in block.variables.filter(\.isRecord).map(\.type) }
      + (trigger.map { [BoundType(.composite($0.table.name))] } ?? [])
  }

  private func key(_ part: RoutinePlans.Part) -> RoutinePlans.Key {
    RoutinePlans.Key(
      routine: routine.identity, role: session.role, records: records,
      block: blockNumbers.reduce(0) { $0 &* 31 &+ $1 },
      part: part)
  }

  private func plan(_ statement: DataStatement, converts: Bool = false) throws(PostgreSQLError) -> QueryPlan {
    func make() throws(PostgreSQLError) -> QueryPlan {
      let binder = session.binder()
      let plan = try binder.wholePlan(statement, parent: scope())
      return converts ? try binder.convert(plan, toResultOf: routine) : plan
    }
    // Blocks without a place of their own, and the rows of transition tables, are of one call only.
    guard routine.identity >= 0, trigger?.changes.isEmpty ?? true else { return try make() }
    let made = try session.plans.plan(key(.statement(statement)), session.state.catalogue.version) {
      () throws(PostgreSQLError) in .query(try make())
    }
    guard case .query(let plan) = made else { preconditionFailure("A statement has a query's plan.") }
    return plan
  }

  /// The value of an expression, as a type if one is given.
  func evaluate(
    _ expression: SQLExpression, as type: DataType?, _ modifier: TypeModifier?
  ) throws(PostgreSQLError) -> (value: Value, type: BoundType) {
    func make() throws(PostgreSQLError) -> Bound {
      let binder = session.binder()
      let bound = try binder.bind(expression, Scope(parent: scope()))
      guard let type else { return try binder.settle(bound) }
      return try binder.assign(bound, to: type, modifier)
    }
    let bound: Bound
    if routine.identity >= 0, modifier == nil {
      let made = try session.plans.plan(key(.expression(expression, type)), session.state.catalogue.version) {
        () throws(PostgreSQLError) in .expression(try make())
      }
      guard case .expression(let found) = made else { preconditionFailure("An expression has its own plan.") }
      bound = found
    } else {
      bound = try make()
    }
    let execution = Execution(session)
    let inner = Frame(relations: 0, parent: frame(execution), execution: execution)
    return (try bound.evaluate(inner), bound.type)
  }

  private func test(_ condition: SQLExpression) throws(PostgreSQLError) -> Bool {
    try evaluate(condition, as: .boolean, nil).value == .boolean(true)
  }

  private func text(_ expression: SQLExpression) throws(PostgreSQLError) -> String? {
    let (value, type) = try evaluate(expression, as: nil, nil)
    return value.isNull ? nil : try type.type.text(of: value, context: session)
  }

  // MARK: - Variables

  /// Where a target is: a variable, and the fields within it.
  struct Place {
    var block: Int
    var variable: Int
  }

  /// The place of a variable; with a second one, whose block is -1, for the field of a record.
  private func find(_ target: Procedure.Target) -> [Place]? {
    for (index, block) in blocks.enumerated().reversed() {
      if let other = block.aliases[target[0]] { return find(other + target.dropFirst()) }
      if let variable = block.variables.firstIndex(where: { $0.name == target[0] }) {
        let place = Place(block: index, variable: variable)
        guard target.count > 1 else { return [place] }
        guard let field = block.variables[variable].type.fields.firstIndex(where: { $0.name == target[1] })
        else {
          return nil
        }
        return [place, Place(block: -1, variable: field)]
      }
      if target.count > 1, block.label == target[0],
        let variable = block.variables.firstIndex(where: { $0.name == target[1] })
      {
        return [Place(block: index, variable: variable)]
      }
    }
    return nil
  }

  private func setFound(_ value: Bool) {
    if let place = find(["found"])?.first { blocks[place.block].values[place.variable] = .boolean(value) }
  }

  private func assign(
    _ target: Procedure.Target, _ path: [Assignment.Step], _ expression: SQLExpression
  ) throws(PostgreSQLError) {
    guard let place = find(target) else { throw unknown(target) }
    let variable = blocks[place[0].block].variables[place[0].variable]
    if !path.isEmpty {
      let binder = session.binder()
      let scope = Scope(parent: scope())
      let current = try binder.bind(.name(target), scope)
      let bound = try binder.part(Assignment(target, path: path, expression), current, scope)
      let execution = Execution(session)
      let value = try bound.evaluate(Frame(relations: 0, parent: frame(execution), execution: execution))
      return try store(value, bound.type, in: target)
    }
    if place.count == 1, !variable.isRecord {
      let (value, type) = try evaluate(expression, as: variable.type.type, variable.modifier)
      return try store(value, type, in: target)
    }
    let (value, type) = try evaluate(expression, as: nil, nil)
    try store(value, type, in: target)
  }

  private func unknown(_ target: Procedure.Target) -> PostgreSQLError {
    if target.count > 1, let place = find([target[0]])?.first {
      return PostgreSQLError(
        "42703",
        "record \"\(blocks[place.block].variables[place.variable].name)\" has no field \"\(target[1])\"")
    }
    return PostgreSQLError("42601", "\"\(target.joined(separator: "."))\" is not a known variable")
  }

  private func store(_ value: Value, _ type: BoundType, in target: Procedure.Target) throws(PostgreSQLError) {
    guard let place = find(target) else { throw unknown(target) }
    let (block, index) = (place[0].block, place[0].variable)
    let variable = blocks[block].variables[index]
    if variable.isConstant {
      throw PostgreSQLError("22005", "variable \"\(variable.name)\" is declared CONSTANT")
    }
    if place.count > 1 {
      let field = place[1].variable
      let converted = try session.convert(value, type, to: variable.type.fields[field].type.type, nil)
      var fields: Row = Array(repeating: .null, count: variable.type.fields.count)
      if case .record(let current) = blocks[block].values[index] { fields = current }
      fields[field] = converted
      blocks[block].values[index] = .record(fields)
      return
    }
    if variable.isRecord {
      if !value.isNull || !type.fields.isEmpty { blocks[block].variables[index].type = type }
      blocks[block].values[index] = value
      return
    }
    let converted = try session.convert(value, type, to: variable.type.type, variable.modifier)
    if variable.isNotNull, converted.isNull {
      throw PostgreSQLError(
        "22004", "null value cannot be assigned to variable \"\(variable.name)\" declared NOT NULL")
    }
    blocks[block].values[index] = converted
  }
}

extension Session {
  /// A value as one of another type, by an assignment cast or by its text (43.5.1).
  func convert(
    _ value: Value, _ type: BoundType, to wanted: DataType, _ modifier: TypeModifier?
  ) throws(PostgreSQLError) -> Value {
    if value.isNull { return .null }
    if type.type == wanted, modifier == nil { return value }
    let bound = Bound(type) { frame throws(PostgreSQLError) in frame.rows[0][0] }
    let frame = rowFrame()
    frame.rows[0] = [value]
    return try binder().assign(bound, to: wanted, modifier).evaluate(frame)
  }

  /// Forgets what a part of a transaction did that is rolled back.
  func forgetChanges(pending: Int, observed: Int, deferred: Int) {
    self.pending.removeSubrange(min(pending, self.pending.count)...)
    self.deferred.removeSubrange(min(deferred, self.deferred.count)...)
    forgetObserved(observed)
  }
}

extension Binder {
  /// A value for a variable: by an assignment cast, otherwise by its text.
  func assign(_ bound: Bound, to type: DataType, _ modifier: TypeModifier?) throws(PostgreSQLError) -> Bound {
    let source = catalogue.base(of: bound.type.type)
    let target = catalogue.base(of: type)
    if bound.isUnknown || source == target
      || Cast.find(from: source, to: target).map({ $0.context <= .assignment }) ?? false
    {
      return try coerce(bound, to: type, modifier: modifier, .assignment)
    }
    if case .composite = target { return try coerce(bound, to: type, modifier: modifier, .assignment) }
    let evaluate = bound.evaluate
    let read = Bound(boundType(target), uses: bound.uses) { frame throws(PostgreSQLError) in
      let value = try evaluate(frame)
      if value.isNull { return .null }
      return try target.value(
        from: source.text(of: value, context: frame.execution.session), context: frame.execution.session)
    }
    return try coerce(read, to: type, modifier: modifier, .assignment)
  }
}

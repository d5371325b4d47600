extension Binder {
  func bind(_ expression: SQLExpression, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    if let aggregation = scope.aggregation, !aggregation.isInsideAggregate,
      let key = aggregation.keys.firstIndex(of: expression)
    {
      let bound = aggregation.boundKeys[key]
      var grouped = Bound(bound.type, modifier: bound.modifier) { frame throws(PostgreSQLError) in
        frame.keys[key]
      }.collated(as: bound)
      grouped.uses.isAggregated = true
      return grouped
    }
    switch expression {
    case .null: return .null
    case .boolean(let value): return .constant(.boolean(value), .boolean)
    case .number(let text): return try number(text)
    case .string(let text): return .string(text)
    case .parameter(let number): return try bindName(["$\(number)"], scope)
    case .name(let names): return try bindName(names, scope)
    case .wildcard(let names): return try bindName(names, scope)
    case .prefix(let symbol, let operand):
      if symbol == "-", case .number(let text) = operand { return try number("-" + text) }
      return try bindOperator(symbol, [try bind(operand, scope)])
    case .infix(let symbol, let left, let right): return try bindInfix(symbol, left, right, scope)
    case .and(let operands): return try all(operands, scope)
    case .or(let operands): return try any(operands, scope)
    case .not(let operand): return negate(try asBoolean(bind(operand, scope), "NOT"))
    case .isTest(let operand, let test, let negated): return try bindTest(operand, test, negated, scope)
    case .isDistinct(let left, let right, let negated): return try distinct(left, right, negated, scope)
    case .between(let operand, let low, let high, let symmetric, let negated):
      return try between(operand, low, high, symmetric, negated, scope)
    case .inList(let operand, let list, let negated): return try inList(operand, list, negated, scope)
    case .inQuery(let operand, let query, let negated):
      let found = try quantified(operand, "=", .any, query, scope)
      return negated ? negate(found) : found
    case .quantified(let operand, let symbol, let quantifier, .query(let query)):
      return try quantified(operand, symbol, quantifier, query, scope)
    case .quantified(let operand, let symbol, let quantifier, .array(let array)):
      return try quantified(operand, symbol, quantifier, array, scope)
    case .exists(let query): return try exists(query, scope)
    case .subquery(let query): return try subquery(query, scope)
    case .array(let elements): return try array(elements, scope)
    case .arrayQuery(let query): return try arrayQuery(query, scope)
    case .row(let fields): return try row(fields, scope)
    case .cast(let operand, let name): return try cast(operand, name, scope)
    case .call(let call): return try bindCall(call, scope)
    case .conditional(let conditional): return try bindConditional(conditional, scope)
    case .element(let operand, let index): return try element(operand, index, scope)
    case .field(let operand, let name): return try bindField(operand, name, scope)
    case .collate(let operand, let name):
      return try collate(bind(operand, scope), name)
    case .defaultValue: throw PostgreSQLError("42601", "DEFAULT is not allowed in this context")
    }
  }

  private func number(_ text: String) throws(PostgreSQLError) -> Bound {
    if let value = Int64(text) {
      return .constant(.integer(value), Int32(exactly: value) != nil ? .integer : .bigint)
    }
    return .constant(try DataType.numeric.value(from: text, context: context), .numeric)
  }

  // MARK: - Logic

  func all(_ operands: [SQLExpression], _ scope: Scope) throws(PostgreSQLError) -> Bound {
    try conjunction(
      operands.map { (operand) throws(PostgreSQLError) in try asBoolean(bind(operand, scope), "AND") })
  }

  /// True if all are, false if one is, otherwise null.
  func conjunction(_ bounds: [Bound]) -> Bound { combination(bounds, .all) }

  func any(_ operands: [SQLExpression], _ scope: Scope) throws(PostgreSQLError) -> Bound {
    disjunction(
      try operands.map { (operand) throws(PostgreSQLError) in try asBoolean(bind(operand, scope), "OR") })
  }

  /// True if one is, false if none is, otherwise null.
  func disjunction(_ bounds: [Bound]) -> Bound { combination(bounds, .any) }

  private func combination(_ bounds: [Bound], _ quantifier: Quantifier) -> Bound {
    if bounds.count == 1 { return bounds[0] }
    let uses = bounds.reduce(Bound.Uses()) { $0.union($1.uses) }
    let parts = bounds.map(\.evaluate)
    return Bound(BoundType(.boolean), uses: uses) { frame throws(PostgreSQLError) in
      try Self.combine(parts, quantifier) { (part) throws(PostgreSQLError) in try part(frame) }
    }
  }

  func negate(_ bound: Bound) -> Bound {
    let evaluate = bound.evaluate
    return Bound(BoundType(.boolean), uses: bound.uses) { frame throws(PostgreSQLError) in
      switch try evaluate(frame) {
      case .boolean(let value): .boolean(!value)
      default: .null
      }
    }
  }

  private func bindTest(
    _ operand: SQLExpression, _ test: IsTest, _ negated: Bool, _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    let bound = try bind(operand, scope)
    if test == .null {
      let evaluate = bound.evaluate
      return Bound(BoundType(.boolean), uses: bound.uses) { frame throws(PostgreSQLError) in
        switch try evaluate(frame) {
        case .null: .boolean(!negated)
        // A row is null if all of its fields are, and not null if none is (9.2).
        case .record(let fields):
          .boolean(negated ? !fields.contains(where: \.isNull) : fields.allSatisfy(\.isNull))
        default: .boolean(negated)
        }
      }
    }
    let name = "IS \(negated ? "NOT " : "")\(test.rawValue.uppercased())"
    let evaluate = try asBoolean(bound, name).evaluate
    let wanted: Value =
      switch test {
      case .true: .boolean(true)
      case .false: .boolean(false)
      case .unknown, .null: .null
      }
    return Bound(BoundType(.boolean), uses: bound.uses) { frame throws(PostgreSQLError) in
      .boolean((try evaluate(frame) == wanted) != negated)
    }
  }

  private func distinct(
    _ left: SQLExpression, _ right: SQLExpression, _ negated: Bool, _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    let left = try bind(left, scope)
    let right = try bind(right, scope)
    let equal = try bindOperator("=", [left, right])
    let (a, b, both) = (left.evaluate, right.evaluate, equal.evaluate)
    return Bound(BoundType(.boolean), uses: equal.uses) { frame throws(PostgreSQLError) in
      let (first, second) = (try a(frame), try b(frame))
      if first.isNull || second.isNull { return .boolean((first.isNull != second.isNull) != negated) }
      return .boolean((try both(frame) != .boolean(true)) != negated)
    }
  }

  private func between(
    _ operand: SQLExpression, _ low: SQLExpression, _ high: SQLExpression, _ symmetric: Bool, _ negated: Bool,
    _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    let value = try bind(operand, scope)
    let (low, high) = (try bind(low, scope), try bind(high, scope))
    func range(_ low: Bound, _ high: Bound) throws(PostgreSQLError) -> Bound {
      conjunction([try bindOperator(">=", [value, low]), try bindOperator("<=", [value, high])])
    }
    let inside = symmetric ? disjunction([try range(low, high), try range(high, low)]) : try range(low, high)
    return negated ? negate(inside) : inside
  }

  // MARK: - Lists, subqueries

  private func inList(
    _ operand: SQLExpression, _ list: [SQLExpression], _ negated: Bool, _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    if case .row = operand {
      let equal = try list.map { (element) throws(PostgreSQLError) in
        try bindInfix("=", operand, element, scope)
      }
      return negated ? negate(disjunction(equal)) : disjunction(equal)
    }
    let value = try bind(operand, scope)
    let elements = try list.map { (element) throws(PostgreSQLError) in try bind(element, scope) }
    // One type for all, as PostgreSQL makes an array of them (parse_expr.c, transformAExprIn).
    let (type, unified) = try unify([value] + elements, for: "IN")
    guard !unified.contains(where: \.uses.returnsSet) else {
      throw PostgreSQLError("42804", "argument of IN must not return a set")
    }
    let uses = unified.reduce(Bound.Uses()) { $0.union($1.uses) }
    let candidate = unified[0]
    let parts = unified.dropFirst().map(\.evaluate)
    let list = Bound(
      BoundType(.array(type)), uses: unified.dropFirst().reduce(Bound.Uses()) { $0.union($1.uses) }
    ) { frame throws(PostgreSQLError) in
      .array(ArrayValue(try parts.map { (part) throws(PostgreSQLError) in try part(frame) }))
    }
    var found = membership(candidate, list, type, uses)
    if !negated { found.equality = Bound.Equality(candidate, list, type: type, isMembership: true) }
    return negated ? negate(found) : found
  }

  /// Whether the value is an element of the list.
  ///
  /// A constant list is looked up by a hash once it is long.
  private func membership(_ value: Bound, _ list: Bound, _ type: DataType, _ uses: Bound.Uses) -> Bound {
    let comparator = Comparator(type)
    let (evaluate, elements) = (value.evaluate, list.evaluate)
    let node = list.uses.isConstant ? newNode() : nil
    return Bound(BoundType(.boolean), uses: uses) { frame throws(PostgreSQLError) in
      let candidate = try evaluate(frame)
      if let node {
        var table = frame.execution.tables[node]
        if table == nil {
          guard case .array(let array) = try elements(frame) else { return .null }
          var made: [Row: [Row]] = [:]
          for element in array.elements { made[[element.isNull ? .null : comparator.key(element)]] = [] }
          frame.execution.tables[node] = made
          table = made
        }
        guard let table, !table.isEmpty else { return .boolean(false) }
        if candidate.isNull { return .null }
        if table[[comparator.key(candidate)]] != nil { return .boolean(true) }
        return table[[.null]] != nil ? .null : .boolean(false)
      }
      guard case .array(let array) = try elements(frame) else { return .null }
      if array.elements.isEmpty { return .boolean(false) }
      if candidate.isNull { return .null }
      var isNull = false
      for element in array.elements {
        if element.isNull {
          isNull = true
        } else if comparator.areEqual(candidate, element) {
          return .boolean(true)
        }
      }
      return isNull ? .null : .boolean(false)
    }
  }

  private func quantified(
    _ operand: SQLExpression, _ symbol: String, _ quantifier: Quantifier, _ array: SQLExpression,
    _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    let value = try bind(operand, scope)
    var list = try bind(array, scope)
    if list.isUnknown {
      list = try coerce(list, to: .array(value.isUnknown ? .text : catalogue.base(of: value.type.type)))
    }
    guard case .array(let element) = catalogue.base(of: list.type.type) else {
      throw PostgreSQLError("42809", "op ANY/ALL (array) requires array on right side")
    }
    let uses = value.uses.union(list.uses)
    // `x = ANY (list)` is a membership if the types agree.
    if symbol == "=", quantifier == .any {
      let coerced = try? coerce(value, to: element)
      if let coerced {
        var found = membership(coerced, list, element, uses)
        found.equality = Bound.Equality(coerced, list, type: element, isMembership: true)
        return found
      }
    }
    // The element is read from a place of its own.
    let slot = Bound(BoundType(element)) { frame throws(PostgreSQLError) in frame.rows[0][1] }
    var left = Bound(value.type, modifier: value.modifier) { frame throws(PostgreSQLError) in frame.rows[0][0]
    }
    if value.isUnknown { left = value }
    let comparison = try bindOperator(symbol, [left, slot])
    let (evaluate, elements, compare) = (value.evaluate, list.evaluate, comparison.evaluate)
    return Bound(BoundType(.boolean), uses: uses) { frame throws(PostgreSQLError) in
      guard case .array(let array) = try elements(frame) else { return .null }
      let inner = Frame(relations: 1, parent: nil, execution: frame.execution)
      let candidate = try evaluate(frame)
      return try Self.combine(array.elements, quantifier) { (element) throws(PostgreSQLError) in
        inner.rows[0] = [candidate, element]
        return try compare(inner)
      }
    }
  }

  /// The result of a comparison with any or all of the elements.
  private static func combine<Element>(
    _ elements: [Element], _ quantifier: Quantifier,
    _ compare: (Element) throws(PostgreSQLError) -> Value
  ) throws(PostgreSQLError) -> Value {
    let decisive = quantifier == .any
    var isNull = false
    for element in elements {
      switch try compare(element) {
      case .boolean(decisive): return .boolean(decisive)
      case .boolean: continue
      default: isNull = true
      }
    }
    return isNull ? .null : .boolean(!decisive)
  }

  /// A query inside an expression.
  ///
  /// It runs once for the statement if it depends on nothing around it.
  private func plan(_ query: Query, _ scope: Scope) throws(PostgreSQLError) -> (QueryPlan, Bound.Uses, Int?) {
    let plan = try self.plan(query, parent: scope)
    let uses = plan.uses.ofQueryAround
    return (plan, uses, uses.isConstant ? newNode() : nil)
  }

  private func quantified(
    _ operand: SQLExpression, _ symbol: String, _ quantifier: Quantifier, _ query: Query, _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    let operands: [SQLExpression] = if case .row(let fields) = operand { fields } else { [operand] }
    let values = try operands.map { (operand) throws(PostgreSQLError) in try bind(operand, scope) }
    let (plan, uses, node) = try plan(query, scope)
    guard plan.columns.count == values.count else {
      throw PostgreSQLError(
        "42601",
        plan.columns.count > values.count ? "subquery has too many columns" : "subquery has too few columns")
    }
    let total = values.reduce(uses) { $0.union($1.uses) }
    let left = values.indices.map { index in
      values[index].isUnknown
        ? values[index]
        : Bound(values[index].type, modifier: values[index].modifier) { frame throws(PostgreSQLError) in
          frame.rows[0][index]
        }
    }
    let right = plan.columns.indices.map { index in
      Bound(plan.columns[index].type) { frame throws(PostgreSQLError) in frame.rows[1][index] }
    }
    let comparison = try compareRows(symbol, left, right)
    // `=` of a constant query is a look-up.
    let equalities = symbol == "=" && quantifier == .any ? hashable(comparison, left, right) : nil
    let (evaluates, compare) = (values.map(\.evaluate), comparison.evaluate)
    return Bound(BoundType(.boolean), uses: total) { frame throws(PostgreSQLError) in
      let candidate = try evaluates.map { (evaluate) throws(PostgreSQLError) in try evaluate(frame) }
      let inner = Frame(relations: 2, parent: nil, execution: frame.execution)
      inner.rows[0] = candidate
      let rows = try Self.rows(plan, node, frame)
      if let equalities, let node, rows.count > 8 {
        return try Self.lookUp(equalities, node, rows, inner)
      }
      return try Self.combine(rows, quantifier) { (row) throws(PostgreSQLError) in
        inner.rows[1] = row
        return try compare(inner)
      }
    }
  }

  /// The pairs of operands of a comparison of rows, if both sides of each have one type.
  private func hashable(_ comparison: Bound, _ left: [Bound], _ right: [Bound]) -> [Bound.Equality]? {
    guard left.count == 1, let equality = comparison.equality else { return nil }
    return [equality]
  }

  private static func lookUp(
    _ equalities: [Bound.Equality], _ node: Int, _ rows: [Row], _ inner: Frame
  ) throws(PostgreSQLError) -> Value {
    let execution = inner.execution
    let comparators = equalities.map { Comparator($0.type) }
    var table = execution.tables[node]
    if table == nil {
      var made: [Row: [Row]] = [:]
      for row in rows {
        inner.rows[1] = row
        var key: Row = []
        for (equality, comparator) in zip(equalities, comparators) {
          let value = try equality.right.evaluate(inner)
          key.append(value.isNull ? .null : comparator.key(value))
        }
        made[key] = []
      }
      execution.tables[node] = made
      table = made
    }
    guard let table else { return .null }
    let value = try equalities[0].left.evaluate(inner)
    if value.isNull { return .null }
    if table[[comparators[0].key(value)]] != nil { return .boolean(true) }
    return table[[.null]] != nil ? .null : .boolean(false)
  }

  private static func rows(_ plan: QueryPlan, _ node: Int?, _ frame: Frame) throws(PostgreSQLError) -> [Row] {
    guard let node else { return try plan.rows(frame, frame.execution) }
    if let rows = frame.execution.results[node] { return rows }
    let rows = try plan.rows(frame, frame.execution)
    frame.execution.results[node] = rows
    return rows
  }

  private func exists(_ query: Query, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    let (plan, uses, node) = try plan(query, scope)
    return Bound(BoundType(.boolean), uses: uses) { frame throws(PostgreSQLError) in
      if let node, let value = frame.execution.values[node] { return value }
      var found = false
      try plan.run(frame, frame.execution) { _ throws(PostgreSQLError) in
        found = true
        return false
      }
      if let node { frame.execution.values[node] = .boolean(found) }
      return .boolean(found)
    }
  }

  private func subquery(_ query: Query, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    let (plan, uses, node) = try plan(query, scope)
    guard plan.columns.count == 1 else {
      throw PostgreSQLError("42601", "subquery must return only one column")
    }
    var result = Bound(plan.columns[0].type, modifier: plan.columns[0].modifier, uses: uses) {
      frame throws(PostgreSQLError) in
      if let node, let value = frame.execution.values[node] { return value }
      var result: Value?
      try plan.run(frame, frame.execution) { row throws(PostgreSQLError) in
        guard result == nil else {
          throw PostgreSQLError("21000", "more than one row returned by a subquery used as an expression")
        }
        result = row[0]
        return true
      }
      if let node { frame.execution.values[node] = result ?? .null }
      return result ?? .null
    }
    result.collation = plan.columns[0].collation
    return result
  }

  private func arrayQuery(_ query: Query, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    let (plan, uses, node) = try plan(query, scope)
    guard plan.columns.count == 1 else {
      throw PostgreSQLError("42601", "subquery must return only one column")
    }
    return Bound(BoundType(.array(plan.columns[0].type.type)), uses: uses) { frame throws(PostgreSQLError) in
      .array(ArrayValue(try Self.rows(plan, node, frame).map { $0[0] }))
    }
  }

  // MARK: - Composites

  private func array(_ elements: [SQLExpression], _ scope: Scope) throws(PostgreSQLError) -> Bound {
    let bounds = try elements.map { (element) throws(PostgreSQLError) in try bind(element, scope) }
    guard !bounds.isEmpty else {
      return Bound(BoundType(.array(.unknown))) { _ throws(PostgreSQLError) in .array(ArrayValue([])) }
    }
    let (type, unified) = try unify(bounds, for: "ARRAY")
    let uses = unified.reduce(Bound.Uses()) { $0.union($1.uses) }
    let parts = unified.map(\.evaluate)
    // Arrays within an array are its second dimension.
    if case .array = type {
      let nested = Bound(BoundType(type), uses: uses) { frame throws(PostgreSQLError) in
        try Self.nested(try parts.map { (part) throws(PostgreSQLError) in try part(frame) })
      }
      return try deriving(nested, from: unified)
    }
    let made = Bound(BoundType(.array(type)), uses: uses) { frame throws(PostgreSQLError) in
      .array(ArrayValue(try parts.map { (part) throws(PostgreSQLError) in try part(frame) }))
    }
    return try deriving(made, from: unified)
  }

  /// An array of arrays of equal dimensions.
  private static func nested(_ values: [Value]) throws(PostgreSQLError) -> Value {
    var dimensions: [ArrayValue.Dimension]?
    var elements: [Value] = []
    for value in values {
      guard case .array(let inner) = value else { continue }
      guard dimensions == nil || dimensions == inner.dimensions else {
        throw PostgreSQLError(
          "2202E", "multidimensional arrays must have array expressions with matching dimensions")
      }
      dimensions = inner.dimensions
      elements += inner.elements
    }
    guard let dimensions, !dimensions.isEmpty else { return .array(ArrayValue([])) }
    return .array(
      ArrayValue(dimensions: [ArrayValue.Dimension(count: values.count)] + dimensions, elements: elements))
  }

  private func row(_ fields: [SQLExpression], _ scope: Scope) throws(PostgreSQLError) -> Bound {
    var bounds: [Bound] = []
    for field in fields {
      if case .wildcard(let names) = field {
        bounds += try expand(names, scope).map(\.bound)
      } else {
        bounds.append(try settle(bind(field, scope)))
      }
    }
    let type = BoundType(
      .record, fields: bounds.enumerated().map { BoundType.Field("f\($0.offset + 1)", $0.element.type) })
    let parts = bounds.map(\.evaluate)
    return Bound(type, uses: bounds.reduce(Bound.Uses()) { $0.union($1.uses) }) {
      frame throws(PostgreSQLError) in
      .record(try parts.map { (part) throws(PostgreSQLError) in try part(frame) })
    }
  }

  private func cast(_ operand: SQLExpression, _ name: TypeName, _ scope: Scope) throws(PostgreSQLError)
    -> Bound
  {
    let (type, modifier) = try catalogue.type(name, path)
    // `ARRAY[]::text[]`, and rows as a composite type.
    if case .array(let elements) = operand, elements.isEmpty {
      return Bound(BoundType(type)) { _ throws(PostgreSQLError) in .array(ArrayValue([])) }
    }
    let bound = try bind(operand, scope)
    if case .array(.unknown) = bound.type.type {
      return Bound(BoundType(type), evaluate: bound.evaluate)
    }
    return try coerce(bound, to: type, modifier: modifier, .explicit)
  }

  private func bindConditional(_ conditional: Conditional, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    try refusingSets(in: "CASE", scope) { () throws(PostgreSQLError) in try bindBranches(conditional, scope) }
  }

  private func bindBranches(_ conditional: Conditional, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    var conditions: [Bound] = []
    let operand = try conditional.operand.map { (operand) throws(PostgreSQLError) in try bind(operand, scope)
    }
    for branch in conditional.branches {
      if let operand {
        conditions.append(try bindOperator("=", [operand, bind(branch.condition, scope)]))
      } else {
        conditions.append(try asBoolean(bind(branch.condition, scope), "CASE/WHEN"))
      }
    }
    var results = try conditional.branches.map { (branch) throws(PostgreSQLError) in
      try bind(branch.result, scope)
    }
    results.append(
      try conditional.otherwise.map { (other) throws(PostgreSQLError) in try bind(other, scope) } ?? .null)
    // The type of ELSE is looked at first (parse_expr.c, transformCaseExpr).
    let (_, unified) = try unify([results[results.count - 1]] + results.dropLast(), for: "CASE")
    let uses = (conditions + unified).reduce(Bound.Uses()) { $0.union($1.uses) }
    let branches = zip(conditions, unified.dropFirst()).map { ($0.evaluate, $1.evaluate) }
    let otherwise = unified[0].evaluate
    let whole = Bound(unified[0].type, uses: uses) { frame throws(PostgreSQLError) in
      for (condition, result) in branches where try condition(frame) == .boolean(true) {
        return try result(frame)
      }
      return try otherwise(frame)
    }
    return try deriving(whole, from: unified)
  }

  private func bindField(_ operand: SQLExpression, _ name: String, _ scope: Scope) throws(PostgreSQLError)
    -> Bound
  {
    guard name != "*" else {
      throw PostgreSQLError.notSupported("The expansion of a value with \".*\" within an expression")
    }
    var record = try bind(operand, scope)
    if record.type.fields.isEmpty { record.type = boundType(catalogue.base(of: record.type.type)) }
    if let field = field(of: record, named: name) { return field }
    if let call = try callOnRow(record, name) { return call }
    throw PostgreSQLError(
      "42703", "column \"\(name)\" not found in data type \(self.name(of: record.type.type))")
  }

  /// An element of an array.
  ///
  /// The indices of several dimensions are elements of elements: `x[1][2]`.
  private func elementOfArray(
    _ operand: SQLExpression, _ index: Subscript, _ scope: Scope
  ) throws(PostgreSQLError) -> Bound? {
    var base = operand
    var subscripts = [index]
    while case .element(let inner, let outer) = base, !outer.isSlice {
      subscripts.insert(outer, at: 0)
      base = inner
    }
    guard !index.isSlice else { return nil }
    let array = try bind(base, scope)
    guard case .array(let element) = catalogue.base(of: array.type.type) else { return nil }
    var uses = array.uses
    var positions: [Bound.Evaluate] = []
    for written in subscripts {
      guard let lower = written.lower else { return nil }
      let position = try coerce(bind(lower, scope), to: .integer, .assignment)
      uses = uses.union(position.uses)
      positions.append(position.evaluate)
    }
    let evaluate = array.evaluate
    return Bound(boundType(element), uses: uses) { [positions] frame throws(PostgreSQLError) in
      guard case .array(let value) = try evaluate(frame) else { return .null }
      var places: [Int] = []
      for position in positions {
        guard case .integer(let place) = try position(frame) else { return .null }
        places.append(Int(clamping: place))
      }
      return value.element(places) ?? .null
    }
  }

  private func element(_ operand: SQLExpression, _ index: Subscript, _ scope: Scope) throws(PostgreSQLError)
    -> Bound
  {
    if let element = try elementOfArray(operand, index, scope) { return element }
    let container = try bind(operand, scope)
    let lower = try index.lower.map { (lower) throws(PostgreSQLError) in try bind(lower, scope) }
    let upper = try index.upper.map { (upper) throws(PostgreSQLError) in try bind(upper, scope) }
    let uses = [lower, upper].compactMap { $0?.uses }.reduce(container.uses) { $0.union($1) }
    let evaluate = container.evaluate
    switch catalogue.base(of: container.type.type) {
    case .jsonb:
      guard let lower, !index.isSlice else {
        throw PostgreSQLError("0A000", "jsonb subscript does not support slices")
      }
      let isText = lower.isUnknown || lower.type.type == .text
      let key = try coerce(lower, to: isText ? .text : .integer).evaluate
      return Bound(BoundType(.jsonb), uses: uses) { frame throws(PostgreSQLError) in
        guard case .jsonb(let document) = try evaluate(frame) else { return .null }
        switch try key(frame) {
        case .text(let name): return document.element(name).map(Value.jsonb) ?? .null
        case .integer(let position):
          return document.element(Int(clamping: position)).map(Value.jsonb) ?? .null
        default: return .null
        }
      }
    case .array:
      let from = try lower.map { (lower) throws(PostgreSQLError) in try coerce(lower, to: .integer).evaluate }
      let to = try upper.map { (upper) throws(PostgreSQLError) in try coerce(upper, to: .integer).evaluate }
      return Bound(container.type, uses: uses) { frame throws(PostgreSQLError) in
        guard case .array(let value) = try evaluate(frame) else { return .null }
        var bounds: [Int?] = []
        for part in [from, to] {
          guard let part else {
            bounds.append(nil)
            continue
          }
          guard case .integer(let place) = try part(frame) else { return .null }
          bounds.append(Int(clamping: place))
        }
        return .array(value.slice(from: bounds[0], to: bounds[1]))
      }
    default:
      throw PostgreSQLError(
        "42804",
        "cannot subscript type \(name(of: container.type.type)) because it does not support subscripting")
    }
  }
}

extension ArrayValue {
  /// The element at the indices, or nil outside of the bounds or if the dimensions differ.
  func element(_ indices: [Int]) -> Value? {
    guard indices.count == dimensions.count else { return nil }
    var offset = 0
    for (index, dimension) in zip(indices, dimensions) {
      let position = index.subtractingReportingOverflow(dimension.lowerBound)
      guard !position.overflow, position.partialValue >= 0, position.partialValue < dimension.count else {
        return nil
      }
      offset = offset * dimension.count + position.partialValue
    }
    return elements[offset]
  }

  /// A slice of the first dimension.
  ///
  /// The result begins at 1.
  func slice(from lower: Int?, to upper: Int?) -> ArrayValue {
    guard let first = dimensions.first else { return self }
    let start = max(lower ?? first.lowerBound, first.lowerBound)
    let end = min(upper ?? Int.max, first.lowerBound + first.count - 1)
    guard start <= end else { return ArrayValue([]) }
    let size = elements.count / first.count
    let kept = elements[(start - first.lowerBound) * size..<(end - first.lowerBound + 1) * size]
    return ArrayValue(
      dimensions: [Dimension(count: end - start + 1)]
        + dimensions.dropFirst().map { Dimension(count: $0.count) },
      elements: Array(kept))
  }
}

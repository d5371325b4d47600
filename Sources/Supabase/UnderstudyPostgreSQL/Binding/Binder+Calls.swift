extension Binder {
  /// A function that a call means, built in or declared.
  enum Callee {
    case builtIn(Function)
    case routine(Routine)

    var isWindow: Bool {
      if case .builtIn(let function) = self, case .window = function.body { true } else { false }
    }

    var returnsSet: Bool {
      switch self {
      case .builtIn(let function): function.returnsSet
      case .routine(let routine): routine.returnsSet
      }
    }
  }

  /// A call whose function is chosen, with its arguments in the order of the parameters.
  struct ChosenCall {
    var callee: Callee
    var arguments: [Bound]
    var candidate: Resolution.Candidate
    var result: DataType
  }

  /// Whether a name can only be an aggregate.
  ///
  /// Decides whether a query is aggregated before its parts are bound.
  func isAggregate(_ call: Call) -> Bool {
    guard call.over == nil, call.name.schema == nil || call.name.schema == "pg_catalog" else { return false }
    return Functions.named(call.name.name).contains { $0.isAggregate }
  }

  func bindCall(_ call: Call, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    if call.name.schema == nil || call.name.schema == "pg_catalog",
      let special = try bindSpecial(call, scope)
    {
      return special
    }
    if call.over != nil { return try bindWindowCall(call, scope) }
    if isAggregate(call) { return try bindAggregate(call, scope) }
    let sets = scope.sets?.slots.count ?? 0
    let chosen = try choose(call, arguments(call, scope), scope)
    if chosen.callee.returnsSet { return try bindSet(call, chosen, since: sets, scope) }
    return try apply(chosen, name: call.name.name)
  }

  /// A scalar call.
  func apply(_ chosen: ChosenCall, name: String) throws(PostgreSQLError) -> Bound {
    switch chosen.callee {
    case .builtIn(let function):
      let bound = try apply(
        function.body, chosen.result, chosen.arguments, chosen.candidate, isStrict: function.isStrict,
        Bound.Uses(isVolatile: function.volatility == .volatile), name: name)
      return try deriving(bound, from: chosen.arguments)
    case .routine(let routine):
      let converted = try convert(chosen.arguments, chosen.candidate)
      let isVolatile = routine.definition.volatility == .volatile
      let uses = converted.reduce(Bound.Uses(isVolatile: isVolatile)) { $0.union($1.uses) }
      let parts = converted.map(\.evaluate)
      // PostgreSQL documentation, 38.7: a stable function returns the same for the same arguments within a statement.
      let node = uses.isConstant ? newNode() : nil
      let isStrict = routine.definition.isStrict
      var type = boundType(chosen.result)
      if type.type == .record, !routine.columns.isEmpty {
        type.fields = routine.columns.map { BoundType.Field($0.name, boundType($0.type)) }
      }
      // A record keeps the fields that it has for the caller.
      let records =
        routine.inputs.contains { $0.type == .record }
        ? chosen.arguments.map { BoundType(.record, fields: $0.type.fields) } : []
      let called = Bound(type, uses: uses) { frame throws(PostgreSQLError) in
        if let node, let value = frame.execution.values[node] { return value }
        var values: [Value] = []
        for part in parts { values.append(try part(frame)) }
        let value: Value =
          isStrict && values.contains(where: \.isNull)
          ? .null : try frame.execution.session.call(routine, values, records: records)
        if let node { frame.execution.values[node] = value }
        return value
      }
      return try deriving(called, from: chosen.arguments)
    }
  }

  /// The arguments with their names.
  func arguments(_ call: Call, _ scope: Scope) throws(PostgreSQLError) -> [(name: String?, bound: Bound)] {
    var arguments: [(name: String?, bound: Bound)] = []
    for argument in call.arguments {
      if case .wildcard(let names) = argument.value {
        // `f(t.*)` is `f(t)`.
        arguments.append((argument.name, try bindName(names, scope)))
      } else {
        arguments.append((argument.name, try bind(argument.value, scope)))
      }
    }
    return arguments
  }

  /// `row.function`, which is `function(row)` if there is such a function.
  func callOnRow(_ row: Bound, _ name: String) throws(PostgreSQLError) -> Bound? {
    guard case .composite = row.type.type else { return nil }
    let matching = catalogue.routines(QualifiedName(name), path).filter {
      $0.inputs.count == 1 && $0.inputs[0].type == row.type.type
    }
    guard let routine = matching.first else { return nil }
    let chosen = ChosenCall(
      callee: .routine(routine), arguments: [row],
      candidate: Resolution.Candidate(parameters: [row.type.type]),
      result: routine.result)
    return try apply(chosen, name: name)
  }

  /// The function for the arguments (PostgreSQL documentation, 10.3).
  func choose(
    _ call: Call, _ arguments: [(name: String?, bound: Bound)], _ scope: Scope
  ) throws(PostgreSQLError) -> ChosenCall {
    var callees: [(callee: Callee, candidate: Resolution.Candidate, order: [Int?])] = []
    let isVariadicArray = call.arguments.last?.isVariadic ?? false
    for routine in routines(named: call.name) {
      guard let order = Self.order(arguments.map(\.name), routine, isVariadicArray: isVariadicArray) else {
        continue
      }
      callees.append((.routine(routine), Resolution.Candidate(parameters: order.parameters), order.arguments))
    }
    if call.name.schema == nil || call.name.schema == "pg_catalog" || call.name.schema == "extensions" {
      let isNamed = arguments.contains { $0.name != nil }
      for function in Functions.named(call.name.name) {
        if isNamed {
          guard !isVariadicArray, let order = Self.order(arguments.map(\.name), function) else { continue }
          callees.append((.builtIn(function), Resolution.Candidate(parameters: function.parameters), order))
          continue
        }
        let required = function.parameters.count - function.optional
        let isFull = arguments.count <= function.parameters.count || function.variadic != nil
        guard arguments.count >= required, isFull else { continue }
        if isVariadicArray {
          // `VARIADIC array`: the array takes the place of the further arguments.
          guard let variadic = function.variadic, arguments.count == function.parameters.count + 1 else {
            continue
          }
          let array: DataType = variadic == .any ? .anyarray : .array(variadic)
          let parameters = function.parameters + [array]
          callees.append((.builtIn(function), Resolution.Candidate(parameters: parameters), []))
        } else {
          callees.append(
            (
              .builtIn(function),
              Resolution.Candidate(parameters: function.parameters, variadic: function.variadic), []
            ))
        }
      }
    }
    let types = arguments.map { catalogue.base(of: $0.bound.type.type) }
    // A domain is accepted as its base type is; parameters of exactly the arguments' domains come first.
    let given = arguments.map(\.bound.type.type)
    let described = callees.map { callee in
      var candidate = callee.candidate
      candidate.parameters = candidate.parameters.map { catalogue.base(of: $0) }
      return candidate
    }
    let outcome: Resolution.Outcome
    if given != types, arguments.allSatisfy({ $0.name == nil }),
      let exact = callees.firstIndex(where: { $0.candidate.parameters == given })
    {
      outcome = .one(exact)
    } else if callees.contains(where: { !$0.order.isEmpty }) {
      // Each candidate sees the arguments in its own order; missing ones have defaults.
      let fitting = callees.indices.filter { index in
        let (candidate, order) = (described[index], callees[index].order)
        guard !order.isEmpty else { return true }
        return order.enumerated().allSatisfy { position, argument in
          guard let argument else { return true }
          return Resolution.accepts(candidate.parameter(position), types[argument])
        }
      }
      // Those that need no default come first.
      let complete = fitting.filter { !callees[$0].order.contains(nil) }
      let kept = complete.isEmpty ? fitting : complete
      if kept.count <= 1 {
        outcome = kept.first.map(Resolution.Outcome.one) ?? .none
      } else {
        let reordered = kept.map { index in
          let (candidate, order) = (described[index], callees[index].order)
          return Resolution.Candidate(
            parameters: order.isEmpty
              ? arguments.indices.map { candidate.parameter($0) }
              : arguments.indices.map { argument in
                order.firstIndex(of: argument).map { candidate.parameter($0) } ?? .any
              })
        }
        switch Resolution.choose(reordered, for: types, isOperator: false) {
        case .one(let index): outcome = .one(kept[index])
        case .none: outcome = .none
        case .ambiguous: outcome = .ambiguous
        }
      }
    } else {
      outcome = Resolution.choose(described, for: types, isOperator: false)
    }
    switch outcome {
    case .one(let index):
      if case .routine(let routine) = callees[index].callee {
        recorded?.routines[call.name, default: []].insert(routine.number)
      }
      return try chosen(
        callees[index].callee, callees[index].candidate, callees[index].order, arguments, isVariadicArray)
    case .none:
      // `text(x)`, `jsonb(x)`: a type's name converts (10.3, step 3).
      if arguments.count == 1, call.name.schema == nil, let type = DataType.builtIn(call.name.name) {
        let converted = try coerce(arguments[0].bound, to: type, .explicit)
        return ChosenCall(
          callee: .builtIn(
            Function(
              call.name.name, [type], returns: type, isStrict: false, .scalar { values, _ in values[0] })),
          arguments: [converted], candidate: Resolution.Candidate(parameters: [type]), result: type)
      }
      if [nil, "pg_catalog"].contains(call.name.schema), arguments.allSatisfy({ $0.name == nil }),
        ServerSignatures.hasFunction(call.name.name, types)
      {
        throw .notSupported("The function \(written(call, arguments))")
      }
      throw PostgreSQLError(
        "42883", "function \(written(call, arguments)) does not exist",
        hint:
          "No function matches the given name and argument types. You might need to add explicit type casts.")
    case .ambiguous:
      throw PostgreSQLError(
        "42725", "function \(written(call, arguments)) is not unique",
        hint: "Could not choose a best candidate function. You might need to add explicit type casts.")
    }
  }

  private func written(_ call: Call, _ arguments: [(name: String?, bound: Bound)]) -> String {
    let types = arguments.map { argument in
      (argument.name.map { "\($0) => " } ?? "") + name(of: argument.bound.type.type)
    }
    return "\(call.name)(\(types.joined(separator: ", ")))"
  }

  private func chosen(
    _ callee: Callee, _ candidate: Resolution.Candidate, _ order: [Int?],
    _ arguments: [(name: String?, bound: Bound)], _ isVariadicArray: Bool
  ) throws(PostgreSQLError) -> ChosenCall {
    let types = arguments.map { catalogue.base(of: $0.bound.type.type) }
    switch callee {
    case .builtIn(let function):
      var function = function
      // The implementation gets the elements one by one.
      if isVariadicArray { function.body = Self.spread(function) }
      guard !order.isEmpty else {
        return ChosenCall(
          callee: .builtIn(function), arguments: arguments.map(\.bound), candidate: candidate,
          result: resultType(function.result, candidate, types))
      }
      let required = function.parameters.count - function.optional
      let ordered = order.enumerated().map { position, argument in
        argument.map { arguments[$0].bound }
          ?? .constant(function.defaults[position - required], function.parameters[position])
      }
      return ChosenCall(
        callee: .builtIn(function), arguments: ordered, candidate: candidate,
        result: resultType(function.result, candidate, ordered.map { catalogue.base(of: $0.type.type) }))
    case .routine(let routine):
      // A view and a policy call functions with the rights of who reads (CREATE VIEW, notes).
      if let allowed = routine.executableBy, role != Catalogue.owner, !allowed.contains(role),
        !allowed.contains("public")
      {
        throw PostgreSQLError("42501", "permission denied for function \(routine.name.name)")
      }
      let inputs = routine.inputs
      var ordered: [Bound] = []
      for (position, argument) in order.enumerated() {
        if let argument {
          ordered.append(arguments[argument].bound)
        } else if let defaultValue = inputs[position].defaultValue {
          ordered.append(
            try coerce(bind(defaultValue, Scope(parent: nil)), to: inputs[position].type, .assignment))
        }
      }
      // The rest goes to the variadic parameter as an array.
      var parameters = candidate.parameters
      if let last = inputs.last, last.mode == .variadic, case .array(let element) = last.type,
        !isVariadicArray
      {
        let rest = try arguments.dropFirst(inputs.count - 1).map { (argument) throws(PostgreSQLError) in
          try coerce(argument.bound, to: element)
        }
        let parts = rest.map(\.evaluate)
        let uses = rest.reduce(Bound.Uses()) { $0.union($1.uses) }
        ordered = Array(ordered.prefix(inputs.count - 1))
        ordered.append(
          Bound(BoundType(last.type), uses: uses) { frame throws(PostgreSQLError) in
            .array(ArrayValue(try parts.map { (part) throws(PostgreSQLError) in try part(frame) }))
          })
        parameters = inputs.map(\.type)
      }
      let whole = Resolution.Candidate(parameters: parameters)
      return ChosenCall(
        callee: callee, arguments: ordered, candidate: whole,
        result: resultType(routine.result, whole, ordered.map { catalogue.base(of: $0.type.type) }))
    }
  }

  private static func spread(_ function: Function) -> Function.Body {
    let count = function.parameters.count
    @Sendable func whole(_ values: [Value]) -> [Value] {
      guard case .array(let array) = values[count] else { return Array(values.prefix(count)) }
      return Array(values.prefix(count)) + array.elements
    }
    switch function.body {
    case .scalar(let scalar):
      return .scalar { values, context throws(PostgreSQLError) in try scalar(whole(values), context) }
    case .typed(let make):
      return .typed { types throws(PostgreSQLError) in
        guard case .array(let element)? = types.last?.type else { return try make(types) }
        // As many types as a call can have values; an implementation looks at those that it needs.
        let scalar = try make(Array(types.dropLast()) + Array(repeating: BoundType(element), count: 100))
        return { values, context throws(PostgreSQLError) in try scalar(whole(values), context) }
      }
    default: return function.body
    }
  }

  /// Which argument each parameter of a built-in function gets, nil for its default, or nil if the call does not fit.
  private static func order(_ names: [String?], _ function: Function) -> [Int?]? {
    guard function.variadic == nil, names.count <= function.names.count else { return nil }
    var order: [Int?] = Array(repeating: nil, count: function.parameters.count)
    for (index, name) in names.enumerated() {
      guard let position = name.map({ function.names.firstIndex(of: $0) }) ?? index, order[position] == nil
      else { return nil }
      order[position] = index
    }
    let required = function.parameters.count - function.optional
    return order.prefix(required).contains(nil) ? nil : order
  }

  /// Which argument each input parameter gets, nil for its default, or nil if the call does not fit.
  private static func order(
    _ names: [String?], _ routine: Routine, isVariadicArray: Bool
  ) -> (parameters: [DataType], arguments: [Int?])? {
    let inputs = routine.inputs
    let isVariadic = inputs.last?.mode == .variadic
    guard names.count <= inputs.count || isVariadic else { return nil }
    var order: [Int?] = Array(repeating: nil, count: inputs.count)
    var types = inputs.map(\.type)
    for (index, name) in names.enumerated() {
      if let name {
        guard let position = inputs.firstIndex(where: { $0.name == name }), order[position] == nil else {
          return nil
        }
        order[position] = index
      } else if index < inputs.count {
        order[index] = index
      }
    }
    for (position, input) in inputs.enumerated() where order[position] == nil {
      if input.defaultValue == nil, input.mode != .variadic { return nil }
    }
    if isVariadic, !isVariadicArray, let last = inputs.last, case .array(let element) = last.type,
      names.count >= inputs.count
    {
      types[types.count - 1] = element
    }
    return (types, order)
  }

  // MARK: - Forms that look like functions

  private func bindSpecial(_ call: Call, _ scope: Scope) throws(PostgreSQLError) -> Bound? {
    func operands() throws(PostgreSQLError) -> [Bound] {
      try call.arguments.map { (argument) throws(PostgreSQLError) in try bind(argument.value, scope) }
    }
    switch call.name.name {
    case "coalesce":
      let operands = try refusingSets(in: "COALESCE", scope) { () throws(PostgreSQLError) in try operands() }
      let (_, bounds) = try unify(operands, for: "COALESCE")
      let parts = bounds.map(\.evaluate)
      let first = Bound(bounds[0].type, uses: bounds.reduce(Bound.Uses()) { $0.union($1.uses) }) {
        frame throws(PostgreSQLError) in
        for part in parts {
          let value = try part(frame)
          if !value.isNull { return value }
        }
        return .null
      }
      return try deriving(first, from: bounds)
    case "nullif":
      let bounds = try operands()
      guard bounds.count == 2 else { return nil }
      let equal = try bindOperator("=", bounds)
      let first = bounds[0].isUnknown ? try coerce(bounds[0], to: equal.equality?.type ?? .text) : bounds[0]
      let (value, test) = (first.evaluate, equal.evaluate)
      let tested = Bound(first.type, modifier: first.modifier, uses: equal.uses) {
        frame throws(PostgreSQLError) in
        try test(frame) == .boolean(true) ? .null : try value(frame)
      }
      return try deriving(tested, from: bounds)
    case "greatest", "least":
      let (type, bounds) = try unify(operands(), for: call.name.name.uppercased())
      guard let collation = try collation(of: bounds, type) else { throw Bound.openCollation }
      let comparator = Comparator(type, collation: collation)
      let sign = call.name.name == "greatest" ? 1 : -1
      let parts = bounds.map(\.evaluate)
      let extreme = Bound(bounds[0].type, uses: bounds.reduce(Bound.Uses()) { $0.union($1.uses) }) {
        frame throws(PostgreSQLError) in
        var best = Value.null
        for part in parts {
          let value = try part(frame)
          if value.isNull { continue }
          if best.isNull || comparator.compare(value, best) * sign > 0 { best = value }
        }
        return best
      }
      return try deriving(extreme, from: bounds)
    case "pg_typeof":
      guard let bound = try operands().first else { return nil }
      return .constant(.text(name(of: bound.type.type)), .regtype)
    case "to_regclass", "to_regtype", "to_regproc", "to_regprocedure":
      guard let name = try operands().first else { return nil }
      return try registered(call.name.name, coerce(name, to: .text))
    case "pg_get_serial_sequence":
      let names = try operands().map { (name) throws(PostgreSQLError) in try coerce(name, to: .text).evaluate
      }
      guard names.count == 2 else { return nil }
      return Bound(BoundType(.text), uses: Bound.Uses(isVolatile: true)) { frame throws(PostgreSQLError) in
        guard case .text(let table) = try names[0](frame), case .text(let column) = try names[1](frame) else {
          return .null
        }
        let session = frame.execution.session
        let found = try session.state.catalogue.table(QualifiedName(written: table), session.path)
        return found.columns.first { $0.name == column }?.sequence.map { .text($0.sql) } ?? .null
      }
    case "grouping":
      return try bindGrouping(call, scope)
    default: return nil
    }
  }

  /// `to_regclass` and its kin: the name of an object, or null if it does not exist.
  private func registered(_ function: String, _ name: Bound) throws(PostgreSQLError) -> Bound {
    let evaluate = name.evaluate
    let type: DataType =
      function == "to_regclass" ? .regclass : function == "to_regtype" ? .regtype : .regproc
    return Bound(BoundType(type), uses: Bound.Uses(isVolatile: true)) { frame throws(PostgreSQLError) in
      guard case .text(let text) = try evaluate(frame) else { return .null }
      let session = frame.execution.session
      // The parameters of a function are not compared.
      let name = QualifiedName(written: text.split(separator: "(").first.map(String.init) ?? text)
      let catalogue = session.state.catalogue
      let exists =
        switch function {
        case "to_regclass":
          catalogue.findTable(name, session.path) != nil || catalogue.sequence(name, session.path) != nil
        case "to_regtype": (try? catalogue.type(TypeName(name), session.path)) != nil
        default: !catalogue.routines(name, session.path).isEmpty || !Functions.named(name.name).isEmpty
        }
      return exists ? .text(text) : .null
    }
  }

  // MARK: - Aggregates

  private func bindAggregate(_ call: Call, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    guard let aggregation = scope.aggregation, !aggregation.isInsideAggregate else {
      let place = scope.aggregation?.isInsideAggregate == true ? nil : scope.clause
      throw PostgreSQLError(
        "42803",
        place.map { "aggregate functions are not allowed in \($0)" }
          ?? "aggregate function calls cannot be nested")
    }
    let aggregate = try aggregate(call, scope)
    let index = aggregation.aggregates.count
    aggregation.aggregates.append(aggregate.bound)
    var result = Bound(boundType(aggregate.type)) { frame throws(PostgreSQLError) in frame.aggregates[index] }
    result.uses.isAggregated = true
    return try deriving(result, from: aggregate.bound.arguments)
  }

  /// An aggregate with its arguments, which are bound against the rows before grouping.
  func aggregate(_ call: Call, _ scope: Scope) throws(PostgreSQLError) -> (
    bound: BoundAggregate, type: DataType
  ) {
    let aggregation = scope.aggregation
    aggregation?.isInsideAggregate = true
    defer { aggregation?.isInsideAggregate = false }
    return try refusingSets("aggregate function calls cannot contain set-returning function calls", scope) {
      () throws(PostgreSQLError) in
      try boundAggregate(call, scope)
    }
  }

  private func boundAggregate(_ call: Call, _ scope: Scope) throws(PostgreSQLError) -> (
    bound: BoundAggregate, type: DataType
  ) {
    // The keys of WITHIN GROUP come after the direct arguments.
    var arguments = try arguments(call, scope)
    for key in call.withinGroup { arguments.append((nil, try bind(key.expression, scope))) }
    let chosen = try choose(call, call.isStar ? [] : arguments, scope)
    guard case .builtIn(let function) = chosen.callee, let make = function.makeAggregate else {
      throw PostgreSQLError("42809", "\(call.name.name) is not an aggregate function")
    }
    let converted = try convert(chosen.arguments, chosen.candidate)
    let filter = try call.filter.map { (filter) throws(PostgreSQLError) in
      try condition(filter, scope, "FILTER")
    }
    let order = try (call.order + call.withinGroup).map { (key) throws(PostgreSQLError) in
      BoundSortKey(
        try settle(bind(key.expression, scope)), isDescending: key.isDescending, nullsFirst: key.nullsFirst)
    }
    let bound = BoundAggregate(
      make: try maker(make, converted), arguments: converted, isStrict: function.isStrict,
      isDistinct: call.isDistinct, order: order, filter: filter)
    return (bound, chosen.result)
  }

  /// What makes the state of an aggregate over one group.
  func maker(
    _ make: @escaping @Sendable (_ types: [BoundType]) throws(PostgreSQLError) -> any Aggregate,
    _ arguments: [Bound]
  ) throws(PostgreSQLError) -> @Sendable () -> any Aggregate {
    let types = arguments.map(\.type)
    let isOrdered = try make(types) is any CollatedAggregate
    let type = types.first { isCollatable($0.type) }?.type
    let collation = try type.map { (type) throws(PostgreSQLError) in try self.collation(of: arguments, type) }
    if isOrdered, case .some(nil) = collation { throw Bound.openCollation }
    return {
      do {
        let state = try make(types)
        guard let found = collation ?? nil, var collated = state as? any CollatedAggregate else {
          return state
        }
        collated.collation = found
        return collated
      } catch {
        preconditionFailure("An aggregate was made for the same types before.")
      }
    }
  }

  private func bindGrouping(_ call: Call, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    guard let aggregation = scope.aggregation else {
      throw PostgreSQLError("42803", "GROUPING must be used in a grouped query")
    }
    var keys: [Int] = []
    for argument in call.arguments {
      guard let key = aggregation.keys.firstIndex(of: argument.value) else {
        throw PostgreSQLError(
          "42803", "arguments to GROUPING must be grouping expressions of the associated query level")
      }
      keys.append(key)
    }
    var result = Bound(BoundType(.integer)) { [keys] frame throws(PostgreSQLError) in
      .integer(keys.reduce(0) { $0 * 2 + (frame.absentKeys.contains($1) ? 1 : 0) })
    }
    result.uses.isAggregated = true
    return result
  }
}

/// Decides what the names and the types of a statement mean, and turns it into what can be run.
///
/// A binder is made for one statement, with the definitions, the role and the search path that it runs with.
final class Binder {
  let catalogue: Catalogue
  let path: [String]
  /// Whose privileges and policies apply.
  let role: String
  /// For what is evaluated while binding: literals, and settings of the session.
  let context: any FunctionContext
  /// Whether everything is allowed, as to the owner: in views, and in functions with the rights of who defined them.
  var actsAsOwner: Bool
  /// What the names mean in the view or the policy that is being bound; nil in a statement.
  var names: DefinedNames?
  /// What the names in a new definition meant.
  var recorded: DefinedNames?
  /// The views and policies that are being bound, to refuse endless recursion.
  private var relationsInProgress: [QualifiedName] = []
  private var lastNode = 0
  /// Whether nodes have numbers below 0: those of a table's checks and generated columns, which are evaluated in the same
  /// execution as the expressions of a statement.
  var isOfTable = false
  /// Whether the statement's other errors come before those of missing privileges.
  var defersDenials = false
  /// The tables whose privileges were tested, in order, and what was denied.
  var tested: [QualifiedName] = []
  var denials: [QualifiedName: PostgreSQLError] = [:]

  init(
    catalogue: Catalogue, path: [String], role: String, context: any FunctionContext
  ) {
    self.catalogue = catalogue
    self.path = path
    self.role = role
    self.context = context
    actsAsOwner = role == Catalogue.owner
  }

  var ignoresPolicies: Bool { actsAsOwner || catalogue.roles[role]?.bypassesPolicies == true }

  /// The number of a part of the plan that keeps something during an execution.
  func newNode() -> Int {
    lastNode += 1
    return isOfTable ? -lastNode : lastNode
  }
}

// MARK: - Views and policies

extension Binder {
  /// Binds what a view reads.
  ///
  /// A view reads its tables with the rights of its owner, unless its definition says otherwise (CREATE VIEW, notes).
  func entering<Result>(
    _ view: Table, invokes: Bool, _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    try entering(view.name, "rules") { () throws(PostgreSQLError) in
      let outer = actsAsOwner
      if !invokes { actsAsOwner = true }
      defer { actsAsOwner = outer }
      return try with(view.names, body)
    }
  }

  /// Binds a part of a definition, in which names have the meaning of when it was made.
  func with<Result>(
    _ names: DefinedNames, _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let outer = (self.names, recorded)
    (self.names, recorded) = (names, nil)
    defer { (self.names, recorded) = outer }
    return try body()
  }

  /// The table of a name.
  func table(named name: QualifiedName) throws(PostgreSQLError) -> Table {
    if let whole = names?.tables[name] {
      guard let table = catalogue.tables[whole] else { throw Catalogue.noRelation(name) }
      return table
    }
    let table = try catalogue.table(name, path)
    recorded?.tables[name] = table.name
    return table
  }

  /// The functions of a name.
  func routines(named name: QualifiedName) -> [Routine] {
    guard let numbers = names?.routines[name] else { return catalogue.routines(name, path) }
    return catalogue.functions.values.joined().filter { numbers.contains($0.number) }
  }

  /// Binds the rules or a policy of a relation, which must not refer to themselves.
  func entering<Result>(
    _ relation: QualifiedName, _ definition: String, _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    guard !relationsInProgress.contains(relation) else {
      throw PostgreSQLError(
        "42P17", "infinite recursion detected in \(definition) for relation \"\(relation.name)\"")
    }
    relationsInProgress.append(relation)
    defer { relationsInProgress.removeLast() }
    return try body()
  }
}

// MARK: - Types

extension Binder {
  /// The row type's columns.
  func boundType(_ type: DataType) -> BoundType {
    guard case .composite(let name) = type, let columns = catalogue.columns(of: name) else {
      return BoundType(type)
    }
    return BoundType(
      type, fields: columns.map { BoundType.Field($0.name, BoundType($0.type)) })
  }

  /// The expression as a value of a type.
  ///
  /// - Parameters:
  ///   - expected: The weakest kind of cast that is allowed.
  ///   - described: What the value is for, if a mismatch has a message of its own.
  func coerce(
    _ bound: Bound, to type: DataType, modifier: TypeModifier? = nil, _ expected: Cast.Context = .implicit,
    orThrow described: ((DataType) -> PostgreSQLError)? = nil
  ) throws(PostgreSQLError) -> Bound {
    let context = context
    if bound.isNullLiteral {
      var null = Bound.constant(.null, type, modifier: modifier)
      null.type = boundType(type)
      null = null.collated(as: bound)
      if case .domain = type { return try checkDomain(null, type) }
      return null
    }
    if let literal = bound.literal {
      if case .domain(let name) = type, let domain = catalogue.domains[name] {
        return try checkDomain(coerce(bound, to: domain.base, modifier: domain.modifier, expected), type)
      }
      // A literal of a type with a modifier is read, then adapted as the kind of cast says.
      // The fields of an interval decide already what a number without a unit means.
      var reading: TypeModifier?
      if type == .interval, case .interval? = modifier { reading = modifier }
      let value = try type.value(from: literal, modifier: reading, context: context)
      var constant = Bound.constant(value, type)
      constant.type = boundType(type)
      constant = constant.collated(as: bound)
      return try adapt(constant, to: modifier, expected)
    }
    let from = bound.type.type
    if from == type { return try adapt(bound, to: modifier, expected) }
    if case .domain(let name) = type, let domain = catalogue.domains[name] {
      return try checkDomain(
        coerce(bound, to: domain.base, modifier: domain.modifier, expected, orThrow: described), type)
    }
    let source = catalogue.base(of: from)
    if source == type {
      var same = bound
      same.type = boundType(type)
      return try adapt(same, to: modifier, expected)
    }
    switch (source, type) {
    case (_, .any), (_, .anyelement), (.array, .anyarray), (.enumeration, .anyenum), (.range, .anyrange),
      (.composite, .record):
      return bound
    case (.record, .composite(let name)):
      return try coerceRow(bound, to: name, expected)
    case (.array(let element), .array(let wanted)):
      if let cast = Cast.find(from: element, to: wanted), cast.context <= expected {
        var converted = bound
        converted.type = boundType(type)
        converted.column = nil
        let evaluate = bound.evaluate
        converted.evaluate = Bound.Evaluate { frame throws(PostgreSQLError) in
          guard case .array(var array) = try evaluate(frame) else { return .null }
          for index in array.elements.indices where !array.elements[index].isNull {
            array.elements[index] = try cast.convert(array.elements[index], frame.execution.session)
          }
          return .array(array)
        }
        return try adapt(converted, to: modifier, expected)
      }
    default: break
    }
    guard let cast = Cast.find(from: source, to: type), cast.context <= expected else {
      if let described { throw described(from) }
      throw PostgreSQLError("42846", "cannot cast type \(name(of: from)) to \(name(of: type))")
    }
    var converted = bound
    converted.type = boundType(type)
    converted.modifier = nil
    converted.column = nil
    let evaluate = bound.evaluate
    converted.evaluate = Bound.Evaluate { frame throws(PostgreSQLError) in
      let value = try evaluate(frame)
      return value.isNull ? .null : try cast.convert(value, frame.execution.session)
    }
    return try adapt(converted, to: modifier, expected)
  }

  /// Applies the modifier of a column: shortens or refuses text that is too long, rounds numbers.
  private func adapt(
    _ bound: Bound, to modifier: TypeModifier?, _ expected: Cast.Context
  ) throws(PostgreSQLError) -> Bound {
    guard let modifier, bound.modifier != modifier else { return bound }
    var adapted = bound
    adapted.modifier = modifier
    adapted.column = nil
    let evaluate = bound.evaluate
    let type = bound.type.type
    let isExplicit = expected == .explicit
    adapted.evaluate = Bound.Evaluate { frame throws(PostgreSQLError) in
      try modifier.apply(to: try evaluate(frame), type, isExplicit: isExplicit)
    }
    return adapted
  }

  private func coerceRow(
    _ bound: Bound, to name: QualifiedName, _ expected: Cast.Context
  ) throws(PostgreSQLError) -> Bound {
    guard let columns = catalogue.columns(of: name), columns.count == bound.type.fields.count else {
      throw PostgreSQLError("42846", "cannot cast type record to \(name.name)")
    }
    let evaluate = bound.evaluate
    var conversions: [Bound] = []
    for (index, column) in columns.enumerated() {
      let field = Bound(bound.type.fields[index].type) { frame throws(PostgreSQLError) in frame.rows[0][index]
      }
      conversions.append(try coerce(field, to: column.type, modifier: column.modifier, expected))
    }
    var converted = bound
    converted.type = boundType(.composite(name))
    converted.evaluate = Bound.Evaluate { [conversions] frame throws(PostgreSQLError) in
      guard case .record(let fields) = try evaluate(frame) else { return .null }
      let inner = Frame(relations: 1, parent: nil, execution: frame.execution)
      inner.rows[0] = fields
      return .record(try conversions.map { (field) throws(PostgreSQLError) in try field.evaluate(inner) })
    }
    return converted
  }

  private func checkDomain(_ bound: Bound, _ type: DataType) throws(PostgreSQLError) -> Bound {
    guard case .domain(let name) = type, let domain = catalogue.domains[name] else { return bound }
    let scope = Scope(parent: nil)
    scope.visible = [
      Scope.Visible(name: "value", bound: column(0, 0, BoundType(domain.base)), relations: [0])
    ]
    scope.relations = [
      Scope.Relation(alias: nil, columns: [Scope.RelationColumn("value", BoundType(domain.base))])
    ]
    let checks = try domain.checks.map { (check) throws(PostgreSQLError) in
      (check.name, try condition(check.condition, scope, "CHECK"))
    }
    var checked = bound
    checked.type = BoundType(type)
    checked.column = nil
    let evaluate = bound.evaluate
    checked.evaluate = Bound.Evaluate { frame throws(PostgreSQLError) in
      let value = try evaluate(frame)
      if domain.isNotNull, value.isNull {
        throw PostgreSQLError("23502", "domain \(name.name) does not allow null values")
      }
      let inner = Frame(relations: 1, parent: nil, execution: frame.execution)
      inner.rows[0] = [value]
      for (constraint, check) in checks where try check.evaluate(inner) == .boolean(false) {
        throw PostgreSQLError(
          "23514", "value for domain \(name.name) violates check constraint \"\(constraint)\"")
      }
      return value
    }
    return checked
  }

  private func column(_ relation: Int, _ column: Int, _ type: BoundType) -> Bound {
    Bound(type, uses: Bound.Uses(relation: relation, depth: 0)) { frame throws(PostgreSQLError) in
      frame.rows[relation][column]
    }
  }

  /// The type as PostgreSQL's messages name it.
  func name(of type: DataType) -> String {
    switch type {
    case .enumeration(let name), .domain(let name), .composite(let name):
      path.contains(name.schema ?? "") ? name.name : name.description
    case .array(let element): self.name(of: element) + "[]"
    default: type.displayName
    }
  }

  /// The expression as a condition.
  func condition(_ expression: SQLExpression, _ scope: Scope, _ clause: String) throws(PostgreSQLError)
    -> Bound
  {
    let outer = scope.clause
    scope.clause = clause
    defer { scope.clause = outer }
    return try asBoolean(bind(expression, scope), clause)
  }

  func asBoolean(_ bound: Bound, _ clause: String) throws(PostgreSQLError) -> Bound {
    guard !bound.uses.returnsSet else {
      throw PostgreSQLError("42804", "argument of \(clause) must not return a set")
    }
    return try coerce(bound, to: .boolean) { [self] type in
      PostgreSQLError("42804", "argument of \(clause) must be type boolean, not type \(name(of: type))")
    }
  }

  /// Brings expressions to the one type that they have in common.
  func unify(_ bounds: [Bound], for construct: String) throws(PostgreSQLError) -> (
    type: DataType, bounds: [Bound]
  ) {
    let types = bounds.map { catalogue.base(of: $0.type.type) }
    switch Resolution.commonType(types) {
    case .success(let type):
      // A domain stays one if all are of it.
      let all = Set(bounds.map(\.type.type))
      let result = all.count == 1 && !all.contains(.unknown) ? bounds[0].type.type : type
      let modifiers = Set(bounds.map(\.modifier))
      var unified: [Bound] = []
      for bound in bounds {
        if bound.type.type == result {
          unified.append(bound)
        } else {
          unified.append(try coerce(bound, to: result))
        }
      }
      if result == .record || modifiers.count == 1, let first = bounds.first {
        for index in unified.indices where unified[index].type.fields.isEmpty {
          unified[index].type.fields = first.type.fields
        }
      }
      return (result, unified)
    case .failure(let mismatch):
      throw PostgreSQLError(
        "42804",
        "\(construct) types \(name(of: mismatch.first)) and \(name(of: mismatch.second)) cannot be matched")
    }
  }

  /// Open strings become text, as in a select list.
  func settle(_ bound: Bound) throws(PostgreSQLError) -> Bound {
    bound.isUnknown ? try coerce(bound, to: .text) : bound
  }
}

extension Session {
  // MARK: - DROP

  func drop(_ drop: Drop, _ result: inout StatementResult) throws(PostgreSQLError) {
    for name in drop.names {
      guard try remove(drop, name, &result) || drop.ifExists else { throw missing(drop, name) }
    }
  }

  private func missing(_ drop: Drop, _ name: QualifiedName) -> PostgreSQLError {
    switch drop.kind {
    case .table where state.catalogue.isPartition(name, path): .notSupported("DROP TABLE of a partition")
    case .table: PostgreSQLError("42P01", "table \"\(name)\" does not exist")
    case .view: PostgreSQLError("42P01", "view \"\(name)\" does not exist")
    case .materializedView: PostgreSQLError("42P01", "materialized view \"\(name)\" does not exist")
    case .sequence: PostgreSQLError("42P01", "sequence \"\(name)\" does not exist")
    case .index: PostgreSQLError("42704", "index \"\(name)\" does not exist")
    case .schema: PostgreSQLError("3F000", "schema \"\(name)\" does not exist")
    case .function, .procedure: PostgreSQLError("42883", "\(drop.kind) \(name)() does not exist")
    case .trigger:
      PostgreSQLError(
        "42704", "trigger \"\(name.name)\" for table \"\(drop.table?.name ?? "")\" does not exist")
    case .policy:
      PostgreSQLError(
        "42704", "policy \"\(name.name)\" for table \"\(drop.table?.name ?? "")\" does not exist")
    default: PostgreSQLError("42704", "\(drop.kind) \"\(name)\" does not exist")
    }
  }

  /// Removes one object.
  ///
  /// Returns whether there was one.
  private func remove(
    _ drop: Drop, _ name: QualifiedName, _ result: inout StatementResult
  ) throws(PostgreSQLError) -> Bool {
    let catalogue = state.catalogue
    switch drop.kind {
    case .table, .view, .materializedView:
      guard let table = catalogue.findTable(name, path) else { return false }
      try removeTable(table, cascades: drop.cascades)
    case .sequence:
      guard let whole = catalogue.sequence(name, path) else { return false }
      removeSequence(whole)
    case .index:
      guard
        let table = catalogue.tables.values.first(where: { table in
          (name.schema == nil || table.name.schema == name.schema)
            && (table.indexes.contains { $0.name == name.name }
              || table.keys.contains { $0.name == name.name })
        })
      else { return false }
      try changeTable(table.name) { (table) throws(PostgreSQLError) in
        if let key = table.keys.first(where: { $0.name == name.name }), !key.isIndex {
          throw PostgreSQLError(
            "2BP01",
            "cannot drop index \(key.name) because constraint \(key.name) on table \(table.name.name) requires it",
            hint: "You can drop constraint \(key.name) on table \(table.name.name) instead.")
        }
        table.indexes.removeAll { $0.name == name.name }
        table.keys.removeAll { $0.name == name.name }
      }
    case .schema:
      guard catalogue.schemas[name.name] != nil else { return false }
      let tables = catalogue.tables.values.filter { $0.name.schema == name.name }
      guard tables.isEmpty || drop.cascades else {
        throw PostgreSQLError(
          "2BP01", "cannot drop schema \(name.name) because other objects depend on it",
          detail: tables.map { "table \($0.name) depends on schema \(name.name)" }.sorted().joined(
            separator: "\n"),
          hint: "Use DROP ... CASCADE to drop the dependent objects too.")
      }
      for table in tables where state.catalogue.tables[table.name] != nil {
        try removeTable(table, cascades: true)
      }
      state.catalogue.schemas[name.name] = nil
      for key in catalogue.functions.keys where key.schema == name.name {
        state.catalogue.functions[key] = nil
      }
      for key in catalogue.enumerations.keys where key.schema == name.name {
        state.catalogue.enumerations[key] = nil
      }
    case .type, .domain:
      return try removeType(name, cascades: drop.cascades)
    case .function, .procedure:
      guard let whole = catalogue.routines(name, path).first?.name else { return false }
      let types = try drop.parameters.map { (parameters) throws(PostgreSQLError) in
        try parameters.map { (type) throws(PostgreSQLError) in try catalogue.type(type, path).0 }
      }
      let gone = (catalogue.functions[whole] ?? []).filter { routine in
        types.map { $0 == routine.inputs.map(\.type) } ?? true
      }
      guard !gone.isEmpty else { return false }
      for table in catalogue.tables.values
      where table.triggers.contains(where: { $0.function.name == whole.name }) {
        guard drop.cascades, let trigger = table.triggers.first(where: { $0.function.name == whole.name })
        else {
          throw PostgreSQLError(
            "2BP01", "cannot drop function \(whole.name)() because other objects depend on it",
            detail: table.triggers.first { $0.function.name == whole.name }.map {
              "trigger \($0.name) on table \(table.name.name) depends on function \(whole.name)()"
            },
            hint: "Use DROP ... CASCADE to drop the dependent objects too.")
        }
        state.catalogue.tables[table.name]?.triggers.removeAll { $0.name == trigger.name }
      }
      for routine in gone { try removeDependents(on: routine, cascades: drop.cascades) }
      state.catalogue.functions[whole]?.removeAll { routine in
        gone.contains { $0.identity == routine.identity }
      }
    case .trigger, .policy:
      guard let on = drop.table, let table = catalogue.findTable(on, path) else {
        guard drop.ifExists else { throw Catalogue.noRelation(drop.table ?? name) }
        return true
      }
      let isTrigger = drop.kind == .trigger
      guard
        isTrigger
          ? table.triggers.contains(where: { $0.name == name.name })
          : table.policies.contains(where: { $0.name == name.name })
      else { return false }
      if isTrigger {
        state.catalogue.tables[table.name]?.triggers.removeAll { $0.name == name.name }
      } else {
        state.catalogue.tables[table.name]?.policies.removeAll { $0.name == name.name }
      }
    case .publication:
      guard catalogue.publications[name.name] != nil else { return false }
      state.catalogue.publications[name.name] = nil
    case .role:
      guard catalogue.roles[name.name] != nil else { return false }
      state.catalogue.roles[name.name] = nil
    case .extension, .other: result.ignored = "DROP \(drop.kind) \(name)"
    }
    return true
  }

  /// Removes the views and the policies that call a function, or refuses to.
  private func removeDependents(on routine: Routine, cascades: Bool) throws(PostgreSQLError) {
    let types = routine.inputs.map { $0.type.displayName }.joined(separator: ",")
    let function = "function \(routine.name.name)(\(types))"
    func refuse(_ object: String) throws(PostgreSQLError) {
      guard !cascades else { return }
      throw PostgreSQLError(
        "2BP01", "cannot drop \(function) because other objects depend on it",
        detail: "\(object) depends on \(function)",
        hint: "Use DROP ... CASCADE to drop the dependent objects too.")
    }
    for table in state.catalogue.tables.values.sorted(by: { $0.name.name < $1.name.name }) {
      if table.names.calls(routine) {
        try refuse("view \(table.name.name)")
        try removeTable(table, cascades: true)
        continue
      }
      for policy in table.policies where policy.usingNames.calls(routine) || policy.checkNames.calls(routine)
      {
        try refuse("policy \(policy.name) on table \(table.name.name)")
        state.catalogue.tables[table.name]?.policies.removeAll { $0.name == policy.name }
      }
    }
  }

  func removeSequence(_ name: QualifiedName) {
    state.catalogue.sequences.remove(name)
    state.catalogue.sequencePrivileges[name] = nil
    state.sequences[name] = nil
  }

  private func removeTable(_ table: Table, cascades: Bool) throws(PostgreSQLError) {
    for other in state.catalogue.tables.values where other.name != table.name {
      if let key = other.foreignKeys.first(where: { $0.table == table.name }) {
        guard cascades else {
          throw PostgreSQLError(
            "2BP01", "cannot drop table \(table.name.name) because other objects depend on it",
            detail: "constraint \(key.name) on table \(other.name.name) depends on table \(table.name.name)",
            hint: "Use DROP ... CASCADE to drop the dependent objects too.")
        }
        state.catalogue.tables[other.name]?.foreignKeys.removeAll { $0.table == table.name }
      }
      if other.names.means(table.name) {
        guard cascades else {
          let described = "\(table.isView ? "view" : "table") \(table.name.name)"
          throw PostgreSQLError(
            "2BP01", "cannot drop \(described) because other objects depend on it",
            detail: "view \(other.name.name) depends on \(described)",
            hint: "Use DROP ... CASCADE to drop the dependent objects too.")
        }
        try removeTable(other, cascades: true)
        continue
      }
      for policy in other.policies
      where policy.usingNames.means(table.name) || policy.checkNames.means(table.name) {
        guard cascades else {
          throw PostgreSQLError(
            "2BP01", "cannot drop table \(table.name.name) because other objects depend on it",
            detail: "policy \(policy.name) on table \(other.name.name) depends on table \(table.name.name)",
            hint: "Use DROP ... CASCADE to drop the dependent objects too.")
        }
        state.catalogue.tables[other.name]?.policies.removeAll { $0.name == policy.name }
      }
    }
    for sequence in table.columns.compactMap(\.sequence) { removeSequence(sequence) }
    for (name, publication) in state.catalogue.publications {
      if case .tables(let tables) = publication, tables.contains(table.name) {
        state.catalogue.publications[name] = .tables(tables.filter { $0 != table.name })
      }
    }
    state.catalogue.tables[table.name] = nil
    state.data[table.name] = nil
  }

  private func removeType(_ name: QualifiedName, cascades: Bool) throws(PostgreSQLError) -> Bool {
    let type: DataType
    do { type = try state.catalogue.type(TypeName(name), path).0 } catch { return false }
    let users = state.catalogue.tables.values.filter { table in
      table.columns.contains { $0.type == type || $0.type == .array(type) }
    }
    if let user = users.first {
      guard cascades else {
        throw PostgreSQLError(
          "2BP01", "cannot drop type \(name.name) because other objects depend on it",
          detail: "table \(user.name.name) depends on type \(name.name)",
          hint: "Use DROP ... CASCADE to drop the dependent objects too.")
      }
      for table in users {
        for column in table.columns where column.type == type || column.type == .array(type) {
          var result = StatementResult()
          try alter(table.name, false, [.dropColumn(column.name, ifExists: true, cascades: true)], &result)
        }
      }
    }
    switch type {
    case .enumeration(let whole): state.catalogue.enumerations[whole] = nil
    case .domain(let whole): state.catalogue.domains[whole] = nil
    case .composite(let whole): state.catalogue.composites[whole] = nil
    default: return false
    }
    return true
  }

  // MARK: - RENAME and SET SCHEMA

  func rename(
    _ kind: ObjectKind, _ name: QualifiedName, to newName: String, _ result: inout StatementResult
  ) throws(PostgreSQLError) {
    switch kind {
    case .table, .view, .materializedView:
      let table = try state.catalogue.table(name, path)
      try move(table, to: self.newName(QualifiedName(schema: table.name.schema, newName), "relation"))
    case .index:
      for table in state.catalogue.tables.values {
        for (index, key) in table.keys.enumerated() where key.name == name.name {
          state.catalogue.tables[table.name]?.keys[index].name = newName
        }
        for (index, own) in table.indexes.enumerated() where own.name == name.name {
          state.catalogue.tables[table.name]?.indexes[index].name = newName
        }
      }
    case .type, .domain:
      try moveType(name, to: QualifiedName(schema: nil, newName))
    case .sequence:
      guard let whole = state.catalogue.sequence(name, path) else { throw Catalogue.noRelation(name) }
      moveSequence(whole, to: QualifiedName(schema: whole.schema, newName))
    case .function, .procedure:
      guard let routine = state.catalogue.routines(name, path).first else {
        throw PostgreSQLError("42883", "function \(name)() does not exist")
      }
      try moveRoutine(routine, to: QualifiedName(schema: routine.name.schema, newName))
    default: result.ignored = "ALTER \(kind) \(name) RENAME"
    }
  }

  func move(_ kind: ObjectKind, _ name: QualifiedName, to schema: String) throws(PostgreSQLError) {
    guard state.catalogue.schemas[schema] != nil else {
      throw PostgreSQLError("3F000", "schema \"\(schema)\" does not exist")
    }
    switch kind {
    case .table, .view, .materializedView:
      let table = try state.catalogue.table(name, path)
      try move(table, to: QualifiedName(schema: schema, table.name.name))
    case .type, .domain: try moveType(name, to: QualifiedName(schema: schema, name.name))
    case .function, .procedure:
      for routine in state.catalogue.routines(name, path) {
        try moveRoutine(routine, to: QualifiedName(schema: schema, name.name))
      }
    default: break
    }
  }

  private func move(_ table: Table, to name: QualifiedName) throws(PostgreSQLError) {
    let old = table.name
    var moved = table
    moved.name = name
    for index in moved.foreignKeys.indices where moved.foreignKeys[index].table == old {
      moved.foreignKeys[index].table = name
    }
    for index in moved.triggers.indices { moved.triggers[index].table = name }
    for index in moved.policies.indices { moved.policies[index].table = name }
    state.catalogue.tables[old] = nil
    state.catalogue.tables[name] = moved
    state.catalogue.changeNames { $0.move(old, to: name) }
    state.data[name] = state.data.removeValue(forKey: old)
    for other in state.catalogue.tables.values {
      for (index, key) in other.foreignKeys.enumerated() where key.table == old {
        state.catalogue.tables[other.name]?.foreignKeys[index].table = name
      }
    }
    for (publication, tables) in state.catalogue.publications {
      if case .tables(let names) = tables {
        state.catalogue.publications[publication] = .tables(names.map { $0 == old ? name : $0 })
      }
    }
    state.catalogue.version += 1
  }

  private func moveType(_ name: QualifiedName, to target: QualifiedName) throws(PostgreSQLError) {
    let (type, _) = try state.catalogue.type(TypeName(name), path)
    let old: QualifiedName
    let new: DataType
    let whole: QualifiedName
    switch type {
    case .enumeration(let name):
      (old, whole) = (name, QualifiedName(schema: target.schema ?? name.schema, target.name))
      state.catalogue.enumerations[whole] = state.catalogue.enumerations.removeValue(forKey: old)
      new = .enumeration(whole)
    case .domain(let name):
      (old, whole) = (name, QualifiedName(schema: target.schema ?? name.schema, target.name))
      state.catalogue.domains[whole] = state.catalogue.domains.removeValue(forKey: old)
      new = .domain(whole)
    case .composite(let name):
      (old, whole) = (name, QualifiedName(schema: target.schema ?? name.schema, target.name))
      state.catalogue.composites[whole] = state.catalogue.composites.removeValue(forKey: old)
      new = .composite(whole)
    default: throw PostgreSQLError("42704", "type \"\(name)\" does not exist")
    }
    for table in state.catalogue.tables.values {
      for (index, column) in table.columns.enumerated() {
        if column.type == type { state.catalogue.tables[table.name]?.columns[index].type = new }
        if column.type == .array(type) {
          state.catalogue.tables[table.name]?.columns[index].type = .array(new)
        }
      }
    }
  }

  private func moveSequence(_ old: QualifiedName, to name: QualifiedName) {
    state.catalogue.sequences.remove(old)
    state.catalogue.sequences.insert(name)
    state.catalogue.sequencePrivileges[name] = state.catalogue.sequencePrivileges.removeValue(forKey: old)
    state.sequences[name] = state.sequences.removeValue(forKey: old)
    for table in state.catalogue.tables.values {
      for (index, column) in table.columns.enumerated() where column.sequence == old {
        state.catalogue.tables[table.name]?.columns[index].sequence = name
        if column.identity == nil { state.catalogue.tables[table.name]?.columns[index].defaultValue = nil }
      }
    }
  }

  fileprivate func moveRoutine(_ routine: Routine, to name: QualifiedName) throws(PostgreSQLError) {
    var moved = routine
    moved.name = name
    state.catalogue.functions[routine.name]?.removeAll { $0.identity == routine.identity }
    state.catalogue.functions[name, default: []].append(moved)
    guard routine.inputs.isEmpty else { return }
    for table in state.catalogue.tables.values {
      for (index, trigger) in table.triggers.enumerated() where trigger.function == routine.name {
        state.catalogue.tables[table.name]?.triggers[index].function = name
      }
    }
  }

  // MARK: - GRANT

  /// The privileges that a new table of a schema has by `ALTER DEFAULT PRIVILEGES`.
  func defaultPrivileges(in schema: String?) -> [Privilege] {
    state.catalogue.defaultPrivileges.filter { $0.schema == nil || $0.schema == schema }.flatMap { granted in
      granted.kinds.sorted { $0.rawValue < $1.rawValue }.map {
        Privilege(role: granted.role, kind: $0, columns: nil)
      }
    }
  }

  /// Who may call a new function of a schema.
  func defaultCallers(in schema: String?) -> Set<String> {
    Set(state.catalogue.defaultCallers.filter { $0.schema == nil || $0.schema == schema }.map(\.role))
  }

  /// `ALTER DEFAULT PRIVILEGES`: what is said for a schema is added to what is said for all (PostgreSQL documentation).
  func alterDefaultPrivileges(
    _ grant: Grant, ofOwners owners: [String], _ result: inout StatementResult
  ) throws(PostgreSQLError) {
    try checkRoles(grant.roles + owners)
    guard owners.isEmpty || owners.contains(Catalogue.owner) else {
      // Everything belongs to one owner.
      result.ignored = "ALTER DEFAULT PRIVILEGES FOR ROLE \(owners.joined(separator: ", "))"
      return
    }
    let named: [String]
    switch grant.objects {
    case .allTables(let schemas), .allFunctions(let schemas), .allSequences(let schemas): named = schemas
    case .other(let what):
      result.ignored = "ALTER DEFAULT PRIVILEGES ON \(what)"
      return
    case .tables, .functions, .schemas, .sequences:
      preconditionFailure("Default privileges are for all objects.")
    }
    for schema in named where state.catalogue.schemas[schema] == nil {
      throw PostgreSQLError("3F000", "schema \"\(schema)\" does not exist")
    }
    let schemas: [String?] = named.isEmpty ? [nil] : named
    for schema in schemas {
      for role in grant.roles {
        if case .allSequences = grant.objects {
          for kind in grant.privileges.flatMap(\.sequenceKinds) {
            let granted = DefaultSequencePrivilege(schema: schema, SequencePrivilege(role: role, kind: kind))
            state.catalogue.defaultSequencePrivileges.removeAll { $0 == granted }
            if !grant.isRevoke { state.catalogue.defaultSequencePrivileges.append(granted) }
          }
          continue
        }
        guard case .allTables = grant.objects else {
          let caller = DefaultCaller(schema: schema, role: role)
          state.catalogue.defaultCallers.removeAll { $0 == caller }
          if !grant.isRevoke { state.catalogue.defaultCallers.append(caller) }
          continue
        }
        let kinds = grant.privileges.reduce(into: Set<Privilege.Kind>()) { $0.formUnion($1.kinds) }
        if grant.isRevoke {
          for index in state.catalogue.defaultPrivileges.indices
          where state.catalogue.defaultPrivileges[index].schema == schema
            && state.catalogue.defaultPrivileges[index].role == role
          {
            state.catalogue.defaultPrivileges[index].kinds.subtract(kinds)
          }
        } else {
          state.catalogue.defaultPrivileges.append(
            DefaultPrivilege(schema: schema, role: role, kinds: kinds))
        }
      }
    }
  }

  func grant(_ grant: Grant, _ result: inout StatementResult) throws(PostgreSQLError) {
    try checkRoles(grant.roles)
    switch grant.objects {
    case .tables(let names):
      for name in names {
        // A sequence may be named like a table.
        if let sequence = state.catalogue.sequence(name, path), state.catalogue.findTable(name, path) == nil {
          change(grant, ofSequence: sequence)
          continue
        }
        let table = try state.catalogue.table(name, path)
        change(grant, table.name)
      }
    case .allTables(let schemas):
      for table in state.catalogue.tables.values where schemas.contains(table.name.schema ?? "") {
        change(grant, table.name)
      }
    case .sequences(let names):
      for name in names {
        guard let whole = state.catalogue.sequence(name, path) else { throw Catalogue.noRelation(name) }
        change(grant, ofSequence: whole)
      }
    case .allSequences(let schemas):
      for name in state.catalogue.sequences where schemas.contains(name.schema ?? "") {
        change(grant, ofSequence: name)
      }
    case .schemas(let schemas):
      guard grant.privileges.contains(where: { $0.name == "usage" || $0.name == "all" }) else { return }
      for schema in schemas {
        guard state.catalogue.schemas[schema] != nil else {
          throw PostgreSQLError("3F000", "schema \"\(schema)\" does not exist")
        }
        if grant.isRevoke {
          state.catalogue.schemas[schema]?.subtract(grant.roles)
        } else {
          state.catalogue.schemas[schema]?.formUnion(grant.roles)
        }
      }
    case .functions(let references):
      for reference in references { change(grant, try routine(reference)) }
    case .allFunctions(let schemas):
      for routine in state.catalogue.functions.values.joined()
      where schemas.contains(routine.name.schema ?? "") {
        change(grant, routine)
      }
    case .other(let what): result.ignored = "\(grant.isRevoke ? "REVOKE" : "GRANT") ON \(what)"
    }
  }

  private func change(_ grant: Grant, _ name: QualifiedName) {
    guard var table = state.catalogue.tables[name] else { return }
    for privilege in grant.privileges {
      for kind in privilege.kinds {
        for role in grant.roles {
          let columns = privilege.columns.isEmpty ? nil : Set(privilege.columns)
          if grant.isRevoke {
            table.privileges.removeAll {
              $0.role == role && $0.kind == kind && (columns == nil || $0.columns == columns)
            }
          } else {
            table.privileges.append(Privilege(role: role, kind: kind, columns: columns))
          }
        }
      }
    }
    state.catalogue.tables[name] = table
  }

  private func change(_ grant: Grant, ofSequence name: QualifiedName) {
    let changed = grant.privileges.flatMap(\.sequenceKinds).flatMap { kind in
      grant.roles.map { SequencePrivilege(role: $0, kind: kind) }
    }
    var privileges = state.catalogue.sequencePrivileges[name] ?? []
    if grant.isRevoke { privileges.subtract(changed) } else { privileges.formUnion(changed) }
    state.catalogue.sequencePrivileges[name] = privileges
  }

  private func change(_ grant: Grant, _ routine: Routine) {
    guard
      let index = state.catalogue.functions[routine.name]?.firstIndex(where: {
        $0.identity == routine.identity
      })
    else { return }
    var allowed = routine.executableBy ?? ["public"]
    if grant.isRevoke { allowed.subtract(grant.roles) } else { allowed.formUnion(grant.roles) }
    state.catalogue.functions[routine.name]?[index].executableBy = allowed
  }
}

extension Session {
  // MARK: - ALTER FUNCTION

  /// The function that a statement means (parse_func.c, `LookupFuncWithArgs`).
  func routine(_ reference: RoutineReference) throws(PostgreSQLError) -> Routine {
    let named = state.catalogue.routines(reference.name, path)
    guard let parameters = reference.parameters else {
      guard let routine = named.first else {
        throw PostgreSQLError("42883", "could not find a function named \"\(reference.name)\"")
      }
      guard named.count == 1 else {
        throw PostgreSQLError(
          "42725", "function name \"\(reference.name)\" is not unique",
          hint: "Specify the argument list to select the function unambiguously.")
      }
      return routine
    }
    let types = try parameters.map { (type) throws(PostgreSQLError) in try state.catalogue.type(type, path).0
    }
    guard let routine = named.first(where: { $0.inputs.map(\.type) == types }) else {
      let written = types.map(binder().name(of:)).joined(separator: ", ")
      throw PostgreSQLError("42883", "function \(reference.name)(\(written)) does not exist")
    }
    return routine
  }

  func alter(_ change: AlterFunction) throws(PostgreSQLError) {
    let routine = try routine(RoutineReference(change.name, parameters: change.parameters))
    guard
      let index = state.catalogue.functions[routine.name]?.firstIndex(where: {
        $0.identity == routine.identity
      })
    else { return }
    var definition = routine.definition
    if let volatility = change.volatility { definition.volatility = volatility }
    if let isStrict = change.isStrict { definition.isStrict = isStrict }
    if let isSecurityDefiner = change.isSecurityDefiner { definition.isSecurityDefiner = isSecurityDefiner }
    if let returnsOneRow = change.returnsOneRow { definition.returnsOneRow = returnsOneRow }
    if change.resets.contains("all") { definition.settings = [] }
    let replaced = Set(change.settings.map(\.name) + change.resets)
    definition.settings = definition.settings.filter { !replaced.contains($0.name) } + change.settings
    state.catalogue.functions[routine.name]?[index].definition = definition
    guard change.newName != nil || change.newSchema != nil else { return }
    var moved = routine
    moved.definition = definition
    try moveRoutine(
      moved,
      to: QualifiedName(schema: change.newSchema ?? routine.name.schema, change.newName ?? routine.name.name))
  }
}

extension Grant.Privilege {
  /// The privileges of sequences that are meant.
  fileprivate var sequenceKinds: [SequencePrivilege.Kind] {
    name == "all"
      ? SequencePrivilege.Kind.allCases : [SequencePrivilege.Kind(rawValue: name)].compactMap { $0 }
  }

  /// The privileges of tables that are meant.
  fileprivate var kinds: [Privilege.Kind] {
    name == "all" ? Privilege.Kind.allCases : [Privilege.Kind(rawValue: name)].compactMap { $0 }
  }
}

/// Finds the combinations of rows of some relations: writes each into the frame and calls `next`, until it returns
/// false.
struct Source: Sendable {
  typealias Next = () throws(PostgreSQLError) -> Bool

  var run: @Sendable (_ frame: Frame, _ next: Next) throws(PostgreSQLError) -> Bool
}

/// Where the rows of one relation come from.
enum RelationSource: Sendable {
  /// A table, and the condition of its policies, which is bound to the table alone.
  case table(QualifiedName, policy: Bound?)
  /// Rows that a query or a function makes. They are kept under `node` if nothing around changes them.
  case rows(uses: Bound.Uses, node: Int, make: @Sendable (Frame) throws(PostgreSQLError) -> [Row])

  /// The relations of the same query that it reads (`LATERAL`).
  var dependencies: Set<Int> {
    switch self {
    case .table: []
    case .rows(let uses, _, _): uses.relations
    }
  }

  func rows(_ frame: Frame) throws(PostgreSQLError) -> [Row] {
    switch self {
    case .table(let name, let policy):
      var rows: [Row] = []
      let check = PolicyCheck(policy, frame.execution)
      try frame.execution.data(name).heap.forEach { (_, row) throws(PostgreSQLError) in
        if try check.passes(row) { rows.append(row) }
        return true
      }
      return rows
    case .rows(let uses, let node, let make):
      guard uses.isConstant else { return try make(frame) }
      if let rows = frame.execution.results[node] { return rows }
      let rows = try make(frame)
      frame.execution.results[node] = rows
      return rows
    }
  }
}

/// Evaluates the condition of a table's policies for rows.
struct PolicyCheck {
  private let policy: Bound?
  private let frame: Frame

  init(_ policy: Bound?, _ execution: Execution) {
    self.policy = policy
    frame = Frame(relations: 1, parent: nil, execution: execution)
  }

  func passes(_ row: Row) throws(PostgreSQLError) -> Bool {
    guard let policy else { return true }
    frame.rows[0] = row
    return try policy.evaluate(frame) == .boolean(true)
  }
}

/// The joins of a `FROM` clause.
indirect enum FromTree {
  case relation(Int)
  /// Any order gives the same rows.
  case inner([FromTree], [Bound])
  /// A left join, or a full one.
  case outer(FromTree, FromTree, [Bound], isFull: Bool)

  var relations: Set<Int> {
    switch self {
    case .relation(let index): [index]
    case .inner(let trees, _): trees.reduce(into: []) { $0.formUnion($1.relations) }
    case .outer(let left, let right, _, _): left.relations.union(right.relations)
    }
  }
}

/// Decides in which order relations are read, and by which index.
struct JoinPlanner {
  let binder: Binder
  let scope: Scope
  let sources: [Int: RelationSource]
  /// Whether the places of the rows of relation 0 are wanted, to change them.
  var isChange = false

  /// The rows of a tree that satisfy all conditions.
  func plan(_ tree: FromTree, where conditions: [Bound]) -> Source {
    var conditions = conditions
    // Conditions without relations are tested once, before any row is read.
    let constant = conditions.filter { $0.uses.relations.isEmpty && !$0.uses.isVolatile }
    conditions.removeAll { $0.uses.relations.isEmpty && !$0.uses.isVolatile }
    let source = filter(plan(tree, &conditions, available: []), by: conditions)
    guard !constant.isEmpty else { return source }
    let tests = constant.map(\.evaluate)
    return Source { (frame, next) throws(PostgreSQLError) in
      for test in tests where try test(frame) != .boolean(true) { return true }
      return try source.run(frame, next)
    }
  }

  /// Uses the conditions that it can, and leaves the others in the list.
  private func plan(_ tree: FromTree, _ conditions: inout [Bound], available: Set<Int>) -> Source {
    switch tree {
    case .relation(let relation): return planRelation(relation, &conditions, available)
    case .inner(let trees, let own):
      // Joins within joins are one list, so that their order is free.
      var items: [FromTree] = []
      conditions += own
      func flatten(_ tree: FromTree) {
        if case .inner(let trees, let own) = tree {
          conditions += own
          trees.forEach(flatten)
        } else {
          items.append(tree)
        }
      }
      trees.forEach(flatten)
      var known = available
      var steps: [Source] = []
      while !items.isEmpty {
        let index = nextItem(items, conditions, known)
        let item = items.remove(at: index)
        steps.append(plan(item, &conditions, available: known))
        known.formUnion(item.relations)
        // Whatever can be tested now is tested now.
        let ready = conditions.filter { $0.uses.relations.isSubset(of: known) }
        conditions.removeAll { $0.uses.relations.isSubset(of: known) }
        steps[steps.count - 1] = filter(steps[steps.count - 1], by: ready)
      }
      return chain(steps)
    case .outer(let left, let right, let on, let isFull):
      if isFull { return planFull(left, right, on, available) }
      var leftConditions = conditions.filter {
        $0.uses.relations.isSubset(of: available.union(left.relations))
      }
      conditions.removeAll { $0.uses.relations.isSubset(of: available.union(left.relations)) }
      let first = plan(left, &leftConditions, available: available)
      let outer = filter(first, by: leftConditions)
      var rightConditions = on
      let second = plan(right, &rightConditions, available: available.union(left.relations))
      let inner = filter(second, by: rightConditions)
      let absent = nulls(right.relations)
      return Source { (frame, next) throws(PostgreSQLError) in
        try outer.run(frame) { () throws(PostgreSQLError) in
          var isMatched = false
          let goesOn = try inner.run(frame) { () throws(PostgreSQLError) in
            isMatched = true
            return try next()
          }
          if isMatched || !goesOn { return goesOn }
          for (relation, row) in absent { frame.rows[relation] = row }
          return try next()
        }
      }
    }
  }

  /// The rows of relations that have none for a row of the other side.
  ///
  /// They are longer than any row of the relation, so that the row as a whole is null, unlike a row whose columns are
  /// all null.
  private func nulls(_ relations: Set<Int>) -> [(Int, Row)] {
    relations.sorted().map { ($0, Array(repeating: .null, count: scope.relations[$0].columns.count + 1)) }
  }

  private func chain(_ steps: [Source]) -> Source {
    guard let last = steps.last else { return Source { (_, next) throws(PostgreSQLError) in try next() } }
    return steps.dropLast().reversed().reduce(last) { rest, step in
      Source { (frame, next) throws(PostgreSQLError) in
        try step.run(frame) { () throws(PostgreSQLError) in try rest.run(frame, next) }
      }
    }
  }

  private func filter(_ source: Source, by conditions: [Bound]) -> Source {
    guard !conditions.isEmpty else { return source }
    let tests = conditions.map(\.evaluate)
    return Source { (frame, next) throws(PostgreSQLError) in
      try source.run(frame) { () throws(PostgreSQLError) in
        for test in tests where try test(frame) != .boolean(true) { return true }
        return try next()
      }
    }
  }

  private func planFull(_ left: FromTree, _ right: FromTree, _ on: [Bound], _ available: Set<Int>) -> Source {
    var none: [Bound] = []
    let outer = plan(left, &none, available: available)
    let inner = plan(right, &none, available: available)
    let tests = on.map(\.evaluate)
    let (leftNulls, rightNulls) = (nulls(left.relations), nulls(right.relations))
    let rightRelations = right.relations.sorted()
    return Source { (frame, next) throws(PostgreSQLError) in
      var candidates: [(rows: [Row], isMatched: Bool)] = []
      _ = try inner.run(frame) { () throws(PostgreSQLError) in
        candidates.append((rightRelations.map { frame.rows[$0] }, false))
        return true
      }
      let goesOn = try outer.run(frame) { () throws(PostgreSQLError) in
        var isMatched = false
        candidates: for index in candidates.indices {
          for (position, relation) in rightRelations.enumerated() {
            frame.rows[relation] = candidates[index].rows[position]
          }
          for test in tests where try test(frame) != .boolean(true) { continue candidates }
          isMatched = true
          candidates[index].isMatched = true
          guard try next() else { return false }
        }
        if isMatched { return true }
        for (relation, row) in rightNulls { frame.rows[relation] = row }
        return try next()
      }
      guard goesOn else { return false }
      for candidate in candidates where !candidate.isMatched {
        for (relation, row) in leftNulls { frame.rows[relation] = row }
        for (position, relation) in rightRelations.enumerated() {
          frame.rows[relation] = candidate.rows[position]
        }
        guard try next() else { return false }
      }
      return true
    }
  }

  /// The item to read next: the one with the best access by what is known, otherwise the first as written.
  private func nextItem(_ items: [FromTree], _ conditions: [Bound], _ known: Set<Int>) -> Int {
    var best = (index: 0, score: -1)
    for (index, item) in items.enumerated() {
      var score = 0
      if case .relation(let relation) = item {
        guard let source = sources[relation], source.dependencies.isSubset(of: known) else { continue }
        if let access = access(relation, conditions, known) {
          score = access.isUnique ? 3 : 2
        } else if !equalities(relation, conditions, known).isEmpty {
          score = 1
        }
      } else {
        // An outer join may depend on what is before it.
        guard dependencies(item).isSubset(of: known.union(item.relations)) else { continue }
      }
      if score > best.score { best = (index, score) }
    }
    return best.index
  }

  private func dependencies(_ tree: FromTree) -> Set<Int> {
    tree.relations.reduce(into: []) { $0.formUnion(sources[$1]?.dependencies ?? []) }
  }

  // MARK: - One relation

  /// A condition `column = value`, whose value is known before the relation is read.
  private struct Equality {
    var condition: Int
    /// Nil if it is an expression.
    var column: Int?
    var own: Bound
    var value: Bound
    var type: DataType
    var isMembership: Bool
  }

  private func equalities(_ relation: Int, _ conditions: [Bound], _ known: Set<Int>) -> [Equality] {
    var found: [Equality] = []
    for (index, condition) in conditions.enumerated() {
      guard let equality = condition.equality else { continue }
      for (own, value) in [(equality.left, equality.right), (equality.right, equality.left)] {
        if equality.isMembership, own.type.type != equality.left.type.type { continue }
        guard own.uses.relations == [relation], !own.uses.isVolatile, !value.uses.isVolatile,
          value.uses.relations.isSubset(of: known)
        else { continue }
        let column = own.column.flatMap { $0.depth == 0 && $0.relation == relation ? $0.column : nil }
        found.append(
          Equality(
            condition: index, column: column, own: own, value: value, type: equality.type,
            isMembership: equality.isMembership))
        break
      }
    }
    return found
  }

  private struct Access {
    var columns: [Int]
    var equalities: [Equality]
    var isUnique: Bool
  }

  /// The index whose columns are all known.
  private func access(_ relation: Int, _ conditions: [Bound], _ known: Set<Int>) -> Access? {
    guard case .table(let name, _)? = sources[relation], let table = binder.catalogue.tables[name] else {
      return nil
    }
    let equalities = equalities(relation, conditions, known)
    guard !equalities.isEmpty else { return nil }
    var best: Access?
    for lookup in table.lookups {
      var chosen: [Equality] = []
      for column in lookup.columns {
        // The index has no keys of another type than the column's.
        guard let equality = equalities.first(where: { $0.column == column }) else { break }
        chosen.append(equality)
      }
      guard chosen.count == lookup.columns.count, chosen.count(where: \.isMembership) <= 1 else { continue }
      let isBetter = best.map {
        (lookup.isUnique ? 1 : 0, chosen.count) > ($0.isUnique ? 1 : 0, $0.equalities.count)
      }
      if isBetter ?? true {
        best = Access(columns: lookup.columns, equalities: chosen, isUnique: lookup.isUnique)
      }
    }
    return best
  }

  private func planRelation(_ relation: Int, _ conditions: inout [Bound], _ known: Set<Int>) -> Source {
    guard let source = sources[relation] else {
      preconditionFailure("Each relation of a query has a source.")
    }
    if case .table(let name, let policy) = source, let access = access(relation, conditions, known) {
      let used = Set(access.equalities.map(\.condition))
      conditions = conditions.indices.filter { !used.contains($0) }.map { conditions[$0] }
      return lookUp(relation, name, policy, access)
    }
    let equalities = equalities(relation, conditions, known).filter {
      !$0.isMembership && !$0.value.uses.isConstant
    }
    if !equalities.isEmpty, source.dependencies.isEmpty, !isCorrelated(source), !(isChange && relation == 0) {
      let used = Set(equalities.map(\.condition))
      conditions = conditions.indices.filter { !used.contains($0) }.map { conditions[$0] }
      return hash(relation, source, equalities)
    }
    switch source {
    case .table(let name, let policy):
      // A filter of the relation alone is tested as the rows are read.
      return Source { (frame, next) throws(PostgreSQLError) in
        let check = PolicyCheck(policy, frame.execution)
        return try frame.execution.data(name).heap.forEach { (place, row) throws(PostgreSQLError) in
          guard try check.passes(row) else { return true }
          frame.rows[relation] = row
          if relation == 0 { frame.place = place }
          return try next()
        }
      }
    case .rows:
      return Source { (frame, next) throws(PostgreSQLError) in
        for row in try source.rows(frame) {
          frame.rows[relation] = row
          guard try next() else { return false }
        }
        return true
      }
    }
  }

  private func isCorrelated(_ source: RelationSource) -> Bool {
    if case .rows(let uses, _, _) = source { !uses.isConstant } else { false }
  }

  /// Reads the rows of a key from an index.
  ///
  /// Several keys give the rows in the order of the table.
  private func lookUp(_ relation: Int, _ name: QualifiedName, _ policy: Bound?, _ access: Access) -> Source {
    let columns = access.columns
    let parts = access.equalities.map { ($0.value.evaluate, Comparator($0.type), $0.isMembership) }
    return Source { (frame, next) throws(PostgreSQLError) in
      var keys: [Row] = [[]]
      for (evaluate, comparator, isMembership) in parts {
        let value = try evaluate(frame)
        if isMembership {
          guard case .array(let list) = value else { return true }
          let elements = Set(list.elements.filter { !$0.isNull }.map(comparator.key))
          keys = keys.flatMap { key in elements.map { key + [$0] } }
        } else {
          if value.isNull { return true }
          let key = comparator.key(value)
          for index in keys.indices { keys[index].append(key) }
        }
      }
      let data = frame.execution.data(name)
      let check = PolicyCheck(policy, frame.execution)
      var places = keys.flatMap { data.places(of: $0, columns) }
      if keys.count > 1 { places.sort() }
      for place in places {
        guard let row = data.heap[place], try check.passes(row) else { continue }
        frame.rows[relation] = row
        if relation == 0 { frame.place = place }
        guard try next() else { return false }
      }
      return true
    }
  }

  /// Reads the rows of a join's key from a table that is made once for the statement.
  private func hash(_ relation: Int, _ source: RelationSource, _ equalities: [Equality]) -> Source {
    let node = binder.newNode()
    let own = equalities.map { ($0.own.evaluate, Comparator($0.type)) }
    let others = equalities.map { ($0.value.evaluate, Comparator($0.type)) }
    return Source { (frame, next) throws(PostgreSQLError) in
      if frame.execution.tables[node] == nil {
        var table: [Row: [Row]] = [:]
        rows: for row in try source.rows(frame) {
          frame.rows[relation] = row
          var key: Row = []
          for (evaluate, comparator) in own {
            let value = try evaluate(frame)
            if value.isNull { continue rows }
            key.append(comparator.key(value))
          }
          table[key, default: []].append(row)
        }
        frame.execution.tables[node] = table
      }
      var key: Row = []
      for (evaluate, comparator) in others {
        let value = try evaluate(frame)
        if value.isNull { return true }
        key.append(comparator.key(value))
      }
      for row in frame.execution.tables[node]?[key] ?? [] {
        frame.rows[relation] = row
        guard try next() else { return false }
      }
      return true
    }
  }
}

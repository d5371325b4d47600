/// A `SELECT` that is ready to run.
struct SelectPlan: Sendable {
  let relations: Int
  let source: Source
  let grouping: GroupingPlan?
  let windows: WindowPlan?
  let values: [Bound.Evaluate]
  let expansion: SetExpansion
  let sorter: RowSorter?
  let distinct: [(Bound.Evaluate, Comparator)]?

  func run(
    _ parent: Frame, _ execution: Execution, _ emit: (Row) throws(PostgreSQLError) -> Bool
  ) throws(PostgreSQLError) {
    let frame = Frame(relations: relations, parent: parent, execution: execution)
    var seen: Set<Row> = []
    // `DISTINCT ON` keeps the first row of each key in the order that is asked for.
    func isNew(_ key: Row?) -> Bool { key.map { seen.insert($0).inserted } ?? true }
    guard let sorter else {
      try combinations(frame) { () throws(PostgreSQLError) in
        try expansion.run(frame) { () throws(PostgreSQLError) in
          guard isNew(try distinctKey(frame)) else { return true }
          return try emit(result(frame))
        }
      }
      return
    }
    var rows: [(key: Row, row: (row: Row, distinct: Row?))] = []
    try combinations(frame) { () throws(PostgreSQLError) in
      try expansion.run(frame) { () throws(PostgreSQLError) in
        rows.append((try sorter.key(frame), (try result(frame), try distinctKey(frame))))
        return true
      }
    }
    for row in sorter.sort(rows) where isNew(row.distinct) { guard try emit(row.row) else { return } }
  }

  private func distinctKey(_ frame: Frame) throws(PostgreSQLError) -> Row? {
    guard let distinct else { return nil }
    return try distinct.map { (evaluate, comparator) throws(PostgreSQLError) in
      let value = try evaluate(frame)
      return value.isNull ? .null : comparator.key(value)
    }
  }

  /// Puts each combination of rows that counts into the frame: after `WHERE`, grouping and window functions.
  private func combinations(
    _ frame: Frame, _ next: Source.Next
  ) throws(PostgreSQLError) {
    guard let windows else {
      if let grouping { return try grouping.run(source, frame, next) }
      _ = try source.run(frame, next)
      return
    }
    var contents: [Frame.Contents] = []
    func keep() -> Bool {
      contents.append(frame.contents)
      return true
    }
    if let grouping {
      try grouping.run(source, frame) { () throws(PostgreSQLError) in keep() }
    } else {
      _ = try source.run(frame) { () throws(PostgreSQLError) in keep() }
    }
    let results = try windows.results(contents, frame)
    for (index, content) in contents.enumerated() {
      frame.contents = content
      frame.windows = results[index]
      guard try next() else { return }
    }
  }

  private func result(_ frame: Frame) throws(PostgreSQLError) -> Row {
    try values.map { (value) throws(PostgreSQLError) in try value(frame) }
  }
}

/// Groups rows and computes aggregates.
struct GroupingPlan: Sendable {
  let keys: [Bound]
  /// The sets in the keys.
  let expansion: SetExpansion
  let aggregates: [BoundAggregate]
  /// The grouping sets as indices of keys.
  ///
  /// One empty set is the whole input.
  let sets: [[Int]]
  let having: Bound?
  /// The numbers of columns of the relations, for a group without rows.
  let widths: [Int]
  let collation: Collation

  private final class Group {
    let contents: Frame.Contents
    let keys: [Value]
    var accumulators: [Accumulator]

    init(_ contents: Frame.Contents, _ keys: [Value], _ accumulators: [Accumulator]) {
      self.contents = contents
      self.keys = keys
      self.accumulators = accumulators
    }
  }

  func run(_ source: Source, _ frame: Frame, _ next: Source.Next) throws(PostgreSQLError) {
    let comparators = keys.map { Comparator($0.type.type) }
    var groups: [[Row: Group]] = Array(repeating: [:], count: sets.count)
    var order: [[Group]] = Array(repeating: [], count: sets.count)
    func add() throws(PostgreSQLError) -> Bool {
      let values = try keys.map { (key) throws(PostgreSQLError) in try key.evaluate(frame) }
      for (index, set) in sets.enumerated() {
        let key: Row = set.map { values[$0].isNull ? .null : comparators[$0].key(values[$0]) }
        let group: Group
        if let found = groups[index][key] {
          group = found
        } else {
          var shown = values
          for absent in keys.indices where !set.contains(absent) { shown[absent] = .null }
          group = Group(frame.contents, shown, aggregates.map { Accumulator($0, collation) })
          groups[index][key] = group
          order[index].append(group)
        }
        for position in group.accumulators.indices { try group.accumulators[position].add(frame) }
      }
      return true
    }
    _ = try source.run(frame) { () throws(PostgreSQLError) in try expansion.run(frame, add) }
    for (index, set) in sets.enumerated() {
      // The whole input is a group even without rows.
      if set.isEmpty, order[index].isEmpty {
        order[index].append(
          Group(empty, keys.map { _ in .null }, aggregates.map { Accumulator($0, collation) }))
      }
      let absent = Set(keys.indices.filter { !set.contains($0) })
      for group in order[index] {
        frame.contents = group.contents
        frame.keys = group.keys
        frame.absentKeys = absent
        var results: [Value] = []
        for accumulator in group.accumulators { results.append(try accumulator.result(frame)) }
        frame.aggregates = results
        if let having, try having.evaluate(frame) != .boolean(true) { continue }
        guard try next() else { return }
      }
    }
  }

  private var empty: Frame.Contents {
    Frame.Contents(
      rows: widths.map { Array(repeating: .null, count: $0) }, keys: [], aggregates: [], absentKeys: [])
  }
}

/// One aggregate over one group.
struct Accumulator {
  private let aggregate: BoundAggregate
  private var state: any Aggregate
  private var seen: Set<Row> = []
  /// The arguments that wait for their order.
  private var rows: [(key: Row, row: Row)] = []
  private let sorter: RowSorter?
  private let comparators: [Comparator]

  init(_ aggregate: BoundAggregate, _ collation: Collation) {
    self.aggregate = aggregate
    state = aggregate.make()
    comparators = aggregate.arguments.map { Comparator($0.type.type, collation: collation) }
    // Distinct values come in their order, as PostgreSQL sorts to find them.
    if aggregate.order.isEmpty, aggregate.isDistinct {
      sorter = RowSorter(
        aggregate.arguments.map { BoundSortKey($0, isDescending: false, nullsFirst: nil) }, collation)
    } else {
      sorter = aggregate.order.isEmpty ? nil : RowSorter(aggregate.order, collation)
    }
  }

  mutating func add(_ frame: Frame) throws(PostgreSQLError) {
    if let filter = aggregate.filter, try filter.evaluate(frame) != .boolean(true) { return }
    let arguments = try aggregate.arguments.map { (argument) throws(PostgreSQLError) in
      try argument.evaluate(frame)
    }
    if aggregate.isStrict, arguments.contains(where: \.isNull) { return }
    if aggregate.isDistinct, !seen.insert(Comparator.key(arguments, comparators)).inserted { return }
    if let sorter {
      rows.append((try sorter.key(frame), arguments))
    } else {
      try state.add(arguments, frame.execution.session)
    }
  }

  func result(_ frame: Frame) throws(PostgreSQLError) -> Value {
    guard let sorter else { return try state.result(frame.execution.session) }
    var state = state
    for row in sorter.sort(rows) { try state.add(row, frame.execution.session) }
    return try state.result(frame.execution.session)
  }
}

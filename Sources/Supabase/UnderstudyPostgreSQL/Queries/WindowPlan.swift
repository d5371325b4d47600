/// A window function's call.
struct BoundWindowCall: Sendable {
  enum Kind: Sendable {
    /// `row_number` and its kin, by name.
    case named(String)
    case aggregate(BoundAggregate)
  }

  var kind: Kind
  var arguments: [Bound]
  var partition: [Bound]
  var order: [BoundSortKey]
  var frame: BoundFrame
}

/// The rows around a row over which a window function is computed (PostgreSQL documentation, 4.2.8).
struct BoundFrame: Sendable {
  enum Bound: Sendable {
    case unbounded
    case current
    /// Rows or groups before (less than 0) or after.
    case offset(UnderstudyPostgreSQL.Bound, isPreceding: Bool)
  }

  var unit: Window.Frame.Unit
  var start: Bound
  var end: Bound
}

/// Computes window functions over the rows of a query.
struct WindowPlan: Sendable {
  let calls: [BoundWindowCall]
  let collation: Collation

  /// The results of all calls for each row.
  func results(_ contents: [Frame.Contents], _ frame: Frame) throws(PostgreSQLError) -> [[Value]] {
    var results: [[Value]] = Array(
      repeating: Array(repeating: .null, count: calls.count), count: contents.count)
    for (column, call) in calls.enumerated() {
      let comparators = call.partition.map { Comparator($0.type.type) }
      var partitions: [Row: [Int]] = [:]
      var sequence: [Row] = []
      for (index, content) in contents.enumerated() {
        frame.contents = content
        let key: Row = Comparator.key(
          try call.partition.map { (part) throws(PostgreSQLError) in try part.evaluate(frame) }, comparators)
        if partitions[key] == nil { sequence.append(key) }
        partitions[key, default: []].append(index)
      }
      let sorter = RowSorter(call.order, collation)
      for key in sequence {
        var keyed: [(key: Row, row: (Int, Row))] = []
        for index in partitions[key] ?? [] {
          frame.contents = contents[index]
          let sortKey = try sorter.key(frame)
          keyed.append((sortKey, (index, sortKey)))
        }
        let sorted = sorter.sort(keyed)
        let partition = Partition(
          rows: sorted.map { contents[$0.0] }, keys: sorted.map(\.1), sorter: sorter, call: call,
          collation: collation)
        for (position, entry) in sorted.enumerated() {
          results[entry.0][column] = try partition.value(at: position, frame)
        }
      }
    }
    return results
  }
}

/// The rows of one partition in their order.
private final class Partition {
  private let rows: [Frame.Contents]
  private let call: BoundWindowCall
  private let collation: Collation
  /// For each row the first row of its peers, and the end of them: rows that the order does not distinguish.
  private var peerStart: [Int] = []
  private var peerEnd: [Int] = []
  private var peerGroup: [Int] = []
  private var groupStarts: [Int] = []
  /// The running aggregate over the rows before `runningEnd`, for frames that begin with the partition.
  private var running: Accumulator?
  private var runningEnd = 0

  init(rows: [Frame.Contents], keys: [Row], sorter: RowSorter, call: BoundWindowCall, collation: Collation) {
    self.rows = rows
    self.call = call
    self.collation = collation
    for index in rows.indices {
      let isPeer = index > 0 && sorter.compare(keys[index - 1], keys[index]) == 0
      if !isPeer { groupStarts.append(index) }
      peerGroup.append(groupStarts.count - 1)
    }
    for index in rows.indices {
      let group = peerGroup[index]
      peerStart.append(groupStarts[group])
      peerEnd.append(group + 1 < groupStarts.count ? groupStarts[group + 1] : rows.count)
    }
  }

  func value(at position: Int, _ frame: Frame) throws(PostgreSQLError) -> Value {
    switch call.kind {
    case .aggregate(let aggregate):
      let range = try bounds(at: position, frame)
      // A frame that only grows is computed once.
      if range.lowerBound == 0, range.upperBound >= runningEnd {
        var accumulator = running ?? Accumulator(aggregate, collation)
        for index in runningEnd..<max(runningEnd, range.upperBound) {
          frame.contents = rows[index]
          try accumulator.add(frame)
        }
        running = accumulator
        runningEnd = max(runningEnd, range.upperBound)
        return try accumulator.result(frame)
      }
      var accumulator = Accumulator(aggregate, collation)
      for index in range {
        frame.contents = rows[index]
        try accumulator.add(frame)
      }
      return try accumulator.result(frame)
    case .named(let name): return try named(name, position, frame)
    }
  }

  private func argument(_ index: Int, _ position: Int, _ frame: Frame) throws(PostgreSQLError) -> Value? {
    guard index < call.arguments.count else { return nil }
    frame.contents = rows[position]
    return try call.arguments[index].evaluate(frame)
  }

  private func named(_ name: String, _ position: Int, _ frame: Frame) throws(PostgreSQLError) -> Value {
    let count = rows.count
    switch name {
    case "row_number": return .integer(Int64(position + 1))
    case "rank": return .integer(Int64(peerStart[position] + 1))
    case "dense_rank": return .integer(Int64(peerGroup[position] + 1))
    case "percent_rank": return .double(count < 2 ? 0 : Double(peerStart[position]) / Double(count - 1))
    case "cume_dist": return .double(Double(peerEnd[position]) / Double(count))
    case "ntile":
      guard case .integer(let number)? = try argument(0, position, frame) else { return .null }
      guard number > 0 else { throw PostgreSQLError("22014", "argument of ntile must be greater than zero") }
      let buckets = Int(min(number, Int64(count)))
      let (size, larger) = (count / buckets, count % buckets)
      let boundary = larger * (size + 1)
      let bucket = position < boundary ? position / (size + 1) : larger + (position - boundary) / max(1, size)
      return .integer(Int64(bucket + 1))
    case "lag", "lead":
      var distance = 1
      if let given = try argument(1, position, frame) {
        guard case .integer(let number) = given else { return .null }
        distance = Int(clamping: number)
      }
      let (target, overflow) = position.addingReportingOverflow(name == "lead" ? distance : -distance)
      if !overflow, rows.indices.contains(target) { return try argument(0, target, frame) ?? .null }
      return try argument(2, position, frame) ?? .null
    case "first_value", "last_value", "nth_value":
      let range = try bounds(at: position, frame)
      guard !range.isEmpty else { return .null }
      if name == "first_value" { return try argument(0, range.lowerBound, frame) ?? .null }
      if name == "last_value" { return try argument(0, range.upperBound - 1, frame) ?? .null }
      guard case .integer(let number)? = try argument(1, position, frame) else { return .null }
      guard number > 0 else {
        throw PostgreSQLError("22016", "argument of nth_value must be greater than zero")
      }
      guard number <= range.count else { return .null }
      return try argument(0, range.lowerBound + Int(number) - 1, frame) ?? .null
    default: throw PostgreSQLError.notSupported("the window function \(name)")
    }
  }

  /// The rows of the frame of a row.
  private func bounds(at position: Int, _ frame: Frame) throws(PostgreSQLError) -> Range<Int> {
    let start = try bound(call.frame.start, position, frame, isStart: true)
    let end = try bound(call.frame.end, position, frame, isStart: false)
    let clamped = max(0, min(start, rows.count))
    return clamped..<max(clamped, min(end, rows.count))
  }

  /// The first row of the frame, or the row after its last.
  private func bound(
    _ bound: BoundFrame.Bound, _ position: Int, _ frame: Frame, isStart: Bool
  ) throws(PostgreSQLError) -> Int {
    switch bound {
    case .unbounded: return isStart ? 0 : rows.count
    case .current:
      if call.frame.unit == .rows { return isStart ? position : position + 1 }
      return isStart ? peerStart[position] : peerEnd[position]
    case .offset(let expression, let isPreceding):
      frame.contents = rows[position]
      guard case .integer(let number) = try expression.evaluate(frame), number >= 0 else {
        throw PostgreSQLError("22013", "frame \(isStart ? "starting" : "ending") offset must not be negative")
      }
      let distance = isPreceding ? -Int(clamping: number) : Int(clamping: number)
      if call.frame.unit == .rows {
        return position.addingReportingOverflow(distance).partialValue + (isStart ? 0 : 1)
      }
      let group = peerGroup[position] + distance
      if group < 0 { return isStart ? 0 : 0 }
      if group >= groupStarts.count { return rows.count }
      return isStart
        ? groupStarts[group] : (group + 1 < groupStarts.count ? groupStarts[group + 1] : rows.count)
    }
  }
}

extension Binder {
  /// A call with `OVER`.
  func bindWindowCall(_ call: Call, _ scope: Scope) throws(PostgreSQLError) -> Bound {
    guard let windows = scope.windows else {
      throw PostgreSQLError("42P20", "window functions are not allowed in \(scope.clause)")
    }
    scope.windows = nil
    defer { scope.windows = windows }
    return try refusingSets("window function calls cannot contain set-returning function calls", scope) {
      () throws(PostgreSQLError) in
      try bindWindowCall(call, windows, scope)
    }
  }

  private func bindWindowCall(
    _ call: Call, _ windows: WindowBindings, _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    let window = try window(call.over, windows)
    let partition = try window.partition.map { (part) throws(PostgreSQLError) in try settle(bind(part, scope))
    }
    let order = try window.order.map { (key) throws(PostgreSQLError) in
      BoundSortKey(
        try settle(bind(key.expression, scope)), isDescending: key.isDescending, nullsFirst: key.nullsFirst)
    }
    var bare = call
    bare.over = nil
    let kind: BoundWindowCall.Kind
    var arguments: [Bound] = []
    let type: BoundType
    if isAggregate(bare) {
      // The arguments may be aggregates of a grouped query.
      let (aggregate, result) = try aggregateOverWindow(bare, scope)
      kind = .aggregate(aggregate)
      type = boundType(result)
    } else {
      let chosen = try choose(bare, self.arguments(bare, scope), scope)
      guard chosen.callee.isWindow else {
        throw PostgreSQLError(
          "42809", "OVER specified, but \(call.name.name) is not a window function nor an aggregate function")
      }
      arguments = try convert(chosen.arguments, chosen.candidate)
      kind = .named(call.name.name)
      type =
        arguments.first.map { chosen.result == $0.type.type ? $0.type : boundType(chosen.result) }
        ?? boundType(chosen.result)
    }
    let frame = try bind(window.frame, hasOrder: !order.isEmpty, scope)
    let index = windows.calls.count
    windows.calls.append(
      BoundWindowCall(kind: kind, arguments: arguments, partition: partition, order: order, frame: frame))
    var uses = (partition + order.map(\.bound) + arguments).reduce(Bound.Uses()) { $0.union($1.uses) }
    uses.isAggregated = true
    let parts: [Bound]
    if case .aggregate(let aggregate) = kind { parts = aggregate.arguments } else { parts = arguments }
    return try deriving(
      Bound(type, uses: uses) { frame throws(PostgreSQLError) in frame.windows[index] }, from: parts)
  }

  private func aggregateOverWindow(_ call: Call, _ scope: Scope) throws(PostgreSQLError) -> (
    BoundAggregate, DataType
  ) {
    // Within a window an aggregate of the group may stand, so the group's own aggregates are bound as usual.
    let arguments = try arguments(call, scope)
    let chosen = try choose(call, call.isStar ? [] : arguments, scope)
    guard case .builtIn(let function) = chosen.callee, let make = function.makeAggregate else {
      throw PostgreSQLError("42809", "\(call.name.name) is not an aggregate function")
    }
    guard !call.isDistinct else {
      throw PostgreSQLError("0A000", "DISTINCT is not implemented for window functions")
    }
    let converted = try convert(chosen.arguments, chosen.candidate)
    let filter = try call.filter.map { (filter) throws(PostgreSQLError) in
      try condition(filter, scope, "FILTER")
    }
    let bound = BoundAggregate(
      make: try maker(make, converted), arguments: converted, isStrict: function.isStrict, isDistinct: false,
      order: [], filter: filter)
    return (bound, chosen.result)
  }

  private func window(_ reference: WindowReference?, _ windows: WindowBindings) throws(PostgreSQLError)
    -> Window
  {
    func named(_ name: String) throws(PostgreSQLError) -> Window {
      guard let window = windows.named[name] else {
        throw PostgreSQLError("42704", "window \"\(name)\" does not exist")
      }
      return window.base == nil ? window : try extend(window)
    }
    func extend(_ window: Window) throws(PostgreSQLError) -> Window {
      guard let base = window.base else { return window }
      var whole = try named(base)
      if !window.order.isEmpty { whole.order = window.order }
      whole.frame = window.frame ?? whole.frame
      return whole
    }
    switch reference {
    case .named(let name): return try named(name)
    case .window(let window): return try extend(window)
    case nil: return Window()
    }
  }

  private func bind(_ frame: Window.Frame?, hasOrder: Bool, _ scope: Scope) throws(PostgreSQLError)
    -> BoundFrame
  {
    guard let frame else {
      // Without an order all rows are peers.
      return BoundFrame(unit: .range, start: .unbounded, end: .current)
    }
    func bound(_ bound: Window.Frame.Bound) throws(PostgreSQLError) -> BoundFrame.Bound {
      switch bound {
      case .unboundedPreceding, .unboundedFollowing: return .unbounded
      case .currentRow: return .current
      case .preceding(let expression), .following(let expression):
        guard frame.unit != .range else {
          throw PostgreSQLError.notSupported(
            "a window frame by RANGE with an offset", instead: "Use ROWS or GROUPS.")
        }
        let offset = try coerce(bind(expression, scope), to: .bigint)
        if case .preceding = bound { return .offset(offset, isPreceding: true) }
        return .offset(offset, isPreceding: false)
      }
    }
    return BoundFrame(unit: frame.unit, start: try bound(frame.start), end: try bound(frame.end))
  }
}

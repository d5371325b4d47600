/// The functions of a select list that return sets, while it is bound.
final class SetBindings {
  fileprivate(set) var slots: [Slot] = []
  /// Why a set is not allowed in what is bound at the moment.
  fileprivate var refusal: PostgreSQLError?

  struct Slot: Sendable {
    /// Functions whose arguments are sets come after those (planner, `split_pathtarget_at_srfs`).
    var level: Int
    /// A value for each row.
    var values: @Sendable (Frame) throws(PostgreSQLError) -> [Value]
  }

  var expansion: SetExpansion { SetExpansion(slots) }
}

/// Multiplies rows by the sets of a select list, as `ProjectSet` does: sets of one level side by side, the shorter ones
/// filled up with nulls (PostgreSQL documentation, 38.5.9).
struct SetExpansion: Sendable {
  private let levels: [[(index: Int, slot: SetBindings.Slot)]]
  private let count: Int

  fileprivate init(_ slots: [SetBindings.Slot]) {
    count = slots.count
    let highest = slots.map(\.level).max() ?? -1
    levels = (0..<highest + 1).map { level in
      slots.enumerated().filter { $0.element.level == level }.map { (index: $0.offset, slot: $0.element) }
    }
  }

  /// Puts the elements of the sets into the frame, combination after combination.
  func run(_ frame: Frame, _ next: Source.Next) throws(PostgreSQLError) -> Bool {
    guard !levels.isEmpty else { return try next() }
    frame.sets = Array(repeating: .null, count: count)
    return try run(0, frame, next)
  }

  private func run(_ level: Int, _ frame: Frame, _ next: Source.Next) throws(PostgreSQLError) -> Bool {
    guard level < levels.count else { return try next() }
    let sets = try levels[level].map { (entry) throws(PostgreSQLError) in try entry.slot.values(frame) }
    for position in 0..<(sets.map(\.count).max() ?? 0) {
      for (entry, set) in zip(levels[level], sets) {
        frame.sets[entry.index] = position < set.count ? set[position] : .null
      }
      guard try run(level + 1, frame, next) else { return false }
    }
    return true
  }
}

extension Binder {
  /// A function that returns a set, in an expression of a select list.
  ///
  /// - Parameter first: The number of sets before the arguments of the call were bound.
  func bindSet(
    _ call: Call, _ chosen: ChosenCall, since first: Int, _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    guard let sets = scope.sets else {
      throw PostgreSQLError("0A000", "set-returning functions are not allowed in \(scope.clause)")
    }
    if let refusal = sets.refusal { throw refusal }
    let (columns, uses, rows) = try tableCall(call, chosen, [])
    let isSingle = columns.count == 1
    let type =
      isSingle
      ? columns[0].type : BoundType(.record, fields: columns.map { BoundType.Field($0.name, $0.type) })
    let index = sets.slots.count
    let level = (sets.slots[first...].map(\.level).max() ?? -1) + 1
    sets.slots.append(
      .init(level: level) { frame throws(PostgreSQLError) in
        try rows(frame).map { isSingle ? $0[0] : .record($0) }
      })
    var element = Bound(type, uses: uses) { frame throws(PostgreSQLError) in frame.sets[index] }
    element.uses.returnsSet = true
    return try deriving(element, from: chosen.arguments)
  }

  /// Binds what must not contain a set.
  func refusingSets<Result>(
    in place: String, _ scope: Scope, _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    try refusingSets("set-returning functions are not allowed in \(place)", scope, body)
  }

  /// Binds what must not contain a set, or throws an error with a message.
  func refusingSets<Result>(
    _ message: String, _ scope: Scope, _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    guard let sets = scope.sets else { return try body() }
    let outer = sets.refusal
    defer { sets.refusal = outer }
    sets.refusal = PostgreSQLError(
      "0A000", message,
      hint: "You might be able to move the set-returning function into a LATERAL FROM item.")
    return try body()
  }
}

import UnderstudyHTTP

/// The rows of one table, and the indexes that keep what is unique so.
struct TableStorage {
  let table: Table
  /// The conditions on each row, in the order in which they are tried.
  let checks: [(name: String, condition: BoundExpression)]
  /// `nil` is no row-level security.
  let policies: [BoundPolicy]?
  /// A constraint or a policy that makes no sense, such as one on a column that the table does not have: every
  /// statement is refused with it.
  let mistake: PostgRESTError?
  /// A row in each place, in the order in which they came; `nil` where one was removed.
  private(set) var slots: [[DatabaseValue]?] = []
  private(set) var indexes: [UniqueIndex]
  private var removed = 0

  init(_ table: Table, in catalog: ExpressionBinder.Catalog) {
    self.table = table
    indexes = table.keys.map { UniqueIndex(name: $0.name, $0.columns, table) }
    var checks: [(name: String, condition: BoundExpression)] = []
    var policies: [BoundPolicy] = []
    var mistake = (table.keys.flatMap(\.columns) + table.foreignKeys.flatMap(\.columns))
      .first { table.layout.positions[$0] == nil }.map {
        PostgRESTError.unknownTarget($0, table: table.relation)
      }
    do throws(ExpressionMistake) {
      let binder = ExpressionBinder(table, in: catalog)
      for check in table.checks {
        checks.append((check.name ?? "", try binder.condition(check.expression, in: "CHECK")))
      }
      for policy in table.policies ?? [] { policies.append(try BoundPolicy(policy, binder)) }
    } catch {
      mistake =
        mistake
        ?? PostgRESTError(
          code: error.error.code, message: error.error.message,
          details: "A check or a policy of the table \"\(table.relation)\" says so.", hint: error.advice)
    }
    self.checks = checks
    self.policies = table.policies == nil ? nil : policies
    self.mistake = mistake
  }

  /// Puts a row into a place, or takes it out, and says what was there.
  mutating func replace(_ slot: Int, with values: [DatabaseValue]?) -> [DatabaseValue]? {
    if slot == slots.count {
      slots.append(nil)
      removed += 1
    }
    let old = slots[slot]
    slots[slot] = values
    removed += (values == nil ? 1 : 0) - (old == nil ? 1 : 0)
    for place in indexes.indices { indexes[place].replace(old, by: values, at: slot) }
    return old
  }

  /// Gives back the places of removed rows once they are the greater part.
  mutating func compact() {
    guard removed > 64, removed > slots.count / 2 else { return }
    let rows = slots.compactMap { $0 }
    slots = []
    removed = 0
    for place in indexes.indices { indexes[place].removeAll() }
    for row in rows { _ = replace(slots.count, with: row) }
  }

  /// Where in ``indexes`` the one on exactly these columns is, in any order.
  func index(on columns: [String]) -> Int? {
    let places = Set(columns.compactMap { table.layout.positions[$0] })
    return indexes.firstIndex { places.count == columns.count && Set($0.columns) == places }
  }

  /// The place of the row with a key in these columns, in their order; looked up where an index is on them.
  func slot(of key: IndexKey, in columns: [String]) -> Int? {
    if let index = indexes.first(where: { $0.columnNames == columns }) { return index[key] }
    let places = columns.compactMap { table.layout.positions[$0] }
    return slots.indices.first { slot in
      slots[slot].map { row in IndexKey(places.map { row[$0] }) == key } ?? false
    }
  }

  /// The places of the rows that could have these values in their columns: one, where an index tells.
  func candidates(requiring required: [Int: DatabaseValue]) -> [Int] {
    if !required.isEmpty {
      for index in indexes where index.columns.allSatisfy({ required[$0] != nil }) {
        let key = IndexKey(index.columns.map { required[$0] ?? .null })
        return key.flatMap { index[$0] }.map { [$0] } ?? []
      }
    }
    return slots.indices.filter { slots[$0] != nil }
  }
}

/// Where the row with a key is.
struct UniqueIndex {
  let name: String
  let columns: [Int]
  let columnNames: [String]
  private var places: [IndexKey: Int] = [:]

  init(name: String, _ columnNames: [String], _ table: Table) {
    self.name = name
    self.columnNames = columnNames
    columns = columnNames.compactMap { table.layout.positions[$0] }
  }

  subscript(key: IndexKey) -> Int? { places[key] }

  /// The key of a row; `nil` if a part of it is `NULL`, which equals nothing.
  func key(of row: [DatabaseValue]) -> IndexKey? {
    IndexKey(columns.map { row[$0] })
  }

  mutating func replace(_ old: [DatabaseValue]?, by new: [DatabaseValue]?, at slot: Int) {
    let (oldKey, newKey) = (old.flatMap(key), new.flatMap(key))
    guard oldKey != newKey else { return }
    if let oldKey { places[oldKey] = nil }
    if let newKey { places[newKey] = slot }
  }

  mutating func removeAll() {
    places = [:]
  }
}

/// Values that are looked up together.
///
/// Texts are told apart by their bytes, as PostgreSQL does; Swift's `String` takes two spellings of "é" as
/// one. NaN is a value like any other, and equals itself (PostgreSQL, "Numeric Types").
struct IndexKey: Hashable {
  private enum Part: Hashable {
    case value(DatabaseValue)
    case bytes([UInt8])
    case notANumber
  }

  private let parts: [Part]

  /// `nil` if one of the values is `NULL`.
  init?(_ values: [DatabaseValue]) {
    guard !values.contains(.null) else { return nil }
    parts = values.map { value in
      if case .text(let text) = value, !text.utf8.allSatisfy({ $0 < 0x80 }) {
        return .bytes(Array(text.utf8))
      }
      if case .double(let number) = value, number.isNaN { return .notANumber }
      return .value(value)
    }
  }
}

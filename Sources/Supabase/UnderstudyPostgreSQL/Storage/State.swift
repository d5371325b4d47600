/// Definitions and rows.
///
/// A copy is a snapshot: it shares what neither side changes.
package struct State: Sendable {
  package var catalogue = Catalogue()
  var data: [QualifiedName: TableData] = [:]
  var sequences: [QualifiedName: SequenceNumbers] = [:]

  /// What writes the rows of tables, bound to the definitions of a version.
  ///
  /// It is kept with the rows, so that the next session need not bind it again.
  var writers: [QualifiedName: TableWriter] = [:]
  var writersVersion = -1

  package init() {}
}

/// The rows of a table with its indexes.
struct TableData: Sendable {
  var heap = Heap()
  /// By the columns of ``Table/lookups``.
  ///
  /// Rows with a null among the columns are not in it.
  var lookups: [[Int]: KeyIndex] = [:]
  /// By the number of the key, for keys with expressions or a condition, and for those whose nulls are equal.
  var keys: [Int: KeyIndex] = [:]

  func places(of key: Row, _ columns: [Int]) -> [Heap.Place] {
    guard let index = lookups[columns] else { preconditionFailure("A planned look-up has an index.") }
    return index.places(of: key)
  }
}

extension State {
  /// The row of a table with a value in a column that is a key, by the names of its columns.
  package func row(of table: QualifiedName, where column: String, is value: Value) -> [String: Value]? {
    guard let described = catalogue.tables[table], let data = data[table],
      let position = described.columns.firstIndex(where: { $0.name == column }),
      let place = data.lookups[[position]]?.places(of: [value]).first, let row = data.heap[place]
    else { return nil }
    return Dictionary(zip(described.columns.map(\.name), row)) { first, _ in first }
  }

  /// Takes over what sequences gave out in a state that is undone: it stays given (PostgreSQL documentation, 9.17).
  package mutating func keepNumbers(of undone: State) {
    for (name, numbers) in undone.sequences where sequences[name] != nil { sequences[name] = numbers }
  }
}

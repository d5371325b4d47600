/// What the names in a view or a policy mean.
///
/// They are looked up when the definition is made. The table that is meant then stays the one that is meant, whatever
/// names it, its columns and other tables get later.
package struct DefinedNames: Hashable, Sendable {
  /// The tables by the names in the definition.
  var tables: [QualifiedName: QualifiedName] = [:]
  /// The numbers of the functions by the names in the definition.
  var routines: [QualifiedName: Set<Int>] = [:]
  /// The names in the definition of columns that were renamed, by their tables and their names of now.
  private var columns: [QualifiedName: [String: String]] = [:]
  /// The name of the table of a policy.
  var ownName: String?

  func means(_ table: QualifiedName) -> Bool { tables.values.contains(table) }

  func calls(_ routine: Routine) -> Bool { routines.values.contains { $0.contains(routine.number) } }

  /// The name that a column has in the definition.
  func written(_ column: String, of table: QualifiedName) -> String {
    guard let renamed = columns[table] else { return column }
    if let name = renamed[column] { return name }
    // A later column with the name that another one had is not meant.
    return renamed.values.contains(column) ? "\u{0}\(column)" : column
  }

  mutating func move(_ old: QualifiedName, to new: QualifiedName) {
    for (written, table) in tables where table == old { tables[written] = new }
    columns[new] = columns.removeValue(forKey: old)
  }

  mutating func rename(column old: String, to new: String, of table: QualifiedName) {
    let name = written(old, of: table)
    columns[table, default: [:]][old] = nil
    if name != new { columns[table, default: [:]][new] = name }
  }
}

extension Table {
  /// Changes the names in the definitions of the table: its query, and its policies.
  mutating func changeNames(_ change: (inout DefinedNames) -> Void) {
    change(&names)
    for index in policies.indices {
      change(&policies[index].usingNames)
      change(&policies[index].checkNames)
    }
  }
}

extension Catalogue {
  mutating func changeNames(_ change: (inout DefinedNames) -> Void) {
    for name in tables.keys { tables[name]?.changeNames(change) }
  }
}

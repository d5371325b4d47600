import UnderstudyPostgreSQL

/// Which columns of views are plain columns of tables.
struct ViewColumns: Sendable {
  private struct Origin: Hashable {
    var table: QualifiedName
    var column: String
  }

  /// The views in order of their names, with the origins of their columns.
  private let views: [(name: QualifiedName, columns: [(name: String, origin: Origin?)])]

  init(_ catalogue: Catalogue) {
    views = catalogue.tables.values.filter(\.isView).sorted { $0.name.description < $1.name.description }
      .map { ($0.name, Self.origins(of: $0, catalogue, depth: 0)) }
  }

  /// The views that show all of a table's columns, with the names of the columns in the view.
  func views(of table: QualifiedName, _ columns: [String]) -> [(view: QualifiedName, columns: [String])] {
    var found: [(view: QualifiedName, columns: [String])] = []
    for (view, shown) in views {
      var combinations: [[String]] = [[]]
      for column in columns {
        let names = shown.filter { $0.origin == Origin(table: table, column: column) }.map(\.name)
        combinations = combinations.flatMap { start in names.map { start + [$0] } }
      }
      found += combinations.map { (view, $0) }
    }
    return found
  }

  /// The tables whose columns a view shows.
  func tables(of view: QualifiedName) -> [QualifiedName] {
    var tables: [QualifiedName] = []
    for case let (_, origin?) in columns(of: view) where !tables.contains(origin.table) {
      tables.append(origin.table)
    }
    return tables
  }

  /// The columns of a view that show a column of a table.
  func columns(of view: QualifiedName, showing table: QualifiedName, _ column: String) -> [String] {
    columns(of: view).filter { $0.origin == Origin(table: table, column: column) }.map(\.name)
  }

  private func columns(of view: QualifiedName) -> [(name: String, origin: Origin?)] {
    views.first { $0.name == view }?.columns ?? []
  }

  // MARK: Reading views

  private static func origins(
    of table: Table, _ catalogue: Catalogue, depth: Int
  ) -> [(name: String, origin: Origin?)] {
    guard case .view(let query, _) = table.kind else {
      return table.columns.map { ($0.name, Origin(table: table.name, column: $0.name)) }
    }
    let names = table.columns.map(\.name)
    guard depth < 16, let found = origins(of: query, catalogue, depth: depth), found.count == names.count
    else {
      return names.map { ($0, nil) }
    }
    return zip(names, found).map { ($0, $1) }
  }

  /// The origins of a query's columns, or nil if they cannot be followed.
  private static func origins(of query: Query, _ catalogue: Catalogue, depth: Int) -> [Origin?]? {
    guard case .select(let select) = query.body else { return nil }
    let hidden = Set(query.with?.tables.map(\.name) ?? [])
    var relations: [(alias: String, columns: [(name: String, origin: Origin?)])] = []
    for reference in select.from {
      guard let found = self.relations(reference, hidden, catalogue, depth: depth) else { return nil }
      relations += found
    }
    var origins: [Origin?] = []
    for item in select.items {
      switch item.expression {
      case .wildcard(let names):
        for relation in relations where names.isEmpty || names.last == relation.alias {
          origins += relation.columns.map(\.origin)
        }
      case .name(let names):
        let column = names[names.count - 1]
        let candidates =
          names.count == 1 ? relations : relations.filter { $0.alias == names[names.count - 2] }
        let found = candidates.flatMap(\.columns).first { $0.name == column }
        origins.append(found?.origin)
      default: origins.append(nil)
      }
    }
    return origins
  }

  private static func relations(
    _ reference: TableReference, _ hidden: Set<String>, _ catalogue: Catalogue, depth: Int
  ) -> [(alias: String, columns: [(name: String, origin: Origin?)])]? {
    switch reference {
    case .table(let name, let alias):
      guard name.schema != nil || !hidden.contains(name.name),
        let table = catalogue.findTable(name, ["public", "extensions"])
      else { return nil }
      var columns = origins(of: table, catalogue, depth: depth + 1)
      for (index, name) in (alias?.columns ?? []).enumerated() where index < columns.count {
        columns[index].name = name
      }
      return [(alias?.name ?? name.name, columns)]
    case .join(let join):
      // Joins by name merge columns, so that stars cannot be counted.
      switch join.condition {
      case .using, .natural: return nil
      default: break
      }
      guard let left = relations(join.left, hidden, catalogue, depth: depth),
        let right = relations(join.right, hidden, catalogue, depth: depth)
      else { return nil }
      return left + right
    case .query(let query, let alias, _):
      guard let alias, let found = origins(of: query, catalogue, depth: depth + 1),
        let names = names(of: query, count: found.count, alias)
      else { return nil }
      return [(alias.name, Array(zip(names, found)))]
    case .function: return nil
    }
  }

  /// The names of a subquery's columns, if none is a star.
  private static func names(of query: Query, count: Int, _ alias: TableAlias) -> [String]? {
    guard case .select(let select) = query.body, select.items.count == count else { return nil }
    var names: [String] = []
    for item in select.items {
      switch (item.name, item.expression) {
      case (let name?, _): names.append(name)
      case (nil, .name(let path)): names.append(path[path.count - 1])
      case (nil, .wildcard): return nil
      case (nil, _): names.append("")
      }
    }
    for (index, name) in alias.columns.enumerated() where index < names.count { names[index] = name }
    return names
  }
}

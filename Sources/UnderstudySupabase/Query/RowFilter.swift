import UnderstudyHTTP

/// A filter whose columns and values have been looked up in the table, ready to be asked of many rows.
indirect enum RowFilter {
  case constant(Bool)
  case comparison(Int, Filter.Comparison, DatabaseValue)
  case like(Int, LikePattern)
  case state(Int, Filter.State)
  case among(Int, [DatabaseValue])
  case containment(Int, Filter.Containment, [String?])
  case not(RowFilter)
  case and([RowFilter])
  case or([RowFilter])

  /// - Throws: 42703 for an unknown column, class 22 for a value that the column's type does not have.
  init(_ filter: Filter, for layout: RowLayout) throws(PostgRESTError) {
    switch filter {
    case .all: self = .constant(true)
    case .comparison(let name, let comparison, let value):
      let (place, column) = try layout.column(name)
      self = .comparison(place, comparison, try column.type.value(from: value, column: name))
    case .like(let name, let pattern, let ignoresCase):
      let (place, column) = try layout.column(name)
      guard column.type == .text else {
        throw Self.missingOperator(ignoresCase ? "~~*" : "~~", column.type)
      }
      self = .like(place, LikePattern(pattern, ignoresCase: ignoresCase))
    case .state(let name, let state):
      let (place, column) = try layout.column(name)
      if ![.null, .notNull].contains(state), column.type != .boolean {
        throw PostgRESTError(
          code: "42804",
          message: "argument of IS \(state.rawValue.uppercased()) must be type boolean, not type"
            + " \(column.type.rawValue)")
      }
      self = .state(place, state)
    case .among(let name, let values):
      let (place, column) = try layout.column(name)
      // PostgREST asks for one of the elements of an array, and there are no arrays of arrays.
      guard column.type != .textArray else {
        throw PostgRESTError(code: "42704", message: "could not find array type for data type text[]")
      }
      var read: [DatabaseValue] = []
      for value in values { read.append(try column.type.value(from: value, column: name)) }
      self = .among(place, read)
    case .containment(let name, let containment, let value):
      let (place, column) = try layout.column(name)
      guard column.type == .textArray,
        case .textArray(let elements) = try column.type.value(from: value, column: name)
      else {
        let symbol = containment == .overlaps ? "&&" : containment == .contains ? "@>" : "<@"
        throw Self.missingOperator(symbol, column.type, value)
      }
      self = .containment(place, containment, elements)
    case .not(let filter): self = .not(try RowFilter(filter, for: layout))
    case .and(let filters): self = .and(try Self.all(filters, layout))
    case .or(let filters): self = .or(try Self.all(filters, layout))
    }
  }

  private static func all(_ filters: [Filter], _ layout: RowLayout) throws(PostgRESTError) -> [RowFilter] {
    var read: [RowFilter] = []
    for filter in filters { read.append(try RowFilter(filter, for: layout)) }
    return read
  }

  private static func missingOperator(
    _ name: String, _ type: ColumnType, _ value: DatabaseValue = .null
  ) -> PostgRESTError {
    // A text is a literal of any type.
    let other = if case .text = value { "unknown" } else { value.typeName }
    return PostgRESTError(
      code: "42883", message: "operator does not exist: \(type.rawValue) \(name) \(other)",
      hint: "No operator matches the given name and argument types. You might need to add explicit type"
        + " casts.")
  }

  /// Whether it looks at a column.
  var readsColumns: Bool {
    switch self {
    case .constant: false
    case .comparison, .like, .state, .among, .containment: true
    case .not(let filter): filter.readsColumns
    case .and(let filters), .or(let filters): filters.contains(where: \.readsColumns)
    }
  }

  /// What a row must have in some columns to meet the filter, for finding it through an index.
  var requiredValues: [Int: DatabaseValue] {
    switch self {
    case .comparison(let place, .equal, let value): [place: value]
    case .and(let filters):
      filters.reduce(into: [:]) { $0.merge($1.requiredValues) { first, _ in first } }
    default: [:]
    }
  }

  /// Whether a row meets the filter; `nil` where SQL says that it is unknown.
  ///
  /// - Throws: 22025.
  func holds(for row: [DatabaseValue]) throws(PostgRESTError) -> Bool? {
    switch self {
    case .constant(let value): return value
    case .comparison(let place, let comparison, let value):
      return row[place].compared(comparison, with: value)
    case .like(let place, let pattern):
      guard let text = row[place].textValue else { return nil }
      return try pattern.matches(text)
    case .state(let place, let state): return row[place].isIn(state)
    case .among(let place, let values):
      return anyTrue(values.lazy.map { row[place].compared(.equal, with: $0) })
    case .containment(let place, let containment, let value):
      guard case .textArray(let elements) = row[place] else { return nil }
      return containment.holds(elements, value)
    case .not(let filter): return try filter.holds(for: row).map { !$0 }
    case .or(let filters): return try Self.any(filters, are: true, for: row)
    case .and(let filters): return try Self.any(filters, are: false, for: row).map { !$0 }
    }
  }

  /// Whether one of the filters is so; unknown if none is and one is unknown.
  private static func any(
    _ filters: [RowFilter], are sought: Bool, for row: [DatabaseValue]
  ) throws(PostgRESTError) -> Bool? {
    var result: Bool? = false
    for filter in filters {
      let truth = try filter.holds(for: row)
      if truth == sought { return true }
      if truth == nil { result = nil }
    }
    return result
  }
}

extension RowLayout {
  /// - Throws: 42703.
  func column(_ name: String) throws(PostgRESTError) -> (Int, Column) {
    guard let place = positions[name] else { throw .unknownColumn(name, table: relation) }
    return (place, columns[place])
  }
}

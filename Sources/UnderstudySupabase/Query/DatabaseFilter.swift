import UnderstudyHTTP

/// The rows that a statement affects: the condition of its `WHERE`.
///
/// As in SQL, a condition on `NULL` is neither true nor false, and only rows for which it is true match.
package indirect enum DatabaseFilter: Sendable, Hashable {
  /// An operator that compares a column with a value.
  package enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// Equal.
    case equal = "eq"
    /// Not equal.
    case notEqual = "neq"
    /// Less than.
    case less = "lt"
    /// Less than or equal.
    case lessOrEqual = "lte"
    /// Greater than.
    case greater = "gt"
    /// Greater than or equal.
    case greaterOrEqual = "gte"
    /// Not equal, with `NULL` as a value like any other.
    case distinct = "isdistinct"
  }

  /// A state that `IS` tests.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// `NULL`.
    case null
    /// Any value.
    case notNull = "not_null"
    /// True; for a boolean.
    case `true`
    /// False; for a boolean.
    case `false`
    /// `NULL`; for a boolean.
    case unknown
  }

  /// An operator that compares two arrays.
  package enum Containment: String, Sendable, Hashable, CaseIterable {
    /// The column has every element of the value.
    case contains = "cs"
    /// The value has every element of the column.
    case containedBy = "cd"
    /// They share an element.
    case overlaps = "ov"
  }

  /// Every row.
  case all
  /// Rows for which a comparison of a column with a value is true.
  case comparison(column: String, Comparison, ColumnValue)
  /// Rows whose text matches a pattern.
  ///
  /// `%` matches any characters, `_` matches one, and `\` escapes the next one.
  case like(column: String, pattern: String, ignoresCase: Bool)
  /// Rows whose column is `NULL`, or is true or false.
  case state(column: String, State)
  /// Rows whose column is one of several values.
  case among(column: String, [ColumnValue])
  /// Rows for which a comparison of a `text[]` with another is true.
  case containment(column: String, Containment, ColumnValue)
  /// Rows for which a condition is false.
  case not(DatabaseFilter)
  /// Rows for which every condition is true.
  case and([DatabaseFilter])
  /// Rows for which at least one condition is true.
  case or([DatabaseFilter])

  /// Returns a filter for rows whose column has a value.
  package static func equals(_ column: String, _ value: ColumnValue) -> DatabaseFilter {
    .comparison(column: column, .equal, value)
  }
}

/// A column to sort rows by.
package struct DatabaseOrdering: Sendable, Hashable {
  /// The column.
  package let column: String
  /// Whether the smallest value comes first.
  package let isAscending: Bool
  /// Whether `NULL` comes before every value.
  package let placesNullsFirst: Bool

  /// Creates an ordering by a column.
  ///
  /// - Parameter placesNullsFirst: Whether `NULL` comes first (default as in PostgreSQL: only if descending).
  package init(_ column: String, isAscending: Bool = true, placesNullsFirst: Bool? = nil) {
    self.column = column
    self.isAscending = isAscending
    self.placesNullsFirst = placesNullsFirst ?? !isAscending
  }

  /// Returns an ordering with the greatest value first.
  package static func descending(_ column: String) -> DatabaseOrdering {
    DatabaseOrdering(column, isAscending: false)
  }
}

/// A filter with resolved columns and converted values, ready to be evaluated for many rows.
indirect enum RowFilter {
  case constant(Bool)
  case comparison(Int, DatabaseFilter.Comparison, ColumnValue)
  case like(Int, LikePattern)
  case state(Int, DatabaseFilter.State)
  case among(Int, [ColumnValue])
  case containment(Int, DatabaseFilter.Containment, [String?])
  case not(RowFilter)
  case and([RowFilter])
  case or([RowFilter])

  /// - Throws: 42703 for an unknown column, class 22 for a value that is invalid for the column's type.
  init(_ filter: DatabaseFilter, for layout: RowLayout) throws(PostgRESTError) {
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
      // PostgREST compares with `= ANY`, and PostgreSQL has no type for arrays of arrays.
      guard column.type != .textArray else {
        throw PostgRESTError(code: "42704", message: "could not find array type for data type text[]")
      }
      var read: [ColumnValue] = []
      for value in values { read.append(try column.type.value(from: value, column: name)) }
      self = .among(place, read)
    case .containment(let name, let containment, let value):
      let (place, column) = try layout.column(name)
      // PostgreSQL has `@>` and `<@` for documents, and no `&&`.
      if column.type == .json, containment != .overlaps {
        throw .notSupported("the operator \(containment.rawValue) on a column of the type jsonb")
      }
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

  private static func all(_ filters: [DatabaseFilter], _ layout: RowLayout) throws(PostgRESTError)
    -> [RowFilter]
  {
    var read: [RowFilter] = []
    for filter in filters { read.append(try RowFilter(filter, for: layout)) }
    return read
  }

  private static func missingOperator(
    _ name: String, _ type: ColumnType, _ value: ColumnValue = .null
  ) -> PostgRESTError {
    // A text is a literal of any type.
    let other = if case .text = value { "unknown" } else { value.typeName }
    return PostgRESTError(
      code: "42883", message: "operator does not exist: \(type.rawValue) \(name) \(other)",
      hint: "No operator matches the given name and argument types. You might need to add explicit type"
        + " casts.")
  }

  /// Whether it reads a column.
  var readsColumns: Bool {
    switch self {
    case .constant: false
    case .comparison, .like, .state, .among, .containment: true
    case .not(let filter): filter.readsColumns
    case .and(let filters), .or(let filters): filters.contains(where: \.readsColumns)
    }
  }

  /// The values that some columns of a matching row must have, for an index lookup.
  var requiredValues: [Int: ColumnValue] {
    switch self {
    case .comparison(let place, .equal, let value): [place: value]
    case .and(let filters):
      filters.reduce(into: [:]) { $0.merge($1.requiredValues) { first, _ in first } }
    default: [:]
    }
  }

  /// Returns whether a row matches the filter; `nil` if the result is unknown in SQL.
  ///
  /// - Throws: 22025.
  func holds(for row: [ColumnValue]) throws(PostgRESTError) -> Bool? {
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

  /// Returns whether any filter has the truth value; unknown if no filter has it and one is unknown.
  private static func any(
    _ filters: [RowFilter], are sought: Bool, for row: [ColumnValue]
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
  func column(_ name: String) throws(PostgRESTError) -> (Int, DatabaseColumn) {
    guard let place = positions[name] else { throw .unknownColumn(name, table: relation) }
    return (place, columns[place])
  }
}

/// Returns true if any value is true, otherwise unknown if any value is unknown, otherwise false.
func anyTrue(_ values: some Sequence<Bool?>) -> Bool? {
  var result: Bool? = false
  for value in values {
    if value == true { return true }
    if value == nil { result = nil }
  }
  return result
}

extension ColumnValue {
  /// Returns whether a comparison with another value of the same type is true; `nil` if the result is unknown in SQL.
  func compared(_ comparison: DatabaseFilter.Comparison, with other: ColumnValue) -> Bool? {
    guard let order = order(comparedTo: other) else {
      return comparison == .distinct ? isNull != other.isNull : nil
    }
    return switch comparison {
    case .equal: order == .same
    case .notEqual, .distinct: order != .same
    case .less: order == .before
    case .lessOrEqual: order != .after
    case .greater: order == .after
    case .greaterOrEqual: order != .before
    }
  }

  /// Returns whether `IS` is true for the value.
  func isIn(_ state: DatabaseFilter.State) -> Bool {
    switch state {
    case .null, .unknown: isNull
    case .notNull: !isNull
    case .true: self == .boolean(true)
    case .false: self == .boolean(false)
    }
  }
}

extension DatabaseFilter.Containment {
  /// Returns whether the comparison is true; `NULL` equals no element, not even `NULL`, and texts are compared by their
  /// bytes.
  func holds(_ elements: [String?], _ others: [String?]) -> Bool {
    let own = Set(elements.compactMap { $0.map { Array($0.utf8) } })
    let given = Set(others.compactMap { $0.map { Array($0.utf8) } })
    return switch self {
    case .contains: !others.contains(nil) && given.isSubset(of: own)
    case .containedBy: !elements.contains(nil) && own.isSubset(of: given)
    case .overlaps: !own.isDisjoint(with: given)
    }
  }
}

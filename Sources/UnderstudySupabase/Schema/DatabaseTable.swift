import Foundation
import UnderstudyHTTP

/// A table: its columns, constraints and policies.
///
/// ```swift
/// DatabaseTable(
///   "todos",
///   columns: [
///     DatabaseColumn("id", .uuid, default: .generatedUUID),
///     DatabaseColumn("owner", .uuid),
///     DatabaseColumn("title", .text),
///   ],
///   unique: [["owner", "title"]], checks: [.notBlank("title")],
///   foreignKeys: [DatabaseForeignKey("owner", to: "auth.users", onDelete: .cascade)],
///   policies: [.owned(by: "owner")])
/// ```
package struct DatabaseTable: Sendable {
  /// The name in SQL, with the schema unless it is `public`, as in `auth.users`.
  package let name: String
  /// The columns, in the order of the output.
  package let columns: [DatabaseColumn]
  /// The columns of the primary key; empty without a primary key.
  package let primaryKey: [String]
  /// The other sets of columns with unique values.
  package var unique: [[String]] { keys.map(\.columns).filter { $0 != primaryKey } }
  /// The conditions on each row, in the order of their names, in which PostgreSQL checks them.
  package let checks: [DatabaseCheck]
  /// The references to other tables.
  package let foreignKeys: [DatabaseForeignKey]
  /// The row-level-security policies; `nil` without row-level security.
  package let policies: [DatabasePolicy]?

  /// The sets of columns with unique values, in the order in which they are checked.
  let keys: [UniqueKey]
  /// Whether only the service role may access the table.
  let isPrivate: Bool
  let layout: RowLayout

  /// Creates a table whose constraints receive the same names as in PostgreSQL.
  ///
  /// - Parameters:
  ///   - primaryKey: The columns of the primary key, which become `NOT NULL`. The default is ignored without a column
  ///     `id`.
  ///   - policies: The policies; `nil` disables row-level security. With an empty list, only the service role has
  ///     access.
  package init(
    _ name: String, columns: [DatabaseColumn], primaryKey: [String] = ["id"], unique: [[String]] = [],
    checks: [DatabaseCheck] = [], foreignKeys: [DatabaseForeignKey] = [], policies: [DatabasePolicy]? = nil
  ) {
    let layout = RowLayout(name, columns)
    let primaryKey = primaryKey.allSatisfy { layout.positions[$0] != nil } ? primaryKey : []
    var names = ConstraintNames()
    for name in checks.compactMap(\.name) + foreignKeys.map(\.name) where !name.isEmpty {
      _ = names.take(name)
    }
    let checks = checks.map { check in
      let columns = check.expression.columns
      return DatabaseCheck(
        name: check.name
          ?? names.generated(layout.relation, columns.count == 1 ? columns : [], "check"), check.expression)
    }
    var keys: [UniqueKey] = []
    if !primaryKey.isEmpty {
      keys.append(UniqueKey(name: names.generated(layout.relation, [], "pkey"), columns: primaryKey))
    }
    for columns in unique {
      keys.append(UniqueKey(name: names.generated(layout.relation, columns, "key"), columns: columns))
    }
    let foreignKeys = foreignKeys.map { key in
      key.name.isEmpty ? key.named(names.generated(layout.relation, key.columns, "fkey")) : key
    }
    self.init(
      name, columns: columns, primaryKey: primaryKey, keys: keys, checks: checks, foreignKeys: foreignKeys,
      policies: policies)
  }

  /// Creates a table whose constraints already have names.
  init(
    _ name: String, columns: [DatabaseColumn], primaryKey: [String], keys: [UniqueKey],
    checks: [DatabaseCheck],
    foreignKeys: [DatabaseForeignKey], policies: [DatabasePolicy]?, isPrivate: Bool = false
  ) {
    self.name = name
    self.columns = columns
    self.primaryKey = primaryKey
    self.keys = keys
    self.checks = checks.sorted { ($0.name ?? "").utf8.lexicographicallyPrecedes(($1.name ?? "").utf8) }
    self.foreignKeys = foreignKeys
    self.policies = policies
    self.isPrivate = isPrivate
    layout = RowLayout(name, columns)
  }

  /// The name without the schema, which is what messages show.
  var relation: String { layout.relation }

  /// Whether it can be reached over HTTP: PostgREST exposes the schema `public`.
  var isExposed: Bool { !name.contains(".") }
}

/// Columns with unique values.
struct UniqueKey: Sendable, Hashable {
  let name: String
  let columns: [String]
}

/// The columns of a table and their indices, shared by all of its rows.
final class RowLayout: Sendable {
  let relation: String
  let columns: [DatabaseColumn]
  let positions: [String: Int]

  init(_ table: String, _ columns: [DatabaseColumn]) {
    relation = table.split(separator: ".").last.map(String.init) ?? table
    self.columns = columns
    positions = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A column of a table.
package struct DatabaseColumn: Sendable, Hashable {
  /// The default value of a column.
  package enum Default: Sendable, Hashable {
    /// A constant.
    case value(ColumnValue)
    /// A new version 4 UUID, from the database's seed (`gen_random_uuid()`).
    case generatedUUID
    /// The time of the statement (`now()`).
    case now
    /// The id of the signed-in user, or `NULL` (`auth.uid()`).
    case userID
  }

  /// The name in SQL.
  package let name: String
  /// The type of its values.
  package let type: ColumnType
  /// Whether it may be `NULL`.
  package let isNullable: Bool
  /// The value in a new row without the column; `nil` for `NULL`.
  package let defaultValue: Default?
  /// Whether every update sets it to the time of the statement, as a trigger would.
  package let isSetOnUpdate: Bool

  /// Creates a column (default: `NOT NULL`).
  package init(
    _ name: String, _ type: ColumnType, isNullable: Bool = false, default defaultValue: Default? = nil,
    isSetOnUpdate: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.defaultValue = defaultValue
    self.isSetOnUpdate = isSetOnUpdate
  }
}

/// A condition on each row of a table.
///
/// As in SQL, it is satisfied if its value is unknown because of a `NULL`.
package struct DatabaseCheck: Sendable {
  /// The name; `nil` until the table generates it as PostgreSQL does: `<table>_<column>_check`.
  let name: String?
  let expression: SQLExpression

  init(name: String?, _ expression: SQLExpression) {
    self.name = name
    self.expression = expression
  }

  /// Returns a check for a number in a range, including both ends.
  package static func range(
    _ column: String, _ range: ClosedRange<Int>, name: String? = nil
  ) -> DatabaseCheck {
    let bounds = [(">=", range.lowerBound), ("<=", range.upperBound)]
    return DatabaseCheck(
      name: name,
      SQLExpression(
        .and(
          bounds.map { symbol, bound in
            SQLExpression(.binary(symbol, .column(column), SQLExpression(.number(String(bound)))))
          })))
  }

  /// Returns a check for a date that is not after today, in UTC.
  package static func notAfterToday(_ column: String, name: String? = nil) -> DatabaseCheck {
    DatabaseCheck(name: name, SQLExpression(.binary("<=", .column(column), .call("current_date"))))
  }

  /// Returns a check for a text with a character other than white space: `… ~ '[^[:space:]]'`.
  package static func notBlank(_ column: String, name: String? = nil) -> DatabaseCheck {
    DatabaseCheck(
      name: name, SQLExpression(.binary("~", .column(column), SQLExpression(.string("[^[:space:]]")))))
  }
}

/// Columns whose values must be those of a row in another table, unless one of them is `NULL`.
package struct DatabaseForeignKey: Sendable, Hashable {
  /// The action on a row when its referenced row is deleted.
  package enum Action: Sendable, Hashable {
    /// The deletion is refused, unless it also removes the referring row.
    case noAction
    /// The deletion is refused.
    case restrict
    /// The row is deleted too.
    case cascade
    /// The reference becomes `NULL`.
    case setNull
    /// The reference becomes the column's default.
    case setDefault
  }

  /// The referring columns.
  package let columns: [String]
  /// The referenced table, such as `children` or `auth.users`.
  package let table: String
  /// The referenced columns.
  package let referencedColumns: [String]
  /// The action on a row when its referenced row is deleted.
  package let onDelete: Action
  /// The name; empty until the table generates it as PostgreSQL does: `<table>_<columns>_fkey`.
  let name: String

  /// Creates a reference from one column to another table's `id`.
  package init(_ column: String, to table: String, onDelete: Action = .noAction, name: String? = nil) {
    self.init([column], to: table, ["id"], onDelete: onDelete, name: name)
  }

  /// Creates a reference from columns to as many columns of another table.
  package init(
    _ columns: [String], to table: String, _ referencedColumns: [String], onDelete: Action = .noAction,
    name: String? = nil
  ) {
    self.columns = columns
    self.table = table
    self.referencedColumns = referencedColumns
    self.onDelete = onDelete
    self.name = name ?? ""
  }

  func named(_ name: String) -> DatabaseForeignKey {
    DatabaseForeignKey(columns, to: table, referencedColumns, onDelete: onDelete, name: name)
  }
}

/// A generator of the names of unnamed constraints, with the rules of PostgreSQL.
struct ConstraintNames {
  private var taken: Set<String> = []

  /// Reserves a given name; false if it is already taken.
  mutating func take(_ name: String) -> Bool { taken.insert(name).inserted }

  /// Returns a name from the table, the columns and a label, followed by a number if it is taken
  /// (`ChooseConstraintName`).
  mutating func generated(_ table: String, _ columns: [String], _ label: String) -> String {
    let columns = Self.cut(columns.joined(separator: "_"), to: 63)
    var name = Self.joined(table, columns, label)
    var number = 0
    while !take(name) {
      number += 1
      name = Self.joined(table, columns, label + String(number))
    }
    return name
  }

  /// Returns a name of at most 63 bytes, truncated in the longer of both parts (`makeObjectName`).
  private static func joined(_ table: String, _ columns: String, _ label: String) -> String {
    let room = 63 - (label.utf8.count + 1) - (columns.isEmpty ? 0 : 1)
    var (tableLength, columnsLength) = (table.utf8.count, columns.utf8.count)
    while tableLength + columnsLength > room, tableLength + columnsLength > 0 {
      if tableLength > columnsLength { tableLength -= 1 } else { columnsLength -= 1 }
    }
    let parts = [cut(table, to: tableLength), cut(columns, to: columnsLength), label]
    return parts.filter { !$0.isEmpty }.joined(separator: "_")
  }

  /// Returns as many whole characters as fit into the bytes (`pg_mbcliplen`).
  static func cut(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var kept = ""
    for scalar in text.unicodeScalars {
      guard kept.utf8.count + String(scalar).utf8.count <= bytes else { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept
  }
}

import Foundation
import UnderstudyTransport

/// A table: its columns, what its rows must keep, and who may see and write them.
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
public struct DatabaseTable: Sendable {
  /// As it is written in SQL; with the schema before it, as in `auth.users`, where that is not `public`.
  public let name: String
  /// In the order in which they are printed.
  public let columns: [DatabaseColumn]
  /// The columns of the primary key; empty for none.
  public let primaryKey: [String]
  /// The other sets of columns whose values no two rows share.
  public var unique: [[String]] { keys.map(\.columns).filter { $0 != primaryKey } }
  /// The conditions on each row, in the order of their names, which is how PostgreSQL tries them.
  public let checks: [DatabaseCheck]
  /// The references to other tables.
  public let foreignKeys: [DatabaseForeignKey]
  /// The row-level-security policies; `nil` is no row-level security.
  public let policies: [DatabasePolicy]?

  /// The sets of columns whose values no two rows share, in the order in which they are tried.
  let keys: [UniqueKey]
  /// Whether only the service role has a right to it at all.
  let isPrivate: Bool
  let layout: RowLayout

  /// A table whose constraints get the names that PostgreSQL would give them.
  ///
  /// - Parameters:
  ///   - primaryKey: These columns become `NOT NULL`; left out if the table does not have them.
  ///   - policies: `nil` lets every role do everything; an empty list lets only the service role.
  public init(
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

  /// A table whose constraints have their names.
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

/// Columns whose values no two rows share.
struct UniqueKey: Sendable, Hashable {
  let name: String
  let columns: [String]
}

/// The columns of a table and their places, shared by all of its rows.
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
public struct DatabaseColumn: Sendable, Hashable {
  /// What a row that names no value of its own gets.
  public enum Default: Sendable, Hashable {
    /// Always the same.
    case value(ColumnValue)
    /// A new version 4 UUID, from the database's seed (`gen_random_uuid()`).
    case generatedUUID
    /// The moment of the statement (`now()`).
    case now
    /// The user, or `NULL` where nobody is signed in (`auth.uid()`).
    case userID
  }

  /// As it is written in SQL.
  public let name: String
  /// What it holds.
  public let type: ColumnType
  /// Whether it may be `NULL`.
  public let isNullable: Bool
  /// What it holds when a new row says nothing; `nil` is `NULL`.
  public let defaultValue: Default?
  /// Whether every update sets it to the moment of the statement, as a trigger would.
  public let isSetOnUpdate: Bool

  /// A column, `NOT NULL` unless it is said otherwise.
  public init(
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
/// As in SQL, it holds where a value is `NULL`.
public struct DatabaseCheck: Sendable {
  /// `nil` until the table gives it the one that PostgreSQL would: `<table>_<column>_check`.
  let name: String?
  let expression: SQLExpression

  init(name: String?, _ expression: SQLExpression) {
    self.name = name
    self.expression = expression
  }

  /// A number within a range, both ends included.
  public static func range(
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

  /// One of several texts.
  public static func oneOf(_ column: String, _ values: [String], name: String? = nil) -> DatabaseCheck {
    DatabaseCheck(
      name: name, SQLExpression(.among(.column(column), values.map { SQLExpression(.string($0)) })))
  }

  /// A date that is today, in UTC, or before.
  public static func notAfterToday(_ column: String, name: String? = nil) -> DatabaseCheck {
    DatabaseCheck(name: name, SQLExpression(.binary("<=", .column(column), .call("current_date"))))
  }

  /// A text with more in it than white space: `… ~ '[^[:space:]]'`.
  public static func notBlank(_ column: String, name: String? = nil) -> DatabaseCheck {
    DatabaseCheck(
      name: name, SQLExpression(.binary("~", .column(column), SQLExpression(.string("[^[:space:]]")))))
  }

  /// Any condition.
  ///
  /// - Parameters:
  ///   - name: The constraint's name.
  ///   - condition: Whether a row may be stored, on this day in UTC. It must not call the database.
  public static func that(
    _ name: String, _ condition: @escaping @Sendable (DatabaseRow, _ today: CivilDate) -> Bool
  ) -> DatabaseCheck {
    DatabaseCheck(
      name: name,
      SQLExpression(.custom { row, context in context.now.day.map { condition(row, $0) } ?? true }))
  }
}

/// Columns whose values must be those of a row in another table, unless one of them is `NULL`.
public struct DatabaseForeignKey: Sendable, Hashable {
  /// What becomes of a row when the one that it refers to is deleted.
  public enum Action: Sendable, Hashable {
    /// The deletion is refused, unless what it brings about takes the row away, too.
    case noAction
    /// The deletion is refused.
    case restrict
    /// It is deleted too.
    case cascade
    /// It refers to nothing any more.
    case setNull
    /// It refers to what a new row does.
    case setDefault
  }

  /// The columns that refer.
  public let columns: [String]
  /// The table that is referred to, such as `children` or `auth.users`.
  public let table: String
  /// The columns there.
  public let referencedColumns: [String]
  /// What becomes of a row when the one that it refers to is deleted.
  public let onDelete: Action
  /// Empty until the table gives it the one that PostgreSQL would: `<table>_<columns>_fkey`.
  let name: String

  /// A reference from one column to another table's `id`.
  public init(_ column: String, to table: String, onDelete: Action = .noAction, name: String? = nil) {
    self.init([column], to: table, ["id"], onDelete: onDelete, name: name)
  }

  /// A reference from columns to as many columns of another table.
  public init(
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

/// Gives constraints the names that PostgreSQL gives them when they have none.
struct ConstraintNames {
  private var taken: Set<String> = []

  /// Takes a name that was given; false if something else has it.
  mutating func take(_ name: String) -> Bool { taken.insert(name).inserted }

  /// A name of the table, the columns and a label, with a number after it where it is taken (`ChooseConstraintName`).
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

  /// At most 63 bytes, taken from the longer of both parts (`makeObjectName`).
  private static func joined(_ table: String, _ columns: String, _ label: String) -> String {
    let room = 63 - (label.utf8.count + 1) - (columns.isEmpty ? 0 : 1)
    var (tableLength, columnsLength) = (table.utf8.count, columns.utf8.count)
    while tableLength + columnsLength > room, tableLength + columnsLength > 0 {
      if tableLength > columnsLength { tableLength -= 1 } else { columnsLength -= 1 }
    }
    let parts = [cut(table, to: tableLength), cut(columns, to: columnsLength), label]
    return parts.filter { !$0.isEmpty }.joined(separator: "_")
  }

  /// As many whole characters as the bytes have room for (`pg_mbcliplen`).
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

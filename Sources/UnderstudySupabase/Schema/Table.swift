import UnderstudyHTTP

/// A table: its columns, what its rows must keep, and who may see and write them.
///
/// ```swift
/// Table(
///   "todos",
///   columns: [
///     Column("id", .uuid, default: .generatedUUID),
///     Column("owner", .uuid),
///     Column("title", .text),
///   ],
///   unique: [["owner", "title"]], checks: [.notBlank("title")],
///   foreignKeys: [ForeignKey("owner", to: "auth.users", onDelete: .cascade)],
///   policies: [.owned(by: "owner")])
/// ```
public struct Table: Sendable {
  /// As it is written in SQL; with the schema before it, as in `auth.users`, where that is not `public`.
  public let name: String
  /// In the order in which they are printed.
  public let columns: [Column]
  /// The columns of the primary key; empty for none.
  public let primaryKey: [String]
  /// The other sets of columns whose values no two rows share.
  public var unique: [[String]] { keys.map(\.columns).filter { $0 != primaryKey } }
  /// The conditions on each row, in the order of their names, which is how PostgreSQL tries them.
  public let checks: [Check]
  /// The references to other tables.
  public let foreignKeys: [ForeignKey]
  /// The row-level-security policies; `nil` is no row-level security.
  public let policies: [Policy]?

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
    _ name: String, columns: [Column], primaryKey: [String] = ["id"], unique: [[String]] = [],
    checks: [Check] = [], foreignKeys: [ForeignKey] = [], policies: [Policy]? = nil
  ) {
    let layout = RowLayout(name, columns)
    let primaryKey = primaryKey.allSatisfy { layout.positions[$0] != nil } ? primaryKey : []
    var names = ConstraintNames()
    for name in checks.compactMap(\.name) + foreignKeys.map(\.name) where !name.isEmpty {
      _ = names.take(name)
    }
    let checks = checks.map { check in
      let columns = check.expression.columns
      return Check(
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
    _ name: String, columns: [Column], primaryKey: [String], keys: [UniqueKey], checks: [Check],
    foreignKeys: [ForeignKey], policies: [Policy]?, isPrivate: Bool = false
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
  let columns: [Column]
  let positions: [String: Int]

  init(_ table: String, _ columns: [Column]) {
    relation = table.split(separator: ".").last.map(String.init) ?? table
    self.columns = columns
    positions = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

import UnderstudyTransport

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
  public let unique: [[String]]
  /// The conditions on each row, in the order of their names, which is how PostgreSQL tries them.
  public let checks: [Check]
  /// The references to other tables.
  public let foreignKeys: [ForeignKey]
  /// The row-level-security policies; `nil` is no row-level security.
  public let policies: [Policy]?

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
    let relation = name.split(separator: ".").last.map(String.init) ?? name
    let layout = RowLayout(relation: relation, columns: columns)
    self.name = name
    self.columns = columns
    self.primaryKey = primaryKey.allSatisfy { layout.positions[$0] != nil } ? primaryKey : []
    self.unique = unique
    self.checks = checks.sorted { $0.name(in: relation) < $1.name(in: relation) }
    self.foreignKeys = foreignKeys
    self.policies = policies
    self.layout = layout
  }

  /// The name without the schema, which is what messages show.
  var relation: String { layout.relation }

  /// A constraint or a policy on a column that the table does not have: every statement is refused with it.
  ///
  /// Left alone, such a check would hold for every row and such a policy for none.
  var mistake: PostgRESTError? {
    let named =
      unique.joined() + foreignKeys.flatMap(\.columns) + checks.compactMap(\.column)
      + (policies ?? []).flatMap { ($0.using?.columns ?? []) + ($0.check?.columns ?? []) }
    return named.first { layout.positions[$0] == nil }.map { .unknownTarget($0, table: relation) }
  }

  /// Whether it can be reached over HTTP: PostgREST exposes the schema `public`.
  var isExposed: Bool { !name.contains(".") }
}

/// The columns of a table and their places, shared by all of its rows.
final class RowLayout: Sendable {
  let relation: String
  let columns: [Column]
  let positions: [String: Int]

  init(relation: String, columns: [Column]) {
    self.relation = relation
    self.columns = columns
    positions = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Columns whose values must be those of a row in another table, unless one of them is `NULL`.
public struct ForeignKey: Sendable, Hashable {
  /// What becomes of a row when the one that it refers to is deleted.
  public enum Action: Sendable, Hashable {
    /// The deletion is refused.
    case noAction
    /// It is deleted too.
    case cascade
    /// It refers to nothing any more.
    case setNull
  }

  /// The columns that refer.
  public let columns: [String]
  /// The table that is referred to, such as `children` or `auth.users`.
  public let table: String
  /// The columns there.
  public let referencedColumns: [String]
  /// What becomes of a row when the one that it refers to is deleted.
  public let onDelete: Action
  private let givenName: String?

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
    givenName = name
  }

  /// Its own name, or the one that PostgreSQL gives: `<table>_<columns>_fkey`.
  func name(in table: String) -> String {
    givenName ?? "\(table)_\(columns.joined(separator: "_"))_fkey"
  }
}

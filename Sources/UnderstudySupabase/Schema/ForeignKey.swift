/// Columns whose values must be those of a row in another table, unless one of them is `NULL`.
public struct ForeignKey: Sendable, Hashable {
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

  func named(_ name: String) -> ForeignKey {
    ForeignKey(columns, to: table, referencedColumns, onDelete: onDelete, name: name)
  }
}

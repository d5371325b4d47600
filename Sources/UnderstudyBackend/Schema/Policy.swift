/// A row-level-security policy: which rows a role sees and may write.
///
/// Policies are permissive, as in PostgreSQL by default: one that allows is enough, and none allows nothing.
public struct Policy: Sendable {
  /// A condition on a row, for a role.
  public indirect enum Condition: Sendable {
    /// Every row, for everybody.
    case always
    /// The column is the user (`auth.uid() = user_id`).
    case isUser(column: String)
    /// The row that the column refers to, by its `id`, is there and meets a condition of its own.
    case parent(column: String, table: String, Condition)
    /// All of several conditions (`AND`).
    case all([Condition])
    /// Any other condition. It must not call the database.
    case custom(@Sendable (DatabaseRow, DatabaseRole) -> Bool)

    /// The columns of the policy's own table that it is about.
    var columns: [String] {
      switch self {
      case .isUser(let column), .parent(let column, _, _): [column]
      case .all(let conditions): conditions.flatMap(\.columns)
      case .always, .custom: []
      }
    }
  }

  /// The kinds of statement that it is for; never empty.
  public let kinds: Set<StatementKind>
  /// Which of the rows that are there (`USING`).
  public let using: Condition?
  /// Which new or changed rows (`WITH CHECK`); `nil` is the same as ``using``.
  public let check: Condition?

  /// A policy for some kinds of statement, or for all.
  public init(
    for kinds: Set<StatementKind> = Set(StatementKind.allCases), using: Condition? = nil,
    check: Condition? = nil
  ) {
    self.kinds = kinds
    self.using = using
    self.check = check
  }

  /// Everything with the rows whose column is the user, nothing with others.
  public static func owned(by column: String) -> Policy {
    Policy(using: .isUser(column: column))
  }

  /// Everything with the rows whose parent row is the user's, nothing with others.
  public static func owned(through column: String, to table: String, by owner: String) -> Policy {
    Policy(using: .parent(column: column, table: table, .isUser(column: owner)))
  }
}

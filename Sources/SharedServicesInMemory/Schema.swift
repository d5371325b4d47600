public import UnderstudyBackend
import UnderstudyTransport

extension [Table] {
  /// The tables of the shared services: children, conversations, messages and child memory.
  ///
  /// With the constraints of the seeds' tables under the names that PostgreSQL gives them, and their
  /// policies: a user sees and writes only what is their own. `UNIQUE (user_id, name)` on children is an
  /// addition, so that a conflict can happen.
  public static var sharedServices: [Table] { [.children, .conversations, .messages, .childMemory] }
}

extension Table {
  fileprivate static let children = Table(
    "children",
    columns: [
      .id,
      Column("user_id", .uuid),
      Column("name", .text),
      Column("age", .integer),
      Column("birthday", .date),
      Column("goals", .textArray, default: .value(.textArray([]))),
      Column("topics", .textArray, default: .value(.textArray([]))),
      Column("temperament", .text, default: .value("easygoing")),
      Column("temperament_talkative", .integer, default: .value(5)),
      Column("temperament_sensitivity", .integer, default: .value(5)),
      Column("temperament_accountability", .integer, default: .value(5)),
      .createdAt,
      .updatedAt,
    ],
    unique: [["user_id", "name"]],
    checks: [
      .notBlank("name"),
      .range("age", 6...16),
      .notAfterToday("birthday"),
      .oneOf("temperament", ["easygoing", "sensitive", "spirited", "cautious"]),
      .range("temperament_talkative", 1...10),
      .range("temperament_sensitivity", 1...10),
      .range("temperament_accountability", 1...10),
    ],
    foreignKeys: [ForeignKey("user_id", to: "auth.users", onDelete: .cascade)],
    policies: [.owned(by: "user_id")])

  fileprivate static let conversations = Table(
    "conversations",
    columns: [.id, Column("user_id", .uuid), Column("child_id", .uuid), .createdAt, .updatedAt],
    foreignKeys: [
      ForeignKey("user_id", to: "auth.users", onDelete: .cascade),
      ForeignKey("child_id", to: "children", onDelete: .cascade),
    ],
    // A foreign key looks past policies, so the child of another user must be refused here.
    policies: [
      Policy(
        using: .isUser(column: "user_id"),
        check: .all([
          .isUser(column: "user_id"),
          .parent(column: "child_id", table: "children", .isUser(column: "user_id")),
        ]))
    ])

  fileprivate static let messages = Table(
    "messages",
    columns: [
      .id,
      Column("conversation_id", .uuid),
      Column("role", .text),
      Column("content", .text),
      Column("sources", .json, isNullable: true),
      .createdAt,
    ],
    checks: [.oneOf("role", ["user", "assistant", "system"])],
    foreignKeys: [ForeignKey("conversation_id", to: "conversations", onDelete: .cascade)],
    policies: [.owned(through: "conversation_id", to: "conversations", by: "user_id")])

  fileprivate static let childMemory = Table(
    "child_memory",
    columns: [
      .id,
      Column("child_id", .uuid),
      Column("content", .json, default: .value(.json(.object([])))),
      .createdAt,
      .updatedAt,
    ],
    unique: [["child_id"]],
    foreignKeys: [ForeignKey("child_id", to: "children", onDelete: .cascade)],
    policies: [.owned(through: "child_id", to: "children", by: "user_id")])
}

extension Column {
  fileprivate static let id = Column("id", .uuid, default: .generatedUUID)
  fileprivate static let createdAt = Column("created_at", .timestamp, default: .now)
  /// Set by the seeds' trigger `update_updated_at()`.
  fileprivate static let updatedAt = Column("updated_at", .timestamp, default: .now, isSetOnUpdate: true)
}

public import Foundation

/// On whose behalf a statement runs.
public enum DatabaseRole: Sendable, Hashable {
  /// The backend itself (`service_role`): row-level security does not apply.
  case service
  /// Somebody who is not signed in (`anon`).
  case anonymous
  /// A user who is signed in (`authenticated`), whose id is `auth.uid()`.
  case user(UUID)

  /// Whether the role came with a token of its own.
  public var isAuthenticated: Bool { self != .anonymous }
}

/// What a statement does.
public enum StatementKind: String, Sendable, Hashable, CaseIterable {
  /// Reads rows.
  case select
  /// Adds rows; an upsert, too.
  case insert
  /// Changes rows.
  case update
  /// Removes rows.
  case delete
}

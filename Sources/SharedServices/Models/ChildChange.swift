public import Foundation

/// A change of one of the user's children, as the service reports it.
public enum ChildChange: Sendable, Hashable {
  /// A child was stored.
  case inserted(Child)
  /// A child was changed; with its new values.
  case updated(Child)
  /// A child was deleted; only its id is known.
  case deleted(id: UUID)
}

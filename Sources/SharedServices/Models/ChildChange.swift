public import Foundation

/// A change of one of the user's children, as the service announces it.
public enum ChildChange: Sendable, Hashable {
  /// A child was stored.
  case inserted(Child)
  /// A child was changed; it is now as given.
  case updated(Child)
  /// A child was removed; its id is all that is told.
  case deleted(id: UUID)
}

/// What may differ between two implementations that are compared, and why.
///
/// A comparison goes on past it. A freedom that names no operation holds for all of them.
public struct Freedom: Sendable {
  enum Kind: Sendable, Hashable {
    case generated(String)
    case anything(String)
    case error
  }

  let kind: Kind
  /// The operation with or without labels; `nil` for all.
  let operation: String?
  let reason: String

  /// Each implementation makes the values of a member itself, such as ids.
  ///
  /// Values are equal if they occurred first at the same place of the program. That of a `UUID` needs no freedom.
  ///
  /// - Parameters:
  ///   - member: The name of the member in answers and events.
  ///   - operation: The operation, such as `add(_:)` (default: all).
  ///   - reason: Why that is right.
  public static func generated(_ member: String, in operation: String? = nil, because reason: String) -> Self
  {
    Self(kind: .generated(member), operation: operation, reason: reason)
  }

  /// A member may have any value.
  ///
  /// - Parameters:
  ///   - member: The name of the member in answers and events.
  ///   - operation: The operation, such as `add(_:)` (default: all).
  ///   - reason: Why that is right.
  public static func anything(_ member: String, in operation: String? = nil, because reason: String) -> Self {
    Self(kind: .anything(member), operation: operation, reason: reason)
  }

  /// An operation that fails in both implementations may throw different errors.
  ///
  /// - Parameters:
  ///   - operation: The operation, such as `add(_:)`.
  ///   - reason: Why that is right.
  public static func error(of operation: String, because reason: String) -> Self {
    Self(kind: .error, operation: operation, reason: reason)
  }
}

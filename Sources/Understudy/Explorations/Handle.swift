/// A reference to a resource that is not a value, such as an open stream, for use in a model.
///
/// Two handles are equal if they are identical.
public final class Handle<Value: Sendable>: Sendable, Hashable {
  /// The resource.
  public let value: Value

  /// Creates a handle.
  public init(_ value: Value) {
    self.value = value
  }

  /// Whether both are the same handle.
  public static func == (one: Handle, other: Handle) -> Bool { one === other }

  /// Hashes the identity of the handle.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// Something of a stage that a model has to hold and that is no value, such as a stream that is open.
///
/// Two handles are equal if they are the same one.
public final class Handle<Value: Sendable>: Sendable, Hashable {
  /// What is held.
  public let value: Value

  /// Holds something.
  public init(_ value: Value) {
    self.value = value
  }

  /// Whether both are the same handle.
  public static func == (one: Handle, other: Handle) -> Bool { one === other }

  /// Feeds the identity into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

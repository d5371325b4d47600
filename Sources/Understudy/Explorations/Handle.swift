/// A reference to a resource that is not a value, such as an open stream, for use in a model.
///
/// Two handles are equal if they are identical.
package final class Handle<Value: Sendable>: Sendable, Hashable {
  /// The resource.
  package let value: Value

  /// Creates a handle.
  package init(_ value: Value) {
    self.value = value
  }

  /// Whether both are the same handle.
  package static func == (one: Handle, other: Handle) -> Bool { one === other }

  /// Hashes the identity of the handle.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// One call of a scenario, into which a fault can be injected.
public struct FaultPoint: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  /// The base's name in the scenario and the operation, such as `children.createChild`.
  public let operation: String
  /// The number of the call among those of the operation, starting at one.
  public let call: Int

  /// Creates the point of a call.
  package init(_ operation: String, call: Int) {
    self.operation = operation
    self.call = call
  }

  /// Orders points alphabetically by operation, then by the number of the call.
  public static func < (one: Self, other: Self) -> Bool {
    (one.operation, one.call) < (other.operation, other.call)
  }

  /// The operation and the number of the call.
  public var description: String { "\(operation) call=\(call)" }
}

/// A point as observed in a run.
struct SeenPoint: Hashable, Sendable {
  let point: FaultPoint
  let interaction: Fault.Interaction
  let injectionPoint: InjectionPoint
  /// The number of events that its stream delivered.
  var events = 0
}

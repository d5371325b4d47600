/// One call that a scenario makes: where a fault can be put in.
public struct FaultPoint: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  /// The base's name in the scenario and the operation, such as `children.createChild`.
  public let operation: String
  /// Which call of the operation, from one.
  public let call: Int

  /// A call.
  public init(_ operation: String, call: Int) {
    self.operation = operation
    self.call = call
  }

  /// In the order of the alphabet, and the calls of an operation in theirs.
  public static func < (one: Self, other: Self) -> Bool {
    (one.operation, one.call) < (other.operation, other.call)
  }

  /// The operation and the number of the call.
  public var description: String { "\(operation) call=\(call)" }
}

/// A point as a run saw it.
struct SeenPoint: Hashable, Sendable {
  let point: FaultPoint
  let interaction: Fault.Interaction
  let injectionPoint: InjectionPoint
  /// How many events its stream brought.
  var events = 0
}

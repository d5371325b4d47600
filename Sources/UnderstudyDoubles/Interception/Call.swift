public import UnderstudyTransport

extension Intercepted {
  /// One call: its operation and what it was called with.
  public struct Call: Sendable, CustomStringConvertible {
    /// What is asked for.
    public let operation: Operation
    /// The argument itself where there is one, a tuple of them where there are several, `()` where there is none.
    let packedArguments: any Sendable

    init(_ operation: Operation, packing packedArguments: any Sendable) {
      self.operation = operation
      self.packedArguments = packedArguments
    }

    /// The arguments, if they have these types.
    ///
    /// - Parameter type: The type of the only argument, or the types of all in their order, without labels:
    ///   `call.arguments(as: (String, Int).self)`.
    public func arguments<Arguments>(as type: Arguments.Type) -> Arguments? {
      packedArguments as? Arguments
    }

    /// The operation, and the arguments in brackets.
    public var description: String {
      switch packedArguments {
      case is Void: "\(operation)()"
      case let request as HTTPRequest: "\(request.method) \(request.url)"
      default:
        if Mirror(reflecting: packedArguments).displayStyle == .tuple {
          "\(operation)\(packedArguments)"
        } else {
          "\(operation)(\(packedArguments))"
        }
      }
    }
  }
}

extension Intercepted.Call where Base: HTTPTransport {
  /// The request that is sent.
  public var request: HTTPRequest? { arguments(as: HTTPRequest.self) }
}

extension Intercepted.Call where Base: HTTPHandler {
  /// The request that is to be answered.
  public var request: HTTPRequest? { arguments(as: HTTPRequest.self) }
}

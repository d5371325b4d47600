/// How a fault becomes the error that a requirement throws.
struct FailureMapping {
  /// A function of a fault, as it is written in Swift; `nil` for the initialiser of the error itself.
  let expression: String?

  /// The closure that makes the error, from the fault that is its argument.
  func closure(for throwing: Declaration.Throwing) -> String {
    switch throwing {
    case .typed(let type): "{ \(error(type, "$0")) }"
    default: expression == nil ? "{ $0 as any Error }" : "{ \(error("", "$0")) as any Error }"
    }
  }

  /// The error, as an expression.
  ///
  /// - Parameters:
  ///   - type: Of the error.
  ///   - fault: An expression too.
  func error(_ type: String, _ fault: String) -> String {
    guard let expression else { return "\(type)(\(fault))" }
    return expression.hasPrefix("{") ? "(\(expression))(\(fault))" : "\(expression)(\(fault))"
  }
}

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
    if expression.hasPrefix("{") { return "(\(expression))(\(fault))" }
    // An initialiser, such as `AppError.init` or `DataError.init(ofStore:)`, as people write its call.
    let parts = expression.split(separator: ".init", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].isEmpty || (parts[1].hasPrefix("(") && parts[1].hasSuffix(":)")) else {
      return "\(expression)(\(fault))"
    }
    let label = parts[1].dropFirst().dropLast(2)
    return "\(parts[0])(\(label.isEmpty || label == "_" ? "" : "\(label): ")\(fault))"
  }
}

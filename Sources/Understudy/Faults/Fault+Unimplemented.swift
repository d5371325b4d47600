import UnderstudyTransport

extension Fault {
  /// A call of what a double does not implement; it is no fault of the catalogue, and nobody plans it.
  ///
  /// A generated double throws it, or the error that it becomes, where a test has not said what is to happen.
  ///
  /// - Parameters:
  ///   - requirement: What is called, such as `TodoService.add(_:)`.
  ///   - closure: The closure of the double that would implement it; `nil` if there is none.
  public static func unimplemented(_ requirement: String, closure: String? = nil) -> Fault {
    let remedy = closure.map { "give it an \($0)" } ?? "write one by hand"
    let description = "\(requirement) is not implemented by this double; \(remedy)."
    return Fault(description, .failure(.unknown, description))
  }
}

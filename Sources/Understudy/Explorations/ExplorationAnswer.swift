/// The answer to a call: a value or an error.
public enum ExplorationAnswer<Response: Sendable>: Sendable, CustomStringConvertible {
  /// The call returned.
  case value(Response)
  /// The call threw an error.
  case failure(any Error)

  /// The returned value; `nil` if the call threw.
  package var value: Response? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The thrown error; `nil` if the call returned.
  package var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }

  /// Possible if the call returned any value.
  public var returned: AnswerCheck { returned { _ in true } }

  /// Possible if the call returned a value that satisfies a predicate.
  ///
  /// - Parameter expectation: The expectation, to follow "Expected", such as `an empty list`.
  public func returned(
    _ expectation: @autoclosure () -> String = "a success", where holds: (Response) -> Bool
  ) -> AnswerCheck {
    if case .value(let value) = self, holds(value) { .possible } else { .impossible(expected: expectation()) }
  }

  /// Possible if the call returned this value.
  public func returned(_ expected: @autoclosure () -> Response) -> AnswerCheck where Response: Equatable {
    let expected = expected()
    if case .value(expected) = self { return .possible }
    return .impossible(expected: "\(expected)")
  }

  /// Possible if the call threw this error.
  public func threw<Failure: Error & Equatable>(_ expected: Failure) -> AnswerCheck {
    threw(oneOf: [expected])
  }

  /// Possible if the call threw one of these errors, where the service does not specify which.
  public func threw<Failure: Error & Equatable>(oneOf expected: [Failure]) -> AnswerCheck {
    if let error = error as? Failure, expected.contains(error) { return .possible }
    return .impossible(expected: "the error " + expected.map { "\($0)" }.joined(separator: " or "))
  }

  /// The value, or the error.
  public var description: String {
    switch self {
    case .value(let value): value is Void ? "a success" : "\(value)"
    case .failure(let error): "the error \(error)"
    }
  }
}

/// Whether an answer is possible in a state of the model.
public enum AnswerCheck: Sendable, Hashable {
  /// The answer is possible.
  case possible
  /// The answer is not possible.
  ///
  /// - Parameter expected: The expected answer, to follow "Expected", such as `the error notFound`.
  case impossible(expected: String)
}

/// What a call gave back: a value, or an error, which is an answer as well.
public enum ExplorationAnswer<Response: Sendable>: Sendable, CustomStringConvertible {
  /// It returned.
  case value(Response)
  /// It threw.
  case failure(any Error)

  /// What it returned; `nil` if it threw.
  public var value: Response? {
    if case .value(let value) = self { value } else { nil }
  }

  /// What it threw; `nil` if it returned.
  public var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }

  /// Possible if the call returned, whatever it returned.
  public var returned: Verdict { returned { _ in true } }

  /// Possible if the call returned something that satisfies a predicate.
  ///
  /// - Parameter expectation: What is expected, to follow "Expected", such as `an empty list`.
  public func returned(
    _ expectation: @autoclosure () -> String = "a success", where holds: (Response) -> Bool
  ) -> Verdict {
    if case .value(let value) = self, holds(value) { .possible } else { .impossible(expected: expectation()) }
  }

  /// Possible if the call returned this.
  public func returned(_ expected: @autoclosure () -> Response) -> Verdict where Response: Equatable {
    let expected = expected()
    if case .value(expected) = self { return .possible }
    return .impossible(expected: "\(expected)")
  }

  /// Possible if the call threw this.
  public func threw<Failure: Error & Equatable>(_ expected: Failure) -> Verdict {
    threw(oneOf: [expected])
  }

  /// Possible if the call threw one of these, where it is nobody's promise which.
  public func threw<Failure: Error & Equatable>(oneOf expected: [Failure]) -> Verdict {
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
public enum Verdict: Sendable, Hashable {
  /// It is.
  case possible
  /// It is not.
  ///
  /// - Parameter expected: What is, to follow "Expected", such as `the error notFound`.
  case impossible(expected: String)
}

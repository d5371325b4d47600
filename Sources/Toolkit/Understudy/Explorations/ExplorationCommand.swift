/// One operation on a service, with symbolic arguments, as a case of an enumeration.
///
/// ```swift
/// enum TodoCommand: ExplorationCommand {
///   case add(String)
///   case remove(Int)    // the place of the item among those that were added
///   case items
///
///   static func random(in model: TodoModel, using generator: inout some RandomNumberGenerator) -> Self { … }
///
///   func call(in model: TodoModel) -> ExplorationCall<any TodoService, TodoModel>? {
///     switch self {
///     case .remove(let place):
///       guard model.ids.indices.contains(place) else { return nil }
///       let id = model.ids[place]
///       return ExplorationCall { try await $0.remove(id) } step: { model, answer in
///         model.items[id] = nil
///         return answer.returned
///       }
///     …
///     }
///   }
/// }
/// ```
///
/// A command does not contain values that the service makes, such as an id. It refers to such a value by position, and
/// the model knows the value from the answer that returned it. A command therefore keeps its meaning in another
/// sequence, which shrinking requires.
public protocol ExplorationCommand: Sendable, Hashable {
  /// The service type.
  associatedtype Subject: Sendable
  /// The reference model: the expected state of the service, in its simplest form.
  associatedtype Model: Sendable, Hashable

  /// Draws a command that may be tried next.
  ///
  /// If its ``call(in:)`` is `nil`, another one is drawn.
  static func random(in model: Model, using generator: inout some RandomNumberGenerator) -> Self

  /// Resolves the references of the command in a state; `nil` if the command is not applicable.
  func call(in model: Model) -> ExplorationCall<Subject, Model>?

  /// Commands that read the whole state.
  ///
  /// They end every generated program, so that no wrong state goes undetected.
  static func observations(of model: Model) -> [Self]

  /// Simpler commands that may reproduce a failure, the simplest first.
  ///
  /// The relation must not contain a cycle.
  var simpler: [Self] { get }

  /// The command as a Swift expression with an implied type, such as `.add("Milk")`.
  var swift: String { get }

  /// Whether a call that threw this error may have taken effect, because its answer was lost.
  static func isUnanswered(_ error: any Error) -> Bool
}

extension ExplorationCommand {
  /// Returns an empty list.
  public static func observations(of model: Model) -> [Self] { [] }

  /// An empty list.
  public var simpler: [Self] { [] }

  /// The description of the case, which is valid Swift if the descriptions of its arguments are.
  public var swift: String { ".\(self)" }

  /// Returns whether the call was cancelled.
  public static func isUnanswered(_ error: any Error) -> Bool { error is CancellationError }
}

extension Int {
  /// Numbers closer to the simplest one, the closest to it first, for ``ExplorationCommand/simpler``.
  package func simpler(toward simplest: Int = 0) -> [Int] {
    let (distance, overflows) = subtractingReportingOverflow(simplest)
    guard distance != 0, !overflows else { return [] }
    let steps = [simplest, simplest + distance / 2, self - distance.signum()]
    return steps.indices.filter { steps[$0] != self && !steps[..<$0].contains(steps[$0]) }.map { steps[$0] }
  }
}

/// A command with resolved references, and the check of its answer.
public struct ExplorationCall<Subject: Sendable, Model: Sendable & Hashable>: Sendable {
  /// The part of the model that the call concerns; `nil` for the whole model.
  let key: (any Hashable & Sendable)?
  let perform: @Sendable (Subject) async -> AnsweredCall<Model>

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - key: The part of the model that the call reads and changes, which no call with another key uses. If all
  ///     concurrent calls have a key, they are checked key by key, which is much faster.
  ///   - run: Makes the call.
  ///   - unanswered: Changes the model as if the call took effect although its answer was lost; `nil` for a call that
  ///     changes nothing.
  ///   - step: Checks the answer against the model and updates the model. It is called in any state, because several
  ///     orders of concurrent calls are tried.
  public init<Response: Sendable>(
    key: (any Hashable & Sendable)? = nil,
    run: @escaping @Sendable (Subject) async throws -> Response,
    unanswered: (@Sendable (inout Model) -> Void)? = nil,
    step: @escaping @Sendable (inout Model, ExplorationAnswer<Response>) -> AnswerCheck
  ) {
    self.key = key
    perform = { subject in
      let answer: ExplorationAnswer<Response>
      do {
        answer = .value(try await run(subject))
      } catch {
        answer = .failure(error)
      }
      return AnsweredCall(
        error: answer.error, unanswered: unanswered, step: { step(&$0, answer) },
        found: { answer.description })
    }
  }
}

/// A call with its answer.
struct AnsweredCall<Model: Sendable>: Sendable {
  /// The thrown error, if any.
  let error: (any Error)?
  /// Changes the model as if the call took effect although its answer was lost.
  let unanswered: (@Sendable (inout Model) -> Void)?
  /// Checks the answer and updates the model.
  let step: @Sendable (inout Model) -> AnswerCheck
  /// The answer in words.
  let found: @Sendable () -> String
}

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
  /// - Parameters:
  ///   - expectation: The expectation, to follow "Expected", such as `an empty list`.
  ///   - holds: Whether a returned value is possible.
  public func returned(
    _ expectation: @autoclosure () -> String = "a success", where holds: (Response) -> Bool
  ) -> AnswerCheck {
    if case .value(let value) = self, holds(value) { .possible } else { .impossible(expected: expectation()) }
  }

  /// Possible if the call returned this value.
  public func returned(_ expected: @autoclosure () -> Response) -> AnswerCheck where Response: Equatable {
    let expected = expected()
    if case .value(expected) = self { return .possible }
    guard case .value(let found) = self else { return .impossible(expected: "\(expected)") }
    let values = Alike(expected, found)
    return .impossible(expected: values.followed(values.expected))
  }

  /// Possible if the call threw this error.
  public func threw<Failure: Error & Equatable>(_ expected: Failure) -> AnswerCheck {
    threw(oneOf: [expected])
  }

  /// Possible if the call threw one of these errors, where the service does not specify which.
  public func threw<Failure: Error & Equatable>(oneOf expected: [Failure]) -> AnswerCheck {
    if let error = error as? Failure, expected.contains(error) { return .possible }
    // If it prints like one of them, the types tell them apart.
    let errors = expected.map { one in self.error.map { Alike(one, $0) } }
    let names = zip(expected, errors).map { one, error in error?.expected ?? "\(one)" }
    let text = "the error " + names.joined(separator: " or ")
    return .impossible(
      expected: errors.lazy.compactMap(\.self).first { !$0.advice.isEmpty }?.followed(text) ?? text)
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

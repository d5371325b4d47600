/// A command with resolved references, and the check of its answer.
public struct ExplorationCall<Subject: Sendable, Model: Sendable>: Sendable {
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

/// A command that is ready to be carried out, and the judge of its answer.
public struct ExplorationCall<Subject: Sendable, Model: Sendable>: Sendable {
  /// The part of the model that it is about; `nil` if it is about the whole.
  let key: (any Hashable & Sendable)?
  let perform: @Sendable (Subject) async -> AnsweredCall<Model>

  /// A call.
  ///
  /// - Parameters:
  ///   - key: The part of the model that it reads and changes, which no call with another key touches. Concurrent calls
  ///     that all have one are checked key by key, which is much faster.
  ///   - run: Carries it out.
  ///   - unanswered: What the model is if the call took effect though nobody heard its answer; `nil` for a call that
  ///     changes nothing.
  ///   - step: Says whether the model allows this answer, and makes the model what it is after it. It is asked in any
  ///     state, for several orders of concurrent calls are tried.
  public init<Response: Sendable>(
    key: (any Hashable & Sendable)? = nil,
    run: @escaping @Sendable (Subject) async throws -> Response,
    unanswered: (@Sendable (inout Model) -> Void)? = nil,
    step: @escaping @Sendable (inout Model, ExplorationAnswer<Response>) -> Verdict
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

/// A call with the answer that it had.
struct AnsweredCall<Model: Sendable>: Sendable {
  /// What it threw, if it did.
  let error: (any Error)?
  /// What the model is if it took effect unheard.
  let unanswered: (@Sendable (inout Model) -> Void)?
  /// Judges the answer.
  let step: @Sendable (inout Model) -> Verdict
  /// The answer in words.
  let found: @Sendable () -> String
}

// Methods that call a completion handler.

import Dispatch

extension Intercepted {
  /// Makes a service call with a completion handler through the interceptors.
  ///
  /// The call returns at once. Where no interceptor concerns it, the base is called, and calls the completion handler
  /// itself. Otherwise the completion handler is called by a task: on the main queue if the call is made there, or else
  /// on another thread. ``Interceptor/callbacks(on:)`` chooses another queue.
  ///
  /// - A fault before the base calls the completion handler with a failure, and not the base. One after the base
  ///   replaces the base's answer.
  /// - A gate or a latency holds the call, and other calls may overtake it. A call that a gate never answers never calls
  ///   its completion handler.
  /// - A base that calls the completion handler twice is an issue of the test.
  /// - In a scenario's run, the call ends when the completion handler returns.
  ///
  /// A method that returns a value other than `Void` or an optional calls the base at once in any case, because the value
  /// comes from the base: a gate or a latency holds the answer, and a fault before the base replaces the answer.
  ///
  /// An answer of several parameters is a tuple:
  ///
  /// ```swift
  /// func fetch(_ id: Int, completion: @escaping @Sendable (Todo?, (any Error)?) -> Void) {
  ///   interceptCallback(
  ///     .fetch, id, failure: { (nil, TodoError($0)) }, completion: { completion($0.0, $0.1) }
  ///   ) { base, completion, id in
  ///     base.fetch(id) { completion(($0, $1)) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's other arguments, for logs and conditions.
  ///   - effect: Whether a failing call still calls the base (default: as the fault defines).
  ///   - isOnMainActor: Whether the completion handler must be called on the main queue.
  ///   - failure: Converts a fault to the answer of a call that fails. An answer counts as failed if it is a
  ///     `Result.failure` or an error, or a tuple with an error.
  ///   - completion: Calls the completion handler of the caller.
  ///   - call: Makes the call of the base with a completion handler and the arguments it receives, which are changed only
  ///     by `Contract.survivors(of:equivalents:seed:)`.
  /// - Returns: What the base returns; `nil` if the base is not called.
  public func interceptCallback<each Argument: Sendable, Answer, Returned>(
    _ operation: Operation, _ arguments: repeat each Argument,
    whenFailing effect: FailedCallEffect = .ofFault, onMainActor isOnMainActor: Bool = false,
    failure: @escaping @Sendable (Fault) -> Answer,
    completion: @escaping @Sendable (Answer) -> Void,
    call: @escaping @Sendable (Base, @escaping @Sendable (Answer) -> Void, repeat each Argument) -> Returned
  ) -> Returned {
    let nothing = Self.nothing(as: Returned.self)
    let form: CallForm = Returned.self == Void.self ? .callback : .cancellableCallback
    let passage = chain.enter(
      CallCore(operation: operation.core, arguments: (repeat each arguments), form: form))
    let given = chain.given(passage.detour, repeat each arguments)
    guard let detour = passage.detour, !detour.isLoggedOnly else {
      let answers = Answers<Answer>(of: operation.description)
      return call(
        base,
        { [chain] answer in
          if answers.take(answer) { chain.answer(passage, CallOutcome(ofAnswer: answer)) }
          guard let queue = chain.callbackQueue else { return completion(answer) }
          let answer = Handed(value: answer)
          queue.async { completion(answer.value) }
        }, repeat each given)
    }
    // Whatever the caller does next sees the work of a call that nothing holds.
    let isFirst = nothing == nil || detour.isForward || detour.immediateFault?.callsBase(effect) == true
    let first = isFirst ? Answers<Answer>(of: operation.description) : nil
    let returned = first.map { first in
      chain.calling(passage) { call(base, { first.take($0) }, repeat each given) }
    }
    Self.start(onMainActor: isOnMainActor || MainQueue.isCurrent) {
      [chain] (_: isolated (any Actor)?) in
      chain.continues(detour)
      let made = Locked(first)
      var answer: Handed<Answer>
      do throws(FailedCallback) {
        answer = try await self.pass(passage, effect, { FailedCallback(fault: $0) }) {
          base async throws(FailedCallback) in
          let answers = made.withLock { made in
            defer { made = nil }
            return made
          }
          if let answers { return await answers.first() }
          // An interceptor that makes the call again calls the base again.
          let others = Answers<Answer>(of: operation.description)
          _ = call(base, { others.take($0) }, repeat each given)
          return await others.first()
        }
      } catch {
        answer = Handed(value: failure(error.fault))
      }
      chain.answer(passage, CallOutcome(ofAnswer: answer.value))
      if let queue = chain.callbackQueue {
        await withCheckedContinuation { continuation in
          queue.async { [answer] in
            completion(answer.value)
            continuation.resume()
          }
        }
      } else {
        completion(answer.value)
      }
      chain.close(detour)
    }
    guard let result = returned ?? nothing else {
      preconditionFailure("\(operation) returns a value of the base, which was not called.")
    }
    return result
  }

  /// Starts a task on the main actor, or elsewhere.
  private static func start(
    onMainActor isOnMainActor: Bool, _ body: @escaping @Sendable (isolated (any Actor)?) async -> Void
  ) {
    if isOnMainActor { Task { @MainActor in await body(MainActor.shared) } } else { Task { await body(nil) } }
  }

  /// What a method returns whose base is not called; `nil` if it must return a value.
  private static func nothing<Returned>(as type: Returned.Type) -> Returned? {
    if let void = () as? Returned { return void }
    return (type as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? Returned }
  }
}

/// A fault of a call with a completion handler, on its way to that.
private struct FailedCallback: Error {
  let fault: Fault
}

/// An answer on its way from the base to the completion handler.
///
/// It need not be `Sendable`. Sending it is safe where the base's own call of the completion handler is: the base hands
/// it over to whoever it calls, on a thread of the base's choice, and nothing else keeps it.
private struct Handed<Answer>: @unchecked Sendable {
  let value: Answer
}

/// What the base answers to one call.
private final class Answers<Answer>: Sendable {
  private let operation: String
  private let hasAnswered = Locked(false)
  private let signal = Signal<Handed<Answer>>()
  private let reporter = TestIssue.currentReporter

  init(of operation: String) {
    self.operation = operation
  }

  /// Takes an answer.
  ///
  /// - Returns: Whether it is the first one.
  @discardableResult func take(_ answer: Answer) -> Bool {
    let isFirst = hasAnswered.withLock { hasAnswered in
      defer { hasAnswered = true }
      return !hasAnswered
    }
    if isFirst {
      signal.send(Handed(value: answer))
    } else {
      reporter?.record(
        """
        \(operation) called its completion handler twice. A caller expects one answer; a service that sends several \
        returns a stream.
        """, at: nil)
    }
    return isFirst
  }

  /// Waits for the first answer.
  ///
  /// The waiting task has no cancellation.
  func first() async -> Handed<Answer> {
    do { return try await signal.value() } catch {
      preconditionFailure("the task of a callback was cancelled")
    }
  }
}

extension CallOutcome {
  /// The outcome of a call with a completion handler.
  fileprivate init<Answer>(ofAnswer answer: Answer) {
    let error = Self.error(in: answer) ?? Mirror(reflecting: answer).errorInTuple
    self = error.map { .failed($0) } ?? .returned
  }

  fileprivate static func error(in answer: Any) -> (any Error)? {
    if let result = answer as? any FailableAnswer { return result.error }
    return answer as? any Error
  }
}

extension Mirror {
  /// The error among the values of a tuple.
  fileprivate var errorInTuple: (any Error)? {
    displayStyle == .tuple ? children.lazy.compactMap { CallOutcome.error(in: $0.value) }.first : nil
  }
}

/// A result, whatever its types.
private protocol FailableAnswer {
  var error: (any Error)? { get }
}

extension Result: FailableAnswer {
  fileprivate var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}

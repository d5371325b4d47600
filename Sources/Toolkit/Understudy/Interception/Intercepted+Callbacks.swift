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
  /// A method that returns a value calls the base at once, because the value comes from the base, and may cancel the call:
  /// a gate or a latency holds the answer. If a fault occurs before the base, an optional value is `nil`; another one still
  /// comes from the base, whose answer the fault replaces.
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
  ///     by `Contract.survivors(of:through:equivalents:seed:)`.
  /// - Returns: What the base returns; `nil` if the base is not called.
  public func interceptCallback<each Argument: Sendable, Answer, Returned>(
    _ operation: Operation, _ arguments: repeat each Argument,
    whenFailing effect: FailedCallEffect = .ofFault, onMainActor isOnMainActor: Bool = false,
    failure: @escaping @Sendable (Fault) -> Answer,
    completion: @escaping @Sendable (Answer) -> Void,
    call: @escaping @Sendable (Base, @escaping @Sendable (Answer) -> Void, repeat each Argument) -> Returned
  ) -> Returned {
    callBack(
      operation, repeat each arguments, failure: failure, effect, isOnMainActor, completion: completion,
      call: call)
  }

  /// Makes a service call with a completion handler that takes no failure through the interceptors.
  ///
  /// It behaves as ``interceptCallback(_:_:whenFailing:onMainActor:failure:completion:call:)``, but a fault other than a
  /// latency leaves it unchanged, and is an issue of a test.
  ///
  /// ```swift
  /// func isPlaying(completion: @escaping @Sendable (Bool) -> Void) {
  ///   interceptCallback(.isPlaying, completion: completion) { base, completion in
  ///     base.isPlaying(completion: completion)
  ///   }
  /// }
  /// ```
  ///
  /// A listener, which is called at each change, is not one: use ``forward(_:_:call:)``.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's other arguments, for logs and conditions.
  ///   - isOnMainActor: Whether the completion handler must be called on the main queue.
  ///   - completion: Calls the completion handler of the caller.
  ///   - call: Makes the call of the base.
  /// - Returns: What the base returns; `nil` if the call is held before the base, and returns an optional.
  public func interceptCallback<each Argument: Sendable, Answer, Returned>(
    _ operation: Operation, _ arguments: repeat each Argument, onMainActor isOnMainActor: Bool = false,
    completion: @escaping @Sendable (Answer) -> Void,
    call: @escaping @Sendable (Base, @escaping @Sendable (Answer) -> Void, repeat each Argument) -> Returned
  ) -> Returned {
    callBack(
      operation, repeat each arguments, failure: nil, .ofFault, isOnMainActor, completion: completion,
      call: call)
  }

  /// - Parameter failure: `nil` if no answer is a failure.
  private func callBack<each Argument: Sendable, Answer, Returned>(
    _ operation: Operation, _ arguments: repeat each Argument, failure: (@Sendable (Fault) -> Answer)?,
    _ effect: FailedCallEffect, _ isOnMainActor: Bool, completion: @escaping @Sendable (Answer) -> Void,
    call: @escaping @Sendable (Base, @escaping @Sendable (Answer) -> Void, repeat each Argument) -> Returned
  ) -> Returned {
    let nothing = Self.nothing(as: Returned.self)
    let passage = chain.enter(
      CallCore(
        operation: operation.core, arguments: (repeat each arguments),
        form: failure == nil ? .unfailingCallback : .callback))
    let given = chain.given(passage.detour, repeat each arguments)
    // A handler on the main actor has no other queue.
    let queue = isOnMainActor ? nil : chain.callbackQueue
    guard let detour = passage.detour, !detour.isLoggedOnly else {
      let answers = Answers<Answer>(of: operation.description)
      return call(
        base,
        { [chain] answer in
          if answers.take(answer) { chain.answer(passage, CallOutcome(ofAnswer: answer)) }
          guard let queue else { return completion(answer) }
          let answer = Handed(value: answer)
          queue.async { completion(answer.value) }
        }, repeat each given)
    }
    // Whatever the caller does next sees the work of a call that nothing holds, and what it returns may cancel the call.
    let fault = detour.immediateFault
    let isPrevented = failure != nil && fault?.callsBase(effect) == false
    let isFirst =
      isPrevented ? nothing == nil : Returned.self != Void.self || detour.isForward || fault != nil
    if isPrevented, isFirst { chain.noteWork(of: detour) }
    let first = isFirst ? Answers<Answer>(of: operation.description) : nil
    let returned = first.map { first in
      chain.calling(passage) { call(base, first.receiver, repeat each given) }
    }
    Self.start(onMainActor: isOnMainActor || MainQueue.isCurrent, of: chain.outerAction(of: detour)) {
      [chain] (_: isolated (any Actor)?) in
      chain.continues(detour)
      let made = Locked(first)
      let answers = { @Sendable () -> Answers<Answer> in
        if let first = made.take() { return first }
        // An interceptor that makes the call again calls the base again.
        let others = Answers<Answer>(of: operation.description)
        _ = call(self.base, others.receiver, repeat each given)
        return others
      }
      // The base may release the handler without an answer: the call does not end.
      let answer: Handed<Answer>
      if let failure {
        do throws(FailedCallback) {
          answer = try await self.pass(passage, effect, { FailedCallback(fault: $0) }) {
            _ async throws(FailedCallback) in
            guard let answer = await answers().first() else { throw FailedCallback(fault: nil) }
            return answer
          }
        } catch {
          guard let fault = error.fault else { return }
          answer = Handed(value: failure(fault))
        }
      } else {
        guard let first = await self.pass(passage, { _ in await answers().first() }) else { return }
        answer = first
      }
      let outcome = CallOutcome(ofAnswer: answer.value)
      chain.answer(
        passage, outcome,
        isCancelledByApp: detour.point != nil && failure.map { outcome.isCancellation(of: $0) } == true)
      await Self.call(on: queue) { completion(answer.value) }
      chain.close(detour)
    }
    guard let result = returned ?? nothing else {
      preconditionFailure("\(operation) returns a value of the base, which was not called.")
    }
    return result
  }

  /// Starts a task on the main actor, or elsewhere.
  ///
  /// - Parameter action: The action of a run that the task continues, if it is started in no task of it.
  @discardableResult static func start(
    onMainActor isOnMainActor: Bool, of action: ActionTasks?,
    _ body: @escaping @Sendable (isolated (any Actor)?) async -> Void
  ) -> Task<Void, Never> {
    if isOnMainActor {
      Task { @MainActor in
        guard let action else { return await body(MainActor.shared) }
        await action.resume { await body(MainActor.shared) }
      }
    } else {
      Task { await body(nil) }
    }
  }

  /// Calls a function of the caller here, or on a queue, and returns when it has returned.
  nonisolated(nonsending) static func call(
    on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void
  ) async {
    guard let queue else { return body() }
    await withCheckedContinuation { continuation in
      queue.async {
        body()
        continuation.resume()
      }
    }
  }

  /// What a method returns whose base is not called; `nil` if it must return a value.
  private static func nothing<Returned>(as type: Returned.Type) -> Returned? {
    if let void = () as? Returned { return void }
    return (type as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? Returned }
  }
}

extension Locked {
  /// Takes the value, of which one caller makes use.
  func take<Value: Sendable>() -> Value? where State == Value? {
    withLock { value in
      defer { value = nil }
      return value
    }
  }
}

/// A fault of a call with a completion handler, on its way to that.
private struct FailedCallback: Error {
  /// `nil` if the base has released the completion handler without an answer.
  let fault: Fault?
}

/// An answer on its way from the base to the completion handler, or an event on its way to a subscriber.
///
/// It need not be `Sendable`. Sending it is safe where the base's own call of the completion handler or the subscriber
/// is: the base hands it over to whoever it calls, on a thread of the base's choice, and nothing else keeps it.
struct Handed<Value>: @unchecked Sendable {
  let value: Value
}

/// What the base answers to one call.
private final class Answers<Answer>: Sendable {
  private let operation: String
  private let hasAnswered = Locked(false)
  private let signal = Signal<Handed<Answer>?>()
  private let reporter = TestIssue.currentReporter

  init(of operation: String) {
    self.operation = operation
  }

  /// What the completion handler has that the base receives, and nothing else.
  final class Handle: Sendable {
    private let answers: Answers

    fileprivate init(of answers: Answers) {
      self.answers = answers
    }

    func take(_ answer: Answer) { answers.take(answer) }

    deinit { answers.signal.send(nil) }
  }

  /// A completion handler for the base, which alone keeps a handle.
  var receiver: @Sendable (Answer) -> Void {
    let handle = Handle(of: self)
    return { handle.take($0) }
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
        \(operation) called its completion handler twice. A caller expects one answer. If it is a listener, which is \
        called for each change, write it with forward, and generate with --omit \(operation).
        """, at: nil)
    }
    return isFirst
  }

  /// Waits for the first answer, in a task without a cancellation; `nil` if the base releases the completion handler
  /// before.
  func first() async -> Handed<Answer>? { try? await signal.value() ?? nil }
}

extension CallOutcome {
  /// The outcome of a call with a completion handler.
  fileprivate init<Answer>(ofAnswer answer: Answer) {
    let error = Self.error(in: answer) ?? Mirror(reflecting: answer).errorInTuple
    self = error.map { .failed($0) } ?? .returned
  }

  /// Whether it is the failure of a cancelled call, and of no other.
  ///
  /// - Parameter failure: The answer to a call with a fault. Many apps have no error of their own for a cancellation.
  fileprivate func isCancellation<Answer>(of failure: (Fault) -> Answer) -> Bool {
    guard isSame(as: CallOutcome(ofAnswer: failure(.cancelled))) else { return false }
    let others: [Fault] = [.serverError, .conflict, .notFound, .forbidden, .unauthorized, .offline, .timeout]
    return !others.contains { isSame(as: CallOutcome(ofAnswer: failure($0))) }
  }

  /// Whether both are failures with equal errors, as far as they show.
  fileprivate func isSame(as other: CallOutcome) -> Bool {
    guard case .failed(let one) = self, case .failed(let other) = other else { return false }
    return type(of: one) == type(of: other) && String(reflecting: one) == String(reflecting: other)
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

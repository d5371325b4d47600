/// The ``MutationInterceptor`` of a trial before one of its bases.
///
/// It is the outermost interceptor, so that a changed result is what the clause receives, and errors are those of the
/// domain.
struct MutatedBase: ErasedInterceptor {
  let mutation: MutationInterceptor
  /// The logs of the base, in which a repeated call is another call.
  let logs: [CallLogCore]

  nonisolated(nonsending) func intercept<Result>(
    _ call: CallCore, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    try await mutation.intercept(call, logs, next: next)
  }

  nonisolated(nonsending) func interceptStream<Element: Sendable>(
    _ call: CallCore, next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error> {
    try await mutation.interceptStream(call, logs, next: next)
  }
}

/// Notes what a service does in a trial, or makes it wrong in one way.
package final class MutationInterceptor: Sendable {
  /// How long a trial of a mutant may stall: mutants of streams may wait for an event that never comes.
  static let stallLimit: Duration = .seconds(2)

  /// What was seen of one operation in a trial.
  struct Observation: Sendable {
    /// The changes of a result, of an element of a stream, or of an argument, that had made another value of it.
    var valueChanges: [DerivedMutant.Change] = []
    var errors: [ErrorSample] = []
    var hasReturned = false
    var returnsNothing = false
    var returnsStream = false
    /// Errors of its streams.
    var streamErrors: [ErrorSample] = []
    /// The number of elements of its longest stream.
    var events = 0
    var hasStreamEnded = false
    /// The cases of an enumeration that one of its streams delivered twice.
    var repeatedCases: Set<String> = []
    /// Whether a call had other arguments than the first.
    var hasOtherArguments = false
    /// Whether it was called more than once.
    var hasLaterCalls = false
    /// The type of a result that cannot be changed, because it is not `Codable`.
    var opaqueType: String?
    /// The types of such arguments.
    var opaqueArguments: [Int: String] = [:]
  }

  /// A result of an operation, or one of its arguments.
  struct Slot: Hashable {
    let operation: String
    var argument: Int?
  }

  /// The first value that was seen at each place of a result or an argument.
  typealias FirstValues = [Slot: [ValueTree.Path: ValueTree]]

  /// The changes that had made another value, by the operation.
  typealias PossibleChanges = [String: Set<DerivedMutant.Change>]

  /// How often the type of a result or an argument had no value with a change.
  typealias Refusals = [String: [DerivedMutant.Change: Int]]

  private struct State: Sendable {
    var observations: [String: Observation] = [:]
    var firstValues: FirstValues
    /// The changes that were possible in this trial or an earlier one.
    var possible: PossibleChanges
    /// Those of this trial.
    var noted: PossibleChanges = [:]
    /// How often the type had no value with a change.
    var refusals: Refusals
    /// The values that were noted.
    var trees: [Slot: Set<ValueTree>] = [:]
    /// How often the mutant did anything else than the right implementation.
    var effects = 0
    var hasStalled = false
    /// The number of intercepted calls.
    var calls = 0
    /// The number of those that have not returned.
    var callsUnderWay = 0
    /// The arguments of the first call of each operation.
    var firstCalls: [String: [ValueTree]] = [:]
    /// All calls, if they are traced.
    var trace: [TracedCall] = []
    /// The names of all calls, also of forms that are not intercepted.
    var called: Set<String> = []
    /// The task of the clause's closure.
    var clauseTask: Int?
    /// Results by the arguments of their calls.
    var results: [[ValueTree]: ValueTree] = [:]
    var firstArguments: [ValueTree]?
    var lastResult: ValueTree?
  }

  /// The mutant; `nil` to note only.
  private let mutant: DerivedMutant?
  /// Whether calls and their answers are noted.
  private let isTraced: Bool
  private let state: Locked<State>

  /// Creates an interceptor that makes a service wrong.
  init(_ mutant: DerivedMutant, isTraced: Bool) {
    (self.mutant, self.isTraced) = (mutant, isTraced)
    state = Locked(State(firstValues: [:], possible: [:], refusals: [:]))
  }

  /// Creates an interceptor that notes what a service does.
  ///
  /// - Parameters:
  ///   - firstValues: What was seen in other trials.
  ///   - possible: The changes that were possible in them.
  ///   - refusals: How often a change was not.
  init(
    after firstValues: FirstValues = [:], _ possible: PossibleChanges = [:], _ refusals: Refusals = [:]
  ) {
    (mutant, isTraced) = (nil, true)
    state = Locked(State(firstValues: firstValues, possible: possible, refusals: refusals))
  }

  var observations: [String: Observation] { state.withLock(\.observations) }
  var firstValues: FirstValues { state.withLock(\.firstValues) }
  var possible: PossibleChanges { state.withLock(\.possible) }
  var refusals: Refusals { state.withLock(\.refusals) }
  /// The results that were noted in this trial.
  var results: [Slot: Set<ValueTree>] { state.withLock { $0.trees.filter { $0.key.argument == nil } } }
  /// The calls of this trial, with their answers.
  var trace: [TracedCall] { state.withLock(\.trace) }
  var effects: Int { state.withLock(\.effects) }

  /// Whether the trial has stalled.
  var hasStalled: Bool { state.withLock(\.hasStalled) }

  /// Whether it makes the service wrong.
  var isMutant: Bool { mutant != nil }

  /// Cancels the current task of a mutant's trial, which has shown a violation: what follows says nothing more.
  func noteViolation() {
    if mutant != nil { withUnsafeCurrentTask { $0?.cancel() } }
  }

  /// Notes that the current task is that of the clause's closure.
  func noteClauseTask() {
    let task = Self.currentTask
    state.withLock { $0.clauseTask = $0.clauseTask ?? task }
  }

  private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

  /// Notes a call, and returns its place in the trace.
  private func trace(_ name: String, _ call: CallCore) -> Int? {
    guard isTraced else { return nil }
    let arguments = Coded.trees(of: call.arguments)
    let task = Self.currentTask
    return state.withLock { state in
      if mutant == nil {
        if let first = state.firstCalls[name] {
          state.observations[name, default: Observation()].hasLaterCalls = true
          if arguments != first { state.observations[name, default: Observation()].hasOtherArguments = true }
        } else {
          state.firstCalls[name] = arguments
        }
      }
      state.trace.append(
        TracedCall(
          operation: name, arguments: arguments, isConcurrent: task != state.clauseTask,
          canThrow: call.form.canFail))
      return state.trace.count - 1
    }
  }

  /// Notes the result of a call.
  ///
  /// - Parameter tree: Its tree, if that is known.
  private func traceResult<Result>(_ result: Result, _ tree: ValueTree?, of place: Int?) {
    guard let place else { return }
    let answer: TracedCall.Answer =
      if Result.self == Void.self {
        .returnedNothing
      } else if let count = Coded.length(of: result), count > Coded.traceLimit {
        .returned(Coded.standIn(for: result, count))
      } else {
        (tree ?? Coded.tree(of: result)).map { .returned($0) } ?? .returnedOpaque
      }
    state.withLock { $0.trace[place].answer = answer }
  }

  private func traceError(_ error: any Error, of place: Int?) {
    guard let place else { return }
    let sample = ErrorSample(error)
    state.withLock { $0.trace[place].answer = .threw(sample) }
  }

  /// Returns a stream whose elements are noted as the answer of a call.
  private func traced<Element: Sendable>(
    _ stream: AsyncThrowingStream<Element, any Error>, of place: Int?
  ) -> AsyncThrowingStream<Element, any Error> {
    guard let place else { return stream }
    state.withLock { $0.trace[place].answer = .stream([], end: nil) }
    @Sendable func note(_ change: (inout [ValueTree?], inout TracedCall.StreamEnd?) -> Void) {
      state.withLock { state in
        guard case .stream(var elements, var end)? = state.trace[place].answer else { return }
        // Held once only, so that the elements are not copied for each.
        state.trace[place].answer = nil
        change(&elements, &end)
        state.trace[place].answer = .stream(elements, end: end)
      }
    }
    let pull = stream.pull
    return AsyncThrowingStream {
      do {
        let element = try await pull()
        let tree = element.flatMap { Coded.tree(of: $0) }
        note { elements, end in if element == nil { end = .ended } else { elements.append(tree) } }
        return element
      } catch {
        let sample = ErrorSample(error)
        if !Task.isCancelled { note { $1 = .threw(sample) } }
        throw error
      }
    }
  }

  /// The operations that were called, in any form.
  var called: Set<String> { state.withLock(\.called) }

  /// Notes the operations that a log has.
  func noteCalls(_ names: Set<String>) { state.withLock { $0.called.formUnion(names) } }

  /// Notes that the trial has stalled.
  func noteStall() { state.withLock { $0.hasStalled = true } }

  private func note(_ name: String, _ change: (inout Observation) -> Void) {
    state.withLock { change(&$0.observations[name, default: Observation()]) }
  }

  /// Notes an error unless an equal one was noted.
  private func noteIfNew(
    _ error: any Error, of name: String, _ samples: WritableKeyPath<Observation, [ErrorSample]>
  ) {
    // A cancellation is the caller's doing.
    if error is CancellationError { return }
    // Outside the lock, because the description is the adopter's code.
    let sample = ErrorSample(error)
    note(name) { if !$0[keyPath: samples].contains(sample) { $0[keyPath: samples].append(sample) } }
  }

  private func noteEffect() { state.withLock { $0.effects += 1 } }

  // MARK: - Calls

  nonisolated(nonsending) func intercept<Result>(
    _ call: CallCore, _ logs: [CallLogCore], next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    guard case .name(let name) = call.operation else { return try await next() }
    let place = trace(name, call)
    do {
      guard mutant == nil else {
        let result = try await intercept(call, name, logs, next: next)
        traceResult(result, nil, of: place)
        return result
      }
      beginCall()
      defer { state.withLock { $0.callsUnderWay -= 1 } }
      let result = try await next()
      traceResult(result, noteValue(result, of: Slot(operation: name)), of: place)
      return result
    } catch {
      if mutant == nil { noteIfNew(error, of: name, \.errors) }
      traceError(error, of: place)
      throw error
    }
  }

  private nonisolated(nonsending) func intercept<Result>(
    _ call: CallCore, _ name: String, _ logs: [CallLogCore],
    next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    beginCall()
    defer { state.withLock { $0.callsUnderWay -= 1 } }
    guard let mutant, mutant.operation == name, isTriggered(by: call) else { return try await next() }
    switch mutant.change {
    case .value(let path, let change):
      let result = try await next()
      guard let changed = Coded.replacing(result, with: { $0.applying(change, at: path) }) else {
        return result
      }
      noteEffect()
      return changed
    case .doesNothing:
      guard let nothing = () as? Result else { return try await next() }
      noteEffect()
      return nothing
    case .remembers:
      let arguments = Coded.trees(of: call.arguments)
      if let known = state.withLock({ $0.results[arguments] }), let result: Result = Coded.value(of: known) {
        noteEffect()
        return result
      }
      let result = try await next()
      if let tree = Coded.tree(of: result) { state.withLock { $0.results[arguments] = tree } }
      return result
    case .answersAsFirst:
      let arguments = Coded.trees(of: call.arguments)
      let (first, known) = state.withLock { ($0.firstArguments, $0.lastResult) }
      if let first, first != arguments, let known, let result: Result = Coded.value(of: known) {
        noteEffect()
        return result
      }
      let result = try await next()
      if let tree = Coded.tree(of: result) {
        state.withLock { state in
          if state.firstArguments == nil { (state.firstArguments, state.lastResult) = (arguments, tree) }
        }
      }
      return result
    case .swallows(let sample, let other):
      do {
        let result = try await next()
        if let tree = Coded.tree(of: result) { state.withLock { $0.lastResult = tree } }
        return result
      } catch  where ErrorSample(error) == sample {
        let known = state.withLock(\.lastResult) ?? other
        guard let result: Result = () as? Result ?? known.flatMap({ Coded.value(of: $0) }) else {
          throw error
        }
        noteEffect()
        return result
      }
    case .callsTwice, .fails, .renames, .retries:
      return try await callingDifferently(mutant.change, call, logs, next)
    case .argument, .event, .losesLater, .endsSilently, .neverEnds:
      return try await next()
    }
  }

  private func beginCall() {
    state.withLock { state in
      state.calls += 1
      state.callsUnderWay += 1
    }
  }

  /// Whether the mutant is wrong in a call of its operation.
  private func isTriggered(by call: CallCore) -> Bool {
    guard let mutant, mutant.trigger != .always else { return true }
    let arguments = Coded.trees(of: call.arguments)
    return state.withLock { state in
      guard let first = state.firstCalls[mutant.operation] else {
        state.firstCalls[mutant.operation] = arguments
        return false
      }
      return mutant.trigger == .laterCalls || arguments != first
    }
  }

  /// Returns the arguments that the base receives in a call.
  func given<each Argument: Sendable>(
    _ call: CallCore, _ arguments: repeat each Argument
  ) -> (repeat each Argument) {
    guard case .name(let name) = call.operation else { return (repeat each arguments) }
    guard let mutant else {
      var place = 0
      for argument in repeat each arguments {
        noteValue(argument, of: Slot(operation: name, argument: place))
        place += 1
      }
      return (repeat each arguments)
    }
    guard mutant.operation == name, case .argument(let changed, let path, let change) = mutant.change else {
      return (repeat each arguments)
    }
    var place = -1
    func changing<Value>(_ value: Value) -> Value {
      place += 1
      guard place == changed, let other = Coded.replacing(value, with: { $0.applying(change, at: path) })
      else { return value }
      noteEffect()
      return other
    }
    return (repeat changing(each arguments))
  }

  /// Makes a call with a change that does not depend on its result.
  private nonisolated(nonsending) func callingDifferently<Result>(
    _ change: DerivedMutant.Change, _ call: CallCore, _ logs: [CallLogCore],
    _ next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    switch change {
    case .callsTwice:
      let (before, isAlone) = state.withLock { ($0.calls, $0.callsUnderWay == 1) }
      let result = try await next()
      // A service that refuses the second call does not do its work twice.
      guard let second = try? await again(call, logs, next) else { return result }
      // A call that returns the same again has changed nothing that it would show. If another call was made meanwhile,
      // the results prove nothing.
      if let first = Coded.tree(of: result), Result.self != Void.self,
        !isAlone || state.withLock(\.calls) != before || Coded.tree(of: second) == first
      {
        return result
      }
      noteEffect()
      return result
    case .fails(let sample, let isAfter):
      if isAfter { _ = try await next() }
      noteEffect()
      throw sample.error
    case .renames(let sample, let other):
      do { return try await next() } catch  where ErrorSample(error) == sample {
        noteEffect()
        throw other.error
      }
    case .retries:
      do { return try await next() } catch  where !Task.isCancelled {
        let first = ErrorSample(error)
        do {
          let result = try await again(call, logs, next)
          noteEffect()
          return result
        } catch {
          // What is refused again in the same way has changed nothing.
          if ErrorSample(error) != first { noteEffect() }
          throw error
        }
      }
    default: return try await next()
    }
  }

  /// Makes a call once more, as another call of the base.
  private nonisolated(nonsending) func again<Result>(
    _ call: CallCore, _ logs: [CallLogCore], _ next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    let tickets = logs.map { $0.begin(call) }
    do {
      let result = try await next()
      for (log, ticket) in zip(logs, tickets) { log.end(ticket, .returned) }
      return result
    } catch {
      for (log, ticket) in zip(logs, tickets) { log.end(ticket, .failed(error)) }
      throw error
    }
  }

  // MARK: - Streams

  nonisolated(nonsending) func interceptStream<Element: Sendable>(
    _ call: CallCore, _ logs: [CallLogCore],
    next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error> {
    guard case .name(let name) = call.operation else { return try await next() }
    let place = trace(name, call)
    do {
      return traced(try await interceptStream(call, name, logs, next: next), of: place)
    } catch {
      traceError(error, of: place)
      throw error
    }
  }

  private nonisolated(nonsending) func interceptStream<Element: Sendable>(
    _ call: CallCore, _ name: String, _ logs: [CallLogCore],
    next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error> {
    beginCall()
    defer { state.withLock { $0.callsUnderWay -= 1 } }
    guard let mutant else {
      note(name) { $0.returnsStream = true }
      let pull: @Sendable () async throws -> Element?
      do {
        pull = try await next().pull
        note(name) { $0.hasReturned = true }
      } catch {
        noteIfNew(error, of: name, \.errors)
        throw error
      }
      let count = Locked(0)
      let cases = Locked<Set<String>>([])
      return AsyncThrowingStream {
        do {
          guard let element = try await pull() else {
            self.note(name) { $0.hasStreamEnded = true }
            return nil
          }
          let number = count.withLock { count in
            count += 1
            return count
          }
          if let event = self.noteValue(element, of: Slot(operation: name))?.caseName,
            !cases.withLock({ $0.insert(event).inserted })
          {
            self.note(name) { $0.repeatedCases.insert(event) }
          }
          self.note(name) { $0.events = max($0.events, number) }
          return element
        } catch {
          if !Task.isCancelled { self.noteIfNew(error, of: name, \.streamErrors) }
          throw error
        }
      }
    }
    guard mutant.operation == name, isTriggered(by: call) else { return try await next() }
    let change = mutant.change
    let stream = try await callingDifferently(change, call, logs, next)
    switch change {
    case .value, .event, .losesLater, .endsSilently, .neverEnds, .renames:
      let mutated = MutatedStream(stream.pull, change) { self.noteEffect() }
      return AsyncThrowingStream { try await mutated.next() }
    default:
      return stream
    }
  }
}

/// The elements of a stream with one change.
private final class MutatedStream<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var count = 0
    var ready: [Element] = []
    var isOver = false
    /// Whether the event of one case was delivered.
    var hasCase = false
  }

  private let pull: @Sendable () async throws -> Element?
  private let change: DerivedMutant.Change
  private let noteEffect: @Sendable () -> Void
  private let state = Locked(State())

  init(
    _ pull: @escaping @Sendable () async throws -> Element?, _ change: DerivedMutant.Change,
    noteEffect: @escaping @Sendable () -> Void
  ) {
    self.pull = pull
    self.change = change
    self.noteEffect = noteEffect
  }

  func next() async throws -> Element? {
    while true {
      let (ready, isOver) = state.withLock { state in
        (state.ready.isEmpty ? nil : state.ready.removeFirst(), state.isOver)
      }
      if let ready { return ready }
      if isOver { return nil }
      let element: Element?
      do {
        element = try await pull()
      } catch  where !Task.isCancelled {
        switch change {
        case .endsSilently:
          noteEffect()
          return nil
        case .renames(ErrorSample(error), to: let other):
          noteEffect()
          throw other.error
        default: throw error
        }
      }
      guard let element else {
        if change == .neverEnds, !Task.isCancelled {
          noteEffect()
          await Signal<Void>.never()
        }
        return nil
      }
      let number = state.withLock { state in
        state.count += 1
        return state.count
      }
      switch change {
      case .losesLater(let name) where Coded.tree(of: element)?.caseName == name:
        let isFirst = state.withLock { state in
          defer { state.hasCase = true }
          return !state.hasCase
        }
        if isFirst { return element }
        noteEffect()
      case .value(let path, let valueChange):
        guard let changed = Coded.replacing(element, with: { $0.applying(valueChange, at: path) }) else {
          return element
        }
        noteEffect()
        return changed
      case .event(number, let eventChange):
        switch eventChange {
        case .lost: noteEffect()
        case .twice:
          noteEffect()
          state.withLock { $0.ready.append(element) }
          return element
        case .swapped:
          guard let following = try await pull() else { return element }
          noteEffect()
          state.withLock { $0.ready.append(element) }
          return following
        case .last:
          noteEffect()
          state.withLock { $0.isOver = true }
          return element
        case .failing(let sample):
          noteEffect()
          throw sample.error
        }
      default: return element
      }
    }
  }
}

extension Signal<Void> {
  /// Waits until the task is cancelled.
  fileprivate static func never() async { try? await Signal().value() }
}

// MARK: - Results

/// Changes values of types that are known only at run time to be `Codable`.
enum Coded {
  /// Returns the tree of a value, or `nil` if its type is not `Codable`.
  ///
  /// That of no value is an empty tree.
  static func tree<Value>(of value: Value) -> ValueTree? {
    if Value.self == Void.self { return .members([:]) }
    guard let type = Value.self as? any (Encodable & Decodable).Type else { return nil }
    return tree(of: value, as: type)
  }

  /// The length of lists from which on their elements are not looked at.
  static let limit = 500

  /// The same for calls that are compared.
  static let traceLimit = 60

  /// The number of elements of a list, or of bytes; `nil` for anything else, such as a text.
  static func length(of value: Any) -> Int? {
    value is String ? nil : (value as? any Collection)?.count
  }

  /// A value that stands for a long list: another one for other elements, in this process.
  static func standIn(for list: Any, _ count: Int) -> ValueTree {
    let hash = (list as? any Hashable).map { AnyHashable($0).hashValue } ?? 0
    return .leaf(.text(ValueTree.ExactText("\(count) elements \(hash)")))
  }

  /// Returns the trees of the arguments of a call, by which two calls are compared.
  static func trees(of arguments: any Sendable) -> [ValueTree] {
    let mirror = Mirror(reflecting: arguments)
    let values = mirror.displayStyle == .tuple ? mirror.children.map(\.value) : [arguments]
    return values.map { value in
      if let count = length(of: value), count > traceLimit {
        return standIn(for: value, count)
      }
      return (value as? any Encodable).flatMap { try? ValueTree($0) }
        ?? .leaf(.text(ValueTree.ExactText("\(type(of: value))")))
    }
  }

  private static func tree<Value, Known: Encodable & Decodable>(
    of value: Value, as type: Known.Type
  ) -> ValueTree? {
    // The types are the same; the arrays keep a cast from unwrapping an optional.
    ([value] as? [Known])?.first.flatMap { try? ValueTree($0) }
  }

  /// The value of a tree; `nil` if the type has none.
  static func value<Value>(of tree: ValueTree) -> Value? {
    if let nothing = () as? Value { return nothing }
    guard let type = Value.self as? any (Encodable & Decodable).Type else { return nil }
    return value(of: tree, as: type)
  }

  private static func value<Value, Known: Encodable & Decodable>(
    of tree: ValueTree, as type: Known.Type
  ) -> Value? {
    guard let value = try? tree.value(as: type) else { return nil }
    return ([value] as? [Value])?.first
  }

  /// Returns a value with another tree; `nil` if it is the same, or if its type has no value with it.
  static func replacing<Value>(_ value: Value, with edit: (ValueTree) -> ValueTree) -> Value? {
    tree(of: value).flatMap { replacing($0, with: edit) }
  }

  /// Returns the value of a tree with an edit; `nil` if it is the same, or if its type has no value with it.
  static func replacing<Value>(_ tree: ValueTree, with edit: (ValueTree) -> ValueTree) -> Value? {
    let changed = edit(tree)
    guard changed != tree, let result: Value = self.value(of: changed), let found = self.tree(of: result),
      found != tree
    else { return nil }
    return result
  }
}

extension ValueTree {
  fileprivate func applying(_ change: DerivedMutant.ValueChange, at path: Path) -> ValueTree {
    let changed = replacing(path) { change.applied(to: $0) }
    if case .replaced(let other) = change, changed == self { return adding(path, other) }
    return changed
  }
}

extension MutationInterceptor {
  /// Notes a result, an element of a stream or an argument, and which changes would make another value of it.
  ///
  /// - Returns: Its tree, unless it has none or is too large.
  @discardableResult private func noteValue<Value>(_ value: Value, of slot: Slot) -> ValueTree? {
    let name = slot.operation
    let isResult = slot.argument == nil
    if Value.self == Void.self {
      if isResult { note(name) { ($0.hasReturned, $0.returnsNothing) = (true, true) } }
      return nil
    }
    // A value of thousands of parts is of a clause about quantity; the same parts occur in smaller ones.
    if Coded.length(of: value) ?? 0 > Coded.limit {
      if isResult { note(name) { $0.hasReturned = true } }
      return nil
    }
    guard let tree = Coded.tree(of: value) else {
      note(name) { observation in
        if let argument = slot.argument {
          observation.opaqueArguments[argument] = "\(Value.self)"
        } else {
          (observation.hasReturned, observation.opaqueType) = (true, "\(Value.self)")
        }
      }
      return nil
    }
    let (isNew, known, possible, first, refusals) = state.withLock { state in
      if isResult { state.observations[name, default: Observation()].hasReturned = true }
      let isNew = state.trees[slot, default: []].insert(tree).inserted
      return (
        isNew, state.noted[name] ?? [], state.possible[name] ?? [], state.firstValues[slot] ?? [:],
        state.refusals[name] ?? [:]
      )
    }
    func change(_ path: ValueTree.Path, _ change: DerivedMutant.ValueChange) -> DerivedMutant.Change {
      slot.argument.map { .argument($0, path, change) } ?? .value(path, change)
    }
    // What was possible for another value is likely to be possible for this one, and what was refused for eight is likely
    // to be refused. If it is not, the mutant has no effect on it, or is not made of this clause.
    var refused: Set<DerivedMutant.Change> = []
    func allows(_ change: DerivedMutant.Change, _ edit: (ValueTree) -> ValueTree) -> Bool {
      if possible.contains(change) { return true }
      if refusals[change, default: 0] > 7 { return false }
      let other: Value? = Coded.replacing(tree, with: edit)
      if other == nil { refused.insert(change) }
      return other != nil
    }
    guard isNew, tree.count < 4 * Coded.limit else { return tree }
    var values = first
    var changes: [DerivedMutant.Change] = []
    // A change applies to all elements of a list at once, so one attempt is enough for all values of a place.
    var tried = known
    let places = tree.places
    for (path, found) in places {
      if values[path] == nil { values[path] = found[0] }
      var edits: Set<DerivedMutant.ValueChange> = []
      for value in found {
        for edit in DerivedMutant.ValueChange.all(for: value, at: path, whereOthersAre: first[path])
        where edits.insert(edit).inserted {
          let candidate = change(path, edit)
          // Where any value can be changed to another one, that of another result is one more of them.
          if case .replaced = edit, case .leaf = value,
            [.another, .moved].contains(where: { one in
              changes.contains(change(path, one)) || known.contains(change(path, one))
            })
          {
            continue
          }
          if tried.insert(candidate).inserted, found.contains(where: { edit.applied(to: $0) != $0 }),
            allows(candidate, { $0.applying(edit, at: path) })
          {
            changes.append(candidate)
          }
        }
      }
    }
    // A value that is absent here and was seen elsewhere.
    let paths = Set(places.map(\.path))
    let absent = first.filter { $0.value.isReplaceable && !paths.contains($0.key) }
      .map { (name: $0.key.description, path: $0.key, value: $0.value) }
    for (_, path, other) in absent.sorted(by: { $0.name < $1.name }) {
      let candidate = change(path, .replaced(other))
      if tried.insert(candidate).inserted, allows(candidate, { $0.adding(path, other) }) {
        changes.append(candidate)
      }
    }
    state.withLock { state in
      state.observations[name, default: Observation()].valueChanges += changes
      state.noted[name, default: []].formUnion(changes)
      state.possible[name, default: []].formUnion(changes)
      for change in refused { state.refusals[name, default: [:]][change, default: 0] += 1 }
      state.firstValues[slot] = values
    }
    return tree
  }
}

/// One operation of a service, by which a comparison calls it with arguments of its own.
///
/// `understudy generate` writes a table of them beside the conformance of ``Intercepted``. It also names the operations
/// that no clause calls.
public struct ServiceOperation<Subject: Sendable>: Sendable {
  /// Such as `setDone(_:id:)`.
  let name: String
  /// The name of its calls in logs, such as `setDone`.
  let loggedName: String
  let isStream: Bool
  let returnsNothing: Bool
  /// The call with these arguments; `nil` if a type has no such value.
  let call: @Sendable ([GivenArgument]) -> (@Sendable (Subject) async -> Answer)?
  /// The values of arguments; `nil` if a type has no such value.
  let values: @Sendable ([GivenArgument]) -> [any Sendable]?
  /// The arguments of a call that a clause made; `nil` if it is the call of another operation.
  let arguments: @Sendable (any Sendable) -> [GivenArgument]?

  /// The name without labels, such as `setDone`.
  var baseName: String { Self.baseName(of: name) }
  /// The labels of the arguments, `_` for none.
  var labels: [String] {
    name.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }.split(separator: ":").map(String.init)
  }

  /// Creates an operation that returns a value or nothing.
  ///
  /// An argument that is not `Codable` is used as the clauses use it, and never altered.
  ///
  /// - Parameters:
  ///   - name: The method with its labels, such as `setDone(_:id:)`.
  ///   - loggedName: The name of its calls in logs (default: the name without labels, such as `setDone`).
  ///   - call: Makes the call.
  public init<each Argument: Sendable, Response: Sendable>(
    _ name: String, loggedAs loggedName: String? = nil,
    _ call: @escaping @Sendable (Subject, repeat each Argument) async throws -> Response
  ) {
    self.init(name, loggedName, isStream: false, returnsNothing: Response.self == Void.self, call) {
      Answer(returned: $0)
    }
  }

  /// Creates an operation that returns a stream of any spelling, which the comparison reads while the program runs.
  ///
  /// - Parameters:
  ///   - name: The method with its labels, such as `changes()`.
  ///   - loggedName: The name of its calls in logs (default: the name without labels, such as `changes`).
  ///   - call: Makes the call.
  public init<each Argument: Sendable, Stream: AsyncSequence & Sendable>(
    stream name: String, loggedAs loggedName: String? = nil,
    _ call: @escaping @Sendable (Subject, repeat each Argument) async throws -> Stream
  ) where Stream.Element: Sendable {
    self.init(name, loggedName, isStream: true, returnsNothing: false, call) {
      Answer(stream: EventLog(reading: $0))
    }
  }

  private init<each Argument: Sendable, Response: Sendable>(
    _ name: String, _ loggedName: String?, isStream: Bool, returnsNothing: Bool,
    _ call: @escaping @Sendable (Subject, repeat each Argument) async throws -> Response,
    _ answer: @escaping @Sendable (Response) -> Answer
  ) {
    (self.name, self.isStream, self.returnsNothing) = (name, isStream, returnsNothing)
    self.loggedName = loggedName ?? Self.baseName(of: name)
    self.call = { given in
      guard let values = Self.values(of: given, as: (repeat (each Argument).self)) else { return nil }
      return { subject in
        do {
          return answer(try await call(subject, repeat each values))
        } catch {
          return Answer(threw: error)
        }
      }
    }
    values = { given in
      guard let values = Self.values(of: given, as: (repeat (each Argument).self)) else { return nil }
      var all: [any Sendable] = []
      for value in repeat each values { all.append(value) }
      return all
    }
    arguments = { arguments in
      guard let values = arguments as? (repeat each Argument) else { return nil }
      var all: [GivenArgument] = []
      for value in repeat each values {
        if isLong(value) { return nil }
        all.append(Coded.tree(of: value).map { .tree($0) } ?? .whole(value))
      }
      return all
    }
  }

  private static func values<each Argument: Sendable>(
    of given: [GivenArgument], as types: (repeat (each Argument).Type)
  ) -> (repeat each Argument)? {
    var rest = given[...]
    func next<Value: Sendable>(_ type: Value.Type) throws -> Value {
      switch rest.popFirst() {
      case .tree(let tree)?:
        if let value: Value = Coded.value(of: tree) { return value }
      case .whole(let value)?:
        if let value = value as? Value { return value }
      case nil: break
      }
      throw MissingValue()
    }
    return try? (repeat next(each types))
  }

  private static func baseName(of name: String) -> String { String(name.prefix { $0 != "(" }) }

  private struct MissingValue: Error {}
}

/// Whether a value is a list too long to vary, as clauses under stress use.
private func isLong(_ value: Any) -> Bool { (value as? any Collection).map { $0.count > 200 } ?? false }

/// An argument of a call.
enum GivenArgument: Sendable {
  case tree(ValueTree)
  /// A value that is not `Codable`.
  case whole(any Sendable)

  var tree: ValueTree? { if case .tree(let tree) = self { tree } else { nil } }
}

/// All operations of a service; `understudy generate` writes them.
///
/// ```swift
/// extension ServiceOperations where Subject == any TodoService {
///   /// The operations of `TodoService`.
///   public static var todoService: Self {
///     Self(
///       observing: { base, observer in
///         func observed(_ base: some TodoService) -> any TodoService { Intercepted(base, by: .observer(observer)) }
///         return observed(base)
///       },
///       ServiceOperation("items()") { base in try await base.items() },
///       ServiceOperation("add(_:)") { base, title in try await base.add(title) },
///       ServiceOperation(stream: "changes()") { base in base.changes() })
///   }
/// }
/// ```
public struct ServiceOperations<Subject: Sendable>: Sendable {
  let observing: @Sendable (Subject, CallObserver) -> Subject
  let all: [ServiceOperation<Subject>]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - observing: Returns a service whose calls an observer receives.
  ///   - operations: The operations in the order of the protocol.
  public init(
    observing: @escaping @Sendable (_ base: Subject, _ observer: CallObserver) -> Subject,
    _ operations: ServiceOperation<Subject>...
  ) {
    (self.observing, all) = (observing, operations)
  }
}

/// Receives the calls that the clauses of a contract make, for their arguments.
public final class CallObserver: ErasedInterceptor {
  private let noteCall: @Sendable (CallCore) -> Void
  private let noteAnswer: @Sendable (Answer) -> Void

  init(call: @escaping @Sendable (CallCore) -> Void, answer: @escaping @Sendable (Answer) -> Void) {
    (noteCall, noteAnswer) = (call, answer)
  }

  nonisolated(nonsending) func intercept<Result>(
    _ call: CallCore, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    noteCall(call)
    do {
      let result = try await next()
      if !isLong(result) { noteAnswer(Answer(tree: ValueTree(of: result), value: .noted)) }
      return result
    } catch {
      noteAnswer(Answer(threw: error))
      throw error
    }
  }

  nonisolated(nonsending) func interceptStream<Element: Sendable>(
    _ call: CallCore, next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error> {
    noteCall(call)
    let pull = try await next().pull
    return AsyncThrowingStream { [noteAnswer] in
      let event = try await pull()
      if let event { noteAnswer(Answer(returned: event)) }
      return event
    }
  }
}

extension Interceptor {
  /// Shows each call to the observer of a comparison.
  public static func observer(_ observer: CallObserver) -> Self { Self(core: .custom(observer)) }
}

extension Intercepted {
  /// The operation of a call: a service method by name, or a request by method and path.
  ///
  /// An adopter declares the operations of a service once, so that a misspelled name does not compile:
  ///
  /// ```swift
  /// extension Intercepted.Operation where Base: TodoService {
  ///   static var add: Self { Self("add") }
  /// }
  /// ```
  ///
  /// The type is nested because a top-level type would be shadowed by Foundation's class of the same name.
  public struct Operation: Hashable, Sendable, CustomStringConvertible {
    @usableFromInline package let core: OperationCore

    package init(_ core: OperationCore) {
      self.core = core
    }

    /// Creates the operation of a service method.
    ///
    /// - Parameter name: The method's base name, such as `createChild`; logs and reports show it.
    @inlinable public init(_ name: String) {
      core = .name(name)
    }

    /// A pattern that matches every operation.
    public static var any: Self { Self(OperationCore.any) }

    /// A pattern that matches the calls of the operation with these arguments, such as `.fetch.with(3)`.
    ///
    /// Rules, gates and logs take it: `.on(.fetch.with(3), .notFound)`, `Gate(.fetch.with(3))`,
    /// `.exactly(1, .save.with("Milk", 2))`. To compare something else, pass a condition to a rule, or read
    /// ``CallLog/arguments(of:as:)``.
    ///
    /// - Parameter arguments: All arguments of the method, in order, of the types that it declares.
    public func with<each Argument: Equatable & Sendable>(_ arguments: repeat each Argument) -> Self {
      Self(.selected(core, ArgumentSelection(repeat each arguments)))
    }

    /// Whether this operation, as a pattern, matches the operation of a call.
    package func matches(_ operation: Self) -> Bool { core.matches(operation.core) }

    /// The name, or the method and the path.
    public var description: String { core.description }
  }

  /// One call: its operation and its arguments.
  public struct Call: Sendable, CustomStringConvertible {
    let core: CallCore

    /// Creates a call, as the function of `understudy generate --failure AppError.init(_:of:)` receives it.
    ///
    /// - Parameters:
    ///   - operation: The method.
    ///   - arguments: Its arguments.
    public init<each Argument: Sendable>(_ operation: Operation, _ arguments: repeat each Argument) {
      self.init(core: CallCore(operation: operation.core, arguments: (repeat each arguments)))
    }

    init(core: CallCore) { self.core = core }

    /// The operation.
    public var operation: Operation { Operation(core.operation) }

    /// Returns the arguments if they have the given types.
    ///
    /// - Parameter type: The type of the only argument, or a tuple of the types of all arguments in order, without
    ///   labels: `call.arguments(as: (String, Int).self)`.
    public func arguments<Arguments>(as type: Arguments.Type) -> Arguments? {
      core.arguments as? Arguments
    }

    /// The operation, and the arguments in parentheses.
    public var description: String { core.description }
  }
}

/// The operation of a call, or a pattern of operations: the content of an ``Intercepted/Operation``.
///
/// This and the other core types are not generic over the base, so that the code for each call is compiled once, for
/// concrete types. The generic types around them only prevent adopters from mixing up their services.
@usableFromInline package enum OperationCore: Hashable, Sendable, CustomStringConvertible {
  case any
  case name(String)
  /// A request; indirect, so that service operations stay small.
  indirect case request(method: String, path: [String])
  /// A pattern of requests; a `nil` method matches all methods.
  indirect case pattern(method: String?, PathPattern)
  /// A pattern of calls with certain arguments.
  indirect case selected(OperationCore, ArgumentSelection)

  package func matches(_ operation: OperationCore) -> Bool {
    switch (self, operation) {
    case (.any, _): true
    case (.name(let name), .name(let other)): name == other
    case (.pattern(let method, let pattern), .request(let otherMethod, let path)):
      (method == nil || method == otherMethod) && pattern.matches(path)
    case (.selected(let pattern, _), _): pattern.matches(operation)
    default: self == operation
    }
  }

  /// Whether this operation, as a pattern, matches a call with its arguments.
  func matches(_ call: CallCore) -> Bool {
    matches(call.operation) && selection?.matches(call) != false
  }

  /// The arguments that a call must have; `nil` for any.
  var selection: ArgumentSelection? { if case .selected(_, let selection) = self { selection } else { nil } }

  /// Why a name matches no call, with what to write instead; `nil` if it may be that of a method.
  var mistake: String? {
    if case .pattern(_, let pattern) = self { return pattern.mistake }
    if case .selected(let operation, _) = self { return operation.mistake }
    guard case .name(let name) = self else { return nil }
    if name.isEmpty { return "Write the base name of the method, such as add." }
    if name.contains("/") {
      return "Write a request by its method and its path, such as .get(\"/todos/{id}\")."
    }
    if name.contains("*") { return "A name has no wildcard: write the name of one method, or .any for all." }
    let base = name.prefix { $0 != "(" }
    let last = base.split(separator: ".").last ?? base
    let written = last.filter { !$0.isWhitespace }
    return written == name || written.isEmpty ? nil : "Write the base name of the method alone: \(written)."
  }

  @usableFromInline package var description: String {
    switch self {
    case .any: "any operation"
    case .name(let name): name
    case .request(let method, let path): "\(method) /\(path.joined(separator: "/"))"
    case .pattern(let method, let pattern): "\(method ?? "any method") \(pattern)"
    case .selected(let operation, let selection): "\(operation)\(selection)"
    }
  }
}

/// Arguments that are a request, from which the operation is derived.
package protocol RequestArguments: Sendable {
  var operation: OperationCore { get }
  var interaction: Fault.Interaction { get }
  /// The request as a log shows it.
  var callDescription: String { get }
}

/// The arguments that a call must have; equal only to itself.
@usableFromInline package final class ArgumentSelection: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline package let description: String
  /// Whether arguments are equal to those that are selected; `nil` if they have other types.
  private let isEqual: @Sendable (any Sendable) -> Bool?
  private let types: String

  init<each Argument: Equatable & Sendable>(_ arguments: repeat each Argument) {
    let selected = (repeat each arguments)
    isEqual = { other in
      guard let other = other as? (repeat each Argument) else { return nil }
      for (one, other) in repeat (each selected, each other) {
        if one != other { return false }
      }
      return true
    }
    description = Self.words(selected)
    types = "\(type(of: selected))"
  }

  private static func words(_ arguments: Any) -> String {
    Mirror(reflecting: arguments).displayStyle == .tuple ? "\(arguments)" : "(\(arguments))"
  }

  func matches(_ call: CallCore) -> Bool { isEqual(call.arguments) == true }

  /// Why no call can have the arguments, judged by one of its calls; `nil` if one can.
  func mistake(in call: CallCore) -> String? {
    guard isEqual(call.arguments) == nil else { return nil }
    return """
      The arguments of \(call) are of type \(type(of: call.arguments as Any)), and \(description) has the type \(types)
      """
  }

  @usableFromInline package static func == (one: ArgumentSelection, other: ArgumentSelection) -> Bool {
    one === other
  }

  @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// How a method of a service gives its answer.
@usableFromInline package enum CallForm: Sendable, Hashable, CaseIterable {
  /// It returns, or throws, when it has the answer.
  case asynchronous
  /// The same, but it cannot fail.
  case unfailing
  /// It throws, and cannot wait.
  case synchronous
  /// It calls a completion handler. Only the app cancels it, if at all.
  case callback
  /// The same, but the answer has no place for a failure.
  case unfailingCallback
  /// It returns a publisher, of which each subscription is a call. Only the app cancels it.
  case publisher
  /// The same, but the publisher cannot fail.
  case unfailingPublisher

  /// Whether the call does not notice that the caller's task is cancelled.
  var ignoresTask: Bool {
    switch self {
    case .asynchronous, .unfailing: false
    case .synchronous, .callback, .unfailingCallback, .publisher, .unfailingPublisher: true
    }
  }

  /// Whether it calls a completion handler.
  var isCallback: Bool { self == .callback || self == .unfailingCallback }

  /// Whether it returns a publisher.
  var isPublisher: Bool { self == .publisher || self == .unfailingPublisher }

  /// Whether no fault makes the call fail.
  var isUnfailing: Bool { self == .unfailing || self == .unfailingCallback }

  /// Whether its answer has a place for a failure.
  var canFail: Bool { !isUnfailing && self != .unfailingPublisher }

  /// The form of a call whose publisher sends one value: it cannot send a failure, if it is not of that type.
  var ofSingleValue: CallForm { self == .unfailingPublisher ? .unfailingCallback : self }

  /// Whether a fault has an effect on such a call.
  func takes(_ fault: Fault) -> Bool {
    switch self {
    case .asynchronous: true
    case .unfailing, .unfailingCallback: fault.symptom == .delayed
    case .synchronous: fault != .cancelled && fault.symptom != .delayed
    case .callback, .publisher, .unfailingPublisher: fault != .cancelled
    }
  }
}

/// The content of an ``Intercepted/Call``.
@usableFromInline package struct CallCore: Sendable, CustomStringConvertible {
  /// The service method; `nil` for a request.
  @usableFromInline let method: OperationCore?
  /// The kind of exchange: an answer, a stream or a connection.
  ///
  /// It fills a gap here, so that a record is smaller.
  @usableFromInline package let interaction: Fault.Interaction
  /// How it gives its answer; the same applies as to the kind.
  @usableFromInline package let form: CallForm
  /// A single argument itself, several arguments as a tuple, and `()` without arguments.
  @usableFromInline package let arguments: any Sendable

  @inlinable init(
    operation: OperationCore, arguments: any Sendable, interaction: Fault.Interaction = .call,
    form: CallForm = .asynchronous
  ) {
    method = operation
    self.arguments = arguments
    self.interaction = interaction
    self.form = form
  }

  package init(_ request: some RequestArguments, interaction: Fault.Interaction? = nil) {
    method = nil
    arguments = request
    self.interaction = interaction ?? request.interaction
    form = .asynchronous
  }

  /// The operation.
  ///
  /// That of a request is computed on each access. Most requests are only logged, and in a log of many requests the
  /// path segments would need as much memory as the requests.
  package var operation: OperationCore { method ?? (arguments as? any RequestArguments)?.operation ?? .any }

  @usableFromInline package var description: String {
    switch arguments {
    case is Void: "\(operation)()"
    case let request as any RequestArguments: request.callDescription
    default: isTuple ? "\(operation)\(arguments)" : "\(operation)(\(arguments))"
    }
  }

  private var isTuple: Bool { Mirror(reflecting: arguments).displayStyle == .tuple }
}

import Foundation

/// The parts of a requirement, from which its implementation is generated.
struct Declaration {
  /// The errors that a function or an accessor may throw.
  enum Throwing: Equatable {
    case nothing
    case anything
    case typed(String)
    case whatItsArgumentsThrow

    /// The errors of a type.
    init(_ type: String) {
      let any = ["any Error", "(any Error)", "Error", "Swift.Error", "any Swift.Error"]
      self = any.contains(type) ? .anything : type == "Never" ? .nothing : .typed(type)
    }
  }

  struct Effects: Equatable {
    var isAsync = false
    var throwing = Throwing.nothing

    /// The source after a parameter list or `get`, with a leading space.
    var suffix: String {
      (isAsync ? " async" : "") + throwsSuffix
    }

    var throwsSuffix: String {
      switch throwing {
      case .nothing: ""
      case .anything: " throws"
      case .typed(let type): " throws(\(type))"
      case .whatItsArgumentsThrow: " rethrows"
      }
    }

    /// The source before a call, with a trailing space.
    var callPrefix: String {
      (throwing == .nothing ? "" : "try ") + (isAsync ? "await " : "")
    }
  }

  enum Kind {
    case method, property, `subscript`, initializer
  }

  let kind: Kind
  /// Attributes and modifiers, such as `@MainActor` and `nonisolated`.
  let modifiers: [String]
  /// The name, with backticks if it requires them.
  let name: String
  /// The generic parameters, such as `<T>`; empty without them.
  let generics: String
  let parameters: [Parameter]
  /// The effects of a function or a getter.
  let effects: Effects
  /// The type of the result; empty for a function without one.
  let result: String
  /// The generic requirements, such as `T : Sendable`; empty without them.
  let requirements: String
  let isSettable: Bool
  /// Whether an accessor mutates the value.
  let hasMutatingAccessor: Bool
  /// How it answers to a function of its caller; `nil` for another requirement.
  var completion: CompletionHandler?
  /// Whether it does not wait, and is isolated to the actor that conforms to its protocol.
  var isOnActor = false
  /// How it publishes its answer; `nil` for another requirement.
  var publisher: Publisher?
  /// The completion handler, where an answer can be a failure.
  var failableCompletion: CompletionHandler? { completion.flatMap { $0.canFail ? $0 : nil } }

  /// Whether it has generic parameters of its own.
  var isGeneric: Bool { !generics.isEmpty || parameters.contains { $0.isOpaque } }

  /// Whether it is an operator.
  var isOperator: Bool { name.first.map { !$0.isLetter && !"_`?!".contains($0) } ?? false }

  /// Whether it is isolated to a global actor.
  var isIsolated: Bool {
    modifiers.contains { modifier in
      modifier.hasPrefix("@") && !["@discardableResult", "@concurrent", "@Sendable"].contains(modifier)
    }
  }

  /// The name of the base in a closure that makes the call, which no parameter may shadow.
  var baseName: String {
    ["base", "service", "subject"].first { name in !parameters.contains { $0.name == name } }
      ?? "interceptedBase"
  }

  /// The name of a returned sequence in such a closure.
  var sequenceName: String { parameters.contains { $0.name == "elements" } ? "sequence" : "elements" }

  /// Whether it returns an asynchronous sequence of any kind.
  var returnsSequence: Bool {
    SourceWords.of(result).contains { ["AsyncSequence", "AsyncStream", "AsyncThrowingStream"].contains($0) }
  }

  /// A stream whose elements can be intercepted.
  struct Stream: Equatable {
    /// Whether it can fail.
    let canFail: Bool
    /// Whether it is an `AsyncSequence` of any type, which has to be converted to a stream.
    let isAnySequence: Bool

    /// The type of the stream, without its arguments.
    var typeName: String { canFail ? "AsyncThrowingStream" : "AsyncStream" }
  }

  /// A publisher of Combine that is returned.
  struct Publisher: Equatable {
    /// The errors with which it ends.
    let failing: Throwing
    /// Whether it is a publisher of any type, which has to be converted to an `AnyPublisher`.
    let isAnyPublisher: Bool
  }

  /// The publisher that a method or a property returns; `nil` for another requirement.
  var returnedPublisher: Publisher? {
    guard kind != .initializer, effects == Effects(), !isSettable else { return nil }
    let bare = result.hasPrefix("(") && result.hasSuffix(")") ? result.dropFirst().dropLast() : result[...]
    let isAny = bare.hasPrefix("any Publisher<")
    guard isAny || bare.hasPrefix("AnyPublisher<"), bare.hasSuffix(">"), let start = bare.firstIndex(of: "<")
    else { return nil }
    let arguments = DeclarationScanner.split(bare[bare.index(after: start)...].dropLast(), at: ",")
    // A fault cannot become an error that the caller or the base chooses.
    guard arguments.count == 2, !arguments[1].hasPrefix("Base."),
      !SourceWords.of(generics).contains(arguments[1][...])
    else { return nil }
    return Publisher(failing: Throwing(arguments[1]), isAnyPublisher: isAny)
  }

  /// The errors with which a call can fail: those that it throws, that it returns in a `Result`, that it passes to a
  /// completion handler, or with which its publisher ends.
  var failing: Throwing {
    if let completion { return completion.failing }
    if let publisher { return publisher.failing }
    if let task { return task }
    // A property without effects is a state.
    guard effects.throwing == .nothing, effects.isAsync || kind != .property,
      let arguments = arguments(of: "Result"), arguments.count == 2
    else {
      return effects.throwing
    }
    // A fault cannot become an error that the caller or the base chooses.
    let isChosen = arguments[1].hasPrefix("Base.") || SourceWords.of(generics).contains(arguments[1][...])
    return isChosen ? .nothing : Throwing(arguments[1])
  }

  /// Whether it returns its failures in a `Result`.
  var returnsFailures: Bool {
    completion == nil && publisher == nil && task == nil && failing != effects.throwing
  }

  /// The errors of a `Task` that a method starts and returns; `nil` for another method.
  var task: Throwing? {
    guard kind == .method, effects == Effects(), let arguments = arguments(of: "Task"), arguments.count == 2
    else {
      return nil
    }
    let failing = Throwing(arguments[1])
    return [.anything, .nothing].contains(failing) ? failing : nil
  }

  /// The effects of a call from another isolation, up to its value.
  var effectsOfCall: Effects {
    Effects(
      isAsync: effects.isAsync || isIsolated || isOnActor || task != nil,
      throwing: publisher == nil ? failing : .nothing)
  }

  /// What follows a call whose value is in a `Result` or a `Task`.
  var unwrapping: String { returnsFailures ? ".get()" : task != nil ? ".value" : "" }

  /// Returns the generic arguments of the result, if it has this type.
  private func arguments(of type: Substring) -> [String]? {
    guard result.hasPrefix(type + "<"), result.hasSuffix(">") else { return nil }
    return DeclarationScanner.split(result.dropFirst(type.count + 1).dropLast(), at: ",")
  }

  /// The returned stream; `nil` if the result is not a stream whose elements can be intercepted.
  var stream: Stream? {
    if let arguments = arguments(of: "AsyncThrowingStream") {
      return arguments.count == 2 && Self.isAnyError(arguments[1])
        ? Stream(canFail: true, isAnySequence: false) : nil
    }
    if let arguments = arguments(of: "AsyncStream") {
      return arguments.count == 1 ? Stream(canFail: false, isAnySequence: false) : nil
    }
    guard result.hasPrefix("any ") else { return nil }
    let parts = DeclarationScanner.split(result.dropFirst(4), at: "&").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard let sequence = parts.first(where: { $0.hasPrefix("AsyncSequence<") && $0.hasSuffix(">") })
    else { return nil }
    let types = DeclarationScanner.split(sequence.dropFirst("AsyncSequence<".count).dropLast(), at: ",")
    guard types.count == 2, types[1] == "Never" || Self.isAnyError(types[1]) else { return nil }
    return Stream(canFail: types[1] != "Never", isAnySequence: true)
  }

  private static func isAnyError(_ type: String) -> Bool { Throwing(type) == .anything }
}

/// A parameter of a requirement.
struct Parameter {
  /// The argument label; `nil` without a label.
  let label: String?
  /// The name in the body.
  let name: String
  /// The type without specifiers.
  let type: String
  /// The specifiers, such as `inout`, `sending`, `@escaping` and `@autoclosure`.
  let specifiers: [String]
  let isVariadic: Bool

  var isPack: Bool { type.hasPrefix("repeat ") }
  var isInout: Bool { specifiers.contains("inout") }
  var isAutoclosure: Bool { specifiers.contains("@autoclosure") }
  var isFunction: Bool { type.contains("->") }
  var isOpaque: Bool { SourceWords.of(type).contains("some") }

  /// The parameter in a declaration; an implementation may omit ownership specifiers.
  var declaration: String {
    let names = label == name ? name : "\(label ?? "_") \(name)"
    return "\(names): \(closureType)\(isVariadic ? "..." : "")"
  }

  /// The type in a declaration.
  var closureType: String {
    (specifiers.filter { !["consuming", "borrowing", "__owned", "__shared"].contains($0) } + [type])
      .joined(separator: " ")
  }

  /// The argument to forward.
  var argument: String {
    let value = SourceWords.escaped(name)
    let passed =
      isInout ? "&\(value)" : isAutoclosure ? "\(value)()" : isPack ? "repeat each \(value)" : value
    return label.map { "\($0): \(passed)" } ?? passed
  }
}

/// The names that a generated file takes from elsewhere than the modules of an adopter.
enum TakenNames {
  /// The types of the toolkit, which `.api/Understudy.txt` lists.
  static let toolkit: Set<String> = [
    "AnswerCheck", "CallInterceptor", "CallLog", "CallObserver", "Clause", "CodePlace", "ComparisonSize",
    "Condition", "Contract", "ContractBuilder", "ContractCheck", "CustomInterceptor",
    "DerivedMutantReport", "Exploration", "ExplorationAnswer", "ExplorationCall", "ExplorationCommand",
    "ExplorationSchedule", "ExplorationSize", "FailedCall", "FailedCallEffect", "Fault", "FaultPlan",
    "FaultSchedule", "Freedom", "Gate", "Implementation", "Intercepted", "Interceptor", "Invariant",
    "KillMatrix", "KillScope", "LatencyDistribution", "Locked", "Mutant", "ReceivedEvents", "Scenario",
    "ScenarioRun", "ServiceOperation", "ServiceOperations", "StateTimeline", "TestClock", "Time", "Trial",
    "TrialEnvironment", "UnderstudyError",
  ]

  /// The types of the standard library that decide how a requirement is intercepted.
  static let standard: Set<String> = [
    "Result", "AsyncStream", "AsyncThrowingStream", "AsyncSequence", "Task", "Error", "Void",
  ]

  /// The types in ``Intercepted`` and `ServiceOperations`, which hide those of an adopter in their extensions.
  static let nested: Set<String> = ["Base", "Operation", "Call", "Subject"]

  /// Whether a type of an adopter with this name, or in a type with this name, has to be qualified by its module.
  static func contains(_ name: String) -> Bool {
    let first = name.prefix { $0 != "." }
    return toolkit.contains(String(first)) || nested.contains(String(first))
  }
}

/// The names and keywords of Swift source.
enum SourceWords {
  /// The keywords that require backticks as names.
  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init",
    "inout",
    "internal", "let", "operator", "private", "precedencegroup", "protocol", "public", "rethrows",
    "static",
    "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do",
    "else",
    "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "Any",
    "as",
    "await", "catch", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try", "Type",
    "Protocol",
  ]

  /// Returns a name, in backticks if it requires them.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Returns a name without backticks.
  static func bare(_ name: String) -> String { name.filter { $0 != "`" } }

  /// Returns a name with an uppercase first letter.
  static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// Returns `urlLoader` for `URLLoader`.
  static func lowerCamelCase(_ name: String) -> String {
    let capitals = name.prefix(while: \.isUppercase)
    let rest = name.dropFirst(capitals.count)
    let count = capitals.count > 1 && rest.first?.isLetter == true ? capitals.count - 1 : capitals.count
    return name.prefix(count).lowercased() + name.dropFirst(count)
  }

  /// Returns a name without the first of these endings that it has, unless nothing would be left.
  static func dropping(_ endings: [String], from name: String) -> String {
    let ending = endings.first { name.hasSuffix($0) && name.count > $0.count }
    return String(name.dropLast(ending?.count ?? 0))
  }

  /// Returns the names and keywords of a piece of source.
  static func of(_ source: String) -> [Substring] {
    source.split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }
}

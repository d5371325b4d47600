import Foundation
import UnderstudyText

/// How a requirement gives its answer to a function of its caller: a completion handler, or one for success and one for
/// failure.
struct CompletionHandler {
  private enum Shape {
    /// A `Result`.
    case result
    /// Values, of which the last one is an optional error; with the values of a call that fails.
    case values([String])
    /// Two functions; with the values of the first one, at most one.
    case apart([String])
    /// Values without a failure.
    case unfailing([String])
  }

  private let shape: Shape
  /// The parameters that are the handlers: one, or one for success and one for failure.
  private let handlers: [Parameter]
  /// The type of an answer.
  private let answer: String
  /// The errors of an answer.
  let failing: Declaration.Throwing
  /// Whether a handler is isolated to the main actor.
  let isOnMainActor: Bool
  /// Whether the method is isolated to the main actor.
  var isMethodOnMainActor = false
  /// Whether an answer may go to another isolation, as far as is known.
  private let isAnswerSendable: Bool

  /// Whether an answer can be a failure.
  var canFail: Bool { if case .unfailing = shape { false } else { true } }

  /// Finds the handlers of a method; `nil` if it has none.
  ///
  /// A function that takes no failure may as well be a listener, which is called at each change. Only its name tells them
  /// apart.
  ///
  /// - Parameters:
  ///   - isError: Whether a type is an error.
  ///   - isSendable: Whether a type is `Sendable`.
  init?(of declaration: Declaration, isError: (String) -> Bool, isSendable: (String) -> Bool) {
    guard declaration.kind == .method, declaration.effects == Declaration.Effects(),
      !declaration.parameters.contains(where: \.isInout)
    else { return nil }
    let functions = declaration.parameters.compactMap { parameter in
      FunctionType(of: parameter).map { (parameter: parameter, type: $0) }
    }
    let single = functions.filter { $0.type.returnsNothing && !$0.type.parameters.isEmpty }
    for (parameter, type) in single {
      let last = type.parameters.last ?? ""
      let bare = last.hasPrefix("Swift.") ? last.dropFirst("Swift.".count) : last[...]
      if type.parameters.count == 1, bare.hasPrefix("Result<"), bare.hasSuffix(">") {
        let arguments = DeclarationScanner.split(bare.dropFirst("Result<".count).dropLast(), at: ",")
        guard arguments.count == 2, arguments[1] != "Never", !arguments[1].hasPrefix("Base.") else {
          continue
        }
        (shape, answer, failing) = (.result, last, Declaration.Throwing(arguments[1]))
      } else if let error = Self.wrapped(last), isError(error),
        let values = Self.failing(type.parameters.dropLast())
      {
        answer = type.parameters.count == 1 ? last : "(\(type.parameters.joined(separator: ", ")))"
        (shape, failing) = (.values(values), Declaration.Throwing(error))
      } else {
        continue
      }
      (handlers, isOnMainActor, isAnswerSendable) = ([parameter], type.isOnMainActor, isSendable(answer))
      return
    }
    if functions.count == 1, functions[0].type.returnsNothing, Self.isAnswer(functions[0].parameter),
      !functions[0].type.parameters.contains(where: { $0.contains("->") })
    {
      let type = functions[0].type
      answer =
        switch type.parameters.count {
        case 0: "Void"
        case 1: type.parameters[0]
        default: "(\(type.parameters.joined(separator: ", ")))"
        }
      (shape, failing) = (.unfailing(type.parameters), .nothing)
      (handlers, isOnMainActor, isAnswerSendable) = (
        [functions[0].parameter], type.isOnMainActor, isSendable(answer)
      )
      return
    }
    guard functions.count == 2, functions.allSatisfy(\.type.returnsNothing),
      functions[0].type.parameters.count < 2, functions[1].type.parameters.count == 1,
      let error = functions[1].type.parameters.first, isError(error)
    else { return nil }
    let values = functions[0].type.parameters
    (shape, failing) = (.apart(values), Declaration.Throwing(error))
    answer = "Result<\(values.first ?? "Void"), \(error)>"
    handlers = functions.map(\.parameter)
    isOnMainActor = functions.contains(where: \.type.isOnMainActor)
    isAnswerSendable = isSendable(answer)
  }

  /// The type in an optional; `nil` for another type.
  private static func wrapped(_ type: String) -> String? {
    guard type.hasSuffix("?") else { return nil }
    let inner = type.dropLast()
    return String(inner.hasPrefix("(") && inner.hasSuffix(")") ? inner.dropFirst().dropLast() : inner)
  }

  /// The values that go with an error; `nil` if one of them has no empty value.
  private static func failing(_ types: ArraySlice<String>) -> [String]? {
    let values = types.map { type -> String? in
      if type.hasSuffix("?") { return "nil" }
      if type == "Bool" { return "false" }
      guard type.hasPrefix("["), type.hasSuffix("]") else { return nil }
      return DeclarationScanner.split(type.dropFirst().dropLast(), at: ":").count > 1 ? "[:]" : "[]"
    }
    return values.contains(nil) ? nil : values.compactMap(\.self)
  }

  /// Whether a parameter has the name of a function that is called once.
  private static func isAnswer(_ parameter: Parameter) -> Bool {
    let words = [parameter.name, parameter.label ?? ""].map { $0.lowercased() }
    return ["completion", "complete", "callback", "done", "finish", "reply"].contains { word in
      words.contains { $0.contains(word) }
    }
  }

  /// Whether a parameter is a handler.
  func isHandler(_ parameter: Parameter) -> Bool { handlers.contains { $0.name == parameter.name } }

  // MARK: - Source

  /// The name of the handler in the closure that calls the base.
  ///
  /// - Parameter taken: The names of the arguments.
  static func name(besides taken: [String]) -> String {
    ["completion", "answer"].first { !taken.contains($0) } ?? "interceptedCompletion"
  }

  /// A closure from a fault to the answer of a call that fails; `nil` if no answer is a failure.
  func failure(_ mapping: FailureMapping) -> String? {
    let error = error("$0", mapping)
    return switch shape {
    case .result, .apart: "{ .failure(\(error)) }"
    case .values(let values):
      values.isEmpty ? "{ \(error) }" : "{ (\((values + [error]).joined(separator: ", "))) }"
    case .unfailing: nil
    }
  }

  /// The error of an answer for a fault, as an expression.
  func error(_ fault: String, _ mapping: FailureMapping) -> String {
    guard case .typed(let type) = failing else { return mapping.error("", fault) }
    return type == "NSError" ? "\(mapping.error("", fault)) as NSError" : mapping.error(type, fault)
  }

  /// Whether a parameter is the handler that receives a failure.
  func isAnswered(by parameter: Parameter) -> Bool { handlers.last?.name == parameter.name }

  /// A call of the handler with an error.
  func call(failingWith error: String) -> String {
    guard let handler = handlers.last else { return "" }
    let name = SourceWords.escaped(handler.name) + (handler.specifiers.contains("@escaping") ? "" : "?")
    let call =
      switch shape {
      case .result: "\(name)(.failure(\(error)))"
      case .values(let values): "\(name)(\((values + [error]).joined(separator: ", ")))"
      case .apart: "\(name)(\(error))"
      case .unfailing: ""
      }
    return isOnMainActor ? "Task { @MainActor in \(call) }" : call
  }

  /// Writes the closure that passes an answer to the caller.
  func writeCompletion(to source: inout SourceText) {
    let open = "completion: { (answer: \(answer)) in"
    source.line(open)
    source.nested { source in
      guard isOnMainActor else { return calls(to: &source) }
      if !isAnswerSendable {
        source.comment("Safe, because the answer is handed over, and only this call passes it on.")
        source.line("nonisolated(unsafe) let answer = answer")
      }
      source.block("MainActor.assumeIsolated {") { calls(to: &$0) }
    }
    source.line("}")
  }

  private func calls(to source: inout SourceText) {
    let names = handlers.map { parameter in
      SourceWords.escaped(parameter.name) + (parameter.specifiers.contains("@escaping") ? "" : "?")
    }
    switch shape {
    case .result: source.line("\(names[0])(answer)")
    case .values(let values):
      let members =
        values.isEmpty ? "answer" : (0...values.count).map { "answer.\($0)" }.joined(separator: ", ")
      source.line("\(names[0])(\(members))")
    case .unfailing(let values):
      let members =
        values.count == 1 ? ["answer"] : values.indices.map { "answer.\($0)" }
      source.line("\(names[0])(\(members.joined(separator: ", ")))")
    case .apart(let values):
      source.line("switch answer {")
      source.line(
        values.isEmpty ? "case .success: \(names[0])()" : "case .success(let value): \(names[0])(value)")
      source.line("case .failure(let error): \(names[1])(error)")
      source.line("}")
    }
  }

  /// The argument for a handler of the base.
  ///
  /// - Parameter name: That of the closure that takes the answer.
  func argument(for parameter: Parameter, passingTo name: String) -> String {
    let value =
      switch shape {
      case .result: name
      case .values(let values) where values.isEmpty: name
      case .values(let values):
        "{ \(name)((\((0...values.count).map { "$\($0)" }.joined(separator: ", ")))) }"
      case .unfailing(let values):
        values.count == 1
          ? name : "{ \(name)((\(values.indices.map { "$\($0)" }.joined(separator: ", ")))) }"
      case .apart(let values):
        parameter.name == handlers[0].name
          ? "{ \(name)(.success(\(values.isEmpty ? "()" : "$0"))) }" : "{ \(name)(.failure($0)) }"
      }
    return parameter.label.map { "\($0): \(value)" } ?? value
  }
}

/// The type of a function that is kept after the call.
private struct FunctionType {
  let parameters: [String]
  let returnsNothing: Bool
  let isOnMainActor: Bool

  /// - Returns: `nil` for another parameter, or a function that does not outlive the call.
  init?(of parameter: Parameter) {
    var type = parameter.type.trimmed[...]
    let isOptional = type.hasPrefix("(") && type.hasSuffix(")?")
    if isOptional { type = type.dropFirst().dropLast(2) }
    guard parameter.isFunction,
      isOptional ? parameter.specifiers.isEmpty : parameter.specifiers == ["@escaping"]
    else { return nil }
    var isOnMainActor = false
    while type.hasPrefix("@") {
      let attribute = type.prefix { $0 != " " }
      if attribute == "@MainActor" { isOnMainActor = true } else if attribute != "@Sendable" { return nil }
      type = type.dropFirst(attribute.count).drop(while: \.isWhitespace)
    }
    let halves = DeclarationScanner.split(type, at: "->", most: 2)
    guard halves.count == 2, halves[0].hasPrefix("("), halves[0].hasSuffix(")") else { return nil }
    self.isOnMainActor = isOnMainActor
    returnsNothing = ["Void", "()", "Swift.Void"].contains(halves[1])
    parameters = DeclarationScanner.split(halves[0].dropFirst().dropLast(), at: ",").map { text in
      // A name is only for readers.
      DeclarationScanner.split(text[...], at: ": ", most: 2).last ?? text
    }
  }
}

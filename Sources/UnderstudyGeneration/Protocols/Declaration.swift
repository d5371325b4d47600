/// A requirement taken apart, so that it can be written anew.
struct Declaration {
  /// What a function or an accessor may throw.
  enum Throwing: Equatable {
    case nothing
    case anything
    case typed(String)
    case whatItsArgumentsThrow
  }

  struct Effects: Equatable {
    var isAsync = false
    var throwing = Throwing.nothing

    /// As it is written behind a parameter list or `get`, with a space before it.
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

    /// What stands before a call, with a space behind it.
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
  /// As it is written, with backticks where it needs them.
  let name: String
  /// Such as `<T>`, or nothing.
  let generics: String
  let parameters: [Parameter]
  /// Of a function or a getter.
  let effects: Effects
  /// Nothing for a function without a result.
  let result: String
  /// Such as `T : Sendable`, or nothing.
  let requirements: String
  let isSettable: Bool
  /// Whether setting, or getting, changes the value itself.
  let hasMutatingAccessor: Bool

  /// Whether types of its own are chosen by the caller.
  var isGeneric: Bool { !generics.isEmpty || parameters.contains { $0.isOpaque } }

  /// Whether it returns an asynchronous sequence of any kind.
  var returnsSequence: Bool {
    Words.of(result).contains { ["AsyncSequence", "AsyncStream", "AsyncThrowingStream"].contains($0) }
  }

  /// What its stream brings; `nil` if it returns no `AsyncThrowingStream`.
  var streamElement: String? {
    guard result.hasPrefix("AsyncThrowingStream<"), result.hasSuffix(">") else { return nil }
    let arguments = DeclarationScanner.split(
      result.dropFirst("AsyncThrowingStream<".count).dropLast(), at: ",")
    guard arguments.count == 2, ["any Error", "Error"].contains(arguments[1]) else { return nil }
    return arguments[0]
  }
}

/// A parameter of a requirement.
struct Parameter {
  /// What callers write before the colon; `nil` for nothing.
  let label: String?
  /// What the body calls it.
  let name: String
  /// Without what says how it is passed.
  let type: String
  /// Such as `inout`, `sending`, `@escaping` and `@autoclosure`.
  let specifiers: [String]
  let isVariadic: Bool

  var isPack: Bool { type.hasPrefix("repeat ") }
  var isInout: Bool { specifiers.contains("inout") }
  var isAutoclosure: Bool { specifiers.contains("@autoclosure") }
  var isFunction: Bool { type.contains("->") }
  var isOpaque: Bool { Words.of(type).contains("some") }

  /// The parameter in a declaration.
  ///
  /// Who implements a requirement need not say how it takes its arguments.
  var declaration: String {
    let names = label == name ? name : "\(label ?? "_") \(name)"
    return "\(names): \(closureType)\(isVariadic ? "..." : "")"
  }

  /// The type in a declaration.
  var closureType: String {
    (specifiers.filter { !["consuming", "borrowing", "__owned", "__shared"].contains($0) } + [type])
      .joined(separator: " ")
  }

  /// What is passed on for it.
  var argument: String {
    let value = Words.escaped(name)
    let passed =
      isInout ? "&\(value)" : isAutoclosure ? "\(value)()" : isPack ? "repeat each \(value)" : value
    return label.map { "\($0): \(passed)" } ?? passed
  }
}

/// A requirement in a double that implements only what a test sets.
struct UnimplementedMember {
  private let requirement: Requirement
  private let owner: ServiceProtocol
  private let access: AccessLevel
  private let failure: FailureMapping
  /// Whether properties of the double are constant.
  private let isConstant: Bool
  private let declaration: Declaration

  init(
    _ requirement: Requirement, of owner: ServiceProtocol, access: AccessLevel, failure: FailureMapping,
    isConstant: Bool
  ) {
    self.requirement = requirement
    self.owner = owner
    self.access = access
    self.failure = failure
    self.isConstant = isConstant
    declaration = requirement.declaration
  }

  /// Whether the requirement is a stored property of the double.
  var isStored: Bool {
    declaration.kind == .property && declaration.effects == Declaration.Effects()
  }

  /// Whether no closure can implement it, because it would have to be generic.
  private var isNeverImplemented: Bool { declaration.isGeneric }

  /// Whether it can throw if no closure is set.
  private var canThrow: Bool { declaration.effects.throwing != .nothing }

  /// Whether it, or the stream that it returns, can fail if no closure is set.
  private var canFail: Bool {
    canThrow || answersToHandler
      || (!isStored && declaration.stream == .init(canFail: true, isAnySequence: false))
  }

  /// Whether it can fail without a value of its own.
  private var answersToHandler: Bool {
    declaration.failableCompletion != nil && (declaration.result.isEmpty || declaration.result.hasSuffix("?"))
  }

  /// Whether the initializer has a parameter for it.
  var isGivenAtFirst: Bool { !isNeverImplemented && (!canFail || isConstant) }

  private var property: String {
    isStored ? declaration.name : "on\(SourceWords.capitalized(requirement.operation))"
  }

  /// The type of the stored closure or value.
  private var type: String {
    if isStored { return own(declaration.result) }
    let isolation = declaration.modifiers.filter { modifier in
      modifier == "nonisolated(nonsending)"
        || (modifier.hasPrefix("@") && !["@discardableResult", "@concurrent"].contains(modifier))
    }
    let parameters = declaration.parameters.map { parameter in
      let specifiers = parameter.specifiers.filter { ["inout", "sending", "@escaping"].contains($0) }
      let type = (specifiers + [own(parameter.type)]).joined(separator: " ")
      return "_ \(SourceWords.escaped(parameter.name)): \(parameter.isVariadic ? "[\(type)]" : type)"
    }
    let result = declaration.result.isEmpty ? "Void" : own(declaration.result)
    return (isolation + ["@Sendable"]).joined(separator: " ")
      + " (\(parameters.joined(separator: ", ")))\(own(declaration.effects.suffix)) -> \(result)"
  }

  // MARK: - Parts of the double

  /// Writes the property for the closure or the value.
  func declare(to source: inout SourceText) {
    guard !isNeverImplemented else {
      source.line(
        "// \(owner.name).\(requirement.title) always throws: it is generic, and a closure cannot be generic."
      )
      return
    }
    source.line("/// `\(owner.name).\(requirement.title)`.")
    // A stored property cannot have availability attributes.
    let modifiers =
      isStored || isConstant
      ? declaration.modifiers.filter { isStored || $0 == "nonisolated" }.map { $0 + " " }.joined() : ""
    let head = "\(modifiers)\(access.modifier)\(isConstant ? "let" : "var") \(property): \(type)"
    guard !isGivenAtFirst else { return source.line(head) }
    throwing(head + " =", to: &source)
  }

  /// The parameter of the initializer.
  var initializerParameter: String {
    if isStored { return "\(property): \(type)" }
    return canFail ? "\(property): (\(type))? = nil" : "\(property): @escaping \(type)"
  }

  /// Writes the assignment in the initializer.
  func initialize(to source: inout SourceText) {
    guard !isStored, canFail else { return source.line("self.\(SourceWords.bare(property)) = \(property)") }
    source.line("if let \(property) {")
    source.nested { $0.line("self.\(property) = \(property)") }
    source.line("} else {")
    source.nested { throwing("self.\(property) =", to: &$0) }
    source.line("}")
  }

  /// Writes the implementation of the requirement.
  func implement(to source: inout SourceText) {
    source.line(
      isNeverImplemented
        ? "/// Always throws an error." : "/// Calls the closure that the test has set.")
    for attribute in requirement.availability { source.line(attribute) }
    MemberSignature(owned, access: access).open(to: &source)
    source.nested { source in
      if declaration.kind == .method || declaration.effects == Declaration.Effects() {
        body(to: &source)
      } else {
        source.block("get\(own(declaration.effects.suffix)) {") { body(to: &$0) }
      }
    }
    source.line("}")
  }

  private func body(to source: inout SourceText) {
    if isNeverImplemented { return source.line("throw \(error)") }
    let selfPrefix = declaration.parameters.contains { $0.name == property } ? "self." : ""
    let arguments = declaration.parameters.map { parameter in
      let name = SourceWords.escaped(parameter.name)
      return parameter.isInout ? "&\(name)" : name
    }
    source.line(
      "\(declaration.effects.callPrefix)\(selfPrefix)\(property)(\(arguments.joined(separator: ", ")))")
  }

  // MARK: - Source

  /// Writes the default closure, which throws.
  private func throwing(_ head: String, to source: inout SourceText) {
    let names = declaration.parameters.map { parameter in
      declaration.failableCompletion?.isAnswered(by: parameter) == true
        ? SourceWords.escaped(parameter.name) : "_"
    }.joined(separator: ", ")
    let parameters = "\(names.isEmpty ? "()" : names)\(own(declaration.effects.throwsSuffix)) in"
    if source.fits("\(head) { \(parameters)") {
      source.block("\(head) { \(parameters)") { fail(in: &$0) }
    } else {
      source.block("\(head) {") { source in
        source.line(parameters)
        fail(in: &source)
      }
    }
  }

  /// Writes what a requirement without a closure does.
  private func fail(in source: inout SourceText) {
    if let completion = declaration.failableCompletion {
      source.line(completion.call(failingWith: error))
      if !declaration.result.isEmpty { source.line("return nil") }
    } else if canThrow {
      source.line("throw \(error)")
    } else {
      // The element's type is known from the type of the closure.
      source.line("AsyncThrowingStream { $0.finish(throwing: \(error)) }")
    }
  }

  /// The error of a requirement without a closure.
  private var error: String {
    let title = "\(owner.name).\(requirement.title)"
    let remedy = isNeverImplemented ? "" : ", closure: \(property.debugDescription)"
    let fault = "Understudy.Fault.unimplemented(\(title.debugDescription)\(remedy))"
    if let completion = declaration.failableCompletion { return completion.error(fault, failure) }
    let type = if case .typed(let type) = declaration.effects.throwing { own(type) } else { "" }
    return failure.error(type, fault)
  }

  /// The declaration with the generic parameters of the double for associated types.
  private var owned: Declaration {
    var effects = declaration.effects
    if case .typed(let type) = effects.throwing { effects.throwing = .typed(own(type)) }
    return Declaration(
      kind: declaration.kind, modifiers: declaration.modifiers, name: declaration.name,
      generics: declaration.generics,
      parameters: declaration.parameters.map { parameter in
        Parameter(
          label: parameter.label, name: parameter.name, type: own(parameter.type),
          specifiers: parameter.specifiers, isVariadic: parameter.isVariadic)
      }, effects: effects, result: own(declaration.result), requirements: own(declaration.requirements),
      isSettable: declaration.isSettable, hasMutatingAccessor: declaration.hasMutatingAccessor)
  }

  /// Returns source with the generic parameters of the double for associated types.
  private func own(_ source: String) -> String {
    var result = ""
    var rest = source[...]
    while let range = rest.firstRange(of: "Base.") {
      let isWhole =
        rest[..<range.lowerBound].last.map { !$0.isLetter && !$0.isNumber && !"_.".contains($0) } ?? true
      result += rest[..<(isWhole ? range.lowerBound : range.upperBound)]
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}

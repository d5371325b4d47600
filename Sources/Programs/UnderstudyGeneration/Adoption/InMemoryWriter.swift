/// A writer of a double in memory, whose methods are to be filled in.
struct InMemoryWriter {
  let service: ServiceProtocol
  let names: AdoptedNames
  let failure: FailureMapping
  let samples: SampleValues
  let access: AccessLevel

  /// What a method does until it is filled in.
  enum Stub: Equatable {
    /// It throws an error, or its stream fails with one.
    case fails(String)
    /// It returns a value, or nothing.
    case returns(String)
    /// No value of its result is known.
    case traps
  }

  /// Writes the double.
  ///
  /// - Parameter isolation: The modifier of declarations that would be isolated by default.
  func write(to source: inout SourceText, isolation: String) {
    if service.isStructure { return structure(to: &source, isolation: isolation) }
    source.documentation(documentation)
    for attribute in service.availability { source.line(attribute) }
    // The default would isolate the conformance to a protocol that refines another one.
    let name = service.qualifiedName
    let conformance = isIsolated && !isolation.isEmpty ? "\(isolation)\(name)" : name
    let conformances = [conformance] + (service.isSendable || isActor || isIsolated ? [] : ["Sendable"])
    let isolation = service.isolation.map { $0 + " " } ?? (isActor ? "" : isolation)
    let head = "\(isolation)\(access.modifier)\(isActor ? "actor" : "final class") \(names.double)"
    source.block("\(head): \(conformances.joined(separator: ", ")) {") { source in
      let initializers = requirements.map(\.declaration).filter { $0.kind == .initializer }
      let needsInitializer = isIsolated || access != .internal || !initializers.isEmpty
      if needsInitializer, !initializers.contains(where: \.parameters.isEmpty) {
        source.line("/// An empty double.")
        source.line("\(isIsolated ? "nonisolated " : "")\(access.modifier)init() {}")
        source.line()
      }
      for (number, requirement) in requirements.enumerated() {
        if number > 0 { source.line() }
        member(requirement, to: &source)
      }
    }
  }

  /// Writes a value of a structure of closures.
  private func structure(to source: inout SourceText, isolation: String) {
    let name = service.qualifiedName
    let arguments = samples.arguments(of: service) ?? []
    for attribute in service.availability { source.line(attribute) }
    source.block("\(isolation)extension \(name) {") { source in
      source.documentation([
        "The ``\(service.name)`` in memory, for previews and tests.",
        "Write each closure. Keep the state in a `Locked` that they share.",
      ])
      source.block("\(access.modifier)static var inMemory: \(name) {") { source in
        source.line("\(name)(")
        source.nested { source in
          for (number, argument) in arguments.enumerated() {
            let label = argument.label.map { "\($0): " } ?? ""
            let end = number + 1 < arguments.count ? "," : ""
            guard let closure = argument.closure else {
              source.line(label + argument.value + end)
              continue
            }
            let names = closure.declaration.parameters.map { SourceWords.escaped($0.name) }
            // The compiler infers that a closure throws any error.
            let isTyped = if case .typed = closure.declaration.effects.throwing { true } else { false }
            let effects = isTyped ? closure.declaration.effects.suffix : ""
            let parameters = names.isEmpty && isTyped ? "()" : names.joined(separator: ", ")
            let head = parameters.isEmpty ? "" : " \(parameters)\(effects) in"
            source.block("\(label){\(head)", closing: "}\(end)") { body(stub(of: closure), closure, to: &$0) }
          }
        }
        source.line(")")
      }
    }
  }

  /// Whether the file uses the toolkit.
  var usesFaults: Bool {
    requirements.contains { if case .fails = stub(of: $0) { true } else { false } }
  }

  /// What a requirement does until it is filled in.
  func stub(of requirement: Requirement) -> Stub {
    let declaration = requirement.declaration
    let fault = ".unimplemented(\("\(names.double).\(requirement.title)".debugDescription))"
    if let completion = declaration.failableCompletion {
      let call = completion.call(failingWith: completion.error(fault, failure))
      if declaration.result.isEmpty { return .fails(call) }
      let value = declaration.result.hasSuffix("?") ? "nil" : samples.expression(of: declaration.result)
      return value.map { .fails("\(call)\nreturn \($0)") } ?? .traps
    }
    if let publisher = declaration.publisher {
      guard publisher.failing != .nothing else { return .returns("Empty().eraseToAnyPublisher()") }
      let type = if case .typed(let type) = publisher.failing { type } else { "" }
      return .fails("Fail(error: \(failure.error(type, fault))).eraseToAnyPublisher()")
    }
    if declaration.task == .anything { return .fails("Task { throw \(failure.error("", fault)) }") }
    if declaration.failing != .nothing {
      let type = if case .typed(let type) = declaration.failing { type } else { "" }
      let error = failure.error(type, fault)
      return .fails(declaration.returnsFailures ? ".failure(\(error))" : "throw \(error)")
    }
    if let stream = declaration.stream {
      let type = stream.isAnySequence ? concrete(declaration.result, canFail: stream.canFail) : nil
      let name = type ?? (stream.canFail ? "AsyncThrowingStream" : "AsyncStream")
      guard stream.canFail else { return .returns("\(name) { $0.finish() }") }
      return .fails("\(name) { $0.finish(throwing: \(failure.error("", fault))) }")
    }
    if ["", "Void", "()"].contains(declaration.result) { return .returns("") }
    return samples.expression(of: declaration.result).map { .returns($0) } ?? .traps
  }

  // MARK: - Parts

  private var requirements: [Requirement] { service.lineage.flatMap(\.requirements) }

  /// Returns the name of the protocol that declares a requirement.
  private func owner(of requirement: Requirement) -> String {
    service.lineage.first { $0.requirements.contains { $0.operation == requirement.operation } }?.name
      ?? service.name
  }

  /// Whether the protocol is isolated to a global actor.
  private var isIsolated: Bool { service.isolation != nil }

  /// Whether the double can be an actor: every requirement waits, and none is isolated in another way.
  private var isActor: Bool {
    !isIsolated
      && requirements.allSatisfy { requirement in
        let declaration = requirement.declaration
        return declaration.effects.isAsync && declaration.modifiers.allSatisfy { $0 == "@discardableResult" }
          && requirement.isResultSendable && requirement.unloggable.isEmpty
          && declaration.parameters.allSatisfy { $0.specifiers.isEmpty && !$0.isPack }
      }
  }

  private var documentation: [String] {
    let state =
      isActor
      ? "Keep the state in properties, such as `private var items: [Item] = []`."
      : isIsolated
        ? "Keep the state in properties." : "Keep the state in a `Locked`, because calls may overlap."
    return ["The ``\(service.name)`` in memory, for previews and tests.", "Write each method. \(state)"]
  }

  private func member(_ requirement: Requirement, to source: inout SourceText) {
    let declaration = requirement.declaration.without(service.isolation)
    source.documentation([requirement.summary ?? "``\(owner(of: requirement))/\(requirement.title)``."])
    for attribute in requirement.availability { source.line(attribute) }
    let stub = stub(of: requirement)
    if isIsolated, declaration.isSettable, declaration.kind == .property, case .returns(let value) = stub {
      let prefix = declaration.modifiers.map { $0 + " " }.joined() + access.modifier
      return source.line("\(prefix)var \(declaration.name): \(declaration.result) = \(value)")
    }
    if declaration.kind == .property, declaration.effects == .init(), !declaration.isSettable,
      case .returns(let value) = stub
    {
      let head =
        "\((declaration.modifiers + [""]).joined(separator: " "))\(access.modifier)var \(declaration.name)"
      return source.line("\(head): \(declaration.result) { \(value) }")
    }
    MemberSignature(declaration, access: access, of: names.double).open(to: &source)
    source.nested { source in
      if [.method, .initializer].contains(declaration.kind)
        || (declaration.effects == .init() && !declaration.isSettable)
      {
        body(stub, requirement, to: &source)
      } else {
        source.block("get\(declaration.effects.suffix) {") { body(stub, requirement, to: &$0) }
        if declaration.isSettable { source.line("set {}") }
      }
    }
    source.line("}")
  }

  private func body(_ stub: Stub, _ requirement: Requirement, to source: inout SourceText) {
    switch stub {
    case .fails(let statement):
      let parts = DeclarationScanner.split(statement[...], at: " { ", most: 2)
      guard !source.fits(statement), parts.count == 2, !statement.contains("\n") else {
        for line in statement.split(separator: "\n") { source.line(String(line)) }
        return
      }
      source.block("\(parts[0]) {") { $0.line(String(parts[1].dropLast(2))) }
    case .returns(""): source.line("// Nothing yet.")
    case .returns(let value): source.line(value)
    case .traps: source.line("fatalError(\"Write \(requirement.title) of \(names.double).\")")
    }
  }

  /// Returns the stream for `any AsyncSequence<Element, Failure>`.
  private func concrete(_ result: String, canFail: Bool) -> String? {
    guard let start = result.firstRange(of: "AsyncSequence<")?.upperBound else { return nil }
    var depth = 1
    let arguments = result[start...].prefix { character in
      depth += character == "<" ? 1 : character == ">" ? -1 : 0
      return depth > 0
    }
    guard let element = DeclarationScanner.split(arguments, at: ",").first else { return nil }
    return canFail ? "AsyncThrowingStream<\(element), any Error>" : "AsyncStream<\(element)>"
  }
}

extension ServiceProtocol {
  /// The attribute of the global actor of the protocol; of all its requirements, where that is the module's default.
  var isolation: String? {
    if let attribute = attributes.first(where: { $0.hasPrefix("@") && $0 != "@preconcurrency" }) {
      return attribute
    }
    let modifiers = lineage.flatMap(\.requirements).map(\.declaration.modifiers)
      .filter { !$0.contains("nonisolated") }
    return modifiers.first?.first { attribute in
      attribute.hasPrefix("@") && !["@discardableResult", "@concurrent", "@Sendable"].contains(attribute)
        && modifiers.allSatisfy { $0.contains(attribute) }
    }
  }
}

extension Declaration {
  /// Returns the declaration without a modifier.
  fileprivate func without(_ modifier: String?) -> Declaration {
    Declaration(
      kind: kind, modifiers: modifiers.filter { $0 != modifier }, name: name, generics: generics,
      parameters: parameters, effects: effects, result: result, requirements: requirements,
      isSettable: isSettable, hasMutatingAccessor: hasMutatingAccessor)
  }
}

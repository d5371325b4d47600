/// A writer of the table of a service's operations, which a comparison of two implementations calls.
struct OperationsWriter {
  let service: ServiceProtocol
  /// The modifier `nonisolated`, where declarations would be isolated by default.
  let isolation: String

  func write(to source: inout SourceText) {
    if let type = associatedType {
      return source.comment("`\(service.name)` has no ServiceOperations: it has an associated type, \(type).")
    }
    if service.isStructure, service.isolation != nil {
      return source.comment("`\(service.name)` has no ServiceOperations: it is isolated to an actor.")
    }
    guard !called.isEmpty else {
      source.comment("`\(service.name)` has no ServiceOperations: none of its requirements can be called.")
      return comments(to: &source)
    }
    for attribute in service.availability { source.line(attribute) }
    source.block("\(isolation)extension Understudy.ServiceOperations where Subject == \(service.subject) {") {
      source in
      source.line("/// The operations of `\(service.name)`, for comparing two implementations.")
      let member = SourceWords.escaped(service.memberName)
      source.block("\(service.memberAccess.modifier)static var \(member): Self {") { source in
        comments(to: &source)
        table(to: &source)
      }
    }
  }

  /// The modules of the called requirements, which their file must import.
  var modules: Set<String> {
    guard associatedType == nil, !called.isEmpty else { return [] }
    return called.filter(isOverloaded).reduce(into: Set(service.lineage.map(\.module))) {
      $0.formUnion($1.modules)
    }
  }

  /// The first associated type, with which the protocol has no table.
  private var associatedType: String? { service.lineage.flatMap(\.associatedTypes).first?.name }

  /// The requirements and those of the protocols that it refines, each once.
  private var requirements: [Requirement] {
    service.lineage.flatMap(\.requirements).reduce(into: []) { known, requirement in
      if !known.contains(where: requirement.isSame) { known.append(requirement) }
    }
  }

  private var called: [Requirement] { requirements.filter { obstacle(to: $0) == nil } }

  /// Returns whether only the types distinguish a requirement from another one.
  private func isOverloaded(_ requirement: Requirement) -> Bool {
    requirements.contains { $0.title == requirement.title && !$0.isSame(as: requirement) }
  }

  // MARK: - Source

  /// Writes why the table has no operation for some requirements.
  private func comments(to source: inout SourceText) {
    for requirement in requirements {
      if let obstacle = obstacle(to: requirement) {
        source.comment("`\(requirement.title)` is omitted: \(obstacle).")
      } else if requirement.declaration.isSettable {
        source.comment("The setter of `\(requirement.title)` is omitted: a comparison only reads properties.")
      }
    }
  }

  private func table(to source: inout SourceText) {
    let called = self.called
    source.line("Self(")
    source.nested { source in
      source.block("observing: { base, observer in", closing: "},") { source in
        if service.isStructure {
          return source.line(
            "\(service.qualifiedName)(Understudy.Intercepted(base, by: .observer(observer)))")
        }
        // A function that is generic over the type of the service opens the existential.
        let head = "func observed(_ base: \(service.opaqueSubject)) -> \(service.subject) {"
        let double = "Understudy.Intercepted(base, by: .observer(observer))"
        let body = service.isActor ? "\(service.actorName)(\(double))" : double
        if source.fits("\(head) \(body) }") {
          source.line("\(head) \(body) }")
        } else {
          source.block(head) { $0.line(body) }
        }
        source.line("return observed(base)")
      }
      for (number, requirement) in called.enumerated() {
        source.line(operation(requirement) + (number + 1 < called.count ? "," : ")"))
      }
    }
  }

  private func operation(_ requirement: Requirement) -> String {
    let declaration = requirement.declaration
    let title = requirement.title
    let name = (declaration.stream == nil ? "" : "stream: ") + title.debugDescription
    let isNamed = requirement.operation == title.prefix { $0 != "(" }
    let logged = isNamed ? "" : ", loggedAs: \(requirement.operation.debugDescription)"
    return
      "Understudy.ServiceOperation(\(name)\(logged)) { \(parameters(of: requirement)) in \(call(declaration)) }"
  }

  /// Returns the parameters of the closure, with types if the compiler cannot infer them.
  private func parameters(of requirement: Requirement) -> String {
    let declaration = requirement.declaration
    let names = [declaration.baseName] + declaration.parameters.map { SourceWords.escaped($0.name) }
    guard isOverloaded(requirement) else { return names.joined(separator: ", ") }
    let types = [service.subject] + declaration.parameters.map(\.type)
    let parameters = zip(names, types).map { "\($0): \($1)" }.joined(separator: ", ")
    // That of a converted result is another one.
    let isConverted =
      declaration.returnsFailures || declaration.task != nil || declaration.stream?.isAnySequence == true
    let result = declaration.result.isEmpty ? "Void" : declaration.result
    return isConverted ? "(\(parameters))" : "(\(parameters)) -> \(result)"
  }

  private func call(_ declaration: Declaration) -> String {
    let arguments = declaration.parameters.map(\.argument).joined(separator: ", ")
    let member =
      switch declaration.kind {
      case .property: ".\(declaration.name)"
      case .subscript: "[\(arguments)]"
      case .method, .initializer: ".\(declaration.name)(\(arguments))"
      }
    let prefix = declaration.effectsOfCall.callPrefix
    let call = "\(prefix)\(declaration.baseName)\(member)\(declaration.unwrapping)"
    guard let stream = declaration.stream, stream.isAnySequence else { return call }
    // The compiler opens an existential sequence only where its type is known before that of the call.
    let name = declaration.sequenceName
    return "let \(name) = \(call); return \(stream.typeName)(pulling: \(name))"
  }

  // MARK: - Requirements that cannot be called

  /// Returns why a comparison cannot call a requirement, or `nil`.
  private func obstacle(to requirement: Requirement) -> String? {
    let declaration = requirement.declaration
    if declaration.kind == .initializer { return "it is an initializer" }
    if !requirement.isOfInstances { return "it is static" }
    if declaration.isGeneric { return "it is generic" }
    let mutates = declaration.hasMutatingAccessor && !declaration.isSettable
    if mutates || declaration.modifiers.contains("mutating") { return "it mutates the value" }
    // The attributes of the protocol are those of the table.
    let attributes = requirement.availability.filter { !service.availability.contains($0) }
    if !attributes.isEmpty {
      return attributes.contains { $0.contains("deprecated") }
        ? "it is deprecated" : "it is not always available"
    }
    for parameter in declaration.parameters {
      if let obstacle = obstacle(to: parameter, of: requirement) {
        return "its parameter \(parameter.name) \(obstacle)"
      }
    }
    if SourceWords.of(declaration.result).contains("Self") { return "it returns Self" }
    if declaration.returnedPublisher != nil { return "its result is a publisher" }
    if !requirement.isResultSendable { return "its result is not Sendable" }
    if declaration.returnsSequence, declaration.stream == nil {
      return "its result is a sequence whose elements are not intercepted"
    }
    return nil
  }

  private func obstacle(to parameter: Parameter, of requirement: Requirement) -> String? {
    if parameter.isVariadic { return "is variadic" }
    if parameter.isInout { return "is inout" }
    if parameter.isFunction { return "is a function" }
    if parameter.specifiers.contains("isolated") { return "isolates the call" }
    if SourceWords.of(parameter.type).contains("Self") { return "is Self" }
    return requirement.unloggable.contains(parameter.name) ? "is not Sendable" : nil
  }
}

extension Requirement {
  /// Returns whether both are the same requirement, which two protocols may declare.
  func isSame(as other: Requirement) -> Bool {
    title == other.title && declaration.result == other.declaration.result
      && declaration.parameters.map(\.type) == other.declaration.parameters.map(\.type)
  }
}

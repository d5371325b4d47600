/// A writer of a contract with a clause for each requirement, which fails until it is written.
struct ContractWriter {
  let service: ServiceProtocol
  let names: AdoptedNames
  let samples: SampleValues
  let double: InMemoryWriter

  private func toolkit(_ name: String) -> String { samples.index.name(name, in: "Understudy") }

  /// Writes the contract.
  ///
  /// - Parameter isolation: The modifier of declarations that would be isolated by default.
  func write(to source: inout SourceText, isolation: String) {
    let contract = toolkit("Contract")
    source.block("\(isolation)extension \(contract) where Subject == \(service.subject) {") { source in
      source.documentation(["What every ``\(service.name)`` must do."])
      source.block("static var \(SourceWords.escaped(names.contract)): Self {") { source in
        source.block("\(contract)(\(names.stem.debugDescription)) {") { source in
          for requirement in service.lineage.flatMap(\.requirements) where requirement.isOfInstances {
            clause(requirement, to: &source)
          }
          failureClauses(to: &source)
        }
      }
    }
  }

  private func clause(_ requirement: Requirement, to source: inout SourceText) {
    let sentence = requirement.summary ?? "State in one sentence what \(requirement.title) must do."
    open("\(names.stem).\(requirement.operation)", sentence, to: &source)
    source.nested { source in
      // Last, so that a method that is not written is the only failure.
      if let call = call(of: requirement) { source.call(call) }
      let task = "Write what \(requirement.title) must do here."
      source.call("trial.expect(", "false, \(task.quoted))")
    }
    source.line("}")
  }

  private func open(_ id: String, _ sentence: String, to source: inout SourceText) {
    let parts = [id.quoted, sentence.quoted]
    let line = "\(toolkit("Clause"))(\(parts.joined(separator: ", "))) { trial in"
    if source.fits(line) { return source.line(line) }
    source.list("\(toolkit("Clause"))(", parts, ") { trial in")
  }

  /// Clauses about failures, which compare a second implementation with the double.
  private func failureClauses(to source: inout SourceText) {
    guard let failure else { return }
    source.line(
      "// Under every fault a service throws what a double throws, or screens are tested with other errors.")
    var parts = [failure.id.debugDescription]
    if !failure.hasAnswer { parts.append("under: [.offline, .timeout, .connectionLost, .serverError]") }
    // A closure, because an initializer is not Sendable in Swift 5 mode.
    parts.append("thrownAs: { \(FailureMapping(expression: failure.error).error("", "$0")) }")
    let function = "\(toolkit("Clause")).failures("
    let head = "\(function)\(parts.joined(separator: ", "))) {"
    if source.fits("\(head) \(failure.call) }") { return source.line("\(head) \(failure.call) }") }
    if source.fits(head) {
      source.line(head)
    } else {
      source.list(function, parts, ") {")
    }
    source.nested { $0.call(failure.call) }
    source.line("}")
  }

  /// What the names of clauses begin with, some of which hold before anything is written by hand.
  var heldAtOnce: String? { failure?.id }

  /// A call that fails, its error, and whether its answer has a body; `nil` if no call is known.
  private var failure: (id: String, call: String, error: String, hasAnswer: Bool)? {
    let named = service.lineage.flatMap(\.requirements).filter { !isOverloaded($0) }
    let calls = named.compactMap { requirement in
      error(of: requirement).flatMap { error in
        expression(of: requirement).map { call in
          let isVoid = ["", "Void", "()"].contains(requirement.declaration.result)
          let call = call.replacing("trial.subject", with: "$0").replacing("trial.uuid()", with: "UUID()")
          return ("\(names.stem).\(requirement.operation)", call, error, !isVoid)
        }
      }
    }
    return calls.min { one, other in
      one.3 == other.3 ? one.1.count < other.1.count : one.3
    }
  }

  /// The function from a fault to the error of a call; `nil` if the call cannot fail.
  private func error(of requirement: Requirement) -> String? {
    guard requirement.declaration.effects.isAsync, requirement.declaration.stream == nil else { return nil }
    return switch requirement.declaration.failing {
    case .typed(let type): double.failure.expression ?? "\(type).init"
    case .anything: double.failure.expression
    case .nothing, .whatItsArgumentsThrow: nil
    }
  }

  // MARK: - Calls

  /// Returns a statement that calls a requirement; `nil` if an argument is not known, or the double would trap.
  private func call(of requirement: Requirement) -> String? {
    guard let expression = expression(of: requirement) else { return nil }
    let isVoid = ["", "Void", "()"].contains(requirement.declaration.result)
    guard let stream = requirement.declaration.stream else {
      let result = isOverloaded(requirement) ? "let _: \(requirement.declaration.result) = " : "_ = "
      return (isVoid ? "" : result) + expression
    }
    // Whose iterator cannot be made here, and the call alone does not fail.
    if stream.isAnySequence || isOverloaded(requirement) { return nil }
    let effects = (stream.canFail ? "try " : "") + "await "
    let bare = expression.replacing("try ", with: "").replacing("await ", with: "")
    return "_ = \(effects)\(bare).first { _ in true }"
  }

  /// Returns whether another requirement has its name and labels, so that only the types distinguish them.
  private func isOverloaded(_ requirement: Requirement) -> Bool {
    service.lineage.flatMap(\.requirements).filter { $0.title == requirement.title }.count > 1
  }

  /// Returns the expression of a call.
  private func expression(of requirement: Requirement) -> String? {
    let declaration = requirement.declaration
    guard !declaration.isGeneric, requirement.isOfInstances, declaration.completion == nil,
      declaration.publisher == nil,
      requirement.availability.isEmpty,
      requirement.isResultSendable || !declaration.isIsolated,
      double.stub(of: requirement) != .traps
    else { return nil }
    var arguments: [String] = []
    for parameter in declaration.parameters {
      guard parameter.specifiers.isEmpty, !parameter.isPack,
        let value = samples.expression(of: parameter.type, named: parameter.name)
      else { return nil }
      // The identifiers of a trial are the same in every run.
      let argument = value.replacing("UUID()", with: "trial.uuid()")
      arguments.append(parameter.label.map { "\($0): \(argument)" } ?? argument)
    }
    let (prefix, get) = (declaration.effectsOfCall.callPrefix, declaration.unwrapping)
    return switch declaration.kind {
    case .property: "\(prefix)trial.subject.\(declaration.name)\(get)"
    case .subscript: "\(prefix)trial.subject[\(arguments.joined(separator: ", "))]\(get)"
    case .method, .initializer:
      "\(prefix)trial.subject.\(declaration.name)(\(arguments.joined(separator: ", ")))\(get)"
    }
  }
}

extension String {
  /// The text as a literal, in which an apostrophe needs no backslash.
  fileprivate var quoted: String { debugDescription.replacing("\\'", with: "'") }
}

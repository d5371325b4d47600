/// A writer of the conformance of `Intercepted` to a protocol, and of the operations.
struct ConformanceWriter {
  let service: ServiceProtocol
  let failure: FailureMapping
  /// The requirements that are written by hand.
  let omitted: Set<String>
  /// Whether the protocol is in another package than the file.
  let isRetroactive: Bool
  /// The modifier `nonisolated`, where declarations would be isolated by default.
  let isolation: String

  func write(to source: inout SourceText) {
    operations(to: &source)
    if service.isStructure { return structure(to: &source) }
    if service.isActor { return actor(to: &source) }
    for attribute in service.availability { source.line(attribute) }
    let attribute = isRetroactive ? "@retroactive " : ""
    let head =
      "\(isolation)extension Understudy.Intercepted: \(attribute)\(service.qualifiedName) where Base: \(service.qualifiedName) {"
    if written.isEmpty, service.associatedTypes.isEmpty { return source.line(head + "}") }
    source.block(head) { source in
      var isFirst = true
      for type in service.associatedTypes {
        source.line("/// The type of the base.")
        source.line("\(service.memberAccess.modifier)typealias \(type.name) = Base.\(type.name)")
        isFirst = false
      }
      for requirement in written {
        if !isFirst { source.line() }
        isFirst = false
        member(requirement, to: &source)
      }
    }
  }

  private var written: [Requirement] {
    service.requirements.filter { requirement in !omitted.contains(where: requirement.isNamed) }
  }

  private func operations(to source: inout SourceText) {
    let named = service.requirements.filter { $0.isOfInstances && !$0.callsArrayForm }
    guard !named.isEmpty else { return }
    for attribute in service.availability { source.line(attribute) }
    let base = service.isStructure ? "Base == \(service.qualifiedName)" : "Base: \(service.qualifiedName)"
    source.block("\(isolation)extension Understudy.Intercepted.Operation where \(base) {") {
      source in
      for requirement in named {
        source.line("/// `\(service.name).\(requirement.title)`.")
        operation(requirement.operation, to: &source)
        guard let setOperation = requirement.setOperation else { continue }
        source.line("/// The setter of `\(service.name).\(requirement.title)`.")
        operation(setOperation, to: &source)
      }
    }
    source.line()
  }

  /// Writes how a structure of closures is made from an intercepted one.
  private func structure(to source: inout SourceText) {
    let name = service.qualifiedName
    for attribute in service.availability { source.line(attribute) }
    source.block("\(isolation)extension \(name) {") { source in
      let access = service.memberAccess.modifier
      source.line("/// Creates a value whose closures pass the interceptors of a double.")
      source.block("\(access)init(_ double: Understudy.Intercepted<\(name)>) {") { source in
        source.line("self = double.base")
        for requirement in written {
          let declaration = requirement.declaration
          let attributes = declaration.modifiers.filter { $0 != "@Sendable" }.map { $0 + " " }.joined()
          let parameters = declaration.parameters.map { "\(SourceWords.escaped($0.name)): \($0.closureType)" }
          source.line("\(declaration.name) = {")
          source.nested { source in
            source.list(
              "\(attributes)(", parameters,
              ")\(declaration.effects.suffix) -> \(declaration.result.isEmpty ? "Void" : declaration.result) in"
            )
            call(requirement, to: &source)
          }
          source.line("}")
        }
      }
      source.line()
      source.line("/// The same value with interceptors.")
      source.list(
        "\(access)func intercepted(",
        ["by interceptors: Understudy.Interceptor<\(name)>...", "time: Understudy.Time = .system"],
        ") -> \(name) {")
      source.nested { $0.line("\(name)(Understudy.Intercepted(self, by: .all(interceptors), time: time))") }
      source.line("}")
    }
  }

  /// Writes an actor that makes the calls of a double, because only actors conform to the protocol.
  private func actor(to source: inout SourceText) {
    let access = service.memberAccess.modifier
    source.documentation([
      "An actor whose calls pass the interceptors of a double: `\(service.actorName)(Intercepted(base, by: …))`."
    ])
    for attribute in service.availability { source.line(attribute) }
    source.block(
      "\(access)actor \(service.actorName)<Base: \(service.qualifiedName)>: \(service.qualifiedName) {"
    ) {
      source in
      source.line("/// The double.")
      source.line("\(access)nonisolated let double: Understudy.Intercepted<Base>")
      source.line()
      source.line("/// Creates an actor whose calls pass the interceptors of a double.")
      source.line("\(access)init(_ double: Understudy.Intercepted<Base>) { self.double = double }")
      source.line()
      source.line("/// That of the base, so that what does not wait can call it.")
      source.line(
        "\(access)nonisolated var unownedExecutor: UnownedSerialExecutor { double.base.unownedExecutor }")
      for type in service.lineage.flatMap(\.associatedTypes) {
        source.line()
        source.line("/// The type of the base.")
        source.line("\(access)typealias \(type.name) = Base.\(type.name)")
      }
      var known: [Requirement] = []
      for requirement in service.lineage.flatMap(\.requirements)
      where !omitted.contains(where: requirement.isNamed) && !known.contains(where: requirement.isSame) {
        known.append(requirement)
        source.line()
        member(requirement, to: &source)
      }
    }
  }

  /// Writes what the compiler prints for `Intercepted(service)` of an `any` type.
  ///
  /// Its own message does not say what to write instead. The double only lends a type that conforms to the protocol: the
  /// compiler takes an unavailable initializer only if it is right in every other respect.
  ///
  /// - Parameter double: The name of a double of the protocol that is not generic.
  func writeAdvice(naming double: String, to source: inout SourceText) {
    let name = service.name
    for attribute in service.availability { source.line(attribute) }
    source.block("\(isolation)extension Understudy.Intercepted where Base == \(double) {") { source in
      source.documentation([
        "Not available: intercept an `any \(name)` in a function that is generic over its type."
      ])
      source.line(
        "@available(*, unavailable, message: \"Write a function with a parameter of type `some \(name)`, intercept that, and call it with the `any \(name)`.\")"
      )
      source.list(
        "\(service.memberAccess.modifier)convenience init(",
        [
          "_ base: any \(service.qualifiedName)", "by interceptors: Understudy.Interceptor<Base>...",
          "time: Understudy.Time = .system",
        ],
        ") { fatalError() }")
    }
  }

  private func operation(_ name: String, to source: inout SourceText) {
    source.line(
      "\(service.memberAccess.modifier)static var \(SourceWords.escaped(name)): Self { Self(\(name.debugDescription)) }"
    )
  }

  // MARK: - Members

  private func member(_ requirement: Requirement, to source: inout SourceText) {
    let declaration = requirement.declaration
    source.documentation(documentation(of: requirement))
    for attribute in requirement.availability { source.line(attribute) }
    guard requirement.isOfInstances else {
      MemberSignature(declaration, access: service.memberAccess).open(to: &source)
      source.nested { forward(declaration, to: &$0) }
      return source.line("}")
    }
    switch declaration.kind {
    case .method where requirement.callsArrayForm:
      MemberSignature(declaration, access: service.memberAccess).open(to: &source)
      source.nested {
        $0.list(
          "\(declaration.effects.callPrefix)\(declaration.name)(", declaration.parameters.map(\.argument), ")"
        )
      }
      source.line("}")
    case .method, .initializer:
      MemberSignature(declaration, access: service.memberAccess).open(to: &source)
      source.nested { call(requirement, to: &$0) }
      source.line("}")
    case .property, .subscript:
      MemberSignature(declaration, access: service.memberAccess).open(to: &source)
      source.nested { accessors(requirement, to: &$0) }
      source.line("}")
    }
  }

  /// Writes the call of a requirement of types, which no interceptor concerns.
  private func forward(_ declaration: Declaration, to source: inout SourceText) {
    let arguments = declaration.parameters.map(\.argument)
    let prefix = declaration.effects.callPrefix
    switch declaration.kind {
    case .initializer where ["?", "!"].contains(declaration.name):
      let base = declaration.baseName
      source.list("guard let \(base) = \(prefix)Base(", arguments, ") else { return nil }")
      source.line("self.init(\(base))")
    case .initializer:
      source.list("self.init(\(prefix)Base(", arguments, "))")
    case .property:
      guard declaration.isSettable else { return source.line("\(prefix)Base.\(declaration.name)") }
      source.line("get { Base.\(declaration.name) }")
      source.line("set { Base.\(declaration.name) = newValue }")
    case .subscript:
      source.list("\(prefix)Base[", arguments, "]")
    case .method where declaration.isOperator:
      let operands = declaration.parameters.map { parameter in
        SourceWords.escaped(parameter.name) + (parameter.type == "Self" ? ".base" : "")
      }
      let call =
        switch operands.count {
        case 2: "\(operands[0]) \(declaration.name) \(operands[1])"
        default:
          declaration.modifiers.contains("postfix")
            ? (operands.first ?? "") + declaration.name : declaration.name + (operands.first ?? "")
        }
      source.line(prefix + call)
    case .method:
      source.list("\(prefix)Base.\(declaration.name)(", arguments, ")")
    }
  }

  private func accessors(_ requirement: Requirement, to source: inout SourceText) {
    let declaration = requirement.declaration
    guard declaration.effects != Declaration.Effects() || declaration.isSettable else {
      return call(requirement, to: &source)
    }
    source.block("get\(declaration.effects.suffix) {") { call(requirement, to: &$0) }
    guard let setOperation = requirement.setOperation else { return }
    source.block("set {") { source in
      let base = declaration.baseName
      let indices = declaration.parameters.map(\.argument).joined(separator: ", ")
      let target = declaration.kind == .subscript ? "[\(indices)]" : ".\(declaration.name)"
      // A value that cannot be logged is captured.
      let value = requirement.isResultSendable && !declaration.result.contains("->") ? ["newValue"] : []
      source.list(
        "forward(", [".\(SourceWords.escaped(setOperation))"] + logged(requirement) + value,
        ") { \(([base] + names(requirement) + value).joined(separator: ", ")) in \(base)\(target) = newValue }"
      )
    }
  }

  /// Writes the call of the base, through the interceptors.
  private func call(_ requirement: Requirement, to source: inout SourceText) {
    let declaration = requirement.declaration
    let effects =
      declaration.publisher == nil
      ? Declaration.Effects(isAsync: declaration.effects.isAsync, throwing: declaration.failing)
      : Declaration.Effects()
    let interception = Interception(of: declaration)
    var arguments = [".\(SourceWords.escaped(requirement.operation))"] + logged(requirement)
    switch interception {
    case .forward, .wait, .plainStream, .callback, .task, .plainPublisher: break
    case .fail, .failAtOnce, .failStream, .failPublisher:
      arguments.append("failure: \(mapping(of: requirement).closure(for: declaration.failing))")
    case .failStreamOnly:
      arguments.append("streamFailure: \(mapping(of: requirement).closure(for: .anything))")
    }
    if !requirement.handedOver.isEmpty {
      source.comment("Safe, because the caller has handed it over, and only this call passes it on.")
      for name in requirement.handedOver.map(SourceWords.escaped) {
        source.line("nonisolated(unsafe) let \(name) = \(name)")
      }
    }
    if let task = declaration.task { return intercept(requirement, task, arguments, to: &source) }
    if let completion = declaration.completion {
      return intercept(requirement, completion, arguments, to: &source)
    }
    guard declaration.returnsFailures else {
      let returning = requirement.handedOver.isEmpty ? "" : "return "
      return intercept(requirement, effects, arguments, after: returning, to: &source)
    }
    let type = if case .typed(let type) = declaration.failing { " throws(\(type))" } else { "" }
    source.line("do\(type) {")
    source.nested {
      intercept(requirement, effects, arguments, after: "return .success(", closing: ")", to: &$0)
    }
    source.line("} catch {")
    source.nested { $0.line("return .failure(error)") }
    source.line("}")
  }

  /// Writes the call of a method that returns a task.
  private func intercept(
    _ requirement: Requirement, _ failing: Declaration.Throwing, _ arguments: [String],
    to source: inout SourceText
  ) {
    let declaration = requirement.declaration
    let effects = Declaration.Effects(isAsync: true, throwing: failing)
    let arguments =
      arguments + (failing == .nothing ? [] : ["failure: \(mapping(of: requirement).closure(for: failing))"])
    let base = declaration.baseName
    source.block("\(requirement.handedOver.isEmpty ? "" : "return ")Task {") { source in
      source.list(
        "\(effects.callPrefix)\(receiver.isEmpty ? "self." : receiver)intercept(", arguments,
        ") { \(([base] + names(requirement)).joined(separator: ", "))\(effects.throwsSuffix) in")
      source.nested { source in
        source.list("let task = \(base).\(declaration.name)(", declaration.parameters.map(\.argument), ")")
        source.line(
          "return \(effects.callPrefix)withTaskCancellationHandler { \(effects.callPrefix)task.value } onCancel: { task.cancel() }"
        )
      }
      source.line("}")
    }
  }

  /// Writes the call of a method with a completion handler.
  private func intercept(
    _ requirement: Requirement, _ completion: CompletionHandler, _ arguments: [String],
    to source: inout SourceText
  ) {
    let declaration = requirement.declaration
    let names = names(requirement)
    let name = CompletionHandler.name(besides: names)
    let returning = requirement.handedOver.isEmpty || declaration.result.isEmpty ? "" : "return "
    source.line("\(returning)\(receiver)interceptCallback(")
    source.nested { source in
      source.line(arguments.joined(separator: ", ") + ",")
      if completion.isOnMainActor || completion.isMethodOnMainActor { source.line("onMainActor: true,") }
      if let failure = completion.failure(mapping(of: requirement)) { source.line("failure: \(failure),") }
      completion.writeCompletion(to: &source)
    }
    let base = declaration.baseName
    source.line(") { \(([base, name] + names).joined(separator: ", ")) in")
    source.nested { source in
      let arguments = declaration.parameters.map { parameter in
        completion.isHandler(parameter)
          ? completion.argument(for: parameter, passingTo: name) : parameter.argument
      }
      if completion.isMethodOnMainActor {
        source.block("MainActor.assumeIsolated {") {
          $0.list("\(base).\(declaration.name)(", arguments, ")")
        }
      } else {
        source.list("\(base).\(declaration.name)(", arguments, ")")
      }
    }
    source.line("}")
  }

  /// Writes the call of the method of `Intercepted`.
  private func intercept(
    _ requirement: Requirement, _ effects: Declaration.Effects, _ arguments: [String],
    after returning: String,
    closing: String = "", to source: inout SourceText
  ) {
    let declaration = requirement.declaration
    let interception = Interception(of: declaration)
    let base = declaration.baseName
    let isHidden = declaration.parameters.contains { $0.name == interception.function }
    let selfPrefix = isHidden && receiver.isEmpty ? "self." : receiver
    source.list(
      "\(returning)\(effects.callPrefix)\(selfPrefix)\(interception.function)(", arguments,
      ") { \(([base] + names(requirement)).joined(separator: ", "))\(effects.throwsSuffix) in")
    source.nested { source in
      let arguments = declaration.parameters.map(\.argument)
      // The compiler opens an existential sequence only where its type is known before that of the call.
      let stream = interception.isStream ? declaration.stream : nil
      let name = stream?.isAnySequence == true ? declaration.sequenceName : nil
      let open = name.map { "let \($0) = " } ?? ""
      let get =
        declaration.returnsFailures
        ? ".get()" : declaration.publisher?.isAnyPublisher == true ? ".eraseToAnyPublisher()" : ""
      // What is returned in a `Result` is not thrown.
      let inner = declaration.isOnActor ? declaration.effects : effects
      let (prefix, suffix) = declaration.isOnActor ? Self.onBase(of: inner.throwing, base) : ("", "")
      let outer = declaration.isOnActor && inner != effects ? effects.callPrefix : ""
      let call = "\(open)\(outer)\(prefix)\(inner.callPrefix)\(base)"
      switch declaration.kind {
      case .property: source.line("\(call).\(declaration.name)\(suffix)\(get)")
      case .subscript: source.list("\(call)[", arguments, "]\(suffix)\(get)")
      case .method, .initializer:
        source.list("\(call).\(declaration.name)(", arguments, ")\(suffix)\(get)")
      }
      if let stream, let name {
        source.line("return \(stream.typeName)(pulling: \(name))")
      }
    }
    source.line("}\(closing)")
  }

  /// What is written around a call that does not wait, on the executor of the actor that is the base.
  private static func onBase(of throwing: Declaration.Throwing, _ base: String) -> (String, String) {
    switch throwing {
    case .nothing: ("\(base).assumeIsolated { \(base) in ", " }")
    case .typed(let type):
      // `assumeIsolated` throws any error.
      ("try \(base).assumeIsolated { \(base) in Result { () throws(\(type)) in ", " } }.get()")
    default: ("try \(base).assumeIsolated { \(base) in ", " }")
    }
  }

  /// The mapping of the faults of a requirement.
  private func mapping(of requirement: Requirement) -> FailureMapping {
    var mapping = failure
    let base = service.isStructure ? service.qualifiedName : "Base"
    let arguments = [".\(SourceWords.escaped(requirement.operation))"] + logged(requirement)
    mapping.call = "Understudy.Intercepted<\(base)>.Call(\(arguments.joined(separator: ", ")))"
    return mapping
  }

  /// The double, where it is not `self`.
  private var receiver: String { service.isStructure || service.isActor ? "double." : "" }

  private func logged(_ requirement: Requirement) -> [String] {
    // A pack is one argument, a tuple, because a closure has no parameter packs.
    requirement.logged.map { parameter in
      let name = SourceWords.escaped(parameter.name)
      return parameter.isPack ? "(repeat each \(name))" : name
    }
  }

  /// The names of the logged parameters, which the closure receives, except for an `inout` one, which it captures.
  private func names(_ requirement: Requirement) -> [String] {
    requirement.logged.map { $0.isInout ? "_" : SourceWords.escaped($0.name) }
  }

  private func documentation(of requirement: Requirement) -> [String] {
    let declaration = requirement.declaration
    // Not a link, because most doubles are in another module than the protocol.
    let link = "`\(service.name).\(requirement.title)`"
    guard requirement.isOfInstances else { return ["\(link) of the base, which no interceptor concerns."] }
    if requirement.callsArrayForm { return ["\(link), which calls the one with an array."] }
    var lines =
      switch Interception(of: declaration) {
      case .fail where declaration.returnsSequence:
        ["\(link), through the interceptors. Its elements are not intercepted."]
      case .fail where declaration.returnsFailures:
        ["\(link), through the interceptors. A fault is returned as a failure."]
      case .fail: ["\(link), through the interceptors."]
      case .failAtOnce where declaration.returnsFailures:
        [
          "\(link), through the interceptors. A fault is returned as a failure, and nothing can delay the call."
        ]
      case .failAtOnce: ["\(link), through the interceptors. Nothing can delay the call."]
      case .task: ["\(link), through the interceptors, in a task."]
      case .callback where declaration.failing == .nothing:
        [
          "\(link), through the interceptors. Faults have no effect, because the completion handler takes no error."
        ]
      case .callback: ["\(link), through the interceptors. A fault is passed to the completion handler."]
      case .failStream: ["\(link), through the interceptors, for the call and for each element."]
      case .failStreamOnly:
        ["\(link), through the interceptors. An error fails the stream, because the call cannot throw."]
      case .plainStream:
        ["\(link), through the interceptors. A fault ends the stream, because it cannot throw."]
      case .failPublisher: ["\(link), through the interceptors, for each subscription and for each value."]
      case .plainPublisher:
        ["\(link), through the interceptors. A fault ends the publisher, because it cannot fail."]
      case .wait: ["\(link), through the interceptors. Faults have no effect, because the call cannot throw."]
      case .forward: ["\(link), which is only logged, because it cannot fail."]
      }
    let hidden = declaration.parameters.filter { parameter in
      requirement.unloggable.contains(parameter.name) && declaration.completion?.isHandler(parameter) != true
    }.map { "`\($0.name)`" }
    if !hidden.isEmpty {
      lines.append("Not logged, because not `Sendable` or a function: \(hidden.joined(separator: ", ")).")
    }
    return lines
  }
}

/// How `Intercepted` forwards a requirement.
enum Interception {
  /// It can be delayed, and can fail.
  case fail
  /// It can fail, but cannot be delayed.
  case failAtOnce
  /// It can be delayed, and can answer with a failure to a completion handler that takes one.
  case callback
  /// It returns a publisher, of which each subscription can be delayed, and can fail.
  case failPublisher
  /// The same, but the publisher can only end early.
  case plainPublisher
  /// It returns a task, which can be delayed, and can fail unless its type says that it does not.
  case task
  /// The same, and its stream can fail as well.
  case failStream
  /// It cannot fail, but its stream can.
  case failStreamOnly
  /// Neither it nor its stream can fail, but the stream can end early.
  case plainStream
  /// It can be delayed, but cannot fail.
  case wait
  /// It is only logged.
  case forward

  init(of declaration: Declaration) {
    let effects = declaration.effects
    if let publisher = declaration.publisher {
      self = publisher.failing == .nothing ? .plainPublisher : .failPublisher
      return
    }
    if declaration.completion != nil || declaration.task != nil {
      self = declaration.completion == nil ? .task : .callback
      return
    }
    self =
      switch (effects.isAsync, declaration.failing == .nothing, declaration.stream) {
      case (true, false, .some): .failStream
      case (true, false, nil): .fail
      case (_, true, let stream?): stream.canFail ? .failStreamOnly : .plainStream
      case (true, true, nil): .wait
      case (false, false, _): .failAtOnce
      case (false, true, nil): .forward
      }
  }

  /// Whether the elements of a stream are intercepted too.
  var isStream: Bool {
    switch self {
    case .failStream, .failStreamOnly, .plainStream: true
    case .fail, .failAtOnce, .callback, .failPublisher, .plainPublisher, .task, .wait, .forward: false
    }
  }

  /// The method of `Intercepted`.
  var function: String {
    switch self {
    case .fail, .wait, .task: "intercept"
    case .failAtOnce: "interceptSynchronously"
    case .callback: "interceptCallback"
    case .failPublisher, .plainPublisher: "interceptPublisher"
    case .failStream, .failStreamOnly, .plainStream: "interceptStream"
    case .forward: "forward"
    }
  }
}

/// The conversion of a fault to the error that a requirement throws.
struct FailureMapping {
  /// A Swift expression of a function from a fault; `nil` for the initializer of the error.
  let expression: String?
  /// The error that every call declares; `nil` if there are others, or calls that can fail with any error.
  var soleError: String?
  /// The call that fails, as an expression, for a function that receives it too.
  var call: String?

  init(expression: String?, soleError: String? = nil) {
    self.expression = expression
    self.soleError = soleError
  }

  /// The mapping of the requirements of protocols.
  init(expression: String?, of services: [ServiceProtocol]) {
    self.expression = expression
    let failures = services.flatMap(\.requirements).filter(\.isOfInstances).map { requirement in
      requirement.declaration.failing == .nothing && requirement.declaration.stream?.canFail == true
        ? Declaration.Throwing.anything : requirement.declaration.failing
    }.filter { $0 != .nothing }
    if case .typed(let type)? = failures.first, failures.allSatisfy({ $0 == failures[0] }) {
      soleError = type
    }
  }

  /// Returns the closure from a fault to the error.
  func closure(for throwing: Declaration.Throwing) -> String {
    switch throwing {
    case .typed(let type): "{ \(error(type, "$0")) }"
    default: "{ \(error("", "$0")) as any Error }"
    }
  }

  /// Whether the error of a requirement is not known without an expression, because it can be any.
  func isMissing(for declaration: Declaration) -> Bool {
    guard expression == nil else { return false }
    return switch declaration.failing {
    case .anything, .whatItsArgumentsThrow: true
    case .typed: false
    case .nothing: declaration.stream?.canFail == true
    }
  }

  /// Returns the error, as an expression.
  ///
  /// One of several declared errors has its own function: the expression is for calls that can fail with any error.
  ///
  /// - Parameters:
  ///   - type: The type of the error; empty for any.
  ///   - fault: The expression of the fault.
  func error(_ type: String, _ fault: String) -> String {
    guard let expression, type.isEmpty || type == soleError || expression.hasPrefix("\(type).init") else {
      return "\(type)(\(fault))"
    }
    if expression.hasPrefix("{") { return "(\(expression))(\(fault))" }
    // An initializer, such as `AppError.init` or `DataError.init(ofStore:)`, is called without `.init`.
    let parts = expression.split(separator: ".init", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, parts[1] == "(_:of:)" {
      return "\(parts[0])(\(fault)\(call.map { ", of: \($0)" } ?? ""))"
    }
    guard parts.count == 2, parts[1].isEmpty || (parts[1].hasPrefix("(") && parts[1].hasSuffix(":)")) else {
      return "\(expression)(\(fault))"
    }
    let label = parts[1].dropFirst().dropLast(2)
    return "\(parts[0])(\(label.isEmpty || label == "_" ? "" : "\(label): ")\(fault))"
  }
}

import UnderstudyText

/// A reader of one requirement, which checks whether it can have a double.
struct RequirementReader {
  let index: SymbolIndex
  let symbol: Symbol
  let associatedTypes: Set<String>
  /// The associated types whose values are all `Sendable`.
  let sendableTypes: Set<String>
  let isClassBound: Bool
  /// Whether the protocol is isolated to a global actor.
  let isIsolated: Bool
  /// The attributes of the protocol.
  var attributesOfProtocol: [String] = []
  /// Whether only actors conform to the protocol.
  var isOfActor = false
  /// Whether the requirement is a property of a structure of closures.
  var isOfStructure = false

  /// Returns the requirement without the names of its operations; `nil` for an associated type.
  func read() -> Requirement? {
    guard symbol.kind.identifier != "swift.associatedtype",
      var declaration = isOfStructure
        ? DeclarationScanner.scanClosure(fragments) : DeclarationScanner.scan(fragments),
      let title = symbol.pathComponents.last
    else { return nil }
    declaration.completion = completion(of: declaration)
    declaration.publisher = publisher(of: declaration)
    declaration.isOnActor =
      isOfActor && !declaration.effects.isAsync && !declaration.modifiers.contains("nonisolated")
    let isOfInstances = declaration.kind != .initializer && !declaration.modifiers.contains("static")
    return Requirement(
      title: title, operation: "", setOperation: nil, declaration: declaration,
      availability: symbol.availabilityAttributes, place: symbol.place,
      isOfInstances: isOfInstances,
      unloggable: Set(declaration.parameters.filter { !isLoggable($0) }.map(\.name)),
      handedOver: staysWithCaller(declaration)
        ? [] : declaration.parameters.filter { !isSendable($0.type) }.map(\.name),
      isResultSendable: isSendable(declaration.result),
      modules: Set(
        declared.compactMap { $0.preciseIdentifier.flatMap { MangledName($0).module } }),
      summary: symbol.summary, obstacle: obstacle(declaration, isOfInstances))
  }

  /// The fragments, with the types behind aliases that decide how the requirement is intercepted, such as that of a
  /// `Result`, a stream or a function.
  private var declared: [Fragment] {
    index.replacingAliases(in: symbol.declarationFragments) { name, type in
      // A double would take an alias of the protocol for its own type of that name.
      type.contains("<") || type.contains("->") || TakenNames.nested.contains(name)
    }
  }

  /// The fragments, with the associated types of the base, and without names that ``Intercepted`` or ``ServiceOperations`` would hide.
  private var fragments: [Fragment] {
    var result: [Fragment] = []
    for fragment in declared {
      var spelling = fragment.spelling
      if fragment.preciseIdentifier?.hasPrefix("s:") == true { Self.removeModule("Swift", from: &result) }
      if generics.contains(spelling), ["typeIdentifier", "genericParameter"].contains(fragment.kind) {
        spelling = renamed(spelling)
      } else if fragment.kind == "typeIdentifier", result.last?.spelling.hasSuffix(".") != true {
        spelling = qualified(fragment, after: result.suffix(3).map(\.spelling).joined())
      }
      if fragment.kind == "typeIdentifier", result.last?.spelling == ".",
        let owner = result.dropLast().last?.spelling
      {
        if associatedTypes.contains(spelling), owner.hasSuffix("Self") {
          result.removeLast(2)
          spelling = "Base.\(spelling)"
        } else if owner == "Self", let name = fragment.preciseIdentifier, name.hasSuffix("a"),
          !name.hasSuffix("Qa")
        {
          // A type alias of the protocol, which the double inherits. Its mangled name ends with "a".
          result.removeLast(2)
        }
      }
      result.append(
        Fragment(kind: fragment.kind, spelling: spelling, preciseIdentifier: fragment.preciseIdentifier))
    }
    return result
  }

  /// Removes the name of a module and the point after it from the end of fragments.
  private static func removeModule(_ name: String, from fragments: inout [Fragment]) {
    guard fragments.last?.spelling == ".", let text = fragments.dropLast().last?.spelling,
      text == name
        || text.hasSuffix(name) && !["_", "."].contains(text.dropLast(name.count).last)
          && text.dropLast(name.count).last?.isLetter == false
    else { return }
    fragments.removeLast(2)
    fragments.append(.text(String(text.dropLast(name.count))))
  }

  /// The generic parameters of the requirement.
  private var generics: Set<String> { Set(symbol.swiftGenerics?.parameters?.map(\.name) ?? []) }

  /// Returns the name of a generic parameter in the double, where those of the double and the toolkit are taken.
  private func renamed(_ generic: String) -> String { TakenNames.contains(generic) ? generic + "_" : generic }

  /// Returns the name of a type in the double.
  private func qualified(_ fragment: Fragment, after previous: String) -> String {
    let spelling = fragment.spelling
    guard let id = fragment.preciseIdentifier else {
      return associatedTypes.contains(spelling) ? "Base.\(spelling)" : spelling
    }
    if associatedTypes.contains(spelling), id.hasSuffix("Qa") { return "Base.\(spelling)" }
    // In a graph that the compiler writes beside a module, an error of any type has no `any`.
    let isBare = id == "s:s5ErrorP" && !["any ", "some ", ": ", "& "].contains(where: previous.hasSuffix)
    if isBare, !index.hasType("Error") { return "(any Error)" }
    guard let module = MangledName(id).module else {
      // A type of the module hides that of the standard library.
      if id.hasPrefix("s:"), index.hasType(spelling) { return "Swift.\(spelling)" }
      return spelling
    }
    let name = index.name(of: id) ?? spelling
    let isHidden = TakenNames.contains(name) || TakenNames.standard.contains(name)
    return isHidden ? "\(module).\(name)" : name
  }

  /// The first type that has to be qualified by a module that is hidden by a type of the same name.
  private var unqualified: String? {
    declared.lazy.filter { $0.kind == "typeIdentifier" }.compactMap { fragment -> String? in
      guard let id = fragment.preciseIdentifier, let module = MangledName(id).module,
        index.hasType(module), let name = index.name(of: id), TakenNames.contains(name)
      else { return nil }
      return name
    }.first
  }

  // MARK: - Obstacles

  private func obstacle(_ declaration: Declaration, _ isOfInstances: Bool) -> String? {
    if isOfStructure, fragments.contains(where: { $0.kind == "keyword" && $0.spelling == "let" }) {
      return "it is a constant. Declare it with var, so that a copy of the structure can have another closure"
    }
    if declaration.modifiers.contains("mutating")
      || (declaration.hasMutatingAccessor && !isClassBound && !declaration.modifiers.contains("static"))
    {
      return
        "it mutates the value, and the base of a double is constant; in a protocol for classes (: AnyObject) it would not"
    }
    if SourceWords.of(declaration.result).contains("Self")
      || declaration.parameters.contains(where: {
        SourceWords.of($0.type).contains("Self") && !(declaration.isOperator && $0.type == "Self")
      })
    {
      return "it uses Self, which is another type for the double than for its base"
    }
    if let name = unqualified {
      return
        "its type \(name) has a name of the toolkit, and cannot be qualified: its module has a type with the name of the module"
    }
    if isOfActor, declaration.kind == .initializer {
      return "it is an initializer, and the double is another actor"
    }
    guard isOfInstances else { return nil }
    if isOfActor, declaration.isSettable || declaration.completion != nil || declaration.task != nil {
      return
        "it is isolated to its actor, and a double is on another one. Declare it async, or a property without a setter"
    }
    switch declaration.effects.throwing {
    case .whatItsArgumentsThrow: return "it rethrows, and a fault is not an error of an argument"
    case .typed(let type) where SourceWords.of(declaration.generics).contains(type[...]):
      return "it throws a type that the caller chooses, which a fault cannot become"
    case .typed(let type) where type.hasPrefix("Base."):
      return "it throws an associated type, which a fault cannot become"
    default: break
    }
    if let parameter = declaration.parameters.first(where: \.isVariadic) {
      return
        "its parameter \(parameter.name) is variadic, which Swift cannot forward. Declare it with an array, too"
    }
    let fixed = declaration.parameters.first { !isSendable($0.type) && !canBeHandedOver($0) }
    if !staysWithCaller(declaration), let fixed {
      return
        "its parameter \(fixed.name) is not Sendable, and an intercepted call may wait in another isolation"
    }
    return nil
  }

  /// Returns how a method answers to a completion handler; `nil` if it does not, or if the call cannot be made by a task.
  private func completion(of declaration: Declaration) -> CompletionHandler? {
    guard var completion = CompletionHandler(of: declaration, isError: isError, isSendable: isSendable) else {
      return nil
    }
    if isIsolated || declaration.isIsolated, !declaration.modifiers.contains("nonisolated") {
      // The task that makes the call is on the main actor, and so is what the method returns.
      guard actor == "@MainActor", isSendable(declaration.result) else { return nil }
      completion.isMethodOnMainActor = true
    }
    return isMovable(declaration) ? completion : nil
  }

  /// Returns the publisher of a requirement; `nil` if it returns none, or if a subscription cannot make the call.
  private func publisher(of declaration: Declaration) -> Declaration.Publisher? {
    let isNonisolated = declaration.modifiers.contains("nonisolated")
    guard isMovable(declaration), isNonisolated || !isIsolated && !declaration.isIsolated else { return nil }
    return declaration.returnedPublisher
  }

  /// Returns whether another task may make a call.
  private func isMovable(_ declaration: Declaration) -> Bool {
    declaration.parameters.allSatisfy { isSendable($0.type) && !$0.isFunction || canBeHandedOver($0) }
  }

  /// The global actor of the requirement.
  private var actor: String? {
    (ProtocolReader.attributes(of: symbol) + attributesOfProtocol).first {
      $0.hasPrefix("@") && $0.hasSuffix("Actor")
    }
  }

  /// Returns whether a type is an error, as far as is known.
  private func isError(_ type: String) -> Bool {
    type.hasSuffix("Error") || type == "(any Error)"
      || index.errors.contains {
        [$0.name, index.qualifiedName(of: $0), $0.pathComponents.last].contains(type)
      }
  }

  /// Returns whether a parameter that is not `Sendable` can be kept in a constant, as a function that escapes can.
  private func canBeHandedOver(_ parameter: Parameter) -> Bool {
    guard !parameter.isPack else { return false }
    let escapes = parameter.isFunction && parameter.specifiers == ["@escaping"]
    let isOptional = parameter.type.hasSuffix("?")
    return escapes
      || ([[], ["sending"]].contains(parameter.specifiers) && (!parameter.isFunction || isOptional))
  }

  /// Returns whether a call runs in the isolation of its caller.
  private func staysWithCaller(_ declaration: Declaration) -> Bool {
    if declaration.completion != nil || declaration.publisher != nil { return false }
    return (!declaration.effects.isAsync && declaration.task == nil)
      || declaration.isIsolated || declaration.modifiers.contains("nonisolated(nonsending)")
  }

  // MARK: - Logs

  /// Returns whether an argument can be logged: it must be `Sendable`, and not a function.
  private func isLoggable(_ parameter: Parameter) -> Bool {
    !parameter.isFunction && !parameter.isVariadic && isSendable(parameter.type)
  }

  /// Returns whether a type is `Sendable`, as far as is known.
  private func isSendable(_ type: String) -> Bool {
    // A function on a global actor is.
    if type.contains("->") { return type.contains("@Sendable") || type.contains("@MainActor") }
    // Every error is, and must not hide another type, such as that of a publisher.
    let words = SourceWords.of(type.replacing("any Error", with: ""))
    if words.contains("Any") || words.contains("AnyObject") { return false }
    if words.contains(where: { $0.hasSuffix("KeyPath") }) { return words.contains("Sendable") }
    for member in type.matches(of: /\bBase\.(\w+(\.\w+)*)/) {
      guard sendableTypes.contains(String(member.1)) else { return false }
    }
    let named = types(named: words)
    if named.contains(where: index.isFunction) { return false }
    let types = named.flatMap(index.types(behind:))
    if words.contains("some") || words.contains("any") {
      let isWhole = ["any ", "some ", "(any ", "(some "].contains(where: type.hasPrefix)
      if isWhole || words.contains("Sendable") { return types.contains(where: impliesSendable) }
      // As an argument of another type, which need not be.
      return types.allSatisfy { index.protocols[$0] == nil ? index.isSendable($0) : impliesSendable($0) }
    }
    let generics = Dictionary(generics.map { (renamed($0), $0) }) { one, _ in one }
    return words.compactMap { generics[String($0)] }.allSatisfy {
      isSendable(generic: $0[...], in: type.replacing(renamed($0), with: $0))
    }
      && types.allSatisfy(index.isSendable)
  }

  /// Returns whether a generic parameter, or its metatype, is `Sendable`.
  private func isSendable(generic name: Substring, in type: String) -> Bool {
    let isMetatype = type == "\(name).Type"
    return (symbol.swiftGenerics?.constraints ?? []).contains { constraint in
      guard constraint.kind == "conformance", [String(name), "each \(name)"].contains(constraint.lhs),
        let type = constraint.rhsPrecise
      else { return false }
      return impliesSendable(type) || (isMetatype && type == "s:s16SendableMetatypeP")
    }
  }

  /// Returns whether all types that conform to a protocol are `Sendable`, which is assumed for unknown modules.
  private func impliesSendable(_ type: String) -> Bool {
    if ["s:s8SendableP", "s:s5ErrorP", "s:ScA"].contains(type) { return true }
    return MangledName(type).module != nil && index.isSendable(type)
  }

  /// Returns the mangled names of the types with these names in the declaration, without the types around them.
  private func types(named words: [Substring]) -> [String] {
    let fragments = declared
    return fragments.indices.filter { place in
      words.contains(fragments[place].spelling[...])
        && (place + 1 == fragments.count || !fragments[place + 1].spelling.hasPrefix("."))
    }.compactMap { fragments[$0].preciseIdentifier }
  }
}

extension Requirement {
  /// Chooses unique names of operations: the base name, or with the labels, then with the types, then with a number.
  mutating func nameOperations(avoiding taken: inout Set<String>) {
    let base = declaration.kind == .subscript ? "subscript" : SourceWords.bare(declaration.name)
    let labels = declaration.parameters.compactMap(\.label).map(SourceWords.capitalized).joined()
    let types = declaration.parameters.map {
      SourceWords.of($0.type).map { SourceWords.capitalized(String($0)) }.joined()
    }
    .joined()
    operation = Self.name([base, base + labels, base + labels + types], avoiding: &taken)
    if declaration.isSettable {
      let setter = "set" + SourceWords.capitalized(operation)
      setOperation = Self.name([setter], avoiding: &taken)
    }
  }

  private static func name(_ candidates: [String], avoiding taken: inout Set<String>) -> String {
    var name = candidates.first { !taken.contains($0) } ?? ""
    var number = 2
    while name.isEmpty || taken.contains(name) {
      name = "\(candidates[0])\(number)"
      number += 1
    }
    taken.insert(name)
    return name
  }
}

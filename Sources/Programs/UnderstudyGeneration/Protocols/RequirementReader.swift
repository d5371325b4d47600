/// A reader of one requirement, which checks whether it can have a double.
struct RequirementReader {
  let index: SymbolIndex
  let symbol: Symbol
  let associatedTypes: Set<String>
  let isClassBound: Bool
  /// Whether the protocol is isolated to a global actor.
  let isIsolated: Bool
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
    index.replacingAliases(in: symbol.declarationFragments) { $0.contains("<") || $0.contains("->") }
  }

  /// The fragments, with the associated types of the base, and without names that ``Intercepted`` or ``ServiceOperations`` would hide.
  private var fragments: [Fragment] {
    var result: [Fragment] = []
    for fragment in declared {
      var spelling = fragment.spelling
      if fragment.kind == "typeIdentifier", result.last?.spelling.hasSuffix(".") != true {
        if associatedTypes.contains(spelling), fragment.preciseIdentifier?.hasSuffix("Qa") != false {
          spelling = "Base.\(spelling)"
        } else if ["Base", "Operation", "Call", "Subject"].contains(spelling),
          let module = fragment.preciseIdentifier.flatMap({ MangledName($0).module })
        {
          spelling = "\(module).\(spelling)"
        }
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

  // MARK: - Obstacles

  private func obstacle(_ declaration: Declaration, _ isOfInstances: Bool) -> String? {
    if isOfStructure, fragments.contains(where: { $0.kind == "keyword" && $0.spelling == "let" }) {
      return "it is a constant. Declare it with var, so that a copy of the structure can have another closure"
    }
    if declaration.kind == .initializer {
      return "an initializer cannot be forwarded to the base of a double"
    }
    if !isOfInstances { return "a static requirement has no instance that can be intercepted" }
    if declaration.modifiers.contains("mutating") || (declaration.hasMutatingAccessor && !isClassBound) {
      return
        "it mutates the value, and the base of a double is constant; in a protocol for classes (: AnyObject) it would not"
    }
    if fragments.contains(where: { $0.kind == "typeIdentifier" && $0.spelling == "Self" }) {
      return "it uses Self, which is another type for the double than for its base"
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
      return "its parameter \(parameter.name) is variadic, and Swift cannot forward variadic arguments"
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
    guard !isIsolated, !declaration.isIsolated,
      let completion = CompletionHandler(of: declaration, isError: isError, isSendable: isSendable)
    else { return nil }
    let isMovable = declaration.parameters.allSatisfy {
      isSendable($0.type) && !$0.isFunction || canBeHandedOver($0)
    }
    return isMovable ? completion : nil
  }

  /// Returns whether a type is an error, as far as is known.
  private func isError(_ type: String) -> Bool {
    type.hasSuffix("Error") || index.errors.contains { $0.name == type || $0.pathComponents.last == type }
  }

  /// Returns whether a parameter that is not `Sendable` can be kept in a constant, as a function that escapes can.
  private func canBeHandedOver(_ parameter: Parameter) -> Bool {
    guard !parameter.isPack else { return false }
    let escapes = parameter.isFunction && parameter.specifiers == ["@escaping"]
    let isOptional = parameter.type.hasSuffix("?")
    return escapes || (parameter.specifiers.isEmpty && (!parameter.isFunction || isOptional))
  }

  /// Returns whether a call runs in the isolation of its caller.
  private func staysWithCaller(_ declaration: Declaration) -> Bool {
    (!declaration.effects.isAsync && declaration.completion == nil)
      || declaration.isIsolated || declaration.modifiers.contains("nonisolated(nonsending)")
  }

  // MARK: - Logs

  /// Returns whether an argument can be logged: it must be `Sendable`, and not a function.
  private func isLoggable(_ parameter: Parameter) -> Bool {
    !parameter.isFunction && !parameter.isVariadic && isSendable(parameter.type)
  }

  /// Returns whether a type is `Sendable`, as far as is known.
  private func isSendable(_ type: String) -> Bool {
    if type.contains("->") { return type.contains("@Sendable") }
    // Every error is, and must not hide another type, such as that of a publisher.
    let words = SourceWords.of(type.replacing("any Error", with: ""))
    if words.contains("Any") || words.contains("AnyObject") { return false }
    let named = types(named: words)
    if named.contains(where: index.isFunction) { return false }
    let types = named.flatMap(index.types(behind:))
    if words.contains("some") || words.contains("any") {
      let isWhole = ["any ", "some ", "(any ", "(some "].contains(where: type.hasPrefix)
      if isWhole || words.contains("Sendable") { return types.contains(where: impliesSendable) }
      // As an argument of another type, which need not be.
      return types.allSatisfy { index.protocols[$0] == nil ? index.isSendable($0) : impliesSendable($0) }
    }
    let generics = Set(symbol.swiftGenerics?.parameters?.map(\.name) ?? [])
    return words.filter { generics.contains(String($0)) }.allSatisfy {
      isSendable(generic: $0, in: type)
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

/// Reads one requirement, and finds out what stands in the way of a double.
struct RequirementReader {
  let index: SymbolIndex
  let symbol: Symbol
  let associatedTypes: Set<String>
  let isClassBound: Bool

  /// The requirement without the names of its operations; `nil` for an associated type.
  func read() -> Requirement? {
    guard symbol.kind.identifier != "swift.associatedtype",
      let declaration = DeclarationScanner.scan(fragments), let title = symbol.pathComponents.last
    else { return nil }
    let isOfInstances = declaration.kind != .initializer && !declaration.modifiers.contains("static")
    return Requirement(
      title: title, operation: "", setOperation: nil, declaration: declaration,
      availability: symbol.availabilityAttributes, place: symbol.place,
      isOfInstances: isOfInstances,
      unloggable: Set(declaration.parameters.filter { !isLoggable($0) }.map(\.name)),
      isResultSendable: isSendable(declaration.result),
      modules: Set(
        symbol.declarationFragments.compactMap { $0.preciseIdentifier.flatMap { MangledName($0).module } }),
      obstacle: obstacle(declaration, isOfInstances))
  }

  /// The fragments, with associated types as those of the base, and without the names that ``Intercepted`` would hide.
  private var fragments: [Fragment] {
    var result: [Fragment] = []
    for fragment in symbol.declarationFragments {
      var spelling = fragment.spelling
      if fragment.kind == "typeIdentifier", result.last?.spelling.hasSuffix(".") != true {
        if associatedTypes.contains(spelling), fragment.preciseIdentifier?.hasSuffix("Qa") != false {
          spelling = "Base.\(spelling)"
        } else if ["Base", "Operation", "Call"].contains(spelling),
          let module = fragment.preciseIdentifier.flatMap({ MangledName($0).module })
        {
          spelling = "\(module).\(spelling)"
        }
      }
      if fragment.kind == "typeIdentifier", result.last?.spelling == ".", associatedTypes.contains(spelling),
        result.dropLast().last?.spelling.hasSuffix("Self") == true
      {
        result.removeLast(2)
        spelling = "Base.\(spelling)"
      }
      result.append(
        Fragment(kind: fragment.kind, spelling: spelling, preciseIdentifier: fragment.preciseIdentifier))
    }
    return result
  }

  // MARK: - Obstacles

  private func obstacle(_ declaration: Declaration, _ isOfInstances: Bool) -> String? {
    if declaration.kind == .initializer {
      return "a double that stands before a base is made of one, and by no initialiser of the protocol's"
    }
    if !isOfInstances { return "a static requirement is asked of a type, and no double stands before a type" }
    if declaration.modifiers.contains("mutating") || (declaration.hasMutatingAccessor && !isClassBound) {
      return
        "it changes the value, and the base of a double is a constant; in a protocol for classes (: AnyObject) it need not"
    }
    if fragments.contains(where: { $0.kind == "typeIdentifier" && $0.spelling == "Self" }) {
      return "it speaks of Self, which for a double is another type than for its base"
    }
    switch declaration.effects.throwing {
    case .whatItsArgumentsThrow: return "it rethrows, and what a fault becomes is not thrown by an argument"
    case .typed(let type) where Words.of(declaration.generics).contains(type[...]):
      return "it throws a type that its caller chooses, so that nobody knows what a fault becomes"
    case .typed(let type) where type.hasPrefix("Base."):
      return "it throws an associated type, of which nobody knows what a fault becomes"
    default: break
    }
    if let parameter = declaration.parameters.first(where: \.isVariadic) {
      return "its parameter \(parameter.name) is variadic, and Swift cannot pass such arguments on"
    }
    let staysWithCaller =
      !declaration.effects.isAsync
      || declaration.modifiers.contains { $0 == "nonisolated(nonsending)" || isGlobalActor($0) }
    if !staysWithCaller, let parameter = declaration.parameters.first(where: { !isSendable($0.type) }) {
      return
        "its parameter \(parameter.name) is not Sendable, and between the caller and the base a call may wait anywhere"
    }
    return nil
  }

  /// Whether a modifier is an attribute that isolates to an actor.
  private func isGlobalActor(_ modifier: String) -> Bool {
    modifier.hasPrefix("@") && !["@discardableResult", "@concurrent", "@Sendable"].contains(modifier)
  }

  // MARK: - Logs

  /// Whether a log can keep the argument: it must be `Sendable`, and a function tells nobody anything.
  private func isLoggable(_ parameter: Parameter) -> Bool {
    !parameter.isFunction && !parameter.isVariadic && isSendable(parameter.type)
  }

  /// Whether values of a type can go everywhere, as far as is known.
  private func isSendable(_ type: String) -> Bool {
    if type.contains("->") { return type.contains("@Sendable") }
    let words = Words.of(type)
    if words.contains("Any") || words.contains("AnyObject") { return false }
    let types = types(named: words)
    if words.contains("some") || words.contains("any") { return types.contains(where: impliesSendable) }
    let generics = Set(symbol.swiftGenerics?.parameters?.map(\.name) ?? [])
    return words.filter { generics.contains(String($0)) }.allSatisfy {
      isSendable(generic: $0, in: type)
    }
      && types.allSatisfy(index.isSendable)
  }

  /// Whether a generic parameter, or its metatype, can go everywhere.
  private func isSendable(generic name: Substring, in type: String) -> Bool {
    let isMetatype = type == "\(name).Type"
    return (symbol.swiftGenerics?.constraints ?? []).contains { constraint in
      guard constraint.kind == "conformance", [String(name), "each \(name)"].contains(constraint.lhs),
        let type = constraint.rhsPrecise
      else { return false }
      return impliesSendable(type) || (isMetatype && type == "s:s16SendableMetatypeP")
    }
  }

  /// Whether all types that conform to a protocol can go everywhere; protocols of unknown modules are taken for such.
  private func impliesSendable(_ type: String) -> Bool {
    if ["s:s8SendableP", "s:s5ErrorP", "s:ScA"].contains(type) { return true }
    return MangledName(type).module != nil && index.isSendable(type)
  }

  /// The mangled names of the types that have these names in the declaration.
  private func types(named words: [Substring]) -> [String] {
    symbol.declarationFragments.filter { words.contains($0.spelling[...]) }.compactMap(\.preciseIdentifier)
  }
}

extension Requirement {
  /// Chooses names of operations that no other requirement has.
  ///
  /// The base name; where it is taken, with the labels, then with the types, then with a number.
  mutating func nameOperations(avoiding taken: inout Set<String>) {
    let base = declaration.kind == .subscript ? "subscript" : Words.bare(declaration.name)
    let labels = declaration.parameters.compactMap(\.label).map(Words.capitalized).joined()
    let types = declaration.parameters.map {
      Words.of($0.type).map { Words.capitalized(String($0)) }.joined()
    }
    .joined()
    operation = Self.name([base, base + labels, base + labels + types], avoiding: &taken)
    if declaration.isSettable {
      let setter = "set" + Words.capitalized(operation)
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

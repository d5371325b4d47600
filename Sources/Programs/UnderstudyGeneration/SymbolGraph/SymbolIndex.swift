/// An index of the symbols of modules.
struct SymbolIndex: Sendable {
  /// A protocol or a structure, and its module.
  struct FoundProtocol: Sendable {
    let symbol: Symbol
    let module: String
  }

  /// The protocols, by mangled name.
  private(set) var protocols: [String: FoundProtocol] = [:]
  /// The structures, by mangled name.
  private(set) var structures: [String: FoundProtocol] = [:]
  /// The requirements of each protocol, in source order.
  private(set) var requirements: [String: [Symbol]] = [:]
  /// The protocols and the superclass of each type, sorted.
  private(set) var supertypes: [String: [SymbolGraph.Relationship]] = [:]
  /// The cases, initializers and properties of each type, in source order.
  private(set) var members: [String: [Symbol]] = [:]
  /// The types of the modules, by mangled name.
  private var types: [String: Symbol] = [:]
  /// The type aliases of the modules, by mangled name.
  private var aliases: [String: Symbol] = [:]
  private(set) var modules: Set<String> = []
  /// Whether the graphs have internal declarations, which the compiler leaves out by default.
  private(set) var hasInternalSymbols = false

  init(_ graphs: [SymbolGraph]) {
    var symbols: [String: Symbol] = [:]
    for graph in graphs {
      modules.insert(graph.module.name)
      for symbol in graph.symbols {
        symbols[symbol.identifier.precise] = symbol
        if symbol.accessLevel == AccessLevel.internal.rawValue { hasInternalSymbols = true }
        switch symbol.kind.identifier {
        case "swift.protocol":
          protocols[symbol.identifier.precise] = FoundProtocol(symbol: symbol, module: graph.module.name)
        case "swift.struct", "swift.class", "swift.enum", "swift.actor":
          types[symbol.identifier.precise] = symbol
          if symbol.kind.identifier == "swift.struct" {
            structures[symbol.identifier.precise] = FoundProtocol(symbol: symbol, module: graph.module.name)
          }
        case "swift.typealias":
          aliases[symbol.identifier.precise] = symbol
        default: break
        }
      }
    }
    for relationship in graphs.flatMap(\.relationships) {
      switch relationship.kind {
      case "requirementOf", "optionalRequirementOf":
        if let symbol = symbols[relationship.source] {
          requirements[relationship.target, default: []].append(symbol)
        }
      case "memberOf":
        if let symbol = symbols[relationship.source] {
          members[relationship.target, default: []].append(symbol)
        }
      case "conformsTo", "inheritsFrom":
        supertypes[relationship.source, default: []].append(relationship)
      default: break
      }
    }
    requirements = requirements.mapValues { $0.sorted(by: Self.inOrder) }
    members = members.mapValues { $0.sorted(by: Self.inOrder) }
    supertypes = supertypes.mapValues { $0.sorted { $0.target < $1.target } }
  }

  /// Returns whether a symbol precedes another one, in source order, or by name if a location is missing.
  private static func inOrder(_ one: Symbol, _ other: Symbol) -> Bool {
    if let place = one.location?.position, let otherPlace = other.location?.position {
      return (place.line, place.character) < (otherPlace.line, otherPlace.character)
    }
    return (one.pathComponents.last ?? "", one.identifier.precise)
      < (other.pathComponents.last ?? "", other.identifier.precise)
  }

  /// Returns the name of a protocol or superclass, without its module.
  func name(of supertype: SymbolGraph.Relationship) -> String {
    (protocols[supertype.target]?.symbol ?? types[supertype.target])?.pathComponents.joined(separator: ".")
      ?? supertype.targetFallback.map { String($0.drop { $0 != "." }.dropFirst()) } ?? supertype.target
  }

  /// Returns the types with a name, such as `Feed.Item`; more than one if several modules have such a type.
  ///
  /// A module may precede the name, as in `App.Feed.Item`.
  func types(named name: String) -> [Symbol] {
    Self.symbols(named: name, among: types).sorted { $0.identifier.precise < $1.identifier.precise }
  }

  private static func symbols(named name: String, among symbols: [String: Symbol]) -> [Symbol] {
    let found = symbols.values.filter { $0.name == name }
    guard found.isEmpty, name.contains(".") else { return found }
    return symbols.values.filter { symbol in
      name.hasSuffix(".\(symbol.name)")
        && MangledName(symbol.identifier.precise).module.map { name == "\($0).\(symbol.name)" } == true
    }
  }

  /// Returns the name of a type, with its module where the toolkit, the standard library or another module has a type
  /// of that name.
  func qualifiedName(of type: Symbol) -> String {
    let isTaken = TakenNames.contains(type.name) || TakenNames.standard.contains(type.name)
    guard
      isTaken
        || types.values.contains(where: {
          $0.name == type.name && $0.identifier.precise != type.identifier.precise
        }),
      let module = MangledName(type.identifier.precise).module
    else { return type.name }
    return "\(module).\(type.name)"
  }

  /// Returns the name of a type, or of a protocol, with the types around it.
  func name(of id: String) -> String? { (types[id] ?? protocols[id]?.symbol)?.name }

  /// Returns whether a type, or a protocol, has a name, and is in no other type.
  func hasType(_ name: String) -> Bool {
    types.values.contains { $0.name == name } || protocols.values.contains { $0.symbol.name == name }
  }

  /// Returns the source of a type of another module, which the modules may hide by a type of their own.
  func name(_ name: String, in module: String) -> String {
    hasType(name) || aliases.values.contains { $0.name == name } ? "\(module).\(name)" : name
  }

  /// Returns the type behind a type alias with a name, such as `Feed.Identifier`; `nil` if it is not exactly one.
  func type(behindAlias name: String) -> String? {
    let found = Self.symbols(named: name, among: aliases)
      .filter { $0.swiftGenerics?.parameters?.isEmpty != false }
    return found.count == 1 ? found[0].aliasedType?.map(\.spelling).joined() : nil
  }

  /// Returns the mangled names of the types behind a type alias; those of a type are its own.
  func types(behind id: String) -> [String] {
    guard let type = aliases[id]?.aliasedType else { return [id] }
    return type.compactMap(\.preciseIdentifier).filter { $0 != id }.flatMap(types(behind:))
  }

  /// Returns whether a type alias is that of a function that is not `Sendable`.
  func isFunction(behind id: String) -> Bool {
    let source = aliases[id]?.source ?? ""
    return source.contains("->") && !source.contains("@Sendable")
  }

  /// Returns the source of a declaration with the types behind type aliases.
  ///
  /// - Parameter isReplaced: Returns whether an alias with a name, of a type, is replaced.
  func replacingAliases(
    in fragments: [Fragment], where isReplaced: (_ name: String, _ type: String) -> Bool = { _, _ in true }
  ) -> [Fragment] {
    var result: [Fragment] = []
    var rest = fragments[...]
    while let fragment = rest.popFirst() {
      guard let id = fragment.preciseIdentifier, fragment.kind == "typeIdentifier", let alias = aliases[id],
        var type = alias.aliasedType, !type.contains(where: { $0.preciseIdentifier == id }),
        isReplaced(fragment.spelling, type.map(\.spelling).joined())
      else {
        result.append(fragment)
        continue
      }
      let parameters = alias.swiftGenerics?.parameters?.map(\.name) ?? []
      if !parameters.isEmpty {
        let arguments = Fragment.takeArguments(from: &rest)
        guard arguments.count == parameters.count else {
          result.append(fragment)
          continue
        }
        let values = Dictionary(zip(parameters, arguments)) { one, _ in one }
        type = type.flatMap { values[$0.spelling] ?? [$0] }
      }
      // The names of the types around it.
      while result.last?.spelling == ".", result.count > 1 { result.removeLast(2) }
      let text = type.map(\.spelling).joined()
      let isOptional = rest.first?.spelling.hasPrefix("?") == true
      let isBracketed = isOptional && (text.contains("->") || text.hasPrefix("any "))
      if isBracketed { result.append(.text("(")) }
      result += replacingAliases(in: type, where: isReplaced)
      if isBracketed { result.append(.text(")")) }
    }
    return result
  }

  /// Returns the documentation of a protocol and its requirements.
  func documentation(ofProtocol name: String) -> String {
    protocols.filter { $0.value.symbol.name == name }.flatMap { id, found in
      [found.symbol.documentation] + (requirements[id] ?? []).map(\.documentation)
    }.joined(separator: " ")
  }

  /// The errors of the modules, sorted by name.
  var errors: [Symbol] {
    types.values.filter {
      conforms($0, to: "s:s5ErrorP") || conforms($0, to: "s:10Foundation14LocalizedErrorP")
    }
    .sorted { $0.identifier.precise < $1.identifier.precise }
  }

  /// Returns whether a type declares the conformance to a protocol, by mangled name.
  func conforms(_ type: Symbol, to target: String) -> Bool {
    (supertypes[type.identifier.precise] ?? []).contains { $0.kind == "conformsTo" && $0.target == target }
  }

  /// Returns whether a type is `Sendable`, which is assumed for types of other modules, except for publishers.
  func isSendable(_ type: String) -> Bool {
    guard types[type] != nil || protocols[type] != nil else { return MangledName(type).module != "Combine" }
    return (supertypes[type] ?? []).contains { supertype in
      supertype.target == "s:s8SendableP" || supertype.target == "s:ScA"
        || (protocols[supertype.target] != nil && isSendable(supertype.target))
    }
  }
}

import UnderstudyConsole

/// A reader of the protocols in symbol graphs.
struct ProtocolReader {
  let index: SymbolIndex
  /// The requirements that are written by hand.
  let omitted: Set<String>

  /// Reads a protocol and those that it refines.
  ///
  /// - Parameter module: Its module; `nil` for any.
  func read(_ name: String, in module: String?) throws(CommandError) -> ServiceProtocol {
    func isNamed(_ found: SymbolIndex.FoundProtocol) -> Bool {
      found.symbol.name == name && (module == nil || found.module == module)
    }
    let candidates = index.protocols.filter { isNamed($0.value) }
    guard let id = candidates.keys.sorted().first else {
      let structures = index.structures.filter { isNamed($0.value) }.sorted { $0.key < $1.key }
      if let service = structures.lazy.compactMap({ structure($0.key, $0.value) }).first { return service }
      let known = index.protocols.values.map { $0.symbol.pathComponents.joined(separator: ".") }.sorted()
      let modules = module ?? index.modules.sorted().joined(separator: ", ")
      let hint =
        index.hasInternalSymbols
        ? "" : " If it is internal, the symbol graph requires -symbol-graph-minimum-access-level internal."
      throw CommandError(
        "Protocol \(name) not found in \(modules.isEmpty ? "any symbol graph" : modules). Valid values: "
          + (known.isEmpty ? "none" : known.joined(separator: ", ")) + ".\(hint)")
    }
    guard candidates.count == 1 else {
      let modules = candidates.values.map(\.module).sorted().joined(separator: " and ")
      throw CommandError("Protocol \(name) is in \(modules). Choose one with --module.")
    }
    return try read(id: id, taken: ["any"])
  }

  private func read(id: String, taken: Set<String>) throws(CommandError) -> ServiceProtocol {
    guard let found = index.protocols[id] else {
      throw CommandError("The protocol \(id) is missing in the symbol graphs.")
    }
    let symbol = found.symbol
    let name = symbol.pathComponents.joined(separator: ".")
    let supertypes = index.supertypes[id] ?? []
    let header = symbol.declarationFragments.map(\.spelling).joined()
    var taken = taken
    var parents: [ServiceProtocol] = []
    for supertype in supertypes where supertype.kind == "conformsTo" {
      let parentName = index.name(of: supertype)
      guard !Self.markers.contains(supertype.target), !Self.isOfObjectiveC(supertype.target) else { continue }
      guard supertype.target != "s:ScA", supertype.target != "s:12_Concurrency13AnyActorP" else { continue }
      guard index.protocols[supertype.target] != nil else {
        if omitted.contains(parentName) { continue }
        throw CommandError(missing(parentName, supertype.target, refinedBy: name))
      }
      let parent = try read(id: supertype.target, taken: taken)
      parents.append(parent)
      for member in parent.lineage {
        taken.formUnion(member.requirements.flatMap { [$0.operation] + ($0.setOperation.map { [$0] } ?? []) })
      }
    }
    let inherited = parents.flatMap(\.lineage)
    let members = index.requirements[id] ?? []
    // A protocol may repeat declarations of one that it refines; the same applies to requirements below.
    let inheritedTypes = inherited.flatMap(\.associatedTypes)
    let associatedTypes = members.compactMap(Self.associatedType).filter { type in
      !inheritedTypes.contains { $0.name == type.name }
    }
    let allTypes = inheritedTypes + associatedTypes
    let hasID = supertypes.contains { $0.target == Self.identifiable } || inherited.contains(where: \.hasID)
    let associatedNames = Set(allTypes.map(\.name) + (hasID ? ["ID"] : []))
    let texts = [header] + members.map(\.source)
    let sendableTypes = Set(allTypes.filter(isSendable).map(\.name)).union(texts.flatMap(sendablePaths))
    let isActor = supertypes.contains(where: isOfActors) || parents.contains(where: \.isActor)
    let isClassBound =
      isActor
      || DeclarationScanner.split(header[...], at: ":", most: 2).dropFirst().contains {
        SourceWords.of($0).contains("AnyObject")
      } || inherited.contains(where: \.isClassBound)
    var requirements: [Requirement] = []
    for member in members {
      let reader = RequirementReader(
        index: index, symbol: member, associatedTypes: associatedNames,
        sendableTypes: sendableTypes, isClassBound: isClassBound,
        isIsolated: Self.isIsolated(Self.attributes(of: symbol)),
        attributesOfProtocol: Self.attributes(of: symbol), isOfActor: isActor)
      guard var requirement = reader.read() else { continue }
      let known = inherited.flatMap(\.requirements).filter {
        $0.title == requirement.title && $0.declaration.result == requirement.declaration.result
          && $0.declaration.parameters.map(\.type) == requirement.declaration.parameters.map(\.type)
          && $0.declaration.effects == requirement.declaration.effects
      }
      if known.contains(where: { $0.declaration.isSettable || !requirement.declaration.isSettable }) {
        continue
      }
      if !known.isEmpty, requirement.obstacle == nil {
        requirement.obstacle = "it adds a setter to a property of a protocol that it refines"
      }
      if requirement.isOfInstances { requirement.nameOperations(avoiding: &taken) }
      requirements.append(requirement)
    }
    for place in requirements.indices
    where (inherited.flatMap(\.requirements) + requirements).contains(
      where: requirements[place].isVariadicForm)
    {
      (requirements[place].callsArrayForm, requirements[place].obstacle) = (true, nil)
    }
    return ServiceProtocol(
      name: name, module: found.module, access: AccessLevel(rawValue: symbol.accessLevel) ?? .public,
      place: symbol.place, attributes: Self.attributes(of: symbol),
      availability: symbol.availabilityAttributes, isSendable: index.isSendable(id),
      isClassBound: isClassBound, associatedTypes: associatedTypes,
      refinedNames: Set(supertypes.map(index.name)), parents: parents,
      requirements: requirements,
      hasWhereClause: DeclarationScanner.split(header[...], at: " where ", most: 2).count > 1,
      obstacle: obstacle(id, supertypes)
        ?? (isActor ? parents.lazy.compactMap(obstacleOfActor).first : nil),
      isActor: isActor,
      sharesBaseName: index.protocols.values.count {
        $0.module == found.module && $0.symbol.pathComponents.last == symbol.pathComponents.last
      } > 1)
  }

  /// Reads a structure of closures; `nil` if it has none.
  private func structure(_ id: String, _ found: SymbolIndex.FoundProtocol) -> ServiceProtocol? {
    var taken: Set<String> = ["any"]
    let properties = (index.members[id] ?? []).filter { $0.kind.identifier == "swift.property" }
    let requirements = properties.compactMap { property -> Requirement? in
      let reader = RequirementReader(
        index: index, symbol: property, associatedTypes: [], sendableTypes: [], isClassBound: false,
        isIsolated: Self.isIsolated(Self.attributes(of: found.symbol)),
        isOfStructure: true)
      guard var requirement = reader.read() else { return nil }
      requirement.nameOperations(avoiding: &taken)
      return requirement
    }
    guard !requirements.isEmpty else { return nil }
    let symbol = found.symbol
    let access = AccessLevel(rawValue: symbol.accessLevel) ?? .public
    // The compiler infers it for a structure that is not public, and for one on a global actor.
    let isInferred =
      access != .public && requirements.allSatisfy { $0.declaration.modifiers.contains("@Sendable") }
    let isIsolated = Self.isIsolated(Self.attributes(of: symbol))
    let isSendable = isInferred || access == .public && index.isSendable(id) || isIsolated
    let obstacle =
      symbol.swiftGenerics?.parameters?.isEmpty == false
      ? "it is generic" : isSendable ? nil : "it is not Sendable. Declare struct \(symbol.name): Sendable"
    return ServiceProtocol(
      name: symbol.name, module: found.module, access: access, place: symbol.place,
      attributes: Self.attributes(of: symbol), availability: symbol.availabilityAttributes,
      isSendable: true, isClassBound: false, associatedTypes: [], refinedNames: [], parents: [],
      requirements: requirements, hasWhereClause: false, obstacle: obstacle, isStructure: true)
  }

  /// The protocols without requirements for a double, and those to which ``Intercepted`` itself conforms.
  private static let markers: Set<String> = [
    "s:s8SendableP", "s:s16SendableMetatypeP", "s:s8CopyableP", "s:s9EscapableP", "s:s15BitwiseCopyableP",
    "s:SQ", "s:SH", "s:s5ErrorP", identifiable, "s:11Observation10ObservableP",
  ]
  private static let identifiable = "s:s12IdentifiableP"

  /// Returns whether attributes isolate a declaration to a global actor.
  private static func isIsolated(_ attributes: [String]) -> Bool {
    attributes.contains {
      $0.hasPrefix("@") && !["@preconcurrency", "@objc", "@usableFromInline"].contains($0)
    }
  }

  /// Returns whether all values of an associated type are `Sendable`, as far as is known.
  private func isSendable(_ type: ServiceProtocol.AssociatedType) -> Bool {
    SourceWords.of(type.constraint).contains { word in
      if ["Sendable", "Error", "Actor"].contains(word) { return true }
      let named = index.protocols.filter { $0.value.symbol.name == word }.keys
      return !named.isEmpty && named.allSatisfy(index.isSendable)
    }
  }

  /// Returns the associated types, and their members, that a where clause constrains to a type, or to be `Sendable`.
  private func sendablePaths(_ declaration: String) -> [String] {
    guard let clause = DeclarationScanner.split(declaration[...], at: " where ", most: 2).dropFirst().first
    else {
      return []
    }
    return DeclarationScanner.split(clause[...], at: ",").compactMap { constraint in
      let parts = constraint.split(whereSeparator: { ":= ".contains($0) })
      guard parts.count > 1, constraint.contains("==") || parts.contains("Sendable") else { return nil }
      return parts[0].hasPrefix("Self.") ? String(parts[0].dropFirst(5)) : String(parts[0])
    }
  }

  private func missing(_ parent: String, _ target: String, refinedBy name: String) -> String {
    let byHand = "write the conformance to it by hand and pass --omit \(parent)"
    guard let module = MangledName(target).module else {
      return "\(name) refines \(parent) of the standard library: \(byHand)."
    }
    return
      "\(name) refines \(parent) of \(module), whose symbol graph is missing: pass it with --symbol-graph, or \(byHand)."
  }

  /// Returns whether a mangled name belongs to Objective-C.
  private static func isOfObjectiveC(_ id: String) -> Bool { id.hasPrefix("c:") }

  /// Returns whether only actors conform to a protocol that refines another one.
  private func isOfActors(_ supertype: SymbolGraph.Relationship) -> Bool {
    supertype.target == "s:ScA" || index.name(of: supertype) == "AnyActor"
  }

  /// Returns why an actor with interceptors cannot conform to a protocol that one of actors refines; `nil` if it can.
  private func obstacleOfActor(_ parent: ServiceProtocol) -> String? {
    let isIsolated =
      !parent.isActor
      && parent.requirements.contains { $0.isOfInstances && !$0.declaration.effects.isAsync }
    return isIsolated ? "it refines Actor and \(parent.name), whose requirements are not isolated" : nil
  }

  private func obstacle(_ id: String, _ supertypes: [SymbolGraph.Relationship]) -> String? {
    if Self.isOfObjectiveC(id) {
      return
        "it is a protocol of Objective-C (@objc), whose requirements may be optional, and only classes conform to it"
    }
    if let parent = supertypes.first(where: { $0.kind == "conformsTo" && Self.isOfObjectiveC($0.target) }) {
      return "it refines \(index.name(of: parent)) of Objective-C, to which only classes conform"
    }
    if let superclass = supertypes.first(where: { $0.kind == "inheritsFrom" }) {
      return "it requires a subclass of \(index.name(of: superclass)), and Intercepted is a class of its own"
    }
    return nil
  }

  /// Returns the attributes before the first keyword of a declaration.
  static func attributes(of symbol: Symbol) -> [String] {
    symbol.declarationFragments.prefix { $0.kind != "keyword" }.map(\.spelling).joined()
      .split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static func associatedType(_ symbol: Symbol) -> ServiceProtocol.AssociatedType? {
    guard symbol.kind.identifier == "swift.associatedtype", let name = symbol.pathComponents.last else {
      return nil
    }
    let text = symbol.declarationFragments.map(\.spelling).joined()
    let parts = DeclarationScanner.split(text[...], at: " where ", most: 2)
    let constraint =
      DeclarationScanner.split((parts.first ?? "")[...], at: ":", most: 2).dropFirst().first ?? ""
    let withoutDefault = DeclarationScanner.split(constraint[...], at: " = ", most: 2).first ?? ""
    return ServiceProtocol.AssociatedType(
      name: name, constraint: withoutDefault.replacing(", ", with: " & "),
      isConstrainedFurther: parts.count > 1)
  }
}

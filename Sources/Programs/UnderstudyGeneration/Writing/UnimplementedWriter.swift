/// A writer of a double that implements only what a test sets.
struct UnimplementedWriter {
  let service: ServiceProtocol
  let failure: FailureMapping
  /// The requirements that are written by hand.
  let omitted: Set<String>
  /// Whether declarations of the file are isolated to the main actor by default.
  let isIsolatedByDefault: Bool

  var name: String {
    "Unimplemented\(service.sharesBaseName ? service.name.filter { $0 != "." } : service.baseName)"
  }

  /// Whether the double is generic over the associated types.
  var isGeneric: Bool { !generics.isEmpty }

  /// Whether the double is `Sendable`, as far as is known.
  var isSendable: Bool { service.isSendable || keepsOnlySendable }

  private var access: String { service.memberAccess.modifier }

  func write(to source: inout SourceText) {
    let members = self.members
    source.documentation(documentation)
    for attribute in service.availability + service.attributes { source.line(attribute) }
    let kind = service.isClassBound ? "final class" : "struct"
    // The default would isolate the conformance to a protocol that refines another one.
    let conformance =
      isIsolatedByDefault && service.isolation != nil
      ? "nonisolated \(service.qualifiedName)" : service.qualifiedName
    let conformances = [conformance] + (service.isSendable || !keepsOnlySendable ? [] : ["Sendable"])
    // The attributes of the protocol are those of the double.
    let isHere = service.isolation == nil && !service.attributes.contains("nonisolated")
    let isolation = isHere && isIsolatedByDefault ? "nonisolated " : ""
    source.block("\(isolation)\(access)\(kind) \(name)\(generics): \(conformances.joined(separator: ", ")) {")
    { source in
      for member in members {
        member.declare(to: &source)
        source.line()
      }
      initializer(members, to: &source)
      for member in members where !member.isStored {
        source.line()
        member.implement(to: &source)
      }
    }
  }

  /// The reasons why it cannot be written, with a line for each requirement.
  var obstacles: [String] {
    var obstacles: [String] = []
    let refusal = " cannot have an unimplemented double:"
    for member in service.lineage {
      let isConstrained =
        member.hasWhereClause || member.associatedTypes.contains(where: \.isConstrainedFurther)
      guard isConstrained else { continue }
      obstacles.append("\(member.name)\(refusal) a where clause constrains its associated types")
    }
    let isConstant = self.isConstant
    if service.isActor {
      return [
        "\(service.name)\(refusal) it refines Actor, whose closures a test could only set from the actor"
      ]
    }
    if let name = service.equality {
      obstacles.append("\(service.name)\(refusal) it refines \(name), and closures are not equal")
    }
    for (owner, requirement) in requirements
    where isConstant && isByHand(requirement) && requirement.declaration.isSettable {
      obstacles.append(
        "\(owner.name).\(requirement.title)\(refusal) it is settable, so the double would require a lock")
    }
    for (owner, requirement) in requirements where !isByHand(requirement) && requirement.obstacle == nil {
      let declaration = requirement.declaration
      let title = "\(owner.name).\(requirement.title)"
      if !requirement.isOfInstances {
        obstacles.append("\(title)\(refusal) it is a requirement of types, and the closures are of instances")
      } else if declaration.isGeneric, declaration.effects.throwing == .nothing {
        obstacles.append(
          "\(title)\(refusal) it is generic and does not throw, and a closure cannot be generic")
      } else if declaration.isSettable, !declaration.hasMutatingAccessor, !service.isClassBound {
        obstacles.append("\(title)\(refusal) its setter is nonmutating, and the double is a structure")
      } else if declaration.isSettable, declaration.kind == .subscript {
        obstacles.append("\(title)\(refusal) it is a settable subscript")
      } else if declaration.isSettable, isConstant {
        obstacles.append("\(title)\(refusal) it is settable, so the double would require a lock")
      } else if service.isSendable, isKeptByAll(requirement), !requirement.isResultSendable {
        obstacles.append(
          "\(title)\(refusal) the double would store a \(declaration.result), which is not Sendable")
      }
    }
    return obstacles
  }

  // MARK: - Parts

  private var requirements: [(ServiceProtocol, Requirement)] {
    service.lineage.flatMap { owner in owner.requirements.map { (owner, $0) } }.reduce(into: []) {
      known, one in
      let isKnown = known.contains {
        $0.1.isSame(as: one.1) && ($0.1.declaration.isSettable || !one.1.declaration.isSettable)
      }
      if !isKnown { known.append(one) }
    }
  }

  /// Whether the closures are constant: nothing protects those of a class that is on no actor.
  private var isConstant: Bool { service.isClassBound && service.isolation == nil }

  /// Returns whether a requirement cannot be generated, and is written by hand.
  private func isByHand(_ requirement: Requirement) -> Bool {
    omitted.contains(where: requirement.isNamed)
      && (!requirement.isOfInstances || requirement.obstacle != nil || requirement.declaration.isGeneric)
  }

  /// Returns whether a requirement is a stored property that is not isolated to an actor.
  private func isKeptByAll(_ requirement: Requirement) -> Bool {
    let declaration = requirement.declaration
    return service.isolation == nil && declaration.kind == .property
      && declaration.effects == Declaration.Effects() && !declaration.modifiers.contains { $0.hasPrefix("@") }
  }

  /// Whether all stored properties are `Sendable`, as far as is known.
  private var keepsOnlySendable: Bool {
    let others = associatedTypes.filter { !SourceWords.of($0.constraint).contains("Sendable") }.map(\.name)
    return requirements.map(\.1).filter { !isByHand($0) && isKeptByAll($0) }.allSatisfy { requirement in
      requirement.isResultSendable
        && !SourceWords.of(requirement.declaration.result).contains { others.contains(String($0)) }
    }
  }

  private var members: [UnimplementedMember] {
    requirements.filter { !isByHand($0.1) }.map { owner, requirement in
      UnimplementedMember(
        requirement, of: owner, access: service.memberAccess, failure: failure,
        isConstant: isConstant
          || service.isClassBound && requirement.declaration.modifiers.contains("nonisolated"))
    }
  }

  private var associatedTypes: [ServiceProtocol.AssociatedType] {
    var types: [ServiceProtocol.AssociatedType] = []
    for type in service.lineage.flatMap(\.associatedTypes)
    where !types.contains(where: { $0.name == type.name }) {
      types.append(type)
    }
    return types
  }

  private var generics: String {
    let parameters = associatedTypes.map { $0.constraint.isEmpty ? $0.name : "\($0.name): \($0.constraint)" }
    return parameters.isEmpty ? "" : "<\(parameters.joined(separator: ", "))>"
  }

  private var documentation: [String] {
    [
      "A `\(service.name)` in which a test implements only the requirements that it uses, with a closure for each.",
      """
      A requirement without a closure throws an error with its name. The initializer requires closures for \
      requirements that cannot throw.
      """,
    ]
  }

  private func initializer(_ members: [UnimplementedMember], to source: inout SourceText) {
    let given = members.filter(\.isGivenAtFirst)
    let contents = given.isEmpty ? "without closures" : "with these closures and values"
    source.line("/// Creates a double \(contents).")
    source.list("\(access)init(", given.map(\.initializerParameter), ") {\(given.isEmpty ? "}" : "")")
    guard !given.isEmpty else { return }
    source.nested { source in
      for member in given { member.initialize(to: &source) }
    }
    source.line("}")
  }
}

/// A protocol of the adopter, with the information for its doubles; or a structure of closures, which are its methods.
struct ServiceProtocol {
  struct AssociatedType {
    let name: String
    /// The constraint, such as `Sendable`; empty without a constraint.
    let constraint: String
    /// Whether it has further constraints.
    let isConstrainedFurther: Bool
  }

  /// The name with the enclosing types, such as `Feed.Source`.
  let name: String
  let module: String
  let access: AccessLevel
  /// The location of the declaration, if known.
  let place: String?
  /// The attributes, such as `@MainActor`.
  let attributes: [String]
  let availability: [String]
  let isSendable: Bool
  let isClassBound: Bool
  let associatedTypes: [AssociatedType]
  /// The names of all protocols that it refines, including those without requirements.
  let refinedNames: Set<String>
  /// The protocols that it refines.
  let parents: [ServiceProtocol]
  let requirements: [Requirement]
  /// Whether it has a `where` clause.
  let hasWhereClause: Bool
  /// The reason why it cannot have a double, or `nil`.
  let obstacle: String?
  /// Whether it is a structure of closures.
  var isStructure = false
  /// Whether only actors conform to it.
  var isActor = false
  /// The name of the actor that has interceptors.
  var actorName: String { "Intercepted\(shortName)" }
  /// Whether it refines `Identifiable`.
  var hasID: Bool { refinedNames.contains("Identifiable") || parents.contains(where: \.hasID) }
  /// The first protocol that it refines to which only its author can make a double conform; `nil` without one.
  var equality: String? {
    let names: Set<String> = ["Equatable", "Hashable", "Identifiable"]
    return lineage.flatMap(\.refinedNames).filter(names.contains).min()
  }
  /// Whether another protocol of the module has the same name in another type.
  var sharesBaseName = false

  /// The name, with the module where the toolkit has a type of that name.
  var qualifiedName: String { TakenNames.contains(name) ? "\(module).\(name)" : name }

  /// All protocols that it refines, the most general first, and itself.
  var lineage: [ServiceProtocol] {
    var lineage: [ServiceProtocol] = []
    for member in parents.flatMap(\.lineage) + [self]
    where !lineage.contains(where: member.isSame) {
      lineage.append(member)
    }
    return lineage
  }

  /// Returns whether both are the same protocol.
  func isSame(as other: ServiceProtocol) -> Bool { name == other.name && module == other.module }

  /// Returns whether `--omit` with this name refers to a part of the protocol.
  func hasAnything(named name: String) -> Bool {
    lineage.contains { member in
      member.refinedNames.contains(name) || member.requirements.contains { $0.isNamed(name) }
    }
  }

  /// The access level of the members of a double.
  ///
  /// A file imports an internal protocol with `@testable public import`, which makes it public there. With an internal
  /// import, the other files of a target that has not adopted `InternalImportsByDefault` could not import the module
  /// without an access level.
  var memberAccess: AccessLevel { access == .internal ? .public : access }

  /// The name without the enclosing types.
  var baseName: String { name.split(separator: ".").last.map(String.init) ?? name }

  /// The base name without `Protocol` or `Interface`, such as `LibraryService`.
  var shortName: String { SourceWords.dropping(["Protocol", "Interface"], from: baseName) }

  /// The name of what a type has for this protocol, such as `libraryService` for the contract.
  var memberName: String { SourceWords.lowerCamelCase(shortName) }

  /// The type of a value that conforms to the protocol and is `Sendable`.
  var subject: String { isStructure ? qualifiedName : "any \(composition)" }

  /// The same, as the type of a parameter that may have any such type.
  var opaqueSubject: String { "some \(composition)" }

  private var composition: String { isSendable ? qualifiedName : "\(qualifiedName) & Sendable" }
}

/// The access level of a declaration.
enum AccessLevel: String, Comparable {
  case `internal`, package, `public`

  /// The modifier of a declaration, with a trailing space.
  var modifier: String { self == .internal ? "" : "\(rawValue) " }

  private var rank: Int {
    switch self {
    case .internal: 0
    case .package: 1
    case .public: 2
    }
  }

  static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}

/// A requirement of a protocol.
struct Requirement {
  /// The name in documentation links, such as `add(_:at:)`.
  let title: String
  /// The name of its calls in rules and logs, without backticks.
  var operation: String
  /// The name of its setter; `nil` without a setter.
  var setOperation: String?
  let declaration: Declaration
  let availability: [String]
  /// The location of the declaration, if known.
  let place: String?
  /// Whether it is a requirement of instances instead of types.
  let isOfInstances: Bool
  /// The names of the parameters that cannot be logged, because their types are not `Sendable`.
  let unloggable: Set<String>
  /// The names of the parameters that are not `Sendable` and go to another isolation.
  let handedOver: [String]
  /// Whether its result is `Sendable`, as far as is known.
  let isResultSendable: Bool
  /// The modules that its declaration requires.
  let modules: Set<String>
  /// The first sentence of its documentation, if any.
  let summary: String?
  /// The reason why it cannot have a double, or `nil`.
  var obstacle: String?
  /// Whether it is variadic, and another requirement is the same with an array, which it calls.
  var callsArrayForm = false

  /// Returns whether a variadic requirement can call another one.
  func isVariadicForm(of other: Requirement) -> Bool {
    let (own, theirs) = (declaration.parameters, other.declaration.parameters)
    guard own.contains(where: \.isVariadic), declaration.name == other.declaration.name,
      declaration.effects == other.declaration.effects, declaration.result == other.declaration.result,
      own.map(\.label) == theirs.map(\.label), isOfInstances, other.isOfInstances
    else { return false }
    return zip(own, theirs).allSatisfy { $1.type == ($0.isVariadic ? "[\($0.type)]" : $0.type) }
  }

  /// The parameters whose arguments are logged.
  var logged: [Parameter] { declaration.parameters.filter { !unloggable.contains($0.name) } }

  /// Returns whether `--omit` with this name refers to it.
  func isNamed(_ name: String) -> Bool {
    name == title || name == SourceWords.bare(declaration.name)
      || (declaration.kind == .initializer && name == "init")
      || (declaration.kind == .subscript && name == "subscript")
  }
}

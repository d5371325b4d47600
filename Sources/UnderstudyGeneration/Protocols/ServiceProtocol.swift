/// A protocol of the adopter's, as far as it matters to its doubles.
struct ServiceProtocol {
  struct AssociatedType {
    let name: String
    /// Such as `Sendable`; nothing without a constraint.
    let constraint: String
    /// Whether there is more to say than one constraint can.
    let isConstrainedFurther: Bool
  }

  /// With the types it is declared in, such as `Feed.Source`.
  let name: String
  let module: String
  let access: AccessLevel
  /// Where it is declared, if that is known.
  let place: String?
  /// Such as `@MainActor`.
  let attributes: [String]
  let availability: [String]
  let isSendable: Bool
  let isClassBound: Bool
  let associatedTypes: [AssociatedType]
  /// The names of all that it refines, also of what no double needs to know.
  let refinedNames: Set<String>
  /// The protocols that it refines, whose requirements are its own too.
  let parents: [ServiceProtocol]
  let requirements: [Requirement]
  /// Whether more is said of associated types than their own declarations say.
  let hasWhereClause: Bool
  /// Why there cannot be a double.
  let obstacle: String?

  /// All protocols that it refines, from the most general one, and itself.
  var lineage: [ServiceProtocol] {
    var lineage: [ServiceProtocol] = []
    for member in parents.flatMap(\.lineage) + [self]
    where !lineage.contains(where: member.isSame) {
      lineage.append(member)
    }
    return lineage
  }

  /// Whether both are one protocol.
  func isSame(as other: ServiceProtocol) -> Bool { name == other.name && module == other.module }

  /// Whether the option that names what is written by hand means something of the protocol's.
  func hasAnything(named name: String) -> Bool {
    lineage.contains { member in
      member.refinedNames.contains(name) || member.requirements.contains { $0.isNamed(name) }
    }
  }

  /// The name without the types it is declared in.
  var baseName: String { name.split(separator: ".").last.map(String.init) ?? name }
}

/// Who sees a declaration.
enum AccessLevel: String, Comparable {
  case `internal`, package, `public`

  /// The modifier of a declaration, with a space behind it.
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

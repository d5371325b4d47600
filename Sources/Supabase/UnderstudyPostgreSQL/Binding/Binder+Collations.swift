/// How an expression came by its collation (PostgreSQL documentation, 24.2.1).
enum CollationDerivation: Hashable, Sendable {
  /// From a column, or from the parts of the expression.
  case implicit
  /// From `COLLATE`, with the name that is written there.
  case explicit(QualifiedName)
  /// The parts have different ones, so that nothing may depend on their order.
  case conflict
}

extension Bound {
  /// The expression with the collation of another one.
  func collated(as other: Bound) -> Bound {
    var bound = self
    bound.collation = other.collation
    bound.derivation = other.derivation
    return bound
  }

  static let openCollation = PostgreSQLError(
    "42P22", "could not determine which collation to use for string comparison",
    hint: "Use the COLLATE clause to set the collation explicitly.")
}

extension Binder {
  /// Whether values of a type have a collation.
  func isCollatable(_ type: DataType) -> Bool {
    switch catalogue.base(of: type) {
    case .text, .varchar, .bpchar, .citext, .name: true
    case .array(let element): isCollatable(element)
    default: false
    }
  }

  /// `operand COLLATE name`.
  func collate(_ operand: Bound, _ name: QualifiedName) throws(PostgreSQLError) -> Bound {
    guard operand.isUnknown || isCollatable(operand.type.type) else {
      throw PostgreSQLError(
        "42804", "collations are not supported by type \(self.name(of: operand.type.type))")
    }
    var bound = operand
    bound.collation = Collation(name) ?? context.collation
    bound.derivation = .explicit(name)
    return bound
  }

  /// An expression with the collation that follows from its parts (parse_collate.c, `merge_collation_state`).
  ///
  /// An explicit collation wins; otherwise the only one that is not the database's.
  func deriving(_ bound: Bound, from parts: [Bound]) throws(PostgreSQLError) -> Bound {
    guard isCollatable(bound.type.type) else { return bound }
    var bound = bound
    bound.collation = nil
    bound.derivation = .implicit
    for part in parts where part.collation != nil || part.derivation != .implicit {
      switch (bound.derivation, part.derivation) {
      case (.explicit(let first), .explicit(let second)):
        guard first.name == second.name else {
          throw PostgreSQLError(
            "42P21",
            "collation mismatch between explicit collations \"\(first.name)\" and \"\(second.name)\"")
        }
      case (.explicit, _): break
      case (_, .explicit): bound = bound.collated(as: part)
      case (.conflict, _), (_, .conflict): bound.derivation = .conflict
      case (.implicit, .implicit):
        if bound.collation == nil {
          bound.collation = part.collation
        } else if bound.collation != part.collation {
          bound.derivation = .conflict
        }
      }
    }
    return bound
  }

  /// The collation in which parts are compared; nil if they leave it open.
  func collation(of parts: [Bound], _ type: DataType) throws(PostgreSQLError) -> Collation? {
    let derived = try deriving(Bound(BoundType(type)) { _ throws(PostgreSQLError) in .null }, from: parts)
    return derived.derivation == .conflict ? nil : derived.collation ?? context.collation
  }
}

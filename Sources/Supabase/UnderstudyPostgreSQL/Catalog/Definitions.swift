/// Everything that statements define, except rows.
///
/// Names in it are complete: they have a schema.
package struct Catalogue: Sendable {
  /// The role that defines everything and may do everything.
  package static let owner = "postgres"

  /// The schemas with the roles that may use them; `public` stands for all.
  package var schemas: [String: Set<String>] = [
    "public": ["public"], "pg_catalog": ["public"], "information_schema": ["public"],
  ]
  package var tables: [QualifiedName: Table] = [:]
  package var enumerations: [QualifiedName: Enumeration] = [:]
  package var domains: [QualifiedName: Domain] = [:]
  package var composites: [QualifiedName: [Column]] = [:]
  /// Functions of the same name differ in their parameters.
  package var functions: [QualifiedName: [Routine]] = [:]
  /// The names; the numbers are in ``State``.
  package var sequences: Set<QualifiedName> = []
  package var sequencePrivileges: [QualifiedName: Set<SequencePrivilege>] = [:]
  package var roles: [String: Role] = ["postgres": Role(bypassesPolicies: true)]
  /// What `ALTER DATABASE … SET` set for every session.
  package var settings: [String: String] = [:]
  package var publications: [String: PublicationTables] = [:]
  /// Grows with each definition, so that what was bound before is bound again.
  package var version = 0
  /// The number of the foreign key that was created last.
  var lastForeignKey = 0
  /// The privileges that new tables have.
  package var defaultPrivileges: [DefaultPrivilege] = []
  /// The privileges that new sequences have.
  package var defaultSequencePrivileges: [DefaultSequencePrivilege] = []
  /// Who may call new functions; everybody, unless that is revoked.
  package var defaultCallers = [DefaultCaller(schema: nil, role: "public")]

  package init() {}
}

/// A privilege of `ALTER DEFAULT PRIVILEGES` for new tables.
package struct DefaultPrivilege: Sendable {
  /// The schema of the tables; `nil` for all.
  package var schema: String?
  package var role: String
  package var kinds: Set<Privilege.Kind>

  package init(schema: String?, role: String, kinds: Set<Privilege.Kind>) {
    self.schema = schema
    self.role = role
    self.kinds = kinds
  }
}

/// A right of a role to a sequence.
package struct SequencePrivilege: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable { case usage, select, update }

  package var role: String
  package var kind: Kind

  package init(role: String, kind: Kind) {
    self.role = role
    self.kind = kind
  }
}

/// A privilege of `ALTER DEFAULT PRIVILEGES` for new sequences.
package struct DefaultSequencePrivilege: Hashable, Sendable {
  /// The schema of the sequences; `nil` for all.
  package var schema: String?
  package var privilege: SequencePrivilege

  package init(schema: String?, _ privilege: SequencePrivilege) {
    self.schema = schema
    self.privilege = privilege
  }
}

/// A role that may call new functions.
package struct DefaultCaller: Hashable, Sendable {
  /// The schema of the functions; `nil` for all.
  package var schema: String?
  package var role: String

  package init(schema: String?, role: String) {
    self.schema = schema
    self.role = role
  }
}

package struct Role: Sendable {
  package var bypassesPolicies: Bool
  /// What `ALTER ROLE … SET` set for the sessions of the role.
  package var settings: [String: String] = [:]

  package init(bypassesPolicies: Bool = false) {
    self.bypassesPolicies = bypassesPolicies
  }
}

package struct Enumeration: Sendable {
  package struct Label: Sendable {
    package var name: String
    package var order: Float
  }

  /// In order.
  package var labels: [Label]
}

package struct Domain: Sendable {
  package var base: DataType
  package var modifier: TypeModifier?
  package var isNotNull = false
  package var defaultValue: SQLExpression?
  package var checks: [Check] = []
}

/// A function or procedure that a schema defines.
package struct Routine: Sendable {
  package struct Parameter: Sendable {
    package var name: String?
    package var type: DataType
    package var mode: CreateFunction.Parameter.Mode
    package var defaultValue: SQLExpression?
  }

  package var name: QualifiedName
  package var parameters: [Parameter]
  package var result: DataType
  package var returnsSet: Bool
  /// Of output parameters and of `RETURNS TABLE`.
  package var columns: [Function.Column]
  package var definition: CreateFunction
  package var body: RoutineBody
  /// Distinguishes it from an earlier function of this name.
  package var identity: Int
  /// Stays the same when it is replaced or renamed.
  package var number: Int
  /// The roles that may not call it.
  package var executableBy: Set<String>? = nil

  package var inputs: [Parameter] { parameters.filter { $0.mode != .output && $0.mode != .table } }
}

package enum RoutineBody: Sendable {
  case sql([ScriptStatement])
  case procedure(Procedure.Block)
  /// What a call does that no statement defines: it is refused, with the language's name.
  case foreign(language: String)
}

extension Catalogue {
  /// The schema in which an unqualified name is found, or nil.
  private func search<Object>(
    _ name: QualifiedName, _ path: [String], _ find: (QualifiedName) -> Object?
  ) -> (QualifiedName, Object)? {
    if let schema = name.schema {
      let whole = QualifiedName(schema: schema, name.name)
      return find(whole).map { (whole, $0) }
    }
    for schema in ["pg_catalog"] + path {
      let whole = QualifiedName(schema: schema, name.name)
      if let object = find(whole) { return (whole, object) }
    }
    return nil
  }

  package func table(_ name: QualifiedName, _ path: [String]) throws(PostgreSQLError) -> Table {
    if let found = search(name, path, { tables[$0] }) { return found.1 }
    if isPartition(name, path) { throw .notSupported("A statement about the partition \(name.description)") }
    throw Self.noRelation(name)
  }

  /// Returns whether a name is that of a partition, whose rows are in the table that it is a part of.
  package func isPartition(_ name: QualifiedName, _ path: [String]) -> Bool {
    search(name, path) { name in
      tables.values.contains { $0.partitioning?.partitions[name] != nil } ? true : nil
    }
      != nil
  }

  package static func noRelation(_ name: QualifiedName) -> PostgreSQLError {
    if ServerSignatures.hasRelation(name) { return .notSupported("The catalogue \"\(name.description)\"") }
    return PostgreSQLError("42P01", "relation \"\(name.description)\" does not exist")
  }

  package func findTable(_ name: QualifiedName, _ path: [String]) -> Table? {
    search(name, path) { tables[$0] }?.1
  }

  package func sequence(_ name: QualifiedName, _ path: [String]) -> QualifiedName? {
    search(name, path) { sequences.contains($0) ? true : nil }?.0
  }

  package func routines(_ name: QualifiedName, _ path: [String]) -> [Routine] {
    if name.schema != nil { return functions[name] ?? [] }
    // The first schema of the path with a function of the same parameters hides the others; overloads add up.
    return (["pg_catalog"] + path).flatMap { functions[QualifiedName(schema: $0, name.name)] ?? [] }
  }

  /// The type of a name, declared or built in, and what its modifiers mean.
  package func type(_ name: TypeName, _ path: [String]) throws(PostgreSQLError) -> (DataType, TypeModifier?) {
    var (type, modifier) = try elementType(name, path)
    if name.arrayDimensions > 0 {
      type = .array(type)
    }
    return (type, modifier)
  }

  private func elementType(
    _ name: TypeName, _ path: [String]
  ) throws(PostgreSQLError) -> (DataType, TypeModifier?) {
    if name.isRowType || name.columnOfType != nil {
      let table = try table(name.name, path)
      guard let column = name.columnOfType else { return (.composite(table.name), nil) }
      guard let index = table.column(column) else {
        throw PostgreSQLError(
          "42703", "column \"\(column)\" of relation \"\(table.name.name)\" does not exist")
      }
      return (table.columns[index].type, table.columns[index].modifier)
    }
    if name.name.schema == nil || name.name.schema == "pg_catalog" || name.name.schema == "extensions",
      let type = DataType.builtIn(name.name.name)
    {
      if type == .interval, let fields = name.intervalFields {
        return (type, .interval(fields, fraction: name.modifiers.first.map { min($0, 6) }))
      }
      return (type, try type.modifier(name.modifiers))
    }
    if let (whole, _) = search(name.name, path, { enumerations[$0] }) { return (.enumeration(whole), nil) }
    if let (whole, _) = search(name.name, path, { domains[$0] }) { return (.domain(whole), nil) }
    if let (whole, _) = search(name.name, path, { composites[$0] }) { return (.composite(whole), nil) }
    if let (whole, _) = search(name.name, path, { tables[$0] }) { return (.composite(whole), nil) }
    if [nil, "pg_catalog"].contains(name.name.schema), ServerSignatures.types.contains(name.name.name) {
      throw .notSupported("The type \(name.name.name)")
    }
    throw PostgreSQLError("42704", "type \"\(name.name.description)\" does not exist")
  }

  package func columns(of composite: QualifiedName) -> [Column]? {
    composites[composite] ?? tables[composite]?.columns
  }

  /// The type that values of a domain have.
  package func base(of type: DataType) -> DataType {
    var type = type
    while case .domain(let name) = type, let domain = domains[name] { type = domain.base }
    return type
  }
}

extension QualifiedName: CustomStringConvertible {
  package var description: String { schema.map { "\($0).\(name)" } ?? name }
}

extension DataType {
  /// The names of types that are stored as another one, or that mean the same here.
  private static let otherNames: [String: DataType] = [
    "boolean": .boolean, "smallint": .smallint, "int": .integer, "integer": .integer, "bigint": .bigint,
    "real": .real, "decimal": .numeric, "char": .bpchar, "regprocedure": .regproc, "regconfig": .text,
    // Half the precision of a vector is not kept.
    "halfvec": .vector,
    "anynonarray": .anyelement, "anycompatible": .anyelement, "anycompatiblearray": .anyarray,
  ]

  /// A type that every database has, by any of its names.
  static func builtIn(_ name: String) -> DataType? { DataType(systemName: name) ?? otherNames[name] }

  func modifier(_ numbers: [Int]) throws(PostgreSQLError) -> TypeModifier? {
    switch self {
    case .varchar, .vector: return numbers.first.map { .length($0) }
    // `char` alone is `char(1)`, and `bpchar` alone has any length.
    case .bpchar: return numbers.first.map { .length($0) }
    case .numeric:
      guard let precision = numbers.first else { return nil }
      guard (1...1000).contains(precision) else {
        throw PostgreSQLError("22023", "NUMERIC precision \(precision) must be between 1 and 1000")
      }
      return .precision(precision, scale: numbers.count > 1 ? numbers[1] : 0)
    case .time, .timetz, .timestamp, .timestamptz, .interval:
      return numbers.first.map { .fraction(min($0, 6)) }
    default: return nil
    }
  }
}

import UnderstudyPostgreSQL

/// A way from the rows of one relation to those of another (`SchemaCache/Relationship.hs`).
struct Relationship: Hashable, Sendable {
  struct ColumnPair: Hashable, Sendable {
    var source: String
    var target: String

    var reversed: ColumnPair { ColumnPair(source: target, target: source) }
  }

  /// A table with foreign keys to both relations.
  struct Junction: Hashable, Sendable {
    var table: QualifiedName
    var sourceConstraint: String
    var targetConstraint: String
    /// Pairs of a column of the source and one of the junction.
    var sourceColumns: [ColumnPair]
    /// Pairs of a column of the target and one of the junction.
    var targetColumns: [ColumnPair]
  }

  enum Cardinality: Hashable, Sendable {
    case manyToOne(constraint: String, [ColumnPair])
    case oneToMany(constraint: String, [ColumnPair])
    case oneToOne(constraint: String, [ColumnPair])
    case manyToMany(Junction)
    /// A function of the source's row.
    case computed(function: QualifiedName, isToOne: Bool)
  }

  var source: QualifiedName
  var target: QualifiedName
  var cardinality: Cardinality
  var targetIsView = false

  var isToOne: Bool {
    switch cardinality {
    case .manyToOne, .oneToOne: true
    case .oneToMany, .manyToMany: false
    case .computed(_, let isToOne): isToOne
    }
  }

  var isSelf: Bool { source == target }

  /// The foreign key and its columns, if it is one.
  fileprivate var key: (constraint: String, columns: [ColumnPair])? {
    switch cardinality {
    case .manyToOne(let constraint, let columns), .oneToMany(let constraint, let columns),
      .oneToOne(let constraint, let columns):
      (constraint, columns)
    case .manyToMany, .computed: nil
    }
  }

  /// The columns of the source that the relationship reads; nil for those that only a function knows.
  var sourceColumns: [String]? {
    switch cardinality {
    case .manyToOne(_, let columns), .oneToMany(_, let columns), .oneToOne(_, let columns):
      columns.map(\.source)
    case .manyToMany(let junction): junction.sourceColumns.map(\.source)
    case .computed: nil
    }
  }

  // MARK: Choosing

  /// Whether a request for a relation means this relationship (`Plan.hs`, `findRel`).
  func matches(_ name: String, hint: String?) -> Bool {
    if case .computed(let function, _) = cardinality { return function.name == name }
    let isColumn: (String) -> Bool = { key?.columns.count == 1 && key?.columns.first?.source == $0 }
    let isTargetColumn: (String) -> Bool = { key?.columns.count == 1 && key?.columns.first?.target == $0 }
    let isManyToOne = if case .manyToOne = cardinality { true } else { false }
    let isOneToMany = if case .oneToMany = cardinality { true } else { false }
    if isSelf {
      guard let hint else { return name == target.name && isOneToMany || isColumn(name) && isManyToOne }
      return name == target.name && isOneToMany && isTargetColumn(hint)
    }
    guard let hint else {
      return name == target.name || !targetIsView && (key?.constraint == name || isColumn(name))
    }
    guard name == target.name else { return false }
    if case .manyToMany(let junction) = cardinality { return junction.table.name == hint }
    return key?.constraint == hint || isColumn(hint) || isTargetColumn(hint)
  }

  /// The description in the details of PGRST201 (`Error.hs`, `compressedRel`).
  var description: PostgRESTError.Candidate {
    func list(_ names: [String]) -> String { "(" + names.joined(separator: ", ") + ")" }
    let embedding = "\(source.name) with \(target.name)"
    func described(_ cardinality: String, _ constraint: String, _ columns: [ColumnPair])
      -> PostgRESTError.Candidate
    {
      PostgRESTError.Candidate(
        cardinality: cardinality, embedding: embedding,
        relationship: "\(constraint) using \(source.name)\(list(columns.map(\.source))) and \(target.name)"
          + list(columns.map(\.target)))
    }
    switch cardinality {
    case .manyToOne(let constraint, let columns): return described("many-to-one", constraint, columns)
    case .oneToMany(let constraint, let columns): return described("one-to-many", constraint, columns)
    case .oneToOne(let constraint, let columns): return described("one-to-one", constraint, columns)
    case .manyToMany(let junction):
      return PostgRESTError.Candidate(
        cardinality: "many-to-many", embedding: embedding,
        relationship: "\(junction.table.name) using \(junction.sourceConstraint)"
          + list(junction.sourceColumns.map(\.target)) + " and \(junction.targetConstraint)"
          + list(junction.targetColumns.map(\.target)))
    case .computed:
      return PostgRESTError.Candidate(cardinality: "", embedding: embedding, relationship: "")
    }
  }

  /// The hint that would choose it: `target!constraint`.
  var choice: String {
    let hint =
      switch cardinality {
      case .manyToOne(let constraint, _), .oneToMany(let constraint, _), .oneToOne(let constraint, _):
        constraint
      case .manyToMany(let junction): junction.table.name
      case .computed(let function, _): function.name
      }
    return "'\(target.name)!\(hint)'"
  }
}

/// The relationships that a catalogue's foreign keys and functions give (`SchemaCache.hs`).
struct Relationships: Sendable {
  private let catalogue: Catalogue
  private let schema: String
  /// What each foreign key says about its tables and about the views of them.
  private let direct: [Relationship]

  init(_ catalogue: Catalogue, schema: String) {
    self.catalogue = catalogue
    self.schema = schema
    direct = Self.direct(catalogue)
  }

  /// The relationship that a request means.
  ///
  /// - Throws: PGRST200, PGRST201.
  func relationship(from source: String, to name: String, hint: String?) throws(PostgRESTError)
    -> Relationship
  {
    let all = relationships(of: QualifiedName(schema: schema, source))
    let matching = all.filter { $0.matches(name, hint: hint) }
    guard let first = matching.first else {
      throw .unknownRelationship(
        source, name, hint: hint, schema: schema, suggestion: suggestion(source, name, all))
    }
    guard matching.count == 1 else {
      throw .ambiguousRelationship(
        source, name, matching.map(\.description), choices: matching.map(\.choice))
    }
    return first
  }

  /// The relationships of a table or view to relations of the schema.
  ///
  /// Functions hide foreign keys of the same name.
  func relationships(of source: QualifiedName) -> [Relationship] {
    let own = direct.filter { $0.source == source }
    let inverse = direct.filter { $0.target == source }.map(inverted)
    let junctions = manyToMany(from: source)
    let computed = computed(of: source)
    let hidden = Set(computed.map { name(of: $0) })
    let detected = (own + inverse + junctions).filter {
      $0.target.schema == schema && !hidden.contains($0.target.name)
    }
    return computed + detected
  }

  private func name(of relationship: Relationship) -> String {
    if case .computed(let function, _) = relationship.cardinality {
      function.name
    } else {
      relationship.target.name
    }
  }

  private static func direct(_ catalogue: Catalogue) -> [Relationship] {
    var all: [Relationship] = []
    let views = ViewColumns(catalogue)
    let tables = catalogue.tables.values.sorted { $0.name.description < $1.name.description }
    for table in tables {
      for key in table.foreignKeys {
        let pairs = zip(key.columns, key.referenced).map { Relationship.ColumnPair(source: $0, target: $1) }
        let isUnique = table.keys.contains { unique in
          unique.filter == nil
            && unique.columns(of: table).map { Set($0.map { table.columns[$0].name }) } == Set(key.columns)
        }
        func add(
          _ source: QualifiedName, _ target: QualifiedName, _ columns: [Relationship.ColumnPair], isView: Bool
        ) {
          all.append(
            Relationship(
              source: source, target: target,
              cardinality: isUnique
                ? .oneToOne(constraint: key.name, columns) : .manyToOne(constraint: key.name, columns),
              targetIsView: isView))
        }
        add(table.name, key.table, pairs, isView: false)
        let sources = views.views(of: table.name, key.columns)
        let targets = views.views(of: key.table, key.referenced)
        for source in sources {
          add(
            source.view, key.table, zip(source.columns, pairs).map { .init(source: $0, target: $1.target) },
            isView: false)
        }
        for target in targets {
          add(
            table.name, target.view, zip(pairs, target.columns).map { .init(source: $0.source, target: $1) },
            isView: true)
        }
        for source in sources {
          for target in targets {
            add(
              source.view, target.view,
              zip(source.columns, target.columns).map { .init(source: $0, target: $1) },
              isView: true)
          }
        }
      }
    }
    return all
  }

  private func inverted(_ relationship: Relationship) -> Relationship {
    let cardinality: Relationship.Cardinality =
      switch relationship.cardinality {
      case .manyToOne(let constraint, let columns):
        .oneToMany(constraint: constraint, columns.map(\.reversed))
      case .oneToOne(let constraint, let columns): .oneToOne(constraint: constraint, columns.map(\.reversed))
      default: relationship.cardinality
      }
    return Relationship(
      source: relationship.target, target: relationship.source, cardinality: cardinality,
      targetIsView: catalogue.tables[relationship.source]?.isView ?? false)
  }

  /// The relationships through tables whose primary key contains the columns of two foreign keys.
  private func manyToMany(from source: QualifiedName) -> [Relationship] {
    var all: [Relationship] = []
    for first in direct where first.target == source {
      guard case .manyToOne(let constraint, let columns) = first.cardinality else { continue }
      let key = Set(catalogue.primaryKey(of: first.source))
      for second in direct where second.source == first.source {
        guard case .manyToOne(let other, let others) = second.cardinality, other != constraint,
          Set((columns + others).map(\.source)).isSubset(of: key)
        else { continue }
        all.append(
          Relationship(
            source: source, target: second.target,
            cardinality: .manyToMany(
              Relationship.Junction(
                table: first.source, sourceConstraint: constraint, targetConstraint: other,
                sourceColumns: columns.map(\.reversed), targetColumns: others.map(\.reversed))),
            targetIsView: second.targetIsView))
      }
    }
    return all
  }

  /// The functions that take a row of the source and return rows of a relation.
  private func computed(of source: QualifiedName) -> [Relationship] {
    catalogue.functions.values.joined().sorted { $0.name.description < $1.name.description }.compactMap {
      routine in
      guard routine.name.schema == schema, routine.inputs.count == 1,
        routine.inputs[0].type == .composite(source),
        case .composite(let target) = routine.result, catalogue.tables[target] != nil,
        !routine.definition.isProcedure
      else { return nil }
      return Relationship(
        source: source, target: target,
        cardinality: .computed(
          function: routine.name, isToOne: !routine.returnsSet || routine.definition.returnsOneRow))
    }
  }

  /// The name that was probably meant (`Error.hs`, `noRelBetweenHint`).
  private func suggestion(_ source: String, _ name: String, _ found: [Relationship]) -> String? {
    if found.isEmpty {
      let known = Set(
        direct.flatMap { [$0.source, $0.target] }.filter { $0.schema == schema }.map(\.name))
      return Similarity.best(of: source, among: known.sorted()).map {
        "Perhaps you meant '\($0)' instead of '\(source)'."
      }
    }
    let targets = Set(found.map(\.target.name))
    guard !targets.contains(name) else { return nil }
    return Similarity.best(of: name, among: targets.sorted()).map {
      "Perhaps you meant '\($0)' instead of '\(name)'."
    }
  }
}

extension Catalogue {
  /// The columns of the primary key, for a view those that show the columns of its table's key.
  func primaryKey(of name: QualifiedName) -> [String] {
    guard let table = tables[name] else { return [] }
    guard table.isView else {
      return table.primaryKey?.columns(of: table)?.map { table.columns[$0].name } ?? []
    }
    let views = ViewColumns(self)
    return views.tables(of: name).flatMap { base in
      primaryKey(of: base).compactMap { views.columns(of: name, showing: base, $0).first }
    }
  }
}

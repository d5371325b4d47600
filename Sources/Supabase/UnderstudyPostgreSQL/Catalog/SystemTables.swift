/// The tables of the system's catalogues that migrations ask: whether something exists, and what is published.
///
/// Each shows the columns that scripts read, not all that PostgreSQL has.
enum SystemTables {
  private struct Definition: Sendable {
    var columns: [Scope.RelationColumn]
    var rows: @Sendable (Catalogue) -> [Row]
  }

  static func source(
    _ name: QualifiedName, _ path: [String], _ catalogue: Catalogue, binder: Binder
  ) throws(PostgreSQLError) -> ([Scope.RelationColumn], RelationSource)? {
    guard name.schema == nil || name.schema == "pg_catalog" || name.schema == "information_schema" else {
      return nil
    }
    let key = name.schema == "information_schema" ? "information_schema.\(name.name)" : name.name
    // A table of the schema's own hides nothing in pg_catalog, which is searched first.
    guard let definition = definitions[key] else { return nil }
    let node = binder.newNode()
    return (
      definition.columns,
      .rows(uses: Bound.Uses(), node: node) { frame throws(PostgreSQLError) in
        definition.rows(frame.execution.snapshot.catalogue)
      }
    )
  }

  private static func columns(_ names: String, _ others: [String: DataType] = [:]) -> [Scope.RelationColumn] {
    names.split(separator: " ").map {
      Scope.RelationColumn(String($0), BoundType(others[String($0)] ?? .text))
    }
  }

  private static func text(_ text: String?) -> Value { text.map(Value.text) ?? .null }

  private static func sorted(_ catalogue: Catalogue) -> [Table] {
    catalogue.tables.values.sorted { $0.name.description < $1.name.description }
  }

  private static let definitions: [String: Definition] = [
    "pg_namespace": Definition(columns: columns("oid nspname")) { catalogue in
      catalogue.schemas.keys.sorted().map { [.text($0), .text($0)] }
    },
    "pg_type": Definition(columns: columns("oid typname typnamespace typtype")) { catalogue in
      func rows(_ names: [QualifiedName], _ kind: String) -> [Row] {
        names.sorted { $0.description < $1.description }.map {
          [.text($0.description), .text($0.name), text($0.schema), .text(kind)]
        }
      }
      return rows(Array(catalogue.enumerations.keys), "e") + rows(Array(catalogue.domains.keys), "d")
        + rows(Array(catalogue.composites.keys) + Array(catalogue.tables.keys), "c")
    },
    "pg_enum": Definition(
      columns: columns("enumtypid enumlabel enumsortorder", ["enumsortorder": .real])
    ) { catalogue in
      catalogue.enumerations.sorted { $0.key.description < $1.key.description }.flatMap { name, enumeration in
        enumeration.labels.map { [.text(name.description), .text($0.name), .double(Double($0.order))] }
      }
    },
    "pg_class": Definition(
      columns: columns("oid relname relnamespace relkind relrowsecurity", ["relrowsecurity": .boolean])
    ) { catalogue in
      sorted(catalogue).map {
        [
          .text($0.name.description), .text($0.name.name), text($0.name.schema), .text(kind($0)),
          .boolean($0.isSecured),
        ]
      }
    },
    "pg_tables": Definition(
      columns: columns("schemaname tablename tableowner rowsecurity", ["rowsecurity": .boolean])
    ) { catalogue in
      sorted(catalogue).filter { kind($0) == "r" }.map {
        [text($0.name.schema), .text($0.name.name), .text(Catalogue.owner), .boolean($0.isSecured)]
      }
    },
    "pg_views": Definition(columns: columns("schemaname viewname viewowner")) { catalogue in
      sorted(catalogue).filter(\.isView).map {
        [text($0.name.schema), .text($0.name.name), .text(Catalogue.owner)]
      }
    },
    "pg_policies": Definition(columns: columns("schemaname tablename policyname cmd")) { catalogue in
      sorted(catalogue).flatMap { table in
        table.policies.map {
          [
            text(table.name.schema), .text(table.name.name), .text($0.name),
            .text($0.command.rawValue.uppercased()),
          ]
        }
      }
    },
    "pg_policy": Definition(columns: columns("polname polrelid")) { catalogue in
      sorted(catalogue).flatMap { table in
        table.policies.map { [.text($0.name), .text(table.name.description)] }
      }
    },
    "pg_trigger": Definition(columns: columns("tgname tgrelid")) { catalogue in
      sorted(catalogue).flatMap { table in
        table.triggers.map { [.text($0.name), .text(table.name.description)] }
      }
    },
    "pg_constraint": Definition(columns: columns("conname conrelid connamespace contype")) { catalogue in
      sorted(catalogue).flatMap { table in
        constraints(table).map {
          [.text($0.name), .text(table.name.description), text(table.name.schema), .text($0.kind)]
        }
      }
    },
    "pg_indexes": Definition(columns: columns("schemaname tablename indexname")) { catalogue in
      sorted(catalogue).flatMap { table in
        (table.keys.map(\.name) + table.indexes.map(\.name)).map {
          [text(table.name.schema), .text(table.name.name), .text($0)]
        }
      }
    },
    "pg_proc": Definition(columns: columns("oid proname pronamespace")) { catalogue in
      catalogue.functions.values.joined().map(\.name).sorted { $0.description < $1.description }.map {
        [.text($0.description), .text($0.name), text($0.schema)]
      }
    },
    "pg_roles": Definition(columns: columns("rolname rolbypassrls", ["rolbypassrls": .boolean])) {
      catalogue in
      catalogue.roles.sorted { $0.key < $1.key }.map { [.text($0.key), .boolean($0.value.bypassesPolicies)] }
    },
    "pg_publication": Definition(
      columns: columns("oid pubname puballtables", ["puballtables": .boolean])
    ) { catalogue in
      catalogue.publications.sorted { $0.key < $1.key }.map { name, tables in
        if case .all = tables { return [.text(name), .text(name), .boolean(true)] }
        return [.text(name), .text(name), .boolean(false)]
      }
    },
    "pg_publication_tables": Definition(columns: columns("pubname schemaname tablename")) { catalogue in
      catalogue.publications.sorted { $0.key < $1.key }.flatMap { publication, tables -> [Row] in
        let names: [QualifiedName] =
          switch tables {
          case .all: sorted(catalogue).filter { kind($0) == "r" }.map(\.name)
          case .tables(let names): names
          }
        return names.map { [.text(publication), text($0.schema), .text($0.name)] }
      }
    },
    "pg_extension": Definition(columns: columns("extname")) { _ in
      ["pgcrypto", "uuid-ossp", "citext"].map { [.text($0)] }
    },
    "information_schema.schemata": Definition(columns: columns("schema_name")) { catalogue in
      catalogue.schemas.keys.sorted().map { [.text($0)] }
    },
    "information_schema.tables": Definition(columns: columns("table_schema table_name table_type")) {
      catalogue in
      sorted(catalogue).map {
        [text($0.name.schema), .text($0.name.name), .text($0.isView ? "VIEW" : "BASE TABLE")]
      }
    },
    "information_schema.columns": Definition(
      columns: columns(
        "table_schema table_name column_name ordinal_position is_nullable data_type udt_name",
        ["ordinal_position": .integer])
    ) { catalogue in
      sorted(catalogue).flatMap { table in
        table.columns.enumerated().map { index, column in
          [
            text(table.name.schema), .text(table.name.name), .text(column.name), .integer(Int64(index + 1)),
            .text(column.isNotNull ? "NO" : "YES"), .text(column.type.displayName),
            .text(column.type.systemName),
          ]
        }
      }
    },
    "information_schema.table_constraints": Definition(
      columns: columns("constraint_schema constraint_name table_schema table_name constraint_type")
    ) { catalogue in
      let kinds = ["p": "PRIMARY KEY", "u": "UNIQUE", "f": "FOREIGN KEY", "c": "CHECK"]
      return sorted(catalogue).flatMap { table in
        constraints(table).map {
          [
            text(table.name.schema), .text($0.name), text(table.name.schema), .text(table.name.name),
            text(kinds[$0.kind]),
          ]
        }
      }
    },
    "information_schema.routines": Definition(columns: columns("routine_schema routine_name")) { catalogue in
      catalogue.functions.values.joined().map(\.name).sorted { $0.description < $1.description }.map {
        [text($0.schema), .text($0.name)]
      }
    },
  ]

  private static func kind(_ table: Table) -> String {
    switch table.kind {
    case .table: "r"
    case .view: "v"
    case .materializedView: "m"
    }
  }

  private static func constraints(_ table: Table) -> [(name: String, kind: String)] {
    table.keys.filter { !$0.isIndex }.map { ($0.name, $0.isPrimary ? "p" : "u") }
      + table.foreignKeys.map { ($0.name, "f") } + table.checks.map { ($0.name, "c") }
  }
}

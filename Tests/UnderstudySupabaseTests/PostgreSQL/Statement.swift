#if os(macOS) || os(Linux)
  import Foundation

  @testable import UnderstudySupabase

  /// A statement that can run in memory and on PostgreSQL.
  struct Statement {
    enum Action {
      case insert(String, [[String: ColumnValue]])
      case upsert(String, [[String: ColumnValue]], onConflict: [String], merges: Bool)
      case select(String, DatabaseFilter, [DatabaseOrdering], limit: Int?, offset: Int)
      case update(String, [String: ColumnValue], DatabaseFilter)
      case delete(String, DatabaseFilter)
    }

    let role: DatabaseRole
    let action: Action

    init(_ role: DatabaseRole, _ action: Action) {
      self.role = role
      self.action = action
    }
  }

  /// The result of a statement: the rows in the form of PostgREST, or the error.
  enum Ending: Equatable, CustomStringConvertible {
    case rows([String])
    case refusal(PostgRESTError)

    var description: String {
      switch self {
      case .rows(let rows): rows.isEmpty ? "no rows" : rows.joined(separator: "\n           ")
      case .refusal(let error):
        [error.code, error.message, error.details, error.hint].compactMap { $0 }.joined(separator: " | ")
      }
    }
  }

  // MARK: In memory

  extension Statement {
    func run(in database: InMemoryDatabase) -> Ending {
      do throws(PostgRESTError) {
        let rows: [DatabaseRow]
        switch action {
        case .insert(let table, let new): rows = try database.insert(new, into: table, as: role)
        case .upsert(let table, let new, let columns, let merges):
          rows = try database.upsert(new, into: table, onConflict: columns, merges: merges, as: role)
        case .select(let table, let filter, let orderings, let limit, let offset):
          rows = try database.select(
            from: table, where: filter, orderedBy: orderings, limit: limit, offset: offset, as: role)
        case .update(let table, let values, let filter):
          rows = try database.update(table, set: values, where: filter, as: role)
        case .delete(let table, let filter): rows = try database.delete(from: table, where: filter, as: role)
        }
        let texts = rows.map { row -> String in
          guard let writer = try? RowWriter(nil, for: row.layout) else { return "" }
          return String(decoding: writer.object(row), as: UTF8.self)
        }
        return .rows(isOrdered ? texts : texts.sorted())
      } catch {
        return .refusal(error)
      }
    }

    /// Whether SQL defines the order of the rows.
    var isOrdered: Bool {
      if case .select(_, _, let orderings, _, _) = action { !orderings.isEmpty } else { false }
    }
  }

  // MARK: On PostgreSQL

  extension Statement {
    /// A call that runs the statement, and prints its result.
    ///
    /// - Parameter tables: The tables, whose columns are listed in the same order as in memory.
    func call(_ tables: [DatabaseTable]) -> String {
      let claims =
        switch role {
        case .service: #"{"role": "service_role"}"#
        case .anonymous: #"{"role": "anon"}"#
        case .user(let id): #"{"role": "authenticated", "sub": "\#(id.uuidString.lowercased())"}"#
        }
      let arguments = [role.name, claims, sql(tables)].map(PostgreSQLServer.quoted)
      return "SELECT public.understudy(\(arguments.joined(separator: ", ")));"
    }

    func sql(_ tables: [DatabaseTable]) -> String {
      let statement: String
      func ordered(_ names: some Sequence<String>, _ table: String) -> [String] {
        let order = (tables.first { $0.name == table }?.columns ?? []).map(\.name)
        return Set(names).sorted { one, other in
          let places = (order.firstIndex(of: one) ?? order.count, order.firstIndex(of: other) ?? order.count)
          return places.0 == places.1 ? one < other : places.0 < places.1
        }
      }
      switch action {
      case .select(let table, let filter, let orderings, let limit, let offset):
        var text = "SELECT * FROM \(Self.table(table))" + Self.clause(filter, table)
        if !orderings.isEmpty {
          text += " ORDER BY " + orderings.map { Self.ordering($0, table) }.joined(separator: ", ")
        }
        if let limit { text += " LIMIT \(limit)" }
        if offset > 0 { text += " OFFSET \(offset)" }
        return "SELECT coalesce(json_agg(r), '[]')::text FROM (\(text)) r"
      case .insert(let table, let rows):
        statement = Self.insert(rows, ordered(rows.flatMap(\.keys), table), into: table)
      case .upsert(let table, let rows, let columns, let merges):
        let named = ordered(rows.flatMap(\.keys), table)
        let action =
          merges
          ? "UPDATE SET "
            + named.map { "\(PostgreSQLServer.name($0)) = EXCLUDED.\(PostgreSQLServer.name($0))" }
            .joined(separator: ", ") : "NOTHING"
        statement =
          Self.insert(rows, named, into: table)
          + " ON CONFLICT (\(columns.map(PostgreSQLServer.name).joined(separator: ", "))) DO \(action)"
      case .update(let table, let values, let filter):
        let set = ordered(values.keys, table)
          .map { "\(PostgreSQLServer.name($0)) = \(Self.literal(values[$0] ?? .null))" }.joined(
            separator: ", ")
        statement = "UPDATE \(Self.table(table)) SET \(set)" + Self.clause(filter, table)
      case .delete(let table, let filter):
        statement = "DELETE FROM \(Self.table(table))" + Self.clause(filter, table)
      }
      return "WITH r AS (\(statement) RETURNING *) SELECT coalesce(json_agg(r), '[]')::text FROM r"
    }

    private static func insert(
      _ rows: [[String: ColumnValue]], _ named: [String], into table: String
    ) -> String {
      let values = rows.map { row in
        "(" + named.map { row[$0].map(literal) ?? "DEFAULT" }.joined(separator: ", ") + ")"
      }
      return "INSERT INTO \(Self.table(table)) (\(named.map(PostgreSQLServer.name).joined(separator: ", ")))"
        + " VALUES \(values.joined(separator: ", "))"
    }

    private static func table(_ name: String) -> String {
      name.split(separator: ".").map { PostgreSQLServer.name(String($0)) }.joined(separator: ".")
    }

    private static func column(_ name: String, _ table: String) -> String {
      Self.table(table) + "." + PostgreSQLServer.name(name)
    }

    static func literal(_ value: ColumnValue) -> String {
      switch value {
      case .null: "NULL"
      case .integer(let number): String(number)
      case .double(let number): "'\(number)'::float8"
      case .boolean(let value): value ? "TRUE" : "FALSE"
      case .textArray(let elements):
        elements.isEmpty
          ? "'{}'::text[]"
          : "ARRAY["
            + elements.map { $0.map(PostgreSQLServer.quoted) ?? "NULL" }.joined(separator: ", ") + "]::text[]"
      default: PostgreSQLServer.quoted(value.text)
      }
    }

    private static func ordering(_ ordering: DatabaseOrdering, _ table: String) -> String {
      column(ordering.column, table) + (ordering.isAscending ? " ASC" : " DESC")
        + (ordering.placesNullsFirst ? " NULLS FIRST" : " NULLS LAST")
    }

    private static func clause(_ filter: DatabaseFilter, _ table: String) -> String {
      if case .all = filter { "" } else { " WHERE " + condition(filter, table) }
    }

    private static func condition(_ filter: DatabaseFilter, _ table: String) -> String {
      switch filter {
      case .all: return "TRUE"
      case .comparison(let name, let comparison, let value):
        let symbols: [DatabaseFilter.Comparison: String] = [
          .equal: "=", .notEqual: "<>", .less: "<", .lessOrEqual: "<=", .greater: ">", .greaterOrEqual: ">=",
          .distinct: "IS DISTINCT FROM",
        ]
        return "\(column(name, table)) \(symbols[comparison] ?? "=") \(literal(value))"
      case .like(let name, let pattern, let ignoresCase):
        return "\(column(name, table)) \(ignoresCase ? "ILIKE" : "LIKE") \(PostgreSQLServer.quoted(pattern))"
      case .state(let name, let state):
        return "\(column(name, table)) IS "
          + (state == .notNull ? "NOT NULL" : state.rawValue.uppercased())
      case .among(let name, let values):
        return "\(column(name, table)) = ANY ("
          + PostgreSQLServer.quoted(ArrayLiteral.text(of: values.map(\.textValue))) + ")"
      case .containment(let name, let containment, let value):
        let symbol = containment == .contains ? "@>" : containment == .containedBy ? "<@" : "&&"
        return "\(column(name, table)) \(symbol) \(literal(value))"
      case .not(let filter): return "NOT (\(condition(filter, table)))"
      case .and(let filters):
        return filters.isEmpty
          ? "TRUE" : filters.map { "(\(condition($0, table)))" }.joined(separator: " AND ")
      case .or(let filters):
        return filters.isEmpty
          ? "FALSE" : filters.map { "(\(condition($0, table)))" }.joined(separator: " OR ")
      }
    }
  }
#endif

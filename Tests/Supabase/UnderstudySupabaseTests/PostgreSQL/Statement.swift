#if os(macOS) || os(Linux)
  import TestSupport
  import Foundation
  import UnderstudyPostgreSQL

  @testable import UnderstudySupabase

  /// A statement that can run in memory and on PostgreSQL.
  struct Statement: Sendable {
    enum Action: Sendable {
      case insert(String, [[String: ColumnValue]])
      case upsert(String, [[String: ColumnValue]], onConflict: [String], merges: Bool)
      case select(String, Filter, [Ordering], limit: Int?, offset: Int)
      case update(String, [String: ColumnValue], Filter)
      case delete(String, Filter)
    }

    /// A condition of `WHERE`.
    indirect enum Filter: Sendable {
      enum Comparison: String, Sendable {
        case equal = "="
        case notEqual = "<>"
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case distinct = "IS DISTINCT FROM"
      }

      enum Containment: String, Sendable {
        case contains = "@>"
        case containedBy = "<@"
        case overlaps = "&&"
      }

      case all
      case comparison(column: String, Comparison, ColumnValue)
      case like(column: String, pattern: String, ignoresCase: Bool)
      /// `IS NULL` and similar tests.
      case state(column: String, String)
      case among(column: String, [ColumnValue])
      case containment(column: String, Containment, ColumnValue)
      case not(Filter)
      case and([Filter])
      case or([Filter])

      static func equals(_ column: String, _ value: ColumnValue) -> Self {
        .comparison(column: column, .equal, value)
      }
    }

    struct Ordering: Sendable {
      var column: String
      var isAscending = true
      var placesNullsFirst = false

      init(_ column: String, isAscending: Bool = true, placesNullsFirst: Bool = false) {
        (self.column, self.isAscending, self.placesNullsFirst) = (column, isAscending, placesNullsFirst)
      }
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
        let text = try database.transaction(as: role, .write) { (session) throws(PostgRESTError) -> String in
          do throws(PostgreSQLError) {
            guard case .data(let data)? = try Script.parse(sql).first?.statement,
              case .text(let text)? = try session.run(.data(data)).rows.first?.first
            else { return "" }
            return text
          } catch {
            throw PostgRESTError(error)
          }
        }
        return .rows(rows(of: text))
      } catch {
        return .refusal(error)
      }
    }

    /// The rows of an array of JSON, sorted if SQL does not define their order.
    func rows(of text: String) -> [String] {
      let rows = text.dropFirst().dropLast().split(separator: ", \n ").map(String.init)
      return isOrdered ? rows : rows.sorted()
    }

    /// Whether SQL defines the order of the rows.
    var isOrdered: Bool {
      if case .select(_, _, let orderings, _, _) = action { !orderings.isEmpty } else { false }
    }
  }

  // MARK: On PostgreSQL

  extension Statement {
    /// A call that runs the statement, and prints its result.
    var call: String {
      let arguments = [role.name, role.claims, sql].map(PostgreSQLServer.quoted)
      return "SELECT public.understudy(\(arguments.joined(separator: ", ")));"
    }

    var sql: String {
      let statement: String
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
        statement = Self.insert(rows, Set(rows.flatMap(\.keys)).sorted(), into: table)
      case .upsert(let table, let rows, let columns, let merges):
        let named = Set(rows.flatMap(\.keys)).sorted()
        let action =
          merges
          ? "UPDATE SET "
            + named.map { "\(PostgreSQLServer.name($0)) = EXCLUDED.\(PostgreSQLServer.name($0))" }
            .joined(separator: ", ") : "NOTHING"
        statement =
          Self.insert(rows, named, into: table)
          + " ON CONFLICT (\(columns.map(PostgreSQLServer.name).joined(separator: ", "))) DO \(action)"
      case .update(let table, let values, let filter):
        let set = values.keys.sorted()
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

    private static func ordering(_ ordering: Ordering, _ table: String) -> String {
      column(ordering.column, table) + (ordering.isAscending ? " ASC" : " DESC")
        + (ordering.placesNullsFirst ? " NULLS FIRST" : " NULLS LAST")
    }

    private static func clause(_ filter: Filter, _ table: String) -> String {
      if case .all = filter { "" } else { " WHERE " + condition(filter, table) }
    }

    private static func condition(_ filter: Filter, _ table: String) -> String {
      switch filter {
      case .all: return "TRUE"
      case .comparison(let name, let comparison, let value):
        return "\(column(name, table)) \(comparison.rawValue) \(literal(value))"
      case .like(let name, let pattern, let ignoresCase):
        return "\(column(name, table)) \(ignoresCase ? "ILIKE" : "LIKE") \(PostgreSQLServer.quoted(pattern))"
      case .state(let name, let state):
        return "\(column(name, table)) IS \(state)"
      case .among(let name, let values):
        return "\(column(name, table)) = ANY ("
          + PostgreSQLServer.quoted(ArrayText.literal(values.map(\.textValue))) + ")"
      case .containment(let name, let containment, let value):
        return "\(column(name, table)) \(containment.rawValue) \(literal(value))"
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

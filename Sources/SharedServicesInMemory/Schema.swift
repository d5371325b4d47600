import Foundation
public import UnderstudyBackend

extension [Table] {
  /// The tables of the shared services: children, conversations, messages and child memory.
  ///
  /// Read from `schema.sql`, the constraints under the names that PostgreSQL gives them. A user sees and writes only
  /// what is their own.
  public static let sharedServices: [Table] = tables(sharedServicesSQL)

  /// The SQL of the tables, as PostgreSQL takes it.
  package static var sharedServicesSQL: String {
    String(decoding: PackageResources.schema_sql, as: UTF8.self)
  }

  /// The tables of the SQL with a part replaced, for a backend that lacks a constraint or a policy.
  package static func sharedServices(replacing sql: String, with other: String) -> [Table] {
    precondition(sharedServicesSQL.contains(sql), "schema.sql does not contain the part to replace: \(sql)")
    return tables(sharedServicesSQL.replacingOccurrences(of: sql, with: other))
  }

  private static func tables(_ sql: String) -> [Table] {
    do {
      return try DatabaseSchema(sql: sql).tables
    } catch {
      preconditionFailure(
        "schema.sql:\(error.line):\(error.column): \(error.statement): \(error.problem) \(error.advice)")
    }
  }
}

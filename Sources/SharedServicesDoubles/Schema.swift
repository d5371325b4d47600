import Foundation
import SharedServicesExchanges
public import UnderstudySupabase

extension [Table] {
  /// The tables of the shared services: children, conversations, messages and child memory.
  ///
  /// Read from `Contracts/schema.sql`, the constraints under the names that PostgreSQL gives them. A user sees and
  /// writes only what is their own.
  public static let sharedServices: [Table] = {
    // The file is part of this package, and a test reads it: there is nobody here to tell of a mistake in it.
    tables(String(decoding: ExchangeDocuments.tables, as: UTF8.self))
  }()

  /// The same after a change of their SQL, for a backend that lacks a constraint or a policy.
  ///
  /// - Returns: No tables if the changed SQL is not understood.
  package static func sharedServices(replacing sql: String, with other: String) -> [Table] {
    tables(
      String(decoding: ExchangeDocuments.tables, as: UTF8.self).replacingOccurrences(of: sql, with: other))
  }

  private static func tables(_ sql: String) -> [Table] {
    (try? DatabaseSchema(sql: sql))?.tables ?? []
  }
}

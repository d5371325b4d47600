import SharedServicesExchanges
public import UnderstudyBackend

extension [Table] {
  /// The tables of the shared services: children, conversations, messages and child memory.
  ///
  /// Read from `Contracts/schema.sql`, the constraints under the names that PostgreSQL gives them. A user sees and
  /// writes only what is their own.
  public static let sharedServices: [Table] = {
    // The file is part of this package, and a test reads it: there is nobody here to tell of a mistake in it.
    let schema = try? DatabaseSchema(sql: String(decoding: ExchangeDocuments.tables, as: UTF8.self))
    return schema?.tables ?? []
  }()
}

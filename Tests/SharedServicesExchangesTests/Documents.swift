import Foundation
import SharedServicesExchanges
import SharedServicesDoubles
import UnderstudySupabase
import Testing
import UnderstudyRecording

/// The exchanges of every document, as the arguments of tests.
enum Documents {
  static var exchanges: [Exchange] {
    get throws {
      try ExchangeDocuments.all.flatMap { try ExchangeDocument(json: $0.document).exchanges }
    }
  }
}

struct DocumentTests {
  @Test func everyDocumentCanBeRead() throws {
    #expect(try Documents.exchanges.count >= 36)
    #expect(try Set(Documents.exchanges.map(\.id)).count == Documents.exchanges.count)
  }

  /// Nothing else would say where a mistake in the schema is.
  @Test func theSchemaCanBeRead() throws {
    let schema = try DatabaseSchema(sql: String(decoding: ExchangeDocuments.tables, as: UTF8.self))
    #expect(schema.tables.map(\.name) == ["children", "conversations", "messages", "child_memory"])
    #expect([DatabaseTable].sharedServices.map(\.name) == schema.tables.map(\.name))
  }
}

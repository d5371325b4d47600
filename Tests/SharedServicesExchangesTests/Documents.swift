import Foundation
import SharedServicesExchanges
import SharedServicesInMemory
import Testing
import UnderstudyBackend
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

  @Test func theSchemaNamesEveryColumnOfTheTables() throws {
    let sql = String(decoding: ExchangeDocuments.tables, as: UTF8.self)
    for table in [Table].sharedServices {
      let declaration = try #require(
        sql.components(separatedBy: "CREATE TABLE public.").first { $0.hasPrefix(table.name + " (") })
      for column in table.columns {
        #expect(
          declaration.contains("\n  \(column.name) "), "\(table.name).\(column.name) is not in schema.sql.")
      }
    }
  }
}

import Foundation
import SharedServices
import SharedServicesLive
import TestSupport
import Testing
import UnderstudyHTTP
import UnderstudyTesting

/// The URLs that the live history requests.
@Suite(.stallLimit()) struct HTTPMessageHistoryServiceTests {
  private static let page = #"{"messages":[],"pagination":{"total":0,"limit":5,"offset":0,"hasMore":false}}"#

  /// A server that reads a plus as a space would look for another cursor.
  @Test(arguments: [
    ("a+b", "a%2Bb"), ("a b&c=d", "a%20b%26c%3Dd"), ("a%2Bb", "a%252Bb"), ("é#", "%C3%A9%23"),
  ]) func aCursorIsOneValueOfTheQuery(_ cursor: String, _ encoded: String) async throws {
    let transport = ScriptedTransport { _ in
      HTTP.Response(status: 200, body: Data(Self.page.utf8), contentType: "application/json")
    }
    let url = try #require(URL(string: "http://feed.invalid"))
    _ = try await HTTPMessageHistoryService(MessageFeedConfiguration(serverURL: url), over: transport)
      .page(of: "s", after: cursor, limit: 5)
    #expect(
      transport.requests.map { $0.url.query(percentEncoded: true) } == ["limit=5&cursor=\(encoded)"])
  }
}

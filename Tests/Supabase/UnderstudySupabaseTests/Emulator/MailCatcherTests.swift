import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct MailCatcherTests {
  @Test func mailsAreReadOverHTTPWithoutAKey() async throws {
    let client = try AuthClient { $0.allowsPhones = true }
    for address in ["pat@example.com", "kim@example.com"] {
      _ = try await client.post("otp", #"{"email":"\#(address)"}"#)
    }
    _ = try await client.post("otp", #"{"phone":"41795550102"}"#)
    func get(_ path: String) async throws -> (Int, JSONValue?) {
      let response = try await client.project.emulator.respond(
        to: HTTP.Request(.get, try #require(URL(string: "http://localhost/api/v1/\(path)"))))
      return (response.status, try? JSONValue(parsing: try await response.body.collect()))
    }
    let list = try await get("messages").1
    #expect(list?["total"] == .number("2"))
    let found = try await get("search?query=to:pat@example.com").1
    guard case .array(let messages)? = found?["messages"] else { throw NotRefused() }
    #expect(messages.count == 1)
    let id = try #require(messages.first?["ID"]?.stringValue)
    let mail = try client.message(to: "pat@example.com")
    let message = try await get("message/\(id)").1
    #expect(message?["Text"]?.stringValue?.contains(mail.code) == true)
    #expect(message?["Text"]?.stringValue?.contains(mail.link?.absoluteString ?? "-") == true)
    #expect(message?["HTML"]?.stringValue?.contains("&amp;type=magiclink") == true)
    guard case .array(let latest)? = try await get("message/latest").1?["To"] else { throw NotRefused() }
    #expect(latest.first?["Address"]?.stringValue == "kim@example.com")
    #expect(try await get("message/nothing").0 == 404)
    #expect(try await get("messages?limit=-1&start=99999999999999999999").0 == 200)
  }
}

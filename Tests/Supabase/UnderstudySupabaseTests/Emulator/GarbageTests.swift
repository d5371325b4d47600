import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Invalid requests receive a response with a status, and the constraints of the database still hold.
@Suite(.stallLimit()) struct GarbageTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func everyRequestHasAResponse(seed: UInt64) async throws {
    let project = try TodoProject(seed: seed)
    var garbage = Garbage(seed: seed)
    let token = try project.auth.signIn(email: "pat@example.com", password: "secret1").accessToken
    for round in 0..<Effort.times(40) {
      let request = garbage.request(token: token, owner: project.pat)
      let response = try await project.emulator.respond(to: request)
      let text = String(decoding: try await response.body.collect(), as: UTF8.self)
      let told = "seed \(seed), round \(round): \(request.method) \(request.url) → \(response.status) \(text)"
      #expect((200..<600).contains(response.status), "\(told)")
      // No error is a server error, except for a repeated key (21000) and for what is not supported.
      let isNotSupported = response.status == 501 && text.contains(#""code":"UNDERSTUDY""#)
      #expect(response.status < 500 || isNotSupported || text.contains("21000"), "\(told)")
      if response.fields["Content-Type"]?.contains("json") == true, request.method != .head {
        #expect(throws: Never.self, "\(told)") { try JSONValue(parsing: Data(text.utf8)) }
      }
    }
    let ranks = try project.database.select(from: "items").compactMap { $0["rank"].integerValue }
    #expect(ranks.allSatisfy { (0...100).contains($0) })
    let titles = try project.database.select(from: "lists").map { $0["title"].textValue ?? "" }
    #expect(Set(titles).count == titles.count)
  }

  /// Bodies of random parts of JSON, and of random bytes.
  @Test(arguments: [5, 6] as [UInt64])
  func anyBytesAreReadOrRefused(seed: UInt64) {
    var garbage = Garbage(seed: seed)
    for _ in 0..<4000 {
      let bytes = garbage.body()
      // Rows are equal after writing and parsing them.
      if let value = try? JSONValue(parsing: bytes) {
        #expect((try? JSONValue(parsing: value.data)) == value, "seed \(seed): \(Array(bytes))")
      }
    }
  }

  @Test func deepDocumentsAreRefused() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONValue.ParsingError.self) { try JSONValue(parsing: Data(deep.utf8)) }
  }
}

/// Requests of random parts of valid ones.
private struct Garbage {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  private mutating func pick<Element>(_ elements: [Element], else other: Element) -> Element {
    elements.randomElement(using: &generator) ?? other
  }

  private mutating func text(_ pieces: [String], upTo count: Int) -> String {
    (0..<Int.random(in: 0...count, using: &generator)).map { _ in pick(pieces, else: "") }.joined()
  }

  private static let names = [
    "id", "name", "rank", "title", "owner", "tags", "due", "extra", "created_at", "select", "order", "limit",
    "offset", "or", "and", "not.or", "columns", "on_conflict", "grant_type", "", "lists.id", "%00", "%FF",
    "é",
  ]
  private static let pieces = [
    "eq.", "not.", "in.", "is.", "like.", "cs.", "eq(any).", "(", ")", "{", "}", ",", "\"", "\\", ".", "*",
    "%",
    "1", "99999999999999999999", "-1", "null", "true", "id", "rank", "asc", "nullsfirst", "and", "or", ":",
    "::",
    "2026-01-03", "T25:00", "+99:99", "é", "\u{0}", " ", "-", "e9", "\u{1F600}", "or(", "id.eq.1",
    "name.like.",
  ]
  private static let json = [
    "{", "}", "[", "]", ",", ":", "\"id\"", "\"rank\"", "\"name\"", "\"title\"", "\"owner\"", "\"\\u0000\"",
    "\"\\ud800\"", "1", "-", "0.5", "1e999", "null", "true", "\"x\"", "\"\\", "[]", "{}", "\u{1}",
    "\"refresh_token\"", "\"email\"",
  ]

  mutating func body() -> Data {
    if Int.random(in: 0..<10, using: &generator) == 0 {
      return Data(
        (0..<Int.random(in: 0...20, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        })
    }
    return Data(text(Self.json, upTo: 12).utf8)
  }

  /// A valid body.
  private mutating func row(_ owner: UUID) -> Data {
    let id = Int.random(in: 0...30, using: &generator)
    let rank = Int.random(in: -10...110, using: &generator)
    return Data(
      pick(
        [
          #"{"id":\#(id),"rank":\#(rank),"name":"n\#(rank)"}"#, #"[{"id":\#(id)},{"id":\#(rank)}]"#,
          #"{"owner":"\#(owner)","title":"t\#(id)","size":\#(rank)}"#, #"{"rank":\#(rank)}"#,
        ], else: "{}"
      ).utf8)
  }

  /// Requests that may be valid, so that not all of them are refused by the parser.
  private static let good = [
    "id=eq.3", "id=gt.5", "rank=lt.50", "rank=is.null", "name=like.n*", "or=(id.eq.1,rank.gt.90)",
    "order=rank.desc",
    "limit=2", "offset=1", "select=id", "select=*", "on_conflict=id", "on_conflict=name", "columns=id,rank",
    "title=neq.t1", "tags=ov.{}", "due=is.null", "size=in.(1,2,3)", "grant_type=password",
  ]

  private mutating func query() -> String {
    var allowed = CharacterSet.urlQueryAllowed
    allowed.remove(charactersIn: "&=+")
    return (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      if Bool.random(using: &generator) {
        return pick(Self.good, else: "").addingPercentEncoding(withAllowedCharacters: allowed.union(["="]))
          ?? ""
      }
      let value = text(Self.pieces, upTo: 6)
      let name = pick(Self.names, else: "").replacing("é", with: "%C3%A9")
      return name + "=" + (value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
    }.joined(separator: "&")
  }

  private mutating func path() -> String {
    if Int.random(in: 0..<5, using: &generator) > 0 {
      return pick(["/rest/v1/items", "/rest/v1/lists"], else: "/")
    }
    return pick(
      [
        "/auth/v1/token", "/auth/v1/user", "/rest/v1//", "/rest/v1/%2F", "/auth/v1/logout", "/functions/v1/x",
        "/rest", "//", "/rest/v1/items/%00", "/rest/v1/%FF",
      ], else: "/")
  }

  /// A part that is usually empty.
  private mutating func seldom(_ values: [String]) -> String? {
    Int.random(in: 0..<6, using: &generator) == 0 ? pick(values, else: "") : nil
  }

  mutating func request(token: String, owner: UUID) -> HTTP.Request {
    let url = URL(string: "http://localhost\(path())?\(query())") ?? URL(fileURLWithPath: "/")
    var fields: HTTP.Fields = ["apikey": "anon-key"]
    fields["Authorization"] = pick(["Bearer \(token)", "Bearer service-key"], else: "")
    if let other = seldom(["Bearer", "Basic x", "Bearer a.b.c", "Bearer \(token)x"]) {
      fields["Authorization"] = other
    }
    fields["Prefer"] = pick(
      [
        nil, "count=exact", "return=representation", "resolution=merge-duplicates,return=representation",
        "resolution=ignore-duplicates", "return=headers-only", "=,=;", "missing=default,count=planned",
      ], else: nil)
    fields["Accept"] = seldom(["application/vnd.pgrst.object+json", "text/csv", ",;", ""])
    fields["Range"] = seldom(["0-1", "5-", "-", "9-1", "x", "1-99999999999999999999"])
    var method: HTTP.Method = pick([.get, .post, .post, .patch, .delete], else: .get)
    if let other = seldom(["HEAD", "PUT", "OPTIONS", "BREW"]) { method = HTTP.Method(rawValue: other) }
    return HTTP.Request(
      method, url, fields: fields, body: pick([row(owner), row(owner), row(owner), body(), nil], else: nil))
  }
}

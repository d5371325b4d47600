import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase

/// A project of two tables, with two users, that the tests share; each test makes its own.
struct TodoProject {
  static let lists = Table(
    "lists",
    columns: [
      Column("id", .uuid, default: .generatedUUID),
      Column("owner", .uuid),
      Column("title", .text),
      Column("size", .integer, default: .value(3)),
      Column("weight", .double, isNullable: true),
      Column("done", .boolean, default: .value(false)),
      Column("due", .date, isNullable: true),
      Column("tags", .textArray, default: .value(.textArray([]))),
      Column("extra", .json, isNullable: true),
      Column("created_at", .timestamp, default: .now),
      Column("updated_at", .timestamp, default: .now, isSetOnUpdate: true),
    ],
    unique: [["owner", "title"]],
    checks: [.range("size", 1...9), .notBlank("title"), .notAfterToday("due")],
    foreignKeys: [ForeignKey("owner", to: "auth.users", onDelete: .cascade)],
    policies: [.owned(by: "owner")])

  /// Without row-level security.
  static let items = Table(
    "items",
    columns: [
      Column("id", .integer), Column("list_id", .uuid, isNullable: true),
      Column("kept_in", .uuid, isNullable: true), Column("name", .text, isNullable: true),
      Column("rank", .integer, isNullable: true),
    ],
    unique: [["name"]],
    checks: [.range("rank", 0...100)],
    foreignKeys: [
      ForeignKey("list_id", to: "lists", onDelete: .setNull), ForeignKey("kept_in", to: "lists"),
    ])

  let clock = HandDrivenTime()
  let database: InMemoryDatabase
  let auth: AuthServer
  var emulator: SupabaseEmulator
  let pat: UUID
  let kim: UUID

  /// - Parameter time: Another than ``clock``'s.
  init(seed: UInt64 = 1, time: Time? = nil, tokenLifetime: Duration = .seconds(3600)) throws {
    let time = time ?? clock.time
    database = InMemoryDatabase([Self.lists, Self.items], seed: seed, time: time)
    auth = AuthServer(database: database, seed: seed, time: time, tokenLifetime: tokenLifetime)
    emulator = SupabaseEmulator(database: database, auth: auth)
    pat = try auth.addUser(email: "pat@example.com", password: "secret1")
    kim = try auth.addUser(email: "kim@example.com", password: "secret2")
  }

  /// Sends a request with the project's key, and with a bearer token if there is one.
  func send(
    _ method: HTTPMethod, _ path: String, token: String? = nil, fields: HTTPFields = [:], json: String? = nil
  ) async throws -> Answer {
    let url = try #require(URL(string: "http://localhost" + path), "\(path) is no URL")
    var request = HTTPRequest(method, url, fields: fields, body: json.map { Data($0.utf8) })
    if request.fields["apikey"] == nil { request.fields["apikey"] = emulator.apiKey }
    if let token { request.fields["Authorization"] = "Bearer " + token }
    if json != nil, request.fields["Content-Type"] == nil {
      request.fields["Content-Type"] = "application/json"
    }
    let response = try await emulator.respond(to: request)
    return Answer(
      status: response.status, fields: response.fields,
      text: String(decoding: try await response.body.collect(), as: UTF8.self))
  }

  /// As the service role, which no policy binds.
  func serve(
    _ method: HTTPMethod, _ path: String, fields: HTTPFields = [:], json: String? = nil
  ) async throws -> Answer {
    try await send(method, path, token: emulator.serviceKey, fields: fields, json: json)
  }
}

struct Answer {
  let status: Int
  let fields: HTTPFields
  let text: String

  var json: JSONValue? { try? JSONValue(parsing: Data(text.utf8)) }
  var code: String? { json?["code"]?.stringValue }
  var message: String? { json?["message"]?.stringValue }
  var details: String? { json?["details"]?.stringValue }
}

/// The error that a statement is refused with.
func refusal(_ statement: () throws(PostgRESTError) -> some Any) throws -> PostgRESTError {
  do {
    _ = try statement()
  } catch {
    return error
  }
  throw NotRefused()
}

struct NotRefused: Error {}

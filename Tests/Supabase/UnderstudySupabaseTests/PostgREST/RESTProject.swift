import Foundation
import Testing
import UnderstudyHTTP

@testable import UnderstudySupabase

/// A database behind the endpoint of PostgREST, without a gateway.
struct RESTProject {
  let database: InMemoryDatabase
  var endpoint: PostgRESTEndpoint

  init(_ sql: String, maximumRows: Int? = nil) throws {
    database = InMemoryDatabase(try .running(sql))
    endpoint = PostgRESTEndpoint(database: database, settings: RESTSettings(maximumRows: maximumRows))
  }

  struct Answer {
    let status: Int
    let fields: HTTP.Fields
    let text: String

    var json: JSONValue? { try? JSONValue(parsing: Data(text.utf8)) }
    var code: String? { json?["code"]?.stringValue }
    var message: String? { json?["message"]?.stringValue }
    var details: String? { json?["details"]?.stringValue }
    var hint: String? { json?["hint"]?.stringValue }
  }

  /// Sends a request.
  ///
  /// The path may contain spaces and quotes.
  func send(
    _ method: HTTP.Method, _ path: String, as role: DatabaseRole = .service, fields: HTTP.Fields = [:],
    _ body: String? = nil
  ) async throws -> Answer {
    var allowed = CharacterSet.urlQueryAllowed
    allowed.insert("%")
    let encoded = try #require(path.addingPercentEncoding(withAllowedCharacters: allowed))
    let url = try #require(URL(string: "http://localhost/rest/v1" + encoded), "\(path) is not a valid URL")
    let request = HTTP.Request(method, url, fields: fields, body: body.map { Data($0.utf8) })
    let target = RequestTarget(url)
    let response = endpoint.respond(
      to: request, target, path: Array(target.path.dropFirst(2)), caller: .success(role))
    return Answer(
      status: response.status, fields: response.fields,
      text: String(decoding: try await response.body.collect(), as: UTF8.self))
  }

  /// The body of a successful GET.
  func get(_ path: String, fields: HTTP.Fields = [:]) async throws -> String {
    let answer = try await send(.get, path, fields: fields)
    #expect((200..<300).contains(answer.status), "\(path): \(answer.text)")
    return answer.text.replacing(", \n ", with: ",")
  }
}

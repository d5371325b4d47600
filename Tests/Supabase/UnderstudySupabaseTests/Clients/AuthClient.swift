import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase

/// A client of the auth server of a project, which asks for the newer form of errors.
struct AuthClient {
  let project: TodoProject

  var auth: AuthServer { project.auth }

  init(_ change: (inout AuthSettings) -> Void = { _ in }) throws {
    project = try TodoProject(settings: .with(change))
  }

  func post(_ path: String, _ json: String, token: String? = nil) async throws -> Answer {
    try await send(.post, path, json, token: token)
  }

  func send(
    _ method: HTTP.Method, _ path: String, _ json: String? = nil, token: String? = nil
  ) async throws -> Answer {
    try await project.send(
      method, "/auth/v1/\(path)", token: token, fields: ["X-Supabase-Api-Version": "2024-01-01"], json: json)
  }

  func administer(_ method: HTTP.Method, _ path: String, _ json: String? = nil) async throws -> Answer {
    try await send(method, path, json, token: project.emulator.serviceKey)
  }

  /// Returns the last message to a recipient.
  func message(to recipient: String) throws -> AuthMessage {
    try #require(auth.lastMessage(to: recipient), "nothing was sent to \(recipient)")
  }

  /// Signs in and returns the access token.
  func signIn(_ email: String = "pat@example.com", _ password: String = "secret1") throws -> String {
    try auth.signIn(email: email, password: password).accessToken
  }

  /// Follows the link of a message, as a browser does, without a key.
  func follow(_ message: AuthMessage) async throws -> URLComponents {
    let link = try #require(message.link)
    let response = try await project.emulator.respond(to: HTTP.Request(.get, link))
    #expect(response.status == 303)
    return try #require(URLComponents(string: response.fields["Location"] ?? ""))
  }
}

extension URLComponents {
  /// The parameters of the fragment.
  var fragmentItems: [String: String] {
    var components = URLComponents()
    components.percentEncodedQuery = percentEncodedFragment
    return components.parameters
  }

  /// The parameters of the query.
  var parameters: [String: String] {
    var parameters: [String: String] = [:]
    for item in queryItems ?? [] {
      parameters[item.name] = item.value?.replacing("+", with: " ")
    }
    return parameters
  }
}

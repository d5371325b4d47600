public import Foundation
import SharedServicesLive
import UnderstudyHTTP
import SharedServicesContracts

/// A Supabase project on another server, with its keys.
///
/// The service key has unrestricted access: the contracts create accounts of their own with it, and remove them with
/// all their rows.
public struct SupabaseProject: Sendable, Hashable {
  /// The root URL, such as `http://127.0.0.1:54321`.
  public var url: URL
  /// The key that every client sends.
  public var apiKey: String
  /// The key that creates and removes accounts.
  public var serviceKey: String

  /// Creates a project (default: the emulator's keys).
  public init(url: URL, apiKey: String = "anon-key", serviceKey: String = "service-key") {
    self.url = url
    self.apiKey = apiKey
    self.serviceKey = serviceKey
  }

  var configuration: SupabaseConfiguration { SupabaseConfiguration(projectURL: url, apiKey: apiKey) }

  // MARK: - Accounts

  /// Creates an account with a unique address.
  func makeAccount(_ name: String) async throws -> Account {
    let email = "\(name)-\(UUID().uuidString.lowercased())@example.com"
    let body = JSONValue.object([
      .init("email", .string(email)), .init("password", .string("correct horse")),
      .init("email_confirm", .boolean(true)),
    ])
    let user = try await administer(.post, "users", body)
    guard let id = user["id"]?.stringValue.flatMap(UUID.init(uuidString:)) else {
      throw TransportError(.unreadableResponse, "\(url) made an account without an id: \(user.compactText)")
    }
    return Account(email: email, password: "correct horse", userID: id)
  }

  /// Bans an account.
  func ban(_ account: Account) async throws {
    _ = try await administer(
      .put, "users/\(account.userID.uuidString.lowercased())",
      .object([.init("ban_duration", .string("24h"))]))
  }

  /// Removes an account and its data.
  func remove(_ account: Account) async throws {
    _ = try await administer(.delete, "users/\(account.userID.uuidString.lowercased())", nil)
  }

  private func administer(_ method: HTTP.Method, _ path: String, _ body: JSONValue?) async throws -> JSONValue
  {
    let request = HTTP.Request(
      method, url.appending(path: "auth/v1/admin/\(path)"),
      fields: [
        "apikey": serviceKey, "Authorization": "Bearer \(serviceKey)", "Content-Type": "application/json",
      ], body: body.map { Data($0.compactText.utf8) }, timeout: .seconds(30))
    let (data, response) = try await URLSessionTransport().data(for: request)
    guard response.isSuccess else {
      throw TransportError(
        .unknown,
        """
        \(method) \(request.url) answered \(response.status): \(String(decoding: data.prefix(200), as: UTF8.self)). \
        The service key must be that of the project.
        """)
    }
    return try JSONValue(parsing: data)
  }
}

import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// A third party that signs its users in with the project's accounts (`models.OAuthServerClient`).
struct OAuthClient {
  /// What a registration or an update sets; `nil` leaves it out (`OAuthServerClientRegisterParams`).
  struct Parameters {
    var redirectURLs: [String]?
    var grantTypes: [String]?
    var name: String?
    var address: String?
    var logo: String?
    /// How the client proves who it is (`token_endpoint_auth_method`).
    var authentication: String?
    /// `public` or `confidential`; only a registration sets it.
    var type: String?

    var isEmpty: Bool {
      redirectURLs == nil && grantTypes == nil && name == nil && address == nil && logo == nil
        && authentication == nil
    }

    /// - Throws: `validation_failed` (`validate` in `oauthserver/service.go`).
    func validate() throws(AuthAPIError) {
      if let redirectURLs {
        guard !redirectURLs.isEmpty else { throw .validationFailed("redirect_uris cannot be empty") }
        guard redirectURLs.count <= 10 else {
          throw .validationFailed("redirect_uris cannot exceed 10 items")
        }
        for text in redirectURLs {
          guard let problem = Self.problem(ofRedirectURL: text) else { continue }
          throw .validationFailed("invalid redirect_uri '\(text)': \(problem)")
        }
      }
      if let grantTypes {
        guard !grantTypes.isEmpty else { throw .validationFailed("grant_types cannot be empty") }
        guard grantTypes.allSatisfy(["authorization_code", "refresh_token"].contains) else {
          throw .validationFailed(
            "grant_types must only contain 'authorization_code' and/or 'refresh_token'")
        }
      }
      if let name, name.utf8.count > 1024 {
        throw .validationFailed("client_name cannot exceed 1024 characters")
      }
      for (member, text) in [("client_uri", address ?? ""), ("logo_uri", logo ?? "")] where !text.isEmpty {
        guard text.utf8.count <= 2048 else {
          throw .validationFailed("\(member) cannot exceed 2048 characters")
        }
        guard URL(string: text)?.scheme != nil || text.hasPrefix("/") else {
          throw .validationFailed("\(member) must be a valid URL")
        }
      }
      if let type, !["public", "confidential"].contains(type) {
        throw .validationFailed("client_type must be 'public' or 'confidential'")
      }
      guard let authentication else { return }
      guard ["none", "client_secret_basic", "client_secret_post"].contains(authentication) else {
        throw .validationFailed(
          "token_endpoint_auth_method must be one of: [none client_secret_basic client_secret_post]")
      }
      let expected = authentication == "none" ? "public" : "confidential"
      if let type, type != expected {
        throw .validationFailed(
          "client_type '\(type)' is inconsistent with token_endpoint_auth_method '\(authentication)' "
            + "(expected client_type '\(expected)')")
      }
    }

    /// What is wrong with a redirection (`validateRedirectURI`); `nil` for a valid one.
    private static func problem(ofRedirectURL text: String) -> String? {
      guard !text.isEmpty else { return "redirect URI cannot be empty" }
      guard let url = URL(string: text) else { return "invalid URL format" }
      guard let scheme = url.scheme, let host = url.host(percentEncoded: false), !host.isEmpty else {
        return "must have scheme and host"
      }
      if ["javascript", "data", "file", "vbscript", "about", "blob"].contains(scheme.lowercased()) {
        return "scheme '\(scheme)' is not allowed for security reasons"
      }
      if scheme == "http", !["localhost", "127.0.0.1", "::1"].contains(host) {
        return "HTTP scheme only allowed for localhost"
      }
      return url.fragment() ?? "" == "" ? nil : "fragment not allowed in redirect URI"
    }
  }

  let id: UUID
  /// Whether it was registered by the backend (`manual`) or by itself (`dynamic`).
  let registration: String
  let type: String
  var parameters: Parameters
  let createdAt: Date
  var updatedAt: Date

  /// A member that an empty text leaves out.
  private func member(_ name: String, _ text: String?) -> [JSONValue.Member] {
    text.flatMap { $0.isEmpty ? nil : [.init(name, .string($0))] } ?? []
  }

  /// The client in a response (`OAuthServerClientResponse`).
  ///
  /// - Parameter secret: The secret, which only the response to its creation contains.
  func json(secret: String? = nil) -> [JSONValue.Member] {
    func list(_ texts: [String]?) -> JSONValue { .array((texts ?? []).map { .string($0) }) }
    return [.init("client_id", .string(id.uuidString.lowercased()))] + member("client_secret", secret)
      + [
        .init("client_type", .string(type)), .init("redirect_uris", list(parameters.redirectURLs)),
      ] + member("token_endpoint_auth_method", parameters.authentication) + [
        .init("grant_types", list(parameters.grantTypes)), .init("response_types", list(["code"])),
      ] + member("client_name", parameters.name) + member("client_uri", parameters.address)
      + member("logo_uri", parameters.logo) + [
        .init("registration_type", .string(registration)), .init("created_at", AuthUser.time(createdAt)),
        .init("updated_at", AuthUser.time(updatedAt)),
      ]
  }

  /// The client as the user who is asked sees it (`ClientDetailsResponse`).
  var details: JSONValue {
    .object(
      [.init("id", .string(id.uuidString.lowercased()))] + member("name", parameters.name)
        + member("uri", parameters.address) + member("logo_uri", parameters.logo))
  }
}

extension AuthServer {
  /// Registers a client, and returns it with its secret; a public client has none (`registerOAuthServerClient`).
  func registerClient(
    _ parameters: OAuthClient.Parameters, by registration: String
  ) throws(AuthAPIError) -> (OAuthClient, secret: String?) {
    do throws(AuthAPIError) {
      guard parameters.redirectURLs?.isEmpty == false else {
        throw .validationFailed("redirect_uris is required")
      }
      try parameters.validate()
    } catch {
      // GoTrue wraps the whole error in another one.
      throw .validationFailed("\(error.status): \(error.message)")
    }
    let now = time.now
    return state.withLock { state in
      var parameters = parameters
      let type = parameters.type ?? (parameters.authentication == "none" ? "public" : "confidential")
      parameters.grantTypes = parameters.grantTypes ?? ["authorization_code", "refresh_token"]
      parameters.authentication =
        parameters.authentication ?? (type == "public" ? "none" : "client_secret_basic")
      let client = OAuthClient(
        id: state.nextID(), registration: registration, type: type, parameters: parameters, createdAt: now,
        updatedAt: now)
      state.clients[client.id] = client
      return (client, type == "public" ? nil : state.clientSecret())
    }
  }

  /// The clients, the newest first.
  var clients: [OAuthClient] {
    state.withLock { Array($0.clients.values) }
      .sorted { ($1.createdAt, $1.id.uuidString) < ($0.createdAt, $0.id.uuidString) }
  }

  /// - Throws: `oauth_client_not_found`.
  func client(_ id: UUID) throws(AuthAPIError) -> OAuthClient {
    guard let client = state.withLock({ $0.clients[id] }) else { throw .clientNotFound }
    return client
  }

  /// Changes a client (`updateOAuthServerClient`).
  func updateClient(
    _ id: UUID, _ changes: OAuthClient.Parameters
  ) throws(AuthAPIError) -> OAuthClient {
    try changes.validate()
    let now = time.now
    return try state.withLock { (state) throws(AuthAPIError) in
      guard var client = state.clients[id] else { throw .clientNotFound }
      client.parameters.redirectURLs = changes.redirectURLs ?? client.parameters.redirectURLs
      client.parameters.grantTypes = changes.grantTypes ?? client.parameters.grantTypes
      client.parameters.name = changes.name ?? client.parameters.name
      client.parameters.address = changes.address ?? client.parameters.address
      client.parameters.logo = changes.logo ?? client.parameters.logo
      client.parameters.authentication = changes.authentication ?? client.parameters.authentication
      client.updatedAt = now
      state.clients[id] = client
      return client
    }
  }

  /// Removes a client.
  func removeClient(_ id: UUID) throws(AuthAPIError) {
    guard state.withLock({ $0.clients.removeValue(forKey: id) }) != nil else { throw .clientNotFound }
  }

  /// Returns a new secret of a client (`regenerateOAuthServerClientSecret`).
  func newSecret(ofClient id: UUID) throws(AuthAPIError) -> (OAuthClient, secret: String) {
    let now = time.now
    return try state.withLock { (state) throws(AuthAPIError) in
      guard let client = state.clients[id] else { throw .clientNotFound }
      guard client.type == "confidential" else {
        throw .validationFailed("Cannot regenerate secret for public client")
      }
      state.clients[id]?.updatedAt = now
      return (state.clients[id] ?? client, state.clientSecret())
    }
  }
}

extension AuthState {
  fileprivate mutating func clientSecret() -> String {
    Base64URL.text(of: Digest.sha256(codes.nextUUIDString().utf8))
  }
}

extension AuthAPIError {
  static let clientNotFound = AuthAPIError(
    status: 404, code: "oauth_client_not_found", message: "OAuth client not found")
}

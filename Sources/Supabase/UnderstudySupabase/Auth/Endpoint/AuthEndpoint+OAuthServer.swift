import Foundation
import UnderstudyHTTP

/// The project as a provider of OAuth: its clients, and what users approve.
///
/// The exchange of an approved authorization for tokens is not supported, because only a third party requests it.
extension AuthEndpoint {
  /// Responds to `/oauth`.
  func oauth(_ request: AuthRequest, path: [String]) throws(AuthAPIError) -> HTTP.Response {
    guard let server = auth.settings.oauthServer else { throw .oauthServerDisabled }
    switch (path.first, path.count) {
    case ("clients", 2) where path[1] == "register":
      try request.expect(.post)
      guard server.allowsRegistration else {
        throw AuthAPIError(
          status: 403, code: "oauth_dynamic_client_registration_disabled",
          message: "Dynamic client registration is not enabled")
      }
      return try register(request, by: "dynamic")
    case ("authorize", 1):
      try request.expect(.get)
      let page =
        auth.settings.siteURL.trimmingSuffix("/") + "/" + server.authorizationPath.trimmingPrefix("/")
      return HTTP.Response(
        status: 302, fields: ["Location": try auth.beginAuthorization(authorization(request), page: page)])
    case ("authorizations", 2):
      try request.expect(.get)
      return .json(try shown(path[1], for: try bearerOfOrigin(request)))
    case ("authorizations", 3) where path[2] == "consent":
      try request.expect(.post)
      let token = try bearerOfOrigin(request)
      let action = try request.body.text("action")
      guard action == "approve" || action == "deny" else {
        throw .validationFailed("action must be 'approve' or 'deny'")
      }
      let redirection = try auth.decide(path[1], approves: action == "approve", for: token)
      return .json([.init("redirect_url", .string(redirection))])
    case ("token", 1), ("userinfo", 1): throw .notSupported("/oauth/\(path[0])")
    default: return .authNotFound
    }
  }

  /// Responds to `/user/oauth/grants`.
  func grants(_ request: AuthRequest) throws(AuthAPIError) -> HTTP.Response {
    let token = try request.bearerToken
    _ = try auth.authenticate(token)
    guard auth.settings.oauthServer != nil else { throw .oauthServerDisabled }
    guard request.method == .delete else {
      try request.expect(.get)
      let consents = try auth.consents(for: token)
      return .json(
        .array(
          consents.map { client, consent in
            .object([
              .init("client", client.details), .init("scopes", .array(consent.scopes.map { .string($0) })),
              .init("granted_at", AuthUser.time(consent.grantedAt)),
            ])
          }))
    }
    guard let text = request.target["client_id"], !text.isEmpty else {
      throw .validationFailed("client_id query parameter is required")
    }
    guard let client = UUID(uuidString: text) else { throw .validationFailed("invalid client_id format") }
    try auth.revokeConsent(to: client, for: token)
    return HTTP.Response(status: 204)
  }

  /// Responds to `/admin/oauth/clients`.
  func administerClients(_ request: AuthRequest, path: [String]) throws(AuthAPIError) -> HTTP.Response {
    guard auth.settings.oauthServer != nil else { throw .oauthServerDisabled }
    guard path.first == "clients" else { return .authNotFound }
    guard path.count > 1 else {
      guard request.method == .get else {
        try request.expect(.post)
        return try register(request, by: "manual")
      }
      let clients = auth.clients.map { JSONValue.object($0.json()) }
      return .json(clients.isEmpty ? [] : [.init("clients", .array(clients))])
    }
    guard let id = UUID(uuidString: path[1]) else { throw .validationFailed("invalid client_id format") }
    let client = try auth.client(id)
    switch (path.dropFirst(2), request.method) {
    case ([], .get): return .json(client.json())
    case ([], .put):
      let changes = try parameters(try request.body)
      guard !changes.isEmpty else { throw .validationFailed("No fields provided for update") }
      return .json(try auth.updateClient(id, changes).json())
    case ([], .delete):
      try auth.removeClient(id)
      return HTTP.Response(status: 204)
    case (["regenerate_secret"], .post):
      let (changed, secret) = try auth.newSecret(ofClient: id)
      return .json(changed.json(secret: secret))
    case ([], _), (["regenerate_secret"], _):
      try request.expect(.post)
      return .authNotFound
    default: return .authNotFound
    }
  }

  private func register(
    _ request: AuthRequest, by registration: String
  ) throws(AuthAPIError) -> HTTP.Response {
    let (client, secret) = try auth.registerClient(try parameters(try request.body), by: registration)
    return .json(client.json(secret: secret), status: 201)
  }

  private func parameters(_ body: AuthBody) throws(AuthAPIError) -> OAuthClient.Parameters {
    func text(_ name: String) throws(AuthAPIError) -> String? {
      body.json[name] == nil || body.json[name] == .null ? nil : try body.text(name)
    }
    func texts(_ name: String) throws(AuthAPIError) -> [String]? {
      switch body.json[name] {
      case nil, .null?: return nil
      case .array(let elements)?:
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else { throw .badJSON }
        return texts
      default: throw .badJSON
      }
    }
    return OAuthClient.Parameters(
      redirectURLs: try texts("redirect_uris"), grantTypes: try texts("grant_types"),
      name: try text("client_name"), address: try text("client_uri"), logo: try text("logo_uri"),
      authentication: try text("token_endpoint_auth_method"), type: try text("client_type"))
  }

  private func authorization(
    _ request: AuthRequest
  ) throws(AuthAPIError) -> AuthServer.AuthorizationRequest {
    func parameter(_ name: String) -> String { request.target[name] ?? "" }
    guard !parameter("client_id").isEmpty else { throw .validationFailed("client_id is required") }
    guard !parameter("redirect_uri").isEmpty else { throw .validationFailed("redirect_uri is required") }
    guard let client = UUID(uuidString: parameter("client_id")) else {
      throw AuthAPIError(status: 400, code: "oauth_client_not_found", message: "invalid client_id format")
    }
    return AuthServer.AuthorizationRequest(
      client: client, redirectURL: parameter("redirect_uri"), responseType: parameter("response_type"),
      scope: parameter("scope"), state: parameter("state"), challenge: parameter("code_challenge"),
      challengeMethod: parameter("code_challenge_method"))
  }

  /// Returns the token of a request from a page of the project (`validateRequestOrigin`).
  private func bearerOfOrigin(_ request: AuthRequest) throws(AuthAPIError) -> String {
    let token = try request.bearerToken
    _ = try auth.authenticate(token)
    guard request.origin.map(auth.settings.allowsRedirection) ?? true else {
      throw .validationFailed("unauthorized request origin")
    }
    return token
  }

  private func shown(_ id: String, for token: String) throws(AuthAPIError) -> [JSONValue.Member] {
    switch try auth.authorization(id, for: token) {
    case .approved(let redirection): return [.init("redirect_url", .string(redirection))]
    case .pending(let authorization, let client, let user):
      return [
        .init("authorization_id", .string(authorization.id)),
        .init("redirect_uri", .string(authorization.redirectURL)), .init("client", client.details),
        .init(
          "user",
          .object(
            [.init("id", .string(user.id.uuidString.lowercased()))]
              + (user.email.isEmpty ? [] : [.init("email", .string(user.email))]))),
        .init("scope", .string(authorization.scope)),
      ]
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: Character) -> String {
    String(self[..<(lastIndex { $0 != suffix }.map(index(after:)) ?? startIndex)])
  }
}

import Foundation
import Understudy
import UnderstudyHTTP

/// The request of a client to act for a user, which the user approves or denies
/// (`models.OAuthServerAuthorization`).
struct OAuthAuthorization {
  /// What is left to do.
  enum Status { case pending, approved, denied }

  let id: String
  let client: UUID
  let redirectURL: String
  let scope: String
  let state: String
  let createdAt: Date
  /// The user who looked at it first; `nil` before.
  var user: UUID?
  var status = Status.pending

  /// `OAUTH_SERVER_AUTHORIZATION_TTL`.
  fileprivate static let lifetime: TimeInterval = 600

  /// The scopes, without duplicates.
  var scopes: [String] { scope.split(separator: " ").map(String.init) }

  /// Returns the redirection with parameters and the state.
  fileprivate func redirection(_ parameters: [String: String]) -> String {
    FormEncoding.adding(parameters.merging(state.isEmpty ? [:] : ["state": state]) { $1 }, to: redirectURL)
  }
}

/// What a user has approved (`models.OAuthServerConsent`).
struct OAuthConsent {
  let user: UUID
  let client: UUID
  var scopes: [String]
  var grantedAt: Date
}

extension AuthServer {
  /// What a client asks for (`AuthorizeParams`).
  struct AuthorizationRequest {
    let client: UUID
    let redirectURL: String
    let responseType: String
    let scope: String
    let state: String
    let challenge: String
    let challengeMethod: String
  }

  /// Begins an authorization, and returns where the browser is redirected to (`OAuthServerAuthorize`).
  ///
  /// - Parameter page: The page of the project that asks the user.
  func beginAuthorization(
    _ request: AuthorizationRequest, page: String
  ) throws(AuthAPIError) -> String {
    let now = time.now
    return try state.withLock { (state) throws(AuthAPIError) in
      guard let client = state.clients[request.client] else {
        throw AuthAPIError(status: 400, code: "oauth_client_not_found", message: "invalid client_id")
      }
      guard client.parameters.redirectURLs?.contains(request.redirectURL) == true else {
        throw .validationFailed("invalid redirect_uri")
      }
      let authorization = OAuthAuthorization(
        id: String(
          (state.codes.nextUUIDString() + state.codes.nextUUIDString()).filter { $0 != "-" }.prefix(32)),
        client: client.id, redirectURL: request.redirectURL,
        scope: request.scope.isEmpty ? "email" : request.scope, state: request.state, createdAt: now)
      if let problem = request.problem {
        return authorization.redirection(["error": "invalid_request", "error_description": problem])
      }
      state.authorizations = state.authorizations.filter {
        now <= $0.value.createdAt.addingTimeInterval(OAuthAuthorization.lifetime)
      }
      state.authorizations[authorization.id] = authorization
      return "\(page)?authorization_id=\(authorization.id)"
    }
  }

  /// An authorization that the user of a token looks at (`OAuthServerGetAuthorization`).
  enum ShownAuthorization {
    case pending(OAuthAuthorization, OAuthClient, AuthUser)
    /// The redirection after a consent that the user has given before.
    case approved(String)
  }

  /// Shows a pending authorization to the user of a token, to whom it belongs from then on.
  ///
  /// - Throws: `oauth_authorization_not_found`.
  func authorization(
    _ id: String, for accessToken: String
  ) throws(AuthAPIError) -> ShownAuthorization {
    try perform { (state, now) throws(AuthAPIError) in
      let user = try state.session(of: accessToken, at: now).account.user
      var authorization = try state.authorization(id, at: now)
      guard authorization.status == .pending else {
        throw .validationFailed("authorization request cannot be processed")
      }
      guard let client = state.clients[authorization.client], authorization.user ?? user.id == user.id else {
        throw .authorizationNotFound
      }
      let isFirst = authorization.user == nil
      authorization.user = user.id
      state.authorizations[id] = authorization
      let consent = state.consents.first { $0.user == user.id && $0.client == client.id }
      if isFirst, let consent, Set(authorization.scopes).isSubset(of: consent.scopes) {
        return .approved(state.approve(authorization))
      }
      return .pending(authorization, client, user)
    }
  }

  /// Approves or denies an authorization, and returns the redirection to the client (`OAuthServerConsent`).
  func decide(
    _ id: String, approves: Bool, for accessToken: String
  ) throws(AuthAPIError) -> String {
    try perform { (state, now) throws(AuthAPIError) in
      let user = try state.session(of: accessToken, at: now).account.user.id
      let authorization = try state.authorization(id, at: now)
      guard authorization.status == .pending else {
        throw .validationFailed("authorization request is no longer pending")
      }
      guard authorization.user == user else { throw .authorizationNotFound }
      guard approves else {
        state.authorizations[id]?.status = .denied
        return authorization.redirection([
          "error": "access_denied", "error_description": "User denied the request",
        ])
      }
      state.consents.removeAll { $0.user == user && $0.client == authorization.client }
      state.consents.append(
        OAuthConsent(
          user: user, client: authorization.client, scopes: authorization.scopes, grantedAt: now))
      return state.approve(authorization)
    }
  }

  /// Returns what the user of a token has approved, with the clients that still exist (`UserListOAuthGrants`).
  func consents(for accessToken: String) throws(AuthAPIError) -> [(OAuthClient, OAuthConsent)] {
    try perform { (state, now) throws(AuthAPIError) in
      let user = try state.session(of: accessToken, at: now).account.user.id
      return state.consents.compactMap { consent in
        guard consent.user == user else { return nil }
        return state.clients[consent.client].map { ($0, consent) }
      }
    }
  }

  /// Takes a consent back (`UserRevokeOAuthGrant`).
  ///
  /// - Throws: `oauth_consent_not_found`.
  func revokeConsent(to client: UUID, for accessToken: String) throws(AuthAPIError) {
    try perform { (state, now) throws(AuthAPIError) in
      let user = try state.session(of: accessToken, at: now).account.user.id
      guard let place = state.consents.firstIndex(where: { $0.user == user && $0.client == client }) else {
        throw AuthAPIError(
          status: 404, code: "oauth_consent_not_found", message: "No active grant found for this client")
      }
      state.consents.remove(at: place)
    }
  }
}

extension AuthServer.AuthorizationRequest {
  /// What is wrong with a request whose redirection is valid (`validateRemainingAuthorizeParams`).
  fileprivate var problem: String? {
    guard ["", "code"].contains(responseType) else { return "only response_type=code is supported" }
    let scopes = scope.split(separator: " ").map(String.init)
    if !scope.isEmpty, scopes.isEmpty { return "scope parameter cannot be empty" }
    let known = ["openid", "email", "profile", "phone", "offline_access"]
    if let unknown = scopes.first(where: { !known.contains($0) }) { return "unsupported scope: \(unknown)" }
    guard !challenge.isEmpty, !challengeMethod.isEmpty else {
      return "PKCE flow requires both code_challenge and code_challenge_method"
    }
    guard ["s256", "plain"].contains(challengeMethod.lowercased()) else {
      return "code_challenge_method must be 'S256' or 'plain'"
    }
    return 43...128 ~= challenge.utf8.count
      ? nil : "code_challenge must be between 43 and 128 characters"
  }
}

extension AuthState {
  fileprivate func authorization(
    _ id: String, at now: Date
  ) throws(AuthAPIError) -> OAuthAuthorization {
    guard let authorization = authorizations[id],
      now <= authorization.createdAt.addingTimeInterval(OAuthAuthorization.lifetime)
    else { throw .authorizationNotFound }
    return authorization
  }

  /// Approves an authorization, and returns the redirection with the code (`Approve`).
  fileprivate mutating func approve(_ authorization: OAuthAuthorization) -> String {
    authorizations[authorization.id]?.status = .approved
    return authorization.redirection(["code": codes.nextUUIDString()])
  }
}

extension FormEncoding {
  /// Returns an address with parameters added to its query, or replaced in it (`url.Values.Set`).
  static func adding(_ parameters: [String: String], to address: String) -> String {
    guard var components = URLComponents(string: address) else { return address }
    var all: [String: String] = [:]
    for item in components.queryItems ?? [] { all[item.name] = item.value ?? "" }
    components.percentEncodedQuery = text(of: all.merging(parameters) { $1 })
    return components.string ?? address
  }
}

extension AuthAPIError {
  fileprivate static let authorizationNotFound = AuthAPIError(
    status: 404, code: "oauth_authorization_not_found", message: "authorization not found")
}

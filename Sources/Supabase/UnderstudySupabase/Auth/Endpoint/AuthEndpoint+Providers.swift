import Foundation
import Understudy
import UnderstudyHTTP

/// Providers of OAuth: the redirection to their pages.
///
/// A provider knows nothing of the project, so that its answer to `/callback` is not supported.
extension AuthEndpoint {
  /// Responds to `/authorize` (`ExternalProviderRedirect`).
  func authorize(_ request: AuthRequest) throws(AuthAPIError) -> HTTP.Response {
    try request.expect(.get)
    return HTTP.Response(status: 302, fields: ["Location": try providerAddress(request)])
  }

  /// Responds to `/user/identities/authorize` (`LinkIdentity`).
  func link(_ request: AuthRequest) throws(AuthAPIError) -> HTTP.Response {
    try request.expect(.get)
    let address = try providerAddress(request)
    guard request.target["skip_http_redirect"] == "true" else {
      return HTTP.Response(status: 302, fields: ["Location": address])
    }
    return .json([.init("url", .string(address))])
  }

  /// Returns the address of the page of a provider (`GetExternalProviderRedirectURL`).
  private func providerAddress(_ request: AuthRequest) throws(AuthAPIError) -> String {
    let name = (request.target["provider"] ?? "").lowercased()
    guard AuthProviders.known.contains(name) else {
      throw .validationFailed("Unsupported provider: Provider \(name) could not be found")
    }
    guard let provider = auth.settings.providers[name] else {
      throw .validationFailed("Unsupported provider: provider is not enabled")
    }
    guard let page = AuthProviders.pages[name] else { throw .notSupported("the provider \(name)") }
    _ = try CodeChallenge(
      request.target["code_challenge"] ?? "", method: request.target["code_challenge_method"] ?? "")
    var parameters: [String: String] = [:]
    var scopes = page.scopes
    if name == "apple" {
      // Apple's page receives nothing else (`AppleProvider.AuthCodeURL`).
      parameters["response_mode"] = "form_post"
    } else {
      scopes += (request.target["scopes"] ?? "").split(separator: ",").map(String.init)
      for item in request.target.query.reversed() where !Self.ownParameters.contains(item.name.lowercased()) {
        parameters[item.name] = item.value
      }
    }
    parameters["client_id"] =
      provider.clientID.split(separator: ",").first.map(String.init) ?? provider.clientID
    parameters["redirect_uri"] =
      provider.redirectURL.isEmpty ? request.linkTarget().server + "/callback" : provider.redirectURL
    parameters["response_type"] = "code"
    parameters["scope"] = scopes.joined(separator: " ")
    parameters["state"] = auth.flowID()
    let own = provider.address.isEmpty || name == "apple" || name == "google" ? page.host : provider.address
    let base = own.hasSuffix("/") ? String(own.dropLast()) : own
    return base + page.path + "?" + FormEncoding.text(of: parameters)
  }

  /// The parameters that the auth server sets itself (`reservedOAuthParams`).
  private static let ownParameters: Set<String> = [
    "provider", "scopes", "client_id", "client_secret", "redirect_uri", "response_type", "state",
    "code_challenge", "code_challenge_method", "code_verifier",
  ]
}

extension AuthServer {
  /// Returns the id of a sign-in at a provider (`models.FlowState`).
  fileprivate func flowID() -> String {
    state.withLock { $0.codes.nextUUIDString() }
  }
}

/// The providers of OAuth that GoTrue knows.
enum AuthProviders {
  static let known: Set<String> = [
    "apple", "azure", "bitbucket", "discord", "facebook", "figma", "fly", "github", "gitlab", "google",
    "kakao", "keycloak", "linkedin", "linkedin_oidc", "notion", "slack", "slack_oidc", "snapchat", "spotify",
    "twitch", "twitter", "vercel_marketplace", "workos", "x", "zoom",
  ]
  /// The issuers of id tokens (`internal/api/provider/oidc.go`).
  static let issuers = [
    "apple": "https://appleid.apple.com", "facebook": "https://www.facebook.com",
    "google": "https://accounts.google.com", "kakao": "https://kauth.kakao.com",
  ]
  /// The pages on which users approve, and the scopes that are always requested (`internal/api/provider`).
  static let pages: [String: (host: String, path: String, scopes: [String])] = [
    "apple": ("https://appleid.apple.com", "/auth/authorize", ["email", "name"]),
    "azure": ("https://login.microsoftonline.com/common", "/oauth2/v2.0/authorize", ["openid"]),
    "discord": ("https://discord.com", "/api/oauth2/authorize", ["email", "identify"]),
    "facebook": ("https://www.facebook.com", "/dialog/oauth", ["email"]),
    "github": ("https://github.com", "/login/oauth/authorize", ["user:email"]),
    "gitlab": ("https://gitlab.com", "/oauth/authorize", ["read_user"]),
    "google": ("https://accounts.google.com", "/o/oauth2/v2/auth", ["email", "profile"]),
    "keycloak": ("", "/protocol/openid-connect/auth", ["profile", "email"]),
    "linkedin_oidc": ("https://api.linkedin.com", "/oauth/v2/authorization", ["openid", "email", "profile"]),
    "slack_oidc": ("https://slack.com", "/openid/connect/authorize", ["profile", "email", "openid"]),
    "spotify": ("https://accounts.spotify.com", "/authorize", ["user-read-email"]),
    "twitch": ("https://id.twitch.tv", "/oauth2/authorize", ["user:read:email"]),
  ]
}

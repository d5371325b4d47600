import Foundation
import UnderstudyHTTP

/// Sessions: signing up, signing in, refreshing and signing out.
extension AuthEndpoint {
  /// Responds to `POST /signup` (`Signup`, `SignupAnonymously`).
  func signUp(_ request: AuthRequest) throws(AuthAPIError) -> HTTP.Response {
    try request.expect(.post)
    let body = try request.body
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    let password = try body.text("password")
    let data = try body.members("data") ?? []
    guard !email.isEmpty || !phone.isEmpty else {
      guard auth.settings.allowsAnonymousSignIns else {
        throw AuthAPIError(
          status: 422, code: "anonymous_provider_disabled", message: "Anonymous sign-ins are disabled")
      }
      guard auth.settings.allowsSignUps else { throw .signUpsDisabled }
      return .json(try auth.signInAnonymously(data: data))
    }
    guard auth.settings.allowsSignUps else { throw .signUpsDisabled }
    guard !password.isEmpty else { throw .validationFailed("Signup requires a valid password") }
    try auth.settings.check(password: password)
    guard email.isEmpty || phone.isEmpty else {
      throw .validationFailed("Only an email address or phone number should be provided on signup.")
    }
    if !phone.isEmpty, try !body.text("code_challenge").isEmpty {
      throw .validationFailed("PKCE not supported for phone signups")
    }
    let challenge = try body.challenge
    let contact: Contact
    if email.isEmpty {
      guard auth.settings.allowsPhones else { throw .phonesAreDisabled("Phone signups are disabled") }
      contact = .phone(try AuthBody.number(phone))
    } else {
      guard auth.settings.allowsEmails else { throw .emailsAreDisabled("Email signups are disabled") }
      contact = .email(try AuthBody.address(email))
    }
    switch try auth.signUp(contact, password: password, data: data, request.mail(challenge)) {
    case .session(let session): return .json(session)
    case .user(let user): return .json(user.members)
    }
  }

  /// Responds to `POST /token` (`Token`).
  func token(_ request: AuthRequest) throws(AuthAPIError) -> HTTP.Response {
    try request.expect(.post)
    switch request.target["grant_type"] {
    case "password": return .json(try signIn(try request.body))
    case "refresh_token":
      let token = try request.body.text("refresh_token")
      guard !token.isEmpty else { throw .oauth("invalid_request", "refresh_token required") }
      return .json(try auth.refresh(token))
    case "pkce":
      let body = try request.body
      let (code, verifier) = (try body.text("auth_code"), try body.text("code_verifier"))
      guard !code.isEmpty, !verifier.isEmpty else {
        throw .validationFailed("invalid request: both auth code and code verifier should be non-empty")
      }
      return .json(try auth.exchange(code: code, verifier: verifier))
    // The signature of an enabled provider cannot be verified (`IdTokenGrantParams.getProvider`).
    case "id_token":
      let body = try request.body
      let provider = try body.text("provider")
      guard try !body.text("id_token").isEmpty else { throw .oauth("invalid request", "id_token required") }
      guard let issuer = AuthProviders.issuers[provider] else {
        throw .validationFailed("Custom OIDC provider \"\(provider)\" not allowed")
      }
      guard auth.settings.providers[provider] == nil else { throw .notSupported("id tokens") }
      throw AuthAPIError(
        status: 400, code: "provider_disabled", message: "Provider (issuer \"\(issuer)\") is not enabled")
    case "web3":
      throw AuthAPIError(
        status: 422, code: "web3_provider_disabled", message: "Web3 provider is disabled")
    default:
      throw AuthAPIError(status: 400, code: "invalid_credentials", message: "unsupported_grant_type")
    }
  }

  private func signIn(_ body: AuthBody) throws(AuthAPIError) -> AuthSession {
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    let password = try body.text("password")
    guard email.isEmpty || phone.isEmpty else {
      throw .validationFailed("Only an email address or phone number should be provided on login.")
    }
    if !email.isEmpty {
      guard auth.settings.allowsEmails else {
        throw .emailsAreDisabled("Email logins are disabled", status: 422)
      }
      return try auth.signIn(email: email, password: password)
    }
    guard !phone.isEmpty else { throw .validationFailed("missing email or phone") }
    guard auth.settings.allowsPhones else {
      throw .phonesAreDisabled("Phone logins are disabled", status: 422)
    }
    return try auth.signIn(.phone(AuthBody.digits(phone)), password: password)
  }

  /// Responds to `POST /logout` (`Logout`).
  func signOut(_ request: AuthRequest) throws(AuthAPIError) -> HTTP.Response {
    try request.expect(.post)
    let scope = request.target["scope"] ?? ""
    guard let scope = AuthServer.SignOutScope(rawValue: scope.isEmpty ? "global" : scope) else {
      throw .validationFailed("Unsupported logout scope \"\(scope)\"")
    }
    try auth.signOut(try request.bearerToken, scope: scope)
    return HTTP.Response(status: 204)
  }
}

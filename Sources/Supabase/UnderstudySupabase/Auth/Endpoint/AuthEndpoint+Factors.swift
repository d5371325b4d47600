import Foundation
import UnderstudyHTTP

/// Second factors: authenticator apps. Text messages and WebAuthn are refused as in a project without them.
extension AuthEndpoint {
  /// Responds to `/factors` (`EnrollFactor`, `ChallengeFactor`, `VerifyFactor`, `UnenrollFactor`).
  func factors(_ request: AuthRequest, path: [String]) throws(AuthAPIError) -> HTTP.Response {
    let token = try request.bearerToken
    let user = try auth.authenticate(token)
    guard !user.isAnonymous else { throw .anonymousNotAllowed }
    guard let first = path.first else {
      try request.expect(.post)
      return .json(try enroll(try request.body, for: token))
    }
    guard let id = UUID(uuidString: first) else {
      throw AuthAPIError(status: 404, code: "validation_failed", message: "factor_id must be an UUID")
    }
    guard user.factors.contains(where: { $0.id == id }) else { throw .factorNotFound }
    switch path.dropFirst() {
    case []:
      try request.expect(.delete)
      try auth.unenroll(id, for: token)
      return .json([.init("id", .string(id.uuidString.lowercased()))])
    case ["challenge"]:
      try request.expect(.post)
      try expectVerification()
      let challenge = try auth.challenge(id, for: token)
      return .json([
        .init("id", .string(challenge.id.uuidString.lowercased())), .init("type", .string("totp")),
        .init("expires_at", .number(String(Int64(challenge.expiresAt.timeIntervalSince1970)))),
      ])
    case ["verify"]:
      try request.expect(.post)
      let body = try request.body
      let code = try body.text("code")
      guard !code.isEmpty else { throw .validationFailed("Code needs to be non-empty") }
      try expectVerification()
      // Go reads an id while it reads the body.
      guard let challenge = UUID(uuidString: try body.text("challenge_id")) else { throw .badJSON }
      return .json(
        try auth.answer(
          challenge, of: id, code: code.trimmingCharacters(in: .whitespacesAndNewlines), for: token))
    default: return .authNotFound
    }
  }

  private func expectVerification() throws(AuthAPIError) {
    guard auth.settings.secondFactors.verifiesAuthenticators else {
      throw AuthAPIError(
        status: 422, code: "mfa_totp_verify_not_enabled", message: "MFA verification is disabled for TOTP")
    }
  }

  /// Responds to `POST /factors` with the secret that the app reads (`EnrollFactorResponse`).
  private func enroll(_ body: AuthBody, for token: String) throws(AuthAPIError) -> [JSONValue.Member] {
    let names = ["totp": "TOTP", "phone": "Phone", "webauthn": "WebAuthn"]
    let type = try body.text("factor_type")
    guard let name = names[type] else {
      throw .validationFailed("factor_type needs to be totp, phone, or webauthn")
    }
    guard type == "totp", auth.settings.secondFactors.enrollsAuthenticators else {
      throw AuthAPIError(
        status: 422, code: "mfa_\(type)_enroll_not_enabled", message: "MFA enroll is disabled for \(name)")
    }
    let own = URL(string: auth.settings.siteURL)
    let host = (own?.host(percentEncoded: true) ?? "") + (own?.port.map { ":\($0)" } ?? "")
    let issuer = try body.text("issuer")
    let (factor, user) = try auth.enroll(try body.text("friendly_name"), for: token)
    let address = Self.authenticatorAddress(
      of: factor, user, issuer: issuer.isEmpty ? host : issuer)
    return [
      .init("id", .string(factor.id.uuidString.lowercased())), .init("type", .string("totp")),
      .init("friendly_name", .string(factor.name)),
      .init(
        "totp",
        .object([
          .init("qr_code", .string(Self.image(of: address))),
          .init("secret", .string(factor.authenticator.text)), .init("uri", .string(address)),
        ])),
    ]
  }

  /// Returns the address that an app reads, with the parameters of `pquerna/otp`.
  private static func authenticatorAddress(of factor: SecondFactor, _ user: AuthUser, issuer: String)
    -> String
  {
    func escaped(_ text: String) -> String { FormEncoding.escaped(text).replacing("+", with: "%20") }
    return "otpauth://totp/\(escaped(issuer)):\(escaped(user.email).replacing("%40", with: "@"))"
      + "?algorithm=SHA1&digits=6&issuer=\(escaped(issuer))&period=30&secret=\(factor.authenticator.text)"
  }

  /// Returns an image with the address as text, which no app can scan: GoTrue draws a QR code.
  private static func image(of address: String) -> String {
    let text = address.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return "<?xml version=\"1.0\"?>\n<svg width=\"147\" height=\"147\" xmlns=\"http://www.w3.org/2000/svg\">"
      + "<text y=\"20\">\(text)</text></svg>\n"
  }
}

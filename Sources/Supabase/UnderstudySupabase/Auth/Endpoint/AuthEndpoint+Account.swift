import Foundation
import UnderstudyHTTP

/// The account of the caller.
extension AuthEndpoint {
  /// Responds to `/user` (`UserGet`, `UserUpdate`).
  func user(_ request: AuthRequest) throws(AuthAPIError) -> HTTP.Response {
    guard request.method == .put else {
      try request.expect(.get)
      return .json(try auth.user(for: try request.bearerToken).members)
    }
    let token = try request.bearerToken
    // The token is checked before the body.
    let user = try auth.authenticate(token)
    let body = try request.body
    var changes = AuthServer.OwnChanges()
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    if !email.isEmpty { changes.email = try AuthBody.address(email) }
    if !phone.isEmpty { changes.phone = try AuthBody.number(phone) }
    if let password = body.json["password"], password != .null {
      let password = try body.text("password")
      try auth.settings.check(password: password)
      changes.password = password
    }
    if try body.members("app_metadata") != nil {
      throw AuthAPIError(
        status: 403, code: "not_admin", message: "Updating app_metadata requires admin privileges")
    }
    changes.userMetadata = try body.members("data") ?? []
    changes.nonce = try body.text("nonce")
    // GoTrue would ask the provider of text messages, of which the project has none (`GetSmsProvider`).
    if let phone = changes.phone, phone != user.phone, !auth.settings.allowsPhones {
      throw AuthAPIError(status: 500, code: "unexpected_failure", message: "Unable to get SMS provider")
    }
    let challenge = changes.email == nil ? nil : try body.challenge
    return .json(try auth.updateUser(for: token, changes, request.mail(challenge)).members)
  }

  /// Responds to `/user/identities` (`DeleteIdentity`).
  func identities(_ request: AuthRequest, path: [String]) throws(AuthAPIError) -> HTTP.Response {
    let token = try request.bearerToken
    _ = try auth.authenticate(token)
    guard auth.settings.allowsManualLinking else {
      throw AuthAPIError(
        status: 404, code: "manual_linking_disabled", message: "Manual linking is disabled")
    }
    if path == ["authorize"] { return try link(request) }
    guard path.count == 1 else { return .authNotFound }
    try request.expect(.delete)
    guard let id = UUID(uuidString: path[0]) else {
      throw AuthAPIError(status: 404, code: "validation_failed", message: "identity_id must be an UUID")
    }
    try auth.removeIdentity(id, for: token)
    return .json([])
  }
}

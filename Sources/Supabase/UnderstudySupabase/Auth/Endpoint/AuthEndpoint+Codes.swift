import Foundation
import UnderstudyHTTP

/// One-time codes: sending and verifying them.
extension AuthEndpoint {
  /// Responds to a request for a mail or a text message.
  ///
  /// The answer is the same for an unknown contact, so that it does not reveal which contacts have an account.
  func send(_ request: AuthRequest, to path: String) throws(AuthAPIError) -> HTTP.Response {
    try request.expect(.post)
    switch path {
    case "otp": try sendCode(request)
    case "magiclink":
      guard auth.settings.allowsEmails else {
        throw .emailsAreDisabled("Email logins are disabled", status: 422)
      }
      let body = try request.body
      guard try !body.text("email").isEmpty else {
        throw AuthAPIError(
          status: 422, code: "validation_failed", message: "Password recovery requires an email")
      }
      try sendCode(
        to: .email(try AuthBody.address(try body.text("email"))), createsUser: true, body, request)
    case "recover":
      guard auth.settings.allowsEmails else { throw .emailsAreDisabled("Email logins are disabled") }
      let body = try request.body
      guard try !body.text("email").isEmpty else {
        throw .validationFailed("Password recovery requires an email")
      }
      let address = try AuthBody.address(try body.text("email"))
      try auth.recover(address, request.mail(try body.challenge))
    case "resend": try resend(request)
    default:
      guard isServiceKey(try request.bearerToken) else { throw .notAdmin }
      let body = try request.body
      let address = try AuthBody.address(try body.text("email"))
      return .json(
        try auth.invite(address, data: try body.members("data") ?? [], request.mail(nil)).members)
    }
    return .json([])
  }

  /// Responds to `POST /otp` (`Otp`).
  private func sendCode(_ request: AuthRequest) throws(AuthAPIError) {
    let body = try request.body
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    guard email.isEmpty || phone.isEmpty else {
      throw .validationFailed("Only an email address or phone number should be provided")
    }
    if !email.isEmpty, try !body.text("channel").isEmpty {
      throw .validationFailed("Channel should only be specified with Phone OTP")
    }
    let createsUser = try body.flag("create_user", default: true)
    if !email.isEmpty {
      guard auth.settings.allowsEmails else {
        throw .emailsAreDisabled("Email logins are disabled", status: 422)
      }
      try sendCode(to: .email(try AuthBody.address(email)), createsUser: createsUser, body, request)
    } else if !phone.isEmpty {
      guard auth.settings.allowsPhones else { throw .phonesAreDisabled("Unsupported phone provider") }
      try sendCode(to: .phone(try AuthBody.number(phone)), createsUser: createsUser, body, request)
    } else {
      throw .validationFailed("One of email or phone must be set")
    }
  }

  private func sendCode(
    to contact: Contact, createsUser: Bool, _ body: AuthBody, _ request: AuthRequest
  ) throws(AuthAPIError) {
    let challenge = try body.challenge
    try auth.sendCode(
      to: contact, data: try body.members("data") ?? [], createsUser: createsUser, request.mail(challenge))
  }

  /// Responds to `POST /resend` (`Resend`).
  private func resend(_ request: AuthRequest) throws(AuthAPIError) {
    let body = try request.body
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    let kind = AuthMessage.Kind(rawValue: try body.text("type"))
    var challenge: CodeChallenge?
    switch kind {
    case .signup, .emailChange: challenge = try body.challenge
    case .sms, .phoneChange: break
    default:
      throw .validationFailed("Missing one of these types: signup, email_change, sms, phone_change")
    }
    if kind == .signup, email.isEmpty { throw .validationFailed("Type provided requires an email address") }
    if kind == .sms, phone.isEmpty { throw .validationFailed("Type provided requires a phone number") }
    guard email.isEmpty || phone.isEmpty else {
      throw .validationFailed("Only an email address or phone number should be provided.")
    }
    let contact: Contact
    if !email.isEmpty {
      guard auth.settings.allowsEmails else { throw .emailsAreDisabled("Email logins are disabled") }
      contact = .email(try AuthBody.address(email))
    } else if !phone.isEmpty {
      guard auth.settings.allowsPhones else { throw .phonesAreDisabled("Phone logins are disabled") }
      contact = .phone(try AuthBody.number(phone))
    } else {
      throw .validationFailed("Missing email address or phone number")
    }
    if let kind { try auth.resend(kind, to: contact, request.mail(challenge)) }
  }

  /// Responds to `/verify` (`Verify`): with a session to `POST`, and with a redirection to `GET`, the request of a link.
  func verify(_ request: AuthRequest) throws(AuthAPIError) -> HTTP.Response {
    if request.method == .get { return try followLink(request) }
    try request.expect(.post)
    let body = try request.body
    let type = try body.text("type")
    guard !type.isEmpty else { throw .validationFailed("Verify requires a verification type") }
    let proof = try proof(body)
    guard let kind = Verification.Kind(rawValue: type) else {
      // An unknown type is that of a code for an address until the code turns out to be invalid.
      if case .code = proof { throw .codeExpired }
      throw .validationFailed("Invalid email verification type")
    }
    switch try auth.verify(Verification(kind: kind, proof: proof)) {
    case .session(let session): return .json(session)
    case .oneOfTwoAddresses:
      return .json([.init("code", .string("200")), .init("msg", .string(Self.oneOfTwoAddresses))])
    case .authCode: preconditionFailure("Only a link requests an auth code.")
    }
  }

  /// Reads the code or the hash of a request (`VerifyParams.Validate`).
  private func proof(_ body: AuthBody) throws(AuthAPIError) -> Verification.Proof {
    let (code, hash) = (try body.text("token"), try body.text("token_hash"))
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    guard code.isEmpty != hash.isEmpty else {
      throw .validationFailed("Verify requires either a token or a token hash")
    }
    guard !code.isEmpty else {
      guard email.isEmpty, phone.isEmpty, try body.text("redirect_to").isEmpty else {
        throw .validationFailed("Only the token_hash and type should be provided")
      }
      return .tokenHash(hash)
    }
    guard email.isEmpty != phone.isEmpty else {
      throw .validationFailed("Only an email address or phone number should be provided on verify")
    }
    guard phone.isEmpty else { return .code(code, to: .phone(try AuthBody.number(phone))) }
    do throws(AuthAPIError) {
      return .code(code, to: .email(try AuthBody.address(email)))
    } catch {
      throw AuthAPIError(status: 422, code: "validation_failed", message: "Invalid email format")
    }
  }

  private static let oneOfTwoAddresses =
    "Confirmation link accepted. Please proceed to confirm link sent to the other email"

  /// Responds to a link of a mail with a redirection (`verifyGet`).
  private func followLink(_ request: AuthRequest) throws(AuthAPIError) -> HTTP.Response {
    let (type, hash) = (request.target["type"] ?? "", request.target["token"] ?? "")
    guard !type.isEmpty else { throw .validationFailed("Verify requires a verification type") }
    guard !hash.isEmpty else { throw .validationFailed("Verify requires a token or a token hash") }
    let redirection = Redirection(to: request.redirection)
    let isExchange = hash.hasPrefix(OneTimeToken.exchangePrefix)
    let kind = Verification.Kind(rawValue: type)
    // `ParseAuthenticationMethod` knows fewer types than the implicit flow.
    let methods = [
      "signup": "email/signup", "invite": "invite", "recovery": "recovery", "magiclink": "magiclink",
      "email_change": "email_change",
    ]
    if isExchange, methods[type] == nil { throw .unexpectedFailure }
    do throws(AuthAPIError) {
      guard let kind else { throw .validationFailed("Invalid email verification type") }
      let verification = Verification(
        kind: kind, proof: .tokenHash(hash), exchangeMethod: isExchange ? methods[type] : nil)
      switch try auth.verify(verification) {
      case .session(let session): return redirection.response(with: session, type: type)
      case .authCode(let code): return redirection.response(query: ["code": code])
      case .oneOfTwoAddresses:
        return redirection.response(
          query: isExchange ? ["message": Self.oneOfTwoAddresses] : [:],
          fragment: ["message": Self.oneOfTwoAddresses, "sb": ""])
      }
    } catch {
      return redirection.response(reporting: error, inQuery: isExchange)
    }
  }
}

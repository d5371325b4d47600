import Foundation
import UnderstudyHTTP

/// A request to GoTrue, and what its parameters mean.
struct AuthRequest {
  let target: RequestTarget
  private let request: HTTP.Request
  private let settings: AuthSettings

  init(_ request: HTTP.Request, _ target: RequestTarget, settings: AuthSettings) {
    self.request = request
    self.target = target
    self.settings = settings
  }

  var method: HTTP.Method { request.method }
  var hasBody: Bool { request.body?.isEmpty == false }
  /// The origin of the page that sent the request; `nil` outside a browser.
  var origin: String? { request.fields["Origin"].flatMap { $0.isEmpty ? nil : $0 } }
  /// The path and query, as GoTrue behind the gateway sees them.
  var pathAfterGateway: String { "/" + target.path.dropFirst(2).joined(separator: "/") }

  func expect(_ method: HTTP.Method) throws(AuthAPIError) {
    guard request.method == method else {
      throw AuthAPIError(status: 405, code: "method_not_allowed", message: "Method Not Allowed")
    }
  }

  /// - Throws: `no_authorization`.
  var bearerToken: String {
    get throws(AuthAPIError) {
      guard let token = request.fields["Authorization"].flatMap(BearerToken.token), !token.isEmpty else {
        throw .noAuthorization
      }
      return token
    }
  }

  /// The body, which is an object.
  ///
  /// - Throws: `bad_json`.
  var body: AuthBody {
    get throws(AuthAPIError) { AuthBody(json: try JSONValue(objectIn: request)) }
  }

  /// What a mail that this request sends links to.
  ///
  /// - Parameter challenge: The challenge in the body, if the link is to return an auth code.
  func mail(_ challenge: CodeChallenge?) -> MailRequest {
    MailRequest(target: linkTarget(), challenge: challenge)
  }

  /// - Parameter redirection: A redirection in the body, if the request has one.
  func linkTarget(_ redirection: String = "") -> LinkTarget {
    var server = "http://127.0.0.1:54321"
    if let scheme = request.url.scheme, let host = request.url.host(percentEncoded: true) {
      server = "\(scheme)://\(host)\(request.url.port.map { ":\($0)" } ?? "")"
    }
    return LinkTarget(
      server: server + "/auth/v1",
      redirection: settings.allowsRedirection(to: redirection) ? redirection : self.redirection)
  }

  /// Where a link leads (`GetReferrer` in `internal/utilities/request.go`).
  var redirection: String {
    let named = request.fields["redirect_to"] ?? ""
    for redirection in [named.isEmpty ? target["redirect_to"] ?? "" : named, request.fields["Referer"] ?? ""]
    where settings.allowsRedirection(to: redirection) {
      return redirection
    }
    return settings.siteURL
  }
}

/// The body of a request, with the checks that several endpoints have.
struct AuthBody {
  let json: JSONValue

  /// Returns the text of a member; empty if it is missing or `null`.
  ///
  /// - Throws: `bad_json` for another type, as Go does.
  func text(_ name: String) throws(AuthAPIError) -> String {
    switch json[name] {
    case nil, .null?: return ""
    case .string(let text)?: return text
    default: throw .badJSON
    }
  }

  /// Returns the value of a member.
  ///
  /// - Throws: `bad_json` for another type.
  func flag(_ name: String, default value: Bool = false) throws(AuthAPIError) -> Bool {
    switch json[name] {
    case nil, .null?: return value
    case .boolean(let value)?: return value
    default: throw .badJSON
    }
  }

  /// Returns the members of an object in a member; `nil` if it is missing or `null`.
  ///
  /// - Throws: `bad_json` for another type.
  func members(_ name: String) throws(AuthAPIError) -> [JSONValue.Member]? {
    switch json[name] {
    case nil, .null?: return nil
    case .object(let members)?: return members
    default: throw .badJSON
    }
  }

  var challenge: CodeChallenge? {
    get throws(AuthAPIError) {
      try CodeChallenge(try text("code_challenge"), method: try text("code_challenge_method"))
    }
  }

  /// Returns a valid address in lower case (`validateEmail`).
  ///
  /// - Throws: `validation_failed` for a text that cannot be an address.
  static func address(_ email: String) throws(AuthAPIError) -> String {
    guard !email.isEmpty else { throw .validationFailed("An email address is required") }
    guard email.utf8.count <= 255 else { throw .validationFailed("An email address is too long") }
    guard email.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil else {
      throw .validationFailed("Unable to validate email address: invalid format")
    }
    return email.lowercased()
  }

  /// Returns a phone number in digits (`validatePhone`).
  static func number(_ phone: String) throws(AuthAPIError) -> String {
    let digits = digits(phone)
    guard digits.wholeMatch(of: /[1-9][0-9]{1,14}/) != nil else {
      throw .validationFailed("Invalid phone number format (E.164 required)")
    }
    return digits
  }

  /// Removes the plus sign and the spaces of a phone number (`formatPhoneNumber`).
  static func digits(_ phone: String) -> String {
    String(phone.hasPrefix("+") ? phone.dropFirst() : phone[...]).replacing(" ", with: "")
  }

}

extension AuthSettings {
  /// - Throws: `weak_password` for a password that does not meet the requirements; `validation_failed` for more than
  ///   bcrypt reads (`checkPasswordStrength`).
  func check(password: String) throws(AuthAPIError) {
    guard password.utf8.count <= 72 else {
      throw .validationFailed("Password cannot be longer than 72 characters")
    }
    var (messages, reasons): ([String], [String]) = ([], [])
    if password.utf8.count < minimumPasswordLength {
      reasons.append("length")
      messages.append("Password should be at least \(minimumPasswordLength) characters.")
    }
    if !passwordCharacters.allSatisfy({ set in password.contains { set.contains($0) } }) {
      reasons.append("characters")
      let sets = passwordCharacters.joined(separator: ", ")
      messages.append("Password should contain at least one character of each: \(sets).")
    }
    guard reasons.isEmpty else { throw .weakPassword(messages.joined(separator: " "), reasons: reasons) }
  }
}

extension JSONValue {
  /// Parses the body of a request, which must be an object.
  ///
  /// - Throws: `bad_json`.
  init(objectIn request: HTTP.Request) throws(AuthAPIError) {
    guard let body = request.body.flatMap({ try? JSONValue(parsing: $0) }), case .object = body else {
      throw .badJSON
    }
    self = body
  }
}

extension AuthAPIError {
  static let badJSON = AuthAPIError(
    status: 400, code: "bad_json", message: "Could not parse request body as JSON")

  static func emailsAreDisabled(_ message: String, status: Int = 400) -> AuthAPIError {
    AuthAPIError(status: status, code: "email_provider_disabled", message: message)
  }

  static func phonesAreDisabled(_ message: String, status: Int = 400) -> AuthAPIError {
    AuthAPIError(status: status, code: "phone_provider_disabled", message: message)
  }
}

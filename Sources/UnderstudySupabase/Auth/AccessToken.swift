import Foundation
import UnderstudyHTTP

/// The claims of an access token, which is a JSON Web Token signed with HS256 (RFC 7519, RFC 7518 §3.2).
struct AccessToken: Hashable {
  let userID: UUID
  let sessionID: UUID
  let email: String
  /// Seconds since 1970.
  let issuedAt: Int64
  /// Seconds since 1970.
  let expiresAt: Int64

  /// - Parameter id: What tells apart two tokens of one session and second.
  func signed(with secret: [UInt8], id: String) -> String {
    let header = #"{"alg":"HS256","typ":"JWT"}"#
    let claims = JSONValue.object([
      .init("aal", .string("aal1")), .init("aud", .string("authenticated")),
      .init("email", .string(email)), .init("exp", .number(String(expiresAt))),
      .init("iat", .number(String(issuedAt))), .init("jti", .string(id)),
      .init("role", .string("authenticated")),
      .init("session_id", .string(sessionID.uuidString.lowercased())),
      .init("sub", .string(userID.uuidString.lowercased())),
    ])
    let content = Base64URL.text(of: header.utf8) + "." + Base64URL.text(of: claims.data)
    return content + "." + Base64URL.text(of: SHA256.authenticationCode(for: content.utf8, key: secret))
  }

  /// What is wrong with a token.
  enum Refusal: Error {
    case parts(Int)
    case signature
    case claims
  }

  /// Reads a token and checks its signature, not its time.
  init(_ text: String, secret: [UInt8]) throws(Refusal) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .parts(parts.count) }
    let content = parts[0] + "." + parts[1]
    guard let header = Self.object(parts[0]), header["alg"] == .string("HS256"),
      Base64URL.bytes(of: parts[2]).map(Array.init)
        == SHA256.authenticationCode(for: content.utf8, key: secret)
    else { throw .signature }
    guard let claims = Self.object(parts[1]),
      let user = claims["sub"]?.stringValue.flatMap(UUID.init(uuidString:)),
      let session = claims["session_id"]?.stringValue.flatMap(UUID.init(uuidString:)),
      case .number(let issued)? = claims["iat"], let issuedAt = Int64(issued),
      case .number(let expires)? = claims["exp"], let expiresAt = Int64(expires)
    else { throw .claims }
    userID = user
    sessionID = session
    email = claims["email"]?.stringValue ?? ""
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  init(userID: UUID, sessionID: UUID, email: String, issuedAt: Int64, expiresAt: Int64) {
    self.userID = userID
    self.sessionID = sessionID
    self.email = email
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  private static func object(_ part: Substring) -> JSONValue? {
    Base64URL.bytes(of: part).flatMap { try? JSONValue(parsing: $0) }
  }
}

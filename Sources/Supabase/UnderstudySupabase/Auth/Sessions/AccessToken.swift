import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// The claims of an access token or a key, which is a JSON Web Token signed with HS256 (RFC 7519, RFC 7518 §3.2).
struct AccessToken: Hashable {
  /// The database role: `anon`, `authenticated` or `service_role`; without the claim, `anon` (PostgREST, `Auth/Jwt.hs`).
  let role: String
  /// The user (`sub`); `nil` in a key.
  let userID: UUID?
  /// The session at the auth server; `nil` in a key, and in a token that a test has signed itself.
  let sessionID: UUID?
  /// The seconds since 1970; `nil` for a token that does not expire.
  let expiresAt: Int64?
  /// All claims as JSON, as PostgREST sets them for the database (`Auth.hs`).
  let claims: String

  /// Returns the claims of a user's token, in the order of their names, as Go writes them.
  ///
  /// - Parameter id: Distinguishes two tokens of the same session and second.
  static func claims(
    of user: AuthUser, _ session: AuthState.Session, issuedAt: Int64, expiresAt: Int64, id: String
  ) -> JSONValue {
    // A refresh does not change how and when the user signed in (`Session.CalculateAALAndAMR`).
    func entry(_ method: String, _ date: Date) -> JSONValue {
      .object([.init("method", .string(method)), .init("timestamp", .number(String(date.wholeSeconds)))])
    }
    let second = session.secondFactor.map { [entry("totp", $0.verifiedAt)] } ?? []
    return .object([
      .init("aal", .string(second.isEmpty ? "aal1" : "aal2")),
      .init("amr", .array(second + [entry(session.method, session.createdAt)])),
      .init("app_metadata", .object(user.appMetadata)), .init("aud", .string("authenticated")),
      .init("email", .string(user.email)), .init("exp", .number(String(expiresAt))),
      .init("iat", .number(String(issuedAt))), .init("is_anonymous", .boolean(user.isAnonymous)),
      .init("jti", .string(id)), .init("phone", .string(user.phone)), .init("role", .string("authenticated")),
      .init("session_id", .string(session.id.uuidString.lowercased())),
      .init("sub", .string(user.id.uuidString.lowercased())),
      .init("user_metadata", .object(user.userMetadata)),
    ])
  }

  /// Returns the token with these claims.
  static func signed(_ claims: JSONValue, with secret: [UInt8]) -> String {
    let header = #"{"alg":"HS256","typ":"JWT"}"#
    let content = Base64URL.text(of: header.utf8) + "." + Base64URL.text(of: Data(claims.compactText.utf8))
    return content + "." + Base64URL.text(of: Digest.sha256.authentication(of: content.utf8, key: secret))
  }

  /// The reason why a token is invalid.
  enum Refusal: Error {
    case parts(Int)
    case signature
    case claims
  }

  /// Returns the claims of a token whose signature is valid; it may have expired.
  static func claims(of text: String, secret: [UInt8]) throws(Refusal) -> JSONValue {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .parts(parts.count) }
    let content = parts[0] + "." + parts[1]
    guard let header = object(parts[0]), header["alg"] == .string("HS256"),
      Base64URL.bytes(of: parts[2]).map(Array.init)
        == Digest.sha256.authentication(of: content.utf8, key: secret)
    else { throw .signature }
    guard let claims = object(parts[1]), case .object = claims else { throw .claims }
    return claims
  }

  /// Reads a token and verifies its signature, not its expiry.
  init(_ text: String, secret: [UInt8]) throws(Refusal) {
    let claims = try Self.claims(of: text, secret: secret)
    self.claims = claims.compactText
    role = claims["role"]?.stringValue ?? "anon"
    userID = claims["sub"]?.stringValue.flatMap(UUID.init(uuidString:))
    sessionID = claims["session_id"]?.stringValue.flatMap(UUID.init(uuidString:))
    guard role != "authenticated" || userID != nil else { throw .claims }
    switch claims["exp"] {
    case nil, .null?: expiresAt = nil
    case .number(let digits)?:
      guard let seconds = Double(digits), seconds.magnitude < 1e15 else { throw .claims }
      expiresAt = Int64(seconds)
    default: throw .claims
    }
  }

  private static func object(_ part: Substring) -> JSONValue? {
    Base64URL.bytes(of: part).flatMap { try? JSONValue(parsing: $0) }
  }
}

extension Date {
  /// The whole seconds since 1970 that have passed, as tokens contain them; a time far away is cut off.
  var wholeSeconds: Int64 { Int64(max(-1e15, min(1e15, timeIntervalSince1970.rounded(.down)))) }
}

/// Base64 with the alphabet for URLs and without padding (RFC 4648 §5), as used by JSON Web Tokens.
enum Base64URL {
  static func text(of bytes: some Sequence<UInt8>) -> String {
    // Byte by byte: string algorithms took most of the time of signing a token.
    var text = Array(Data(bytes).base64EncodedData())
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    for place in text.indices {
      switch text[place] {
      case UInt8(ascii: "+"): text[place] = UInt8(ascii: "-")
      case UInt8(ascii: "/"): text[place] = UInt8(ascii: "_")
      default: break
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func bytes(of text: Substring) -> Data? {
    var padded = Data(text.utf8)
    for place in padded.indices {
      switch padded[place] {
      case UInt8(ascii: "-"): padded[place] = UInt8(ascii: "+")
      case UInt8(ascii: "_"): padded[place] = UInt8(ascii: "/")
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: break
      }
    }
    padded.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - padded.count % 4) % 4))
    return Data(base64Encoded: padded)
  }
}

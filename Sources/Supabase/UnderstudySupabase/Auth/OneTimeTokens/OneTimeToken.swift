import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// A one-time code that was sent and not used yet, known by its hash (`models.OneTimeToken`).
struct OneTimeToken: Hashable {
  /// What it is for.
  ///
  /// A user has at most one of each kind: the next replaces it.
  enum Kind: Hashable {
    /// The address or the phone number of a new account, also by invitation.
    case confirmation
    /// A sign-in without a password: a link, or a forgotten password.
    case recovery
    /// Another address, in the mail to the present one.
    case emailChangeCurrent
    /// Another address, in the mail to it.
    case emailChangeNew
    /// Another phone number.
    case phoneChange
    /// A change that requires a recent sign-in.
    case reauthentication
  }

  /// The hash of the code, after `pkce_` if the code is to be exchanged with a code verifier.
  let hash: String
  /// Whether it is found by its hash alone.
  ///
  /// A confirmation of any kind ends this for all tokens of a user (`ClearAllOneTimeTokensForUser`), whereas their
  /// codes remain valid.
  var isListed = true

  /// The prefix of the hash in the PKCE flow (`internal/api/pkce.go`).
  static let exchangePrefix = "pkce_"

  init(hash: String, isExchanged: Bool) {
    self.hash = isExchanged ? Self.exchangePrefix + hash : hash
  }

  /// Returns the hash of a code that was sent to an address or a phone number (`GenerateTokenHash`).
  static func hash(of code: String, to recipient: String) -> String {
    ByteEncoding.hexadecimal(Digest.sha224((recipient + code).utf8))
  }

  /// Whether it belongs to the code with a hash, in either flow (`isOtpValid`).
  func matches(codeHash: String) -> Bool {
    hash == codeHash || hash == Self.exchangePrefix + codeHash
  }
}

extension AuthUser {
  /// When the last token of a kind was sent.
  subscript(sending kind: OneTimeToken.Kind) -> Date? {
    get {
      switch kind {
      case .confirmation: sentAt.confirmation
      case .recovery: sentAt.recovery
      case .emailChangeCurrent, .emailChangeNew: sentAt.emailChange
      case .phoneChange: sentAt.phoneChange
      case .reauthentication: sentAt.reauthentication
      }
    }
    set {
      switch kind {
      case .confirmation: sentAt.confirmation = newValue
      case .recovery: sentAt.recovery = newValue
      case .emailChangeCurrent, .emailChangeNew: sentAt.emailChange = newValue
      case .phoneChange: sentAt.phoneChange = newValue
      case .reauthentication: sentAt.reauthentication = newValue
      }
    }
  }
}

/// What a link in a mail contains besides the token.
struct LinkTarget {
  /// The address of the auth server, such as `http://127.0.0.1:54321/auth/v1`.
  let server: String
  /// Where the link leads after the verification.
  let redirection: String

  /// Returns a link (`getPath` in `templatemailer.go`).
  func link(tokenHash: String, type: String) -> String {
    // A redirection without these characters counts as encoded by the client.
    let isPlain = redirection.contains { "&=#".contains($0) }
    return "\(server)/verify?token=\(FormEncoding.escaped(tokenHash))&type=\(FormEncoding.escaped(type))"
      + "&redirect_to=\(isPlain ? FormEncoding.escaped(redirection) : redirection)"
  }
}

/// The encoding of forms in URLs, with the characters that Go's `url.Values` leaves as they are.
enum FormEncoding {
  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~".utf8)

  static func escaped(_ text: String) -> String {
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      if unreserved.contains(byte) {
        escaped.append(byte)
      } else if byte == UInt8(ascii: " ") {
        escaped.append(UInt8(ascii: "+"))
      } else {
        escaped.append(UInt8(ascii: "%"))
        escaped.append(contentsOf: ByteEncoding.hexadecimal([byte]).uppercased().utf8)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// Returns the pairs sorted by their names.
  static func text(of pairs: [String: String]) -> String {
    pairs.sorted { $0.key < $1.key }.map { escaped($0.key) + "=" + escaped($0.value) }
      .joined(separator: "&")
  }
}

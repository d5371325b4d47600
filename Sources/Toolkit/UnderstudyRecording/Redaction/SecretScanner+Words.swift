import Foundation

/// Detection of secrets by their form.
extension SecretScanner {
  /// Returns the placeholder whose hyphen is here; it replaces a secret, whichever rule detected it.
  func placeholder(endingAt hyphen: Int, in bytes: Bytes) -> Find? {
    let number = hyphen + 1
    let start = number - Redactor.stem.utf8.count
    guard start >= 0, bytes[start..<number].elementsEqual(Redactor.stem.utf8) else { return nil }
    var end = number
    while end < bytes.count, bytes[end] >= UInt8(ascii: "0"), bytes[end] <= UInt8(ascii: "9") { end += 1 }
    return end > number ? match(in: bytes, start..<end, rule: "placeholder") : nil
  }

  /// Returns the web token that begins here, or base64 of JSON with secrets, which may be compressed.
  func base64(at start: Int, in bytes: Bytes, _ search: inout Search) -> Find? {
    guard start >= search.endOfWord else { return nil }
    if bytes[start...].starts(with: "eyJ".utf8), let end = endOfWebToken(from: start, in: bytes) {
      return match(in: bytes, start..<end, rule: "web token")
    }
    var end = start
    while end < bytes.count, Self.isOfToken(bytes[end]) || "+/".utf8.contains(bytes[end]) { end += 1 }
    search.endOfWord = end
    let isNested =
      search.depth > 0
      || start > 0 && Self.isOfToken(bytes[start - 1]) && !Self.isBoundary(at: start, in: bytes)
    guard end - start >= 16, !isNested else { return nil }
    let word = bytes[start..<end].map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    let whole = word.prefix(word.count % 4 == 1 ? word.count - 1 : word.count)
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - whole.count % 4) % 4)
    guard let decoded = Data(base64Encoded: Data(whole + padding)).map({ [UInt8]($0) }),
      case let unpacked = BodyCoding.decoded(decoded)?.text,
      case let text = unpacked ?? decoded,
      unpacked != nil || text.first.map({ "{[-".utf8.contains($0) }) == true
    else { return nil }
    let inner = text.withUnsafeBufferPointer {
      searched($0, isForm: false, depth: search.depth + 1)
    }
    let secrets = inner.filter {
      !Redactor.isPlaceholder($0.secret) && Redactor.placeholder(ofNumber: $0.secret) == nil
    }
    guard !secrets.isEmpty else { return nil }
    while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
    var find = match(in: bytes, start..<end, rule: "base64")
    find?.parts = secrets.map(\.secret)
    return find
  }

  /// Returns the token after `Bearer `, in a text that is not a header field.
  func bearer(after space: Int, in bytes: Bytes) -> Find? {
    let word = "bearer"
    let first = space - word.utf8.count
    guard first >= 0, bytes[first..<space].allSatisfy({ $0 < 0x80 }),
      String(decoding: bytes[first..<space], as: UTF8.self).lowercased() == word
    else { return nil }
    var end = space + 1
    while end < bytes.count, Self.isOfToken(bytes[end]) || "._~+/".utf8.contains(bytes[end]) { end += 1 }
    guard end - space > 12, isRandom((space + 1)..<end, in: bytes) else { return nil }
    while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
    return match(in: bytes, (space + 1)..<end, rule: "bearer token")
  }

  /// Returns the credentials after `Basic `, in a text that is not a header field.
  func basic(after space: Int, in bytes: Bytes) -> Find? {
    var end = space + 1
    while end < bytes.count,
      TokenForm.Alphabet.alphanumeric.contains(bytes[end]) || "+/".utf8.contains(bytes[end])
    {
      end += 1
    }
    while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
    guard end - space > 4, space >= 5,
      String(decoding: bytes[(space - 5)..<space], as: UTF8.self).lowercased() == "basic",
      var find = match(in: bytes, (space + 1)..<end, rule: "basic credentials"),
      let password = Self.password(ofBasicCredentials: find.secret.replacing("=", with: ""))
    else { return nil }
    find.parts = [password]
    return find
  }

  /// The last words of the segments of a path that a secret follows.
  static let segmentsBefore: Set<String> = [
    "reset", "invite", "invites", "invitation", "invitations", "magic", "verify", "verification", "confirm",
    "confirmation", "activate", "activation", "unsubscribe", "unlock", "recover", "recovery", "token", "sso",
    "otl", "otp", "apikey", "api_key", "api-key",
    "reset-password", "resetpassword", "reset_password", "set-password", "set_password", "passwordreset",
    "magic-link",
    "magiclink", "magic_link", "login-link", "signin-link", "verify-email", "verifyemail", "verify_email",
    "confirm-email", "confirm_email", "one-time-login", "share",
  ]

  /// Returns the segment of a path after `reset`, `invite`, `verify` and others, the slash after which is here.
  func segment(after slash: Int, in bytes: Bytes) -> Find? {
    guard redactsPasswordsInURLs else { return nil }
    var start = slash
    // In JSON a slash may be escaped.
    if start > 0, bytes[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    let end = start
    while start > 0, Self.isOfToken(bytes[start - 1]), end - start < 24 { start -= 1 }
    guard start > 0, bytes[start - 1] == UInt8(ascii: "/") else { return nil }
    let segment = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
    guard
      Self.segmentsBefore.contains(segment)
        || segment.split(whereSeparator: { "-_".contains($0) }).last.map({
          Self.segmentsBefore.contains(String($0))
        }) == true
    else { return nil }
    var last = slash + 1
    while last < bytes.count, Self.isOfToken(bytes[last]) || ".~%".utf8.contains(bytes[last]) { last += 1 }
    while last > slash + 1, bytes[last - 1] == UInt8(ascii: ".") { last -= 1 }
    var first = slash + 1
    if !isRandom(first..<last, in: bytes), last - first <= 12, last < bytes.count,
      bytes[last] == UInt8(ascii: "/")
    {
      // The user is before the token: `/reset/MQ/c8x2k1-…`.
      first = last + 1
      last = Self.endOfToken(from: first, in: bytes)
    }
    guard isRandom(first..<last, in: bytes) else { return nil }
    var find = match(in: bytes, first..<last, rule: "segment of a path")
    // It may be an identifier, too.
    find?.hasCopies = false
    return find
  }

  /// Returns the secret part of the URL of a webhook.
  ///
  /// Only the last segments are replaced, so that the URL remains one of the service.
  func webhook(at position: Int, in bytes: Bytes) -> Find? {
    let forms: [(host: String, segments: Int)] = [
      ("hooks.slack.com/services/", 2), ("hooks.slack.com/workflows/", 3), ("hooks.slack.com/triggers/", 2),
      ("discord.com/api/webhooks/", 1), ("discordapp.com/api/webhooks/", 1), ("/webhookb2/", 2),
      ("infura.io/v3/", 0), ("alchemy.com/v2/", 0), ("/with/key/", 0),
    ]
    for form in forms {
      // The anchor is one of the bytes of the text.
      let before = max(0, position - form.host.utf8.count)
      guard
        let text = Self.first(
          form.host, in: bytes, before..<min(bytes.count, position + form.host.utf8.count))
      else { continue }
      var start = text + form.host.utf8.count
      func isOfURL(_ byte: UInt8) -> Bool { Self.isOfToken(byte) || "@.%".utf8.contains(byte) }
      for _ in 0..<form.segments {
        while start < bytes.count, isOfURL(bytes[start]) { start += 1 }
        // In JSON a slash may be escaped.
        if start < bytes.count, bytes[start] == UInt8(ascii: "\\") { start += 1 }
        guard start < bytes.count, bytes[start] == UInt8(ascii: "/") else { return nil }
        start += 1
      }
      var end = start
      while end < bytes.count, isOfURL(bytes[end]) || bytes[end] == UInt8(ascii: "/") && form.segments == 2 {
        end += 1
      }
      guard end - start >= 16, Self.isBoundary(at: text, in: bytes) || bytes[text] == UInt8(ascii: "/") else {
        return nil
      }
      return match(in: bytes, start..<end, rule: "webhook")
    }
    return nil
  }

  private static func first(_ text: String, in bytes: Bytes, _ range: Range<Int>) -> Int? {
    let count = text.utf8.count
    guard range.count >= count else { return nil }
    return (range.lowerBound...(range.upperBound - count)).first {
      bytes[$0..<($0 + count)].elementsEqual(text.utf8)
    }
  }

  /// Returns the end of three parts in base64url; the last one is empty in an unsigned token.
  private func endOfWebToken(from start: Int, in bytes: Bytes) -> Int? {
    var position = start
    for _ in 0..<2 {
      let end = Self.endOfToken(from: position, in: bytes)
      guard end - position > 3, end < bytes.count, bytes[end] == UInt8(ascii: ".") else { return nil }
      position = end + 1
    }
    return Self.endOfToken(from: position, in: bytes)
  }

  static func endOfToken(from start: Int, in bytes: Bytes) -> Int {
    var end = start
    while end < bytes.count, isOfToken(bytes[end]) { end += 1 }
    return end
  }

  /// Returns whether a word can begin here: the last letter of `\n`, `\u0026` or `%3D` belongs to no word.
  static func isBoundary(at start: Int, in bytes: Bytes) -> Bool {
    guard start > 0, isOfToken(bytes[start - 1]) else { return true }
    func hasHexDigits(_ count: Int) -> Bool {
      bytes[(start - count)..<start].allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    }
    if start >= 2, bytes[start - 2] == UInt8(ascii: "\\"), "bfnrt".utf8.contains(bytes[start - 1]) {
      return true
    }
    if start >= 3, bytes[start - 3] == UInt8(ascii: "%"), hasHexDigits(2) { return true }
    return start >= 6 && bytes[(start - 6)..<(start - 4)].elementsEqual("\\u".utf8) && hasHexDigits(4)
  }

  static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Returns a private key between its boundary lines (RFC 7468 §2), or up to the end of the string or the text.
  func privateKey(at start: Int, in bytes: Bytes) -> Find? {
    let begin = "-----BEGIN "
    guard start >= 0, bytes[start...].starts(with: begin.utf8) else { return nil }
    let label = bytes[(start + begin.utf8.count)...].prefix(40)
    guard let dash = label.firstIndex(of: UInt8(ascii: "-")),
      bytes[..<dash].suffix(11).elementsEqual("PRIVATE KEY".utf8)
        // The armor of OpenPGP (RFC 9580 §6.2).
        || bytes[..<dash].suffix(17).elementsEqual("PRIVATE KEY BLOCK".utf8)
    else { return nil }
    // A text about keys has only the first line.
    let body = bytes[dash...].prefix(8).drop { $0 == UInt8(ascii: "-") }
    guard let next = body.first, next <= 0x20 || next == UInt8(ascii: "\\") || Self.isOfToken(next) else {
      return nil
    }
    var end = dash
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      if bytes[end] == UInt8(ascii: "-"), bytes[end...].starts(with: "-----END ".utf8) {
        let line = bytes[(end + 9)...].prefix(64)
        let dash = line.firstIndex(of: UInt8(ascii: "-")) ?? line.endIndex
        end = dash
        while end < bytes.count, end < dash + 5, bytes[end] == UInt8(ascii: "-") { end += 1 }
        break
      }
      end += 1
    }
    guard var find = match(in: bytes, start..<end, rule: "private key") else { return nil }
    // Inside a JSON string.
    find.secret = find.secret.replacing("\\r", with: "\r").replacing("\\n", with: "\n")
    return find
  }
}

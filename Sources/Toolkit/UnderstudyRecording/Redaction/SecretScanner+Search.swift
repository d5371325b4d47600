import Foundation

extension SecretScanner {
  /// The state of a search through a text.
  struct Search {
    let isForm: Bool
    /// The number of encodings around the text.
    let depth: Int
    private(set) var finds: [Find] = []
    /// The end of the last secret.
    private(set) var end = 0
    /// The end of the last word with the prefix of a web token that is not one: no suffix of it is one either.
    var endOfWord = 0
    /// Whether the text belongs to an exchange of OAuth; `nil` if that is not known yet.
    var isOAuth: Bool?
    /// Whether the text is an operation of GraphQL; `nil` if that is not known yet.
    var isGraphQL: Bool?

    init(isForm: Bool, depth: Int) {
      self.isForm = isForm
      self.depth = depth
    }

    /// Adds a secret; one that begins in the last secret belongs to it.
    mutating func add(_ find: Find?) {
      guard let find, find.range.lowerBound >= end else { return }
      finds.append(find)
      end = find.range.upperBound
    }
  }

  /// Adds the secret at an anchor, if there is one.
  func find(_ anchor: Anchor, at position: Int, in bytes: Bytes, _ search: inout Search) {
    switch anchor {
    case .form(let number):
      guard position >= 3, let range = TokenForm.all[number].range(around: position - 3, in: bytes) else {
        return
      }
      var find = match(in: bytes, range, rule: "prefix")
      find?.secret = TokenForm.unescaped(bytes[range])
      search.add(find)
    case .name(let names):
      guard names.isEmpty || Self.ends(at: position, with: names, in: bytes) else { return }
      named(endingAt: position, in: bytes, &search)
    case .authority: search.add(userPassword(at: position - 2, in: bytes))
    case .privateKey: search.add(privateKey(at: position - 5, in: bytes))
    case .placeholder: search.add(placeholder(endingAt: position, in: bytes))
    case .base64: search.add(base64(at: position - 3, in: bytes, &search))
    case .bearer: search.add(bearer(after: position, in: bytes))
    case .tag: tag(at: position, in: bytes, &search)
    case .webhook: search.add(webhook(at: position, in: bytes))
    }
  }

  /// Returns whether the bytes before a position end with one of these names.
  ///
  /// Most words that end with the same three letters are none of them.
  private static func ends(at end: Int, with names: [[UInt8]], in bytes: Bytes) -> Bool {
    names.contains { name in
      name.withUnsafeBufferPointer { name in
        var (position, index) = (end - 1, name.count - 1)
        while index >= 0 {
          guard position >= 0 else { return false }
          let byte = bytes[position]
          position -= 1
          if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { continue }
          let lower = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
          // The name may be percent-encoded or escaped.
          if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\")
            || position >= 1 && bytes[position - 1] == UInt8(ascii: "%")
            || position >= 4 && bytes[position - 4] == UInt8(ascii: "\\")
              && bytes[position - 3] == UInt8(ascii: "u")
          {
            return true
          }
          guard lower == name[index] else { return false }
          index -= 1
        }
        return true
      }
    }
  }

  /// Returns whether the text has fields of an exchange of OAuth, in which `code` is a secret (RFC 6749 §4.1).
  ///
  /// Such a text is short.
  static func isOAuth(_ bytes: Bytes) -> Bool {
    guard bytes.count <= 64 << 10 else { return false }
    return [
      "grant_type", "redirect_uri", "code_verifier", "grantType", "redirectUri", "redirectURI",
      "codeVerifier", "&state=", "?state=", "u0026state=",
    ]
    .contains { contains($0, in: bytes) }
  }

  /// The names of fields of an exchange of OAuth.
  static let namesOfOAuth: Set<String> = [
    "grant_type", "redirect_uri", "code_verifier", "grantType", "redirectUri", "redirectURI", "codeVerifier",
  ]

  static func contains(_ text: String, in bytes: Bytes) -> Bool {
    var text = text
    return text.withUTF8 { text in
      guard let base = bytes.baseAddress, let first = text.baseAddress else { return false }
      var position = 0
      while position + text.count <= bytes.count,
        let next = memchr(base + position, CInt(first.pointee), bytes.count - position - text.count + 1)
      {
        position = UnsafeRawPointer(next) - UnsafeRawPointer(base)
        if memcmp(base + position, first, text.count) == 0 { return true }
        position += 1
      }
      return false
    }
  }

  /// Returns whether the text is an operation of GraphQL, in which names are not quoted.
  static func isGraphQL(_ bytes: Bytes) -> Bool {
    let beginning = Bytes(rebasing: bytes.prefix(4096))
    return ["mutation", "query", "subscription"].contains { contains($0, in: beginning) }
  }

  /// Returns whether a text is more likely a secret than a word, a path, a date or code.
  static func looksRandom(_ value: Bytes) -> Bool {
    guard value.count >= 8, value.count <= 4096 else { return false }
    var (letters, digits, others) = (0, 0, 0)
    for byte in value {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): letters += 1
      case 0...0x20, UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "$"), UInt8(ascii: "<"),
        UInt8(ascii: "["),
        UInt8(ascii: "\\"):
        return false
      default: others += 1
      }
    }
    return digits >= 2 && letters >= 2 && others * 3 <= value.count && Set(value).count >= 6
  }
}

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
    /// The possible ends of a name that has begun.
    var pending: [Int] = []
    /// The end of the last words with spaces between them, which is that of all names among them.
    var endOfWords = 0
    /// Whether the text belongs to an exchange of OAuth; `nil` if that is not known yet.
    var isOAuth: Bool?
    /// Whether the text is an operation of GraphQL; `nil` if that is not known yet.
    var isGraphQL: Bool?

    init(isForm: Bool, depth: Int) {
      self.isForm = isForm
      self.depth = depth
    }

    /// Whether the secrets are in order and do not overlap.
    private(set) var isInOrder = true

    /// Adds a secret; one that begins in the last secret belongs to it.
    mutating func add(_ find: Find?) {
      guard let find, find.range.lowerBound >= end else { return }
      finds.append(find)
      end = find.range.upperBound
    }

    /// Adds a secret of which the last one may be a part: `token-a1b2:…` is not a name with a value.
    mutating func add(whole find: Find?) {
      if let find, let last = finds.last, find.range.lowerBound < last.range.lowerBound,
        find.range.upperBound >= last.range.upperBound
      {
        finds.removeLast()
        end = finds.last?.range.upperBound ?? 0
      }
      add(find)
    }

    /// Adds a secret that may precede the last one.
    mutating func add(anywhere find: Find?) {
      guard let find else { return }
      if find.range.lowerBound >= end { return add(find) }
      isInOrder = false
      finds.append(find)
    }
  }

  /// Returns the positions where a name that begins with a word may end, the second one after spaces: `mot de passe`.
  private func endsOfName(from start: Int, in bytes: Bytes, _ search: inout Search) -> [Int] {
    var end = start
    while end < bytes.count, end - start < Self.longestName,
      SecretNames.isPart(bytes[end]) || "_-.".utf8.contains(bytes[end])
    {
      end += 1
    }
    let first = end
    // A page of prose is one such run, whose end is looked for once.
    end = max(first, search.endOfWords)
    while end + 1 < bytes.count,
      SecretNames.isPart(bytes[end]) || bytes[end] == 0x20 && SecretNames.isPart(bytes[end + 1])
    {
      end += 1
    }
    search.endOfWords = end
    let hasSpaces =
      end > first && end - start <= Self.longestName && end < bytes.count
      && "\"':=<\\".utf8.contains(bytes[end])
    return hasSpaces ? [first, end] : [first]
  }

  /// Returns the position where a name with an encoded character ends, from that character on.
  private func endOfEncodedName(from start: Int, in bytes: Bytes) -> Int {
    var end = start
    while end < bytes.count, end - start < Self.longestName {
      switch bytes[end] {
      case UInt8(ascii: "%"):
        // `=`, `&`, `#` and `?`.
        let digits = String(decoding: bytes[(end + 1)...].prefix(2), as: UTF8.self).lowercased()
        if ["3d", "26", "23", "3f"].contains(digits) { return end }
        end += 3
      case UInt8(ascii: "\\"):
        guard isEscapedLetter(at: end + 1, upTo: bytes.count, in: bytes) else { return end }
        end += 6
      default:
        guard SecretNames.isPart(bytes[end]) || "_-.[]".utf8.contains(bytes[end]) else { return end }
        end += 1
      }
    }
    return min(end, bytes.count)
  }

  /// Adds the values of names with a word of another language that end before a position.
  ///
  /// They are looked at when they have ended, because a token of a known form may be before their end.
  func findPending(before position: Int, in bytes: Bytes, _ search: inout Search) {
    guard let first = search.pending.first, first < position else { return }
    let ends = search.pending
    search.pending = []
    for end in ends where end >= search.end && end < bytes.count { named(endingAt: end, in: bytes, &search) }
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
      search.add(whole: find)
    case .name: named(endingAt: position, in: bytes, &search)
    case .word: search.pending = endsOfName(from: position + 1, in: bytes, &search)
    case .encoded:
      if search.pending.first.map({ $0 > position }) != true {
        search.pending = [endOfEncodedName(from: position - 3, in: bytes)]
      }
    case .webKey: webKey(endingAt: position, in: bytes, &search)
    case .segment:
      search.add(segment(after: position, in: bytes))
      secretOfStore(at: position, in: bytes, &search)
    case .authority: search.add(userPassword(at: position - 2, in: bytes))
    case .privateKey: search.add(privateKey(at: position - 5, in: bytes))
    case .placeholder: search.add(placeholder(endingAt: position, in: bytes))
    case .base64: search.add(base64(at: position - 3, in: bytes, &search))
    case .bearer: search.add(bearer(after: position, in: bytes))
    case .basic: search.add(basic(after: position, in: bytes))
    case .option:
      search.add(
        bytes[position] == 0x20
          ? userPassword(after: position, in: bytes) : identified(by: position, in: bytes))
    case .tag: tag(at: position, in: bytes, &search)
    case .webhook: search.add(webhook(at: position, in: bytes))
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

  /// Returns whether a range is more likely a secret than a word, a path, a date or code.
  func isRandom(_ range: Range<Int>, in bytes: Bytes) -> Bool {
    range.count >= 8 && range.count <= 4096
      && SecretValue.isRandom(String(decoding: Bytes(rebasing: bytes[range]), as: UTF8.self))
  }
}

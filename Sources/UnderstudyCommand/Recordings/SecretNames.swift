import UnderstudyRecording

/// Where secrets are in what was recorded, as far as it can be told without knowing them.
enum SecretNames {
  /// What stands where a secret was.
  static let mask = "…"

  /// Names of header fields, of items of a query and of members whose values are secrets.
  private static let names: Set<String> = {
    let rules = Redaction.standard
    return Set(rules.fieldNames.union(rules.headerNames).map { plain($0) })
  }()

  /// Whether what has this name is a secret.
  static func contain(_ name: some StringProtocol) -> Bool { names.contains(plain(name)) }

  private static func plain(_ name: some StringProtocol) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" }
  }

  /// The first placeholder in a text, as recordings of this package have them: `redacted-` and a number.
  static func placeholder(in text: String) -> Substring? { placeholders(in: text[...]).first }

  /// The text with a mask in place of each placeholder, web token and key that is known by its looks.
  static func masked(_ text: String) -> String {
    var masked = ""
    var position = text.startIndex
    for word in words(of: text) {
      for secret in looksSecret(word) ? [word] : placeholders(in: word) {
        masked += text[position..<secret.startIndex] + mask
        position = secret.endIndex
      }
    }
    return masked + text[position...]
  }

  /// The runs of what tokens are made of: letters, digits, `-`, `_` and `.`.
  private static func words(of text: String) -> [Substring] {
    text.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-" || $0 == "_" || $0 == ".") }
  }

  private static func placeholders(in text: Substring) -> [Substring] {
    text.ranges(of: "redacted-").compactMap { stem in
      let number = text[stem.upperBound...].prefix { ("0"..."9").contains($0) }
      return number.isEmpty ? nil : text[stem.lowerBound..<number.endIndex]
    }
  }

  private static func looksSecret(_ word: Substring) -> Bool {
    if word.hasPrefix("eyJ"), word.count(where: { $0 == "." }) == 2 { return true }
    return word.count >= 20 && Redaction.standard.prefixes.contains { word.hasPrefix($0) }
  }

  /// A text that may be a URL, without the secrets among the items of its query.
  static func masked(url text: String) -> String {
    guard let mark = text.firstIndex(of: "?") else { return masked(text) }
    return masked(String(text[..<mark])) + "?"
      + masked(items: text[text.index(after: mark)...]).joined(separator: "&")
  }

  /// The items of a query or a form, without the secrets among them.
  static func masked(items: Substring) -> [String] {
    items.split(separator: "&", omittingEmptySubsequences: false).map { item in
      let name = item.prefix { $0 != "=" }
      return contain(name) && name.endIndex < item.endIndex ? "\(name)=\(mask)" : masked(String(item))
    }
  }
}

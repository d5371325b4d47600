import Foundation
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyText

/// The parts that equal requests share: method, path, query and body, without the origin and without secrets.
struct RequestIdentity: Hashable {
  private enum Body: Hashable {
    case none
    case json(JSONValue)
    case text([String])
    case bytes(Data)
  }

  private let method: HTTP.Method
  private let path: String
  /// The query items, sorted.
  private let query: [String]
  private let body: Body

  init(_ request: HTTPArchive.Request) {
    method = request.method
    let target = RecordedURL(request.url).target
    path = SecretNames.masked(String(target.prefix { $0 != "?" }))
    query = SecretNames.masked(items: target.drop { $0 != "?" }.dropFirst()).filter { !$0.isEmpty }.sorted()
    body = Self.body(request.postData)
  }

  /// The method, the path and the query.
  var description: String {
    ("\(method) \(path)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))).visible
  }

  private static func body(_ data: HTTPArchive.PostData?) -> Body {
    guard let data, let body = data.body, !body.isEmpty else { return .none }
    if let json = try? JSONValue(parsing: body) { return .json(masked(json)) }
    guard let text = String(exactlyUTF8: body) else { return .bytes(body) }
    let isForm = data.mimeType?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
    return .text(isForm ? SecretNames.masked(items: text[...]) : [SecretNames.masked(text)])
  }

  /// Returns the document without secrets and with sorted members; of members with the same name, the last one counts.
  private static func masked(_ json: JSONValue) -> JSONValue {
    switch json {
    case .string(let text): .string(SecretNames.masked(text))
    case .array(let elements): .array(elements.map { masked($0) })
    case .object(let members):
      .object(
        Dictionary(members.map { ($0.name, $0.value) }) { $1 }.sorted { $0.key < $1.key }.map { name, value in
          .init(name, SecretNames.contain(name) ? masked(secret: value) : masked(value))
        })
    case .null, .boolean, .number: json
    }
  }

  private static func masked(secret value: JSONValue) -> JSONValue {
    switch value {
    case .string, .number: .string(SecretNames.mask)
    default: masked(value)
    }
  }
}

/// A URL, split where its path starts.
struct RecordedURL {
  /// The scheme, the host and the port; empty if they are missing.
  let origin: String
  /// The path and the query; `/` if they are missing.
  let target: String

  init(_ url: String) {
    let sent = url.prefix { $0 != "#" }
    guard let start = sent.range(of: "://") else {
      (origin, target) = ("", String(sent))
      return
    }
    let end = sent[start.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? sent.endIndex
    origin = String(sent[..<end])
    let rest = sent[end...]
    target = rest.isEmpty ? "/" : rest.hasPrefix("/") ? String(rest) : "/" + rest
  }

  /// The host and a port, without user and password.
  var host: String {
    let authority = origin.split(separator: "://", maxSplits: 1).last ?? ""
    return String(authority.split(separator: "@").last ?? "")
  }
}

/// The detection of secrets in recordings by their names and their forms.
enum SecretNames {
  /// The text that replaces a secret.
  static let mask = "…"

  /// Returns whether the value of a header field, a query item or a member with this name is a secret.
  static func contain(_ name: some StringProtocol) -> Bool {
    Redaction.standard.isSecret(named: String(name))
  }

  /// Returns the first placeholder in a text: `redacted-` and a number.
  static func placeholder(in text: String) -> Substring? { placeholders(in: text[...]).first }

  /// Returns the text with each placeholder, web token and recognizable key replaced by the mask.
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

  /// Returns the sequences of characters of tokens: letters, digits, `-`, `_` and `.`.
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
    return word.count >= 20 && Redaction.standard.isToken(String(word))
  }

  /// Returns a text, which may be a URL, without the secrets in its query.
  static func masked(url text: String) -> String {
    guard let mark = text.firstIndex(of: "?") else { return masked(text) }
    return masked(String(text[..<mark])) + "?"
      + masked(items: text[text.index(after: mark)...]).joined(separator: "&")
  }

  /// Returns the items of a query or a form, without secrets.
  static func masked(items: Substring) -> [String] {
    items.split(separator: "&", omittingEmptySubsequences: false).map { item in
      let name = item.prefix { $0 != "=" }
      return contain(name) && name.endIndex < item.endIndex ? "\(name)=\(mask)" : masked(String(item))
    }
  }
}

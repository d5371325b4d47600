import Foundation
import UnderstudyTransport

/// Replaces secrets by placeholders, those found by a rule and every other copy of them.
///
/// In two passes: everything is learnt first, so that a secret is replaced also where it stood before anything told
/// that it is one.
struct Redactor {
  /// The form of every placeholder, followed by a number.
  static let stem = "redacted-"

  let scanner: SecretScanner
  /// Secrets in the order in which they were seen, and what showed them.
  private var learnt: [(secret: String, origin: String)] = []
  private var placeholders: [String: String] = [:]
  private var copies = CopySearch([])

  init(_ redaction: Redaction) {
    scanner = SecretScanner(redaction)
  }

  /// Whether a text has the form of a placeholder.
  static func isPlaceholder(_ text: String) -> Bool {
    text.hasPrefix(stem) && text.count > stem.count
      && text.dropFirst(stem.count).allSatisfy { ("0"..."9").contains($0) }
  }

  // MARK: First pass

  /// Learns the secrets of one part.
  ///
  /// - Parameter origin: Where it stands, for the table of placeholders.
  mutating func learn(_ finds: [SecretScanner.Find], from origin: String) {
    for find in finds where placeholders[find.secret] == nil {
      placeholders[find.secret] = Self.isPlaceholder(find.secret) ? find.secret : ""
      learnt.append((find.secret, origin))
    }
  }

  /// Gives each secret its placeholder, and none that stands in what was recorded already.
  mutating func assignPlaceholders() {
    let taken = Set(placeholders.values)
    var number = 0
    for (secret, _) in learnt where placeholders[secret] == "" {
      repeat { number += 1 } while taken.contains("\(Self.stem)\(number)")
      placeholders[secret] = "\(Self.stem)\(number)"
    }
    let spellings = learnt.filter { !Self.couldBeAnyWord($0.secret) && !Self.isPlaceholder($0.secret) }
      .flatMap { secret, _ in
        Self.spellings(of: secret).map { (text: Array($0.utf8), placeholder: placeholders[secret] ?? "") }
      }
    copies = CopySearch(spellings)
  }

  /// The placeholders and what showed their secrets, in order.
  var table: [(placeholder: String, origin: String)] {
    learnt.compactMap { secret, origin in placeholders[secret].map { ($0, origin) } }
  }

  /// Whether a secret, such as the password `password`, may stand in many places that have nothing to do with it.
  ///
  /// Such a one is replaced only where a rule finds it.
  private static func couldBeAnyWord(_ secret: String) -> Bool {
    secret.utf8.count < 6 || (secret.utf8.count < 20 && secret.allSatisfy { $0.isASCII && $0.isLetter })
  }

  /// As it is, inside JSON, inside a URL and inside a form.
  private static func spellings(of secret: String) -> Set<String> {
    var quoted = ""
    JSONValue.quote(secret, into: &quoted)
    let json = String(quoted.dropFirst().dropLast())
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    let encoded = secret.addingPercentEncoding(withAllowedCharacters: unreserved) ?? secret
    let inQuery = secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? secret
    return [
      secret, json, json.replacing("/", with: "\\/"), encoded, encoded.replacing("%20", with: "+"), inQuery,
    ]
  }

  // MARK: Second pass

  /// Replaces what was found in a part, and every copy of any secret in it.
  func redact(_ bytes: [UInt8], _ finds: [SecretScanner.Find]) -> RedactedBytes {
    var replacements: [(range: Range<Int>, with: [UInt8])] = []
    var position = 0
    for find in finds {
      replacements += copies.replacements(in: bytes, position..<find.range.lowerBound)
      position = find.range.upperBound
      guard let placeholder = placeholders[find.secret] else { continue }
      replacements.append((find.range, Array((find.needsQuotes ? "\"\(placeholder)\"" : placeholder).utf8)))
    }
    replacements += copies.replacements(in: bytes, position..<bytes.count)
    return RedactedBytes(bytes, replacing: replacements)
  }

  func redact(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return String(decoding: redact(bytes, scanner.finds(in: bytes)).bytes, as: UTF8.self)
  }
}

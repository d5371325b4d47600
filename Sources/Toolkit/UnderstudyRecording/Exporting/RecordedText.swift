import Foundation
import UnderstudyHTTP

/// A recorded text, split at the values that vary between runs: UUIDs and placeholders of secrets.
struct RecordedText {
  private enum Part {
    case literal(String)
    case uuid(String)
    case secret(String)
  }

  private let parts: [Part]

  init(_ text: String) {
    var parts: [Part] = []
    var text = text
    text.withUTF8 { bytes in
      var literal = 0
      var position = 0
      func flush() {
        guard literal < position else { return }
        parts.append(.literal(String(decoding: bytes[literal..<position], as: UTF8.self)))
      }
      while position < bytes.count {
        let uuid = Self.endOfUUID(at: position, in: bytes)
        guard let end = uuid ?? Self.endOfPlaceholder(at: position, in: bytes) else {
          position += 1
          continue
        }
        flush()
        let value = String(decoding: bytes[position..<end], as: UTF8.self)
        parts.append(uuid == nil ? .secret(value) : .uuid(value))
        (literal, position) = (end, end)
      }
      flush()
    }
    self.parts = parts
  }

  private static func endOfUUID(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let end = start + 36
    guard end <= bytes.count, bytes[start + 8] == UInt8(ascii: "-") else { return nil }
    let isUUID = (0..<36).allSatisfy { offset in
      let byte = bytes[start + offset]
      return [8, 13, 18, 23].contains(offset) ? byte == UInt8(ascii: "-") : isHexadecimal(byte)
    }
    return isUUID ? end : nil
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  /// Returns the end of a placeholder of ``Redaction``, such as `redacted-2`.
  private static func endOfPlaceholder(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes[start] == UInt8(ascii: "r") else { return nil }
    let digits = start + placeholder.count
    guard digits < bytes.count, bytes[start..<digits].elementsEqual(placeholder) else { return nil }
    let end = bytes[digits...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return end == digits ? nil : end ?? bytes.count
  }

  private static let placeholder = Array("redacted-".utf8)

  /// The UUIDs, in lower case.
  var uuids: [String] {
    parts.compactMap { if case .uuid(let value) = $0 { value.lowercased() } else { nil } }
  }

  /// Whether the text varies between runs.
  var varies: Bool {
    parts.contains { if case .literal = $0 { false } else { true } }
  }

  /// Whether the text is a single secret.
  var isSecret: Bool {
    if parts.count == 1, case .secret = parts[0] { true } else { false }
  }

  /// Whether the text is `Bearer` with a secret (RFC 6750 §2.1).
  var isBearerToken: Bool {
    guard parts.count == 2, case .literal(let scheme) = parts[0], case .secret = parts[1] else {
      return false
    }
    return scheme.lowercased() == "bearer "
  }

  /// The recorded text.
  var text: String {
    joined(literal: \.self) {
      $0
    } secret: {
      $0
    }
  }

  /// A regular expression without anchors for the text in any run.
  var pattern: String {
    joined(literal: \.escapedForPattern) { _ in
      Self.anyUUID
    } secret: { _ in
      ".+"
    }
  }

  /// Returns a regular expression for the text with any values in place of these placeholders; `nil` if it has none of
  /// them.
  func pattern(of placeholders: Set<String>) -> String? {
    let hasAny = parts.contains {
      if case .secret(let value) = $0 { placeholders.contains(value) } else { false }
    }
    guard hasAny else { return nil }
    return joined(literal: \.escapedForPattern, uuid: \.escapedForPattern) {
      placeholders.contains($0) ? ".+" : $0.escapedForPattern
    }
  }

  /// The text without values that vary, for comparison.
  var normalized: String {
    joined(literal: \.self) { _ in
      "<uuid>"
    } secret: { _ in
      "<secret>"
    }
  }

  /// Returns the text with the values of provider states as expressions of Pact; `nil` if no state supplies a value.
  ///
  /// - Parameter names: The names of the supplied values, by lower-case UUID or placeholder.
  func expression(supplying names: [String: String]) -> String? {
    let supplied = parts.contains { part in
      switch part {
      case .literal: false
      case .uuid(let value), .secret(let value): names[value.lowercased()] != nil
      }
    }
    guard supplied else { return nil }
    func expression(_ value: String) -> String {
      names[value.lowercased()].map { "${\($0)}" } ?? value
    }
    return joined(literal: \.self, uuid: expression, secret: expression)
  }

  static let anyUUID = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"

  private func joined(
    literal: (String) -> String, uuid: (String) -> String, secret: (String) -> String
  ) -> String {
    parts.map { part in
      switch part {
      case .literal(let text): literal(text)
      case .uuid(let value): uuid(value)
      case .secret(let value): secret(value)
      }
    }.joined()
  }
}

extension String {
  /// The text escaped for a regular expression.
  var escapedForPattern: String {
    reduce(into: "") { text, character in
      if "\\.+*?()|[]{}^$".contains(character) { text += "\\" }
      text.append(character)
    }
  }
}

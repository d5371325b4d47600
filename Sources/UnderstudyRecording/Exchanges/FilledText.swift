import Foundation
import UnderstudyHTTP

/// A text of an exchange with names in braces, which stand for what only a run can know.
struct FilledText {
  private enum Part {
    case literal(String)
    case name(String)
  }

  private let parts: [Part]

  init(_ text: String) {
    var parts: [Part] = []
    var rest = text[...]
    while let match = rest.firstMatch(of: /\{([A-Za-z][A-Za-z0-9 _-]*)\}/) {
      if match.range.lowerBound > rest.startIndex {
        parts.append(.literal(String(rest[..<match.range.lowerBound])))
      }
      parts.append(.name(String(match.output.1)))
      rest = rest[match.range.upperBound...]
    }
    if !rest.isEmpty { parts.append(.literal(String(rest))) }
    self.parts = parts
  }

  /// The names in braces.
  var names: [String] {
    parts.compactMap { if case .name(let name) = $0 { name } else { nil } }
  }

  /// The name, if there is nothing else in the text.
  var onlyName: String? { parts.count == 1 ? names.first : nil }

  /// The text with each name in its own place.
  var example: String { text(literal: \.self, name: \.self) }

  /// A regular expression for the whole text, in which any text may stand for a name.
  var pattern: String {
    "^" + text(literal: \.escapedForPattern, name: { _ in ".+" }) + "$"
  }

  /// Whether a text is this one, any but an empty text standing for each name.
  func matches(_ text: String) -> Bool {
    // Without names there is no pattern to be tried.
    guard !names.isEmpty else { return text == example }
    return text.range(of: pattern, options: .regularExpression) != nil
  }

  /// The expression with which Pact fills in what a provider state gave.
  var expression: String { text(literal: \.self, name: { "${\($0)}" }) }

  private func text(literal: (String) -> String, name: (String) -> String) -> String {
    parts.map { part in
      switch part {
      case .literal(let text): literal(text)
      case .name(let text): name(text)
      }
    }.joined()
  }
}

extension String {
  /// The text as a regular expression that only it matches.
  var escapedForPattern: String {
    reduce(into: "") { text, character in
      if "\\.+*?()|[]{}^$".contains(character) { text += "\\" }
      text.append(character)
    }
  }
}

extension ExchangeDocument {
  /// Every name in braces of the requests, once, in alphabetical order.
  var namesToFill: [String] {
    Set(exchanges.flatMap(\.request.namesToFill)).sorted()
  }
}

extension ExchangeRequest {
  fileprivate var namesToFill: [String] {
    (Array(fields.values) + (body?.strings ?? [])).flatMap { FilledText($0).names }
  }
}

extension JSONValue {
  /// Every string that is a value, in the document's order.
  fileprivate var strings: [String] {
    switch self {
    case .string(let string): [string]
    case .array(let elements): elements.flatMap(\.strings)
    case .object(let members): members.flatMap(\.value.strings)
    default: []
    }
  }
}

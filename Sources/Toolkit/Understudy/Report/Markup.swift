import UnderstudyText

/// HTML or XML text, in which only literals of the source code are markup and all other text is escaped.
struct Markup {
  private(set) var text = ""

  /// Adds markup.
  mutating func literal(_ markup: StaticString) { text += "\(markup)" }

  /// Adds escaped text.
  mutating func write(_ words: String) { Self.escape(words, inAttribute: false, into: &text) }

  /// Adds the markup of another value.
  mutating func append(_ other: Markup) { text += other.text }

  /// Adds an element with content; an attribute that is `nil` is omitted.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>,
    _ content: (inout Markup) -> Void
  ) {
    open(name, attributes)
    text += ">"
    content(&self)
    text += "</\(name)>"
  }

  /// Adds an element with text.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>, _ words: String
  ) {
    element(name, attributes) { $0.write(words) }
  }

  /// Adds an element without attributes.
  mutating func element(_ name: StaticString, _ content: (inout Markup) -> Void) {
    element(name, [:], content)
  }

  /// Adds an element with text and without attributes.
  mutating func element(_ name: StaticString, _ words: String) { element(name, [:], words) }

  /// Adds an empty element in the syntax of XML and SVG.
  mutating func emptyElement(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:]) {
    open(name, attributes)
    text += "/>"
  }

  private mutating func open(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>) {
    text += "<\(name)"
    for (name, value) in attributes {
      guard let value else { continue }
      text += " \(name)=\""
      Self.escape(value, inAttribute: true, into: &text)
      text += "\""
    }
  }

  /// Control characters are replaced by their names: XML 1.0 does not allow them, and a browser must not interpret
  /// them.
  private static func escape(_ words: String, inAttribute: Bool, into text: inout String) {
    for scalar in words.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"" where inAttribute: text += "&quot;"
      // Unescaped, they would be parsed as spaces.
      case "\n" where inAttribute: text += "&#10;"
      case "\t" where inAttribute: text += "&#9;"
      case "\n", "\t": text.unicodeScalars.append(scalar)
      case _ where scalar.isInvisible: text += scalar.spelledOut
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

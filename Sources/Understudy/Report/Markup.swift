/// Text of HTML or XML: markup is a literal of the source code, everything else is escaped.
struct Markup {
  private(set) var text = ""

  /// Adds markup.
  mutating func literal(_ markup: StaticString) { text += "\(markup)" }

  /// Adds a text.
  mutating func write(_ words: String) { Self.escape(words, inAttribute: false, into: &text) }

  /// Adds markup that is already there.
  mutating func append(_ other: Markup) { text += other.text }

  /// Adds an element with its content; an attribute that is `nil` is left out.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>,
    _ content: (inout Markup) -> Void
  ) {
    open(name, attributes)
    text += ">"
    content(&self)
    text += "</\(name)>"
  }

  /// Adds an element that holds a text.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>, _ words: String
  ) {
    element(name, attributes) { $0.write(words) }
  }

  /// Adds an element without attributes.
  mutating func element(_ name: StaticString, _ content: (inout Markup) -> Void) {
    element(name, [:], content)
  }

  /// Adds an element without attributes that holds a text.
  mutating func element(_ name: StaticString, _ words: String) { element(name, [:], words) }

  /// Adds an element without content, as XML and SVG write it.
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

  /// Control characters are spelled out: XML 1.0 does not allow them, and a browser must not interpret them.
  private static func escape(_ words: String, inAttribute: Bool, into text: inout String) {
    for scalar in words.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"" where inAttribute: text += "&quot;"
      // Unescaped they would be read as spaces.
      case "\n" where inAttribute: text += "&#10;"
      case "\t" where inAttribute: text += "&#9;"
      case "\n", "\t": text.unicodeScalars.append(scalar)
      case _ where scalar.isInvisible: text += scalar.spelledOut
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

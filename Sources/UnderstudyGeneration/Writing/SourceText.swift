/// Swift source that is being written, line by line.
struct SourceText {
  private(set) var lines: [String] = []
  private var depth = 0
  /// How many characters a line has at most, where it can be broken.
  static let width = 110

  /// All of it, with a line break at its end.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Writes a line where the source is nested now; an empty one has no spaces.
  mutating func line(_ text: String = "") {
    lines.append(text.isEmpty ? "" : String(repeating: "  ", count: depth) + text)
  }

  /// Whether a line is not too long where the source is nested now.
  func fits(_ text: String) -> Bool { depth * 2 + text.count <= Self.width }

  /// Writes a documentation comment; an empty line stands between paragraphs.
  mutating func documentation(_ paragraphs: String...) {
    documentation(paragraphs)
  }

  /// Writes a documentation comment; an empty line stands between paragraphs.
  mutating func documentation(_ paragraphs: [String]) {
    for (number, paragraph) in paragraphs.enumerated() {
      if number > 0 { line("///") }
      var text = "///"
      for word in paragraph.split(separator: " ") {
        if !fits("\(text) \(word)"), text != "///" {
          line(text)
          text = "///"
        }
        text += " \(word)"
      }
      line(text)
    }
  }

  /// Writes a line that opens a brace, what is in it, and the brace that closes it.
  mutating func block(_ head: String, closing: String = "}", _ body: (inout SourceText) -> Void) {
    line(head)
    nested(body)
    line(closing)
  }

  /// Writes lines one level deeper.
  mutating func nested(_ body: (inout SourceText) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  /// Writes a list in brackets on one line, or on lines of its own where that is too long.
  ///
  /// - Parameters:
  ///   - head: Up to the opening bracket, with it.
  ///   - items: What is in the brackets.
  ///   - tail: From the closing bracket on, with it.
  mutating func list(_ head: String, _ items: [String], _ tail: String) {
    let whole = head + items.joined(separator: ", ") + tail
    guard !fits(whole), !items.isEmpty else { return line(whole) }
    line(head)
    nested { source in
      let inOneLine = items.joined(separator: ", ")
      if source.fits(inOneLine) {
        source.line(inOneLine)
      } else {
        for (number, item) in items.enumerated() { source.line(item + (number + 1 < items.count ? "," : "")) }
      }
    }
    line(tail)
  }
}

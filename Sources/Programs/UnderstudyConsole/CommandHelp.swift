import Foundation

/// The options of a command, read from its help, which is their only description.
package struct CommandHelp {
  package struct Option {
    /// The name, such as `--format`.
    package let name: String
    /// The notation of its value, such as `<file>` and `table|json`; empty without a value.
    package let value: String
    /// The first sentence of its description, or a part of it.
    package let summary: String

    /// The values, if they are words.
    package var choices: [String] {
      value.split(separator: "|").filter { !$0.contains("<") }.map(String.init)
    }
  }

  package let name: String
  package let abstract: String
  package let options: [Option]
  /// The words of its first operand, such as `pact`, if it has any.
  package let words: [String]

  package init(name: String, abstract: String, text: String) {
    self.name = name
    self.abstract = abstract
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    options = lines.indices.compactMap { Self.option(at: $0, in: lines) }
    let operand = lines.first?.split(separator: " ").dropFirst(3).first ?? ""
    let isWord = operand.first?.isLetter == true
    words = isWord ? operand.split(separator: "|").map(String.init) : []
  }

  private static func option(at number: Int, in lines: [String]) -> Option? {
    guard let match = lines[number].wholeMatch(of: #/  (--[a-z-]+)(?: (<[^>]+>|[^ <]\S*))?(?: +(.*))?/#)
    else {
      return nil
    }
    var value = match.output.2.map(String.init) ?? ""
    var text = match.output.3.map(String.init) ?? ""
    // Without a value, one space may precede the description.
    if !value.hasPrefix("<"), !value.contains("|") {
      text = [value, text].filter { !$0.isEmpty }.joined(separator: " ")
      value = ""
    }
    if text.isEmpty, number + 1 < lines.count {
      text = lines[number + 1].trimmingCharacters(in: .whitespaces)
    }
    let sentence = text.firstRange(of: /\.( |$)/).map { String(text[..<$0.lowerBound]) } ?? text
    return Option(name: String(match.output.1), value: value, summary: sentence)
  }
}

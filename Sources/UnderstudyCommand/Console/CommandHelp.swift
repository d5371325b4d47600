import Foundation

/// The options of a command, read from its help, which is their only description.
struct CommandHelp {
  struct Option {
    /// The name, such as `--format`.
    let name: String
    /// The notation of its value, such as `<file>` and `table|json`; empty without a value.
    let value: String
    /// The first sentence of its description, or a part of it.
    let summary: String

    /// The values, if they are words.
    var choices: [String] {
      value.split(separator: "|").filter { !$0.contains("<") }.map(String.init)
    }
  }

  let name: String
  let abstract: String
  let options: [Option]
  /// The words of its first operand, such as `pact`, if it has any.
  let words: [String]

  init(name: String, abstract: String, text: String) {
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

/// Texts for the help of several commands.
enum HelpText {
  /// Returns items separated by commas, on as many lines as required.
  ///
  /// - Parameter indentation: The number of spaces before each line but the first.
  static func list(_ items: [String], indentation: Int = 32, width: Int = 118) -> String {
    var lines: [String] = []
    var line = ""
    for (number, item) in items.enumerated() {
      let word = item + (number + 1 < items.count ? "," : "")
      if line.isEmpty {
        line = word
      } else if indentation + line.count + 1 + word.count > width {
        lines.append(line)
        line = word
      } else {
        line += " " + word
      }
    }
    return (lines + [line]).joined(separator: "\n" + String(repeating: " ", count: indentation))
  }
}

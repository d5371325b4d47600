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

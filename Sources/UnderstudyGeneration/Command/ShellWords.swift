/// Words as a shell reads them.
enum ShellWords {
  /// The words of a line; `nil` if a quotation mark has no pair.
  static func split(_ line: Substring) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      switch (quote, character) {
      case (let open?, _) where open == character: quote = nil
      case (_?, _): word = (word ?? "") + String(character)
      case (nil, "'"), (nil, "\""):
        quote = character
        word = word ?? ""
      case (nil, " "):
        if let whole = word { words.append(whole) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    return words + (word.map { [$0] } ?? [])
  }

  /// A line that is read as these words.
  static func join(_ words: [String]) -> String {
    words.map { word in
      let isPlain =
        !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "_-./+:,=@".contains($0) }
      // Within single quotation marks everything stands for itself, but they.
      return isPlain ? word : "'" + word.replacing("'", with: "'\"'\"'") + "'"
    }.joined(separator: " ")
  }
}

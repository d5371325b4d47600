import Testing
import Understudy
import UnderstudyTesting

// Catches a first line with another command than the one that wrote the file.
@Suite(.stallLimit()) struct ShellWordsTests {
  @Test(arguments: [
    ["--protocol", "TodoService", "--output", "Sources/Doubles/"],
    ["--failure", "{ MyError(of: $0, \"it's\") }"], ["", "a b", "'", "\"'\""],
    ["init(ofStore:)", "$HOME", "\\n"],
  ])
  func wordsAreParsedFromTheirNotation(_ words: [String]) {
    #expect(
      Understudy.Words.shellWords(
        in: words.map(Understudy.Words.shell).joined(separator: " ")) == words)
  }

  // Catches files written before a quotation mark was escaped with a backslash.
  @Test(arguments: [#"'it'\''s' b"#, #"'it'"'"'s' b"#, #"it\'s b"#])
  func everySpellingOfAQuotationMarkIsRead(_ line: String) {
    #expect(Understudy.Words.shellWords(in: line) == ["it's", "b"])
  }

  @Test func anUnclosedQuotationMarkIsAnError() {
    #expect(Understudy.Words.shellWords(in: "--omit 'add") == nil)
  }
}

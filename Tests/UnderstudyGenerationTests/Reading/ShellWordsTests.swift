import Testing

@testable import UnderstudyGeneration

// Catches a command in a first line that is not the one that wrote the file.
struct ShellWordsTests {
  @Test(arguments: [
    ["--protocol", "TodoService", "--output", "Sources/Doubles/"],
    ["--failure", "{ MyError(of: $0, \"it's\") }"], ["", "a b", "'", "\"'\""],
    ["init(ofStore:)", "$HOME", "\\n"],
  ])
  func wordsAreReadAsTheyWereWritten(_ words: [String]) {
    #expect(ShellWords.split(ShellWords.join(words)[...]) == words)
  }

  @Test func aQuotationMarkWithoutItsPairIsAnError() {
    #expect(ShellWords.split("--omit 'add") == nil)
  }
}

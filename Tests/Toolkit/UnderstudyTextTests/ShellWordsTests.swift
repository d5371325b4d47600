import Foundation
import Testing
import UnderstudyTesting
import UnderstudyText

@Suite(.stallLimit()) struct ShellWordsTests {
  @Test(arguments: ["plain-1.2/x", "", "two words", "it's", "$(date)", "a;b\nc", "*"])
  func aShellReadsAWordBack(_ word: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "printf %s \(Words.shell(word))"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(String(decoding: output, as: UTF8.self) == word)
  }

  // Catches a generated file whose first line has another command than the one that wrote it.
  @Test(arguments: [
    ["--protocol", "TodoService", "--output", "Sources/Doubles/"],
    ["--failure", "{ MyError(of: $0, \"it's\") }"], ["", "a b", "'", "\"'\""],
    ["init(ofStore:)", "$HOME", "\\n"],
  ])
  func wordsAreParsedFromTheirNotation(_ words: [String]) {
    #expect(Words.shellWords(in: words.map(Words.shell).joined(separator: " ")) == words)
  }

  // Catches files written before a quotation mark was escaped with a backslash.
  @Test(arguments: [#"'it'\''s' b"#, #"'it'"'"'s' b"#, #"it\'s b"#])
  func everySpellingOfAQuotationMarkIsRead(_ line: String) {
    #expect(Words.shellWords(in: line) == ["it's", "b"])
  }

  @Test func anUnclosedQuotationMarkIsAnError() {
    #expect(Words.shellWords(in: "--omit 'add") == nil)
  }
}

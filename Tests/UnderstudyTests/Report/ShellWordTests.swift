import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ShellWordTests {
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
}

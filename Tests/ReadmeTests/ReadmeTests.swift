import Foundation
import Testing

struct ReadmeTests {
  /// The README's code is this folder's code: a line that does not compile cannot stay in it.
  @Test func everyLineOfCodeInTheReadmeIsCompiledHere() throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let readme = try String(contentsOf: here.appending(path: "../../README.md"), encoding: .utf8)
    let example = try String(contentsOf: here.appending(path: "ReadmeExample.swift"), encoding: .utf8)
    let compiled = Set(example.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    let code = readme.components(separatedBy: "```").filter { $0.hasPrefix("swift\n") }
      .flatMap { $0.split(separator: "\n").dropFirst() }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(code.count > 20)
    for line in code where !line.hasPrefix("//") {
      #expect(compiled.contains(line), "This line of README.md is not in ReadmeExample.swift.")
    }
  }
}

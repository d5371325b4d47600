import Foundation
import Testing

struct ReadmeTests {
  /// The README's code is this folder's code, or that of the app of todos: a line that does not compile cannot stay in it.
  @Test func everyLineOfCodeInTheReadmeIsCompiledHere() throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let readme = try String(contentsOf: here.appending(path: "../../README.md"), encoding: .utf8)
    let app = here.appending(path: "../Downstream/TodoApp")
    let files =
      [here.appending(path: "ReadmeExample.swift")]
      + ["Sources", "Tests"].flatMap { folder in
        FileManager.default.enumerator(at: app.appending(path: folder), includingPropertiesForKeys: nil)?
          .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
      }
    #expect(files.count > 15)
    let compiled = Set(
      try files.flatMap { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
        .map { $0.trimmingCharacters(in: .whitespaces) })
    let code = readme.components(separatedBy: "```").filter { $0.hasPrefix("swift\n") }
      .flatMap { $0.split(separator: "\n").dropFirst() }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(code.count > 20)
    for line in code where !line.isEmpty && !line.hasPrefix("//") && !compiled.contains(line) {
      Issue.record("This line of README.md is in no Swift file of ReadmeTests or TodoApp: \(line)")
    }
  }
}

import Foundation

/// Another program, found where the shell would find it.
struct ChildProcess {
  private let words: [String]

  init(_ words: [String]) {
    self.words = words
  }

  /// What it writes to standard output.
  ///
  /// - Throws: When it cannot be run, or does not succeed; then with what it wrote.
  func output() throws(GenerationError) -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardOutput = output
    do {
      // A file, because nobody empties a second pipe while the first is read.
      try Data().write(to: errors)
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      let text = String(decoding: data, as: UTF8.self)
      guard process.terminationStatus == 0 else {
        let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        throw GenerationError(
          ["\(words.joined(separator: " ")) ended with status \(process.terminationStatus):"]
            + (text + said).split(separator: "\n").suffix(12).map(String.init))
      }
      return text
    } catch let error as GenerationError {
      throw error
    } catch {
      throw GenerationError("\(words.joined(separator: " ")) cannot be run: \(error.localizedDescription)")
    }
  }
}

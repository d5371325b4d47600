import Foundation

/// Another program, found where the shell would find it.
struct ChildProcess {
  private let words: [String]

  init(_ words: [String]) {
    self.words = words
  }

  /// Runs it for what it does; on a terminal it shows what that is.
  ///
  /// - Throws: As ``output()``.
  func run() throws(GenerationError) {
    guard isatty(STDERR_FILENO) == 1 else {
      _ = try output()
      return
    }
    let process = process()
    process.standardOutput = FileHandle.standardError
    do {
      try process.run()
    } catch {
      throw cannotRun(error)
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw GenerationError(failure(process)) }
  }

  /// What it writes to standard output.
  ///
  /// - Throws: When it cannot be run, or does not succeed; then with what it wrote.
  func output() throws(GenerationError) -> String {
    let process = process()
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
        let lines = (text + said).split(separator: "\n").map(String.init)
        let errors = lines.filter { $0.contains("error:") }
        throw GenerationError([failure(process)] + (errors.isEmpty ? lines.suffix(12) : errors.prefix(12)))
      }
      return text
    } catch let error as GenerationError {
      throw error
    } catch {
      throw cannotRun(error)
    }
  }

  private func process() -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    return process
  }

  private func failure(_ process: Process) -> String {
    "\(words.joined(separator: " ")) ended with status \(process.terminationStatus)."
  }

  private func cannotRun(_ error: any Error) -> GenerationError {
    GenerationError("\(words.joined(separator: " ")) cannot be run: \(error.localizedDescription)")
  }
}

import Foundation
import UnderstudyConsole

/// External programs.
enum Tool {
  /// The path of an executable program.
  ///
  /// - Parameters:
  ///   - module: A module that the program must have if it is Python.
  ///   - advice: The command that installs it.
  /// - Throws: ``Missing``, with the advice.
  static func find(_ name: String, module: String? = nil, _ advice: String) throws -> URL {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = [".build/interop/bin"] + path.split(separator: ":").map(String.init) + ["/usr/sbin"]
    for folder in folders {
      let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
      guard FileManager.default.isExecutableFile(atPath: file.path) else { continue }
      if let module, (try? output(file.path, ["-c", "import \(module)"])) == nil { continue }
      return file
    }
    throw Missing(module ?? name, advice)
  }

  /// The output of a program that exited successfully.
  static func output(_ program: String, _ arguments: [String], in folder: URL? = nil) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandError("\(program) \(arguments.joined(separator: " ")) failed:\n\(text)")
    }
    return text
  }
}

/// The processes of this program in which something is measured or served apart: `benchmarks worker`.
enum Worker {
  /// The path of this program.
  static var program: URL {
    get throws {
      guard let program = Bundle.main.executableURL else { throw CommandError("This program has no path.") }
      return program
    }
  }

  static func run(_ words: [String]) async throws {
    switch (words.first, words.dropFirst().first) {
    case ("load", let reader?):
      guard let reader = ArchiveReader(rawValue: reader), words.count == 3 else {
        throw CommandError("worker load requires a reader and a file.")
      }
      try await reader.run(words[2])
    case ("serve", let port?): try await UnderstudyPeer.run(port: UInt16(port) ?? 0)
    default: throw CommandError("worker requires load or serve.")
    }
  }
}

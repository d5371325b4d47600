import Foundation

/// External programs.
enum Tool {
  /// The path of an executable program.
  ///
  /// - Parameter advice: How to install it.
  /// - Throws: ``Missing``, with the advice.
  static func find(_ name: String, _ advice: String) throws -> URL {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = [".build/interop/bin"] + path.split(separator: ":").map(String.init) + ["/usr/sbin"]
    for folder in folders {
      let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: file.path) { return file }
    }
    throw Missing("\(name); install it with: \(advice)")
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
      throw Missing("the output of \(program) \(arguments.joined(separator: " ")), which failed:\n\(text)")
    }
    return text
  }
}

/// The error for a missing prerequisite of a benchmark.
struct Missing: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) {
    description = "Missing: \(what)"
  }
}

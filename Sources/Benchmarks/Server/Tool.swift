import Foundation

/// Programs that others wrote.
enum Tool {
  /// The path of a program that can be run.
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

  /// What a program prints, once it has ended well.
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
      throw Missing("a good end of \(program) \(arguments.joined(separator: " ")):\n\(text)")
    }
    return text
  }
}

/// Something that a measurement needs is not there.
struct Missing: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) {
    description = "There is no \(what)"
  }
}

/// The options of `adopt`.
struct AdoptionOptions {
  /// The protocol.
  var name = ""
  var module: String?
  /// The folder of the test target.
  var output: String?
  /// The folder of the target with the doubles.
  var doubles: String?
  /// The error that a fault becomes where a requirement can throw any error.
  var error: String?
  /// The function from a fault to an error, which exists already.
  var failure: String?
  /// Files or folders of symbol graphs.
  var symbolGraphs: [String] = []
  /// A folder of compiled modules.
  var modules: String?
  /// A file with the targets of the package, as `swift package describe --type json` prints them.
  var description: String?
  /// A file with the settings of the targets, as `swift package dump-package` prints them.
  var manifest: String?
  /// Whether the targets of the files are isolated to a global actor by default.
  var isNonisolated = false
  var isHelp = false

  /// Reads the arguments of `adopt`.
  ///
  /// - Parameter command: The command, for errors.
  init(_ words: [String], of command: String) throws(CommandError) {
    var reader = OptionReader(words, of: command)
    while let option = try reader.next() {
      switch option {
      case "--help", "-h":
        isHelp = true
        return
      case "--module": module = try reader.value()
      case "--output": output = Self.folder(try reader.value())
      case "--doubles": doubles = Self.folder(try reader.value())
      case "--error": error = try reader.value()
      case "--failure": failure = try reader.value()
      case "--symbol-graph": symbolGraphs.append(try reader.value())
      case "--modules": modules = try reader.value()
      case "--nonisolated": isNonisolated = true
      case "--package-description": description = try reader.value()
      case "--package-manifest": manifest = try reader.value()
      default: name = try reader.operand(option, after: name.isEmpty ? nil : name)
      }
    }
    guard !name.isEmpty else {
      throw CommandError(
        "adopt requires the name of a protocol, such as LibraryService. See \(command) --help.")
    }
    if let failure, error != nil {
      throw CommandError("--error cannot be combined with --failure \(failure), which chooses the error.")
    }
  }

  private static func folder(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}

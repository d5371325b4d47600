package import Foundation
import UnderstudyText

/// Another program, found on the PATH.
///
/// Foundation's `Process` waits with `select`, which fails in a process with many open files, such as that of tests.
package struct ChildProcess {
  private let words: [String]

  package init(_ words: [String]) {
    self.words = words
  }

  /// Runs the program, which shows its output on a terminal.
  package func run() throws(CommandError) {
    guard isatty(STDERR_FILENO) == 1 else {
      _ = try output()
      return
    }
    let status = try spawn()
    guard status == 0 else { throw CommandError(failure(status) + ".") }
  }

  /// Runs the program, and returns its standard output.
  ///
  /// - Throws: `CommandError` if the program cannot be run, or with its first error if it fails.
  package func output() throws(CommandError) -> String {
    let name = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
    let (output, errors) = (name.appendingPathExtension("1"), name.appendingPathExtension("2"))
    defer { for file in [output, errors] { try? FileManager.default.removeItem(at: file) } }
    let status = try spawn(into: (output, errors))
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    guard status == 0 else {
      let errors = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
      let lines = (text + errors).split(separator: "\n")
      // A manifest is invalid because of an error with a place.
      let first = lines.first { $0.contains(/:\d+:\d+: error:/) } ?? lines.first { $0.contains("error:") }
      throw CommandError("\(failure(status)): \(first ?? lines.last ?? "no output")")
    }
    return text
  }

  /// Runs the program without standard input.
  ///
  /// - Parameter files: The files for its standard output and standard error; `nil` for the terminal of standard error.
  /// - Returns: Its exit status; 128 plus the number of the signal that ended it, as in shells.
  private func spawn(into files: (output: URL, errors: URL)? = nil) throws(CommandError) -> Int32 {
    let process = try launch([
      .file("/dev/null", O_RDONLY),
      files.map { Stream.file($0.output.plainPath, O_WRONLY | O_CREAT | O_TRUNC) } ?? .copy(STDERR_FILENO),
      files.map { Stream.file($0.errors.plainPath, O_WRONLY | O_CREAT | O_TRUNC) } ?? .copy(STDERR_FILENO),
    ])
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// What a standard stream of a program is.
  package enum Stream {
    /// A file that is opened with these flags.
    case file(String, CInt)
    /// A descriptor of this process.
    case copy(CInt)
  }

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - streams: Its standard input, output and error.
  ///   - isInOwnGroup: Whether it does not receive the signals of the terminal.
  package func launch(
    _ streams: [Stream], inOwnGroup isInOwnGroup: Bool = false
  ) throws(CommandError) -> pid_t {
    #if os(tvOS) || os(watchOS)
      throw CommandError("\(words[0]) cannot be run: tvOS and watchOS run no other programs.")
    #else
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
      #else
        var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
      #endif
      posix_spawn_file_actions_init(&actions)
      posix_spawnattr_init(&attributes)
      defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
      }
      // A group with the number zero is a new one.
      if isInOwnGroup { posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP)) }
      for (descriptor, stream) in zip([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO], streams) {
        switch stream {
        case .file(let path, let flags):
          posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
        case .copy(let source): posix_spawn_file_actions_adddup2(&actions, source, descriptor)
        }
      }
      var arguments = words.map { strdup($0) } + [nil]
      var environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer { for word in arguments + environment { free(word) } }
      var process: pid_t = 0
      let error = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &environment)
      guard error == 0 else {
        throw CommandError("\(words[0]) cannot be run: \(String(cString: strerror(error))).")
      }
      return process
    #endif
  }

  private func failure(_ status: Int32) -> String {
    "\(words.map(Words.shell).joined(separator: " ")) failed with status \(status)"
  }
}

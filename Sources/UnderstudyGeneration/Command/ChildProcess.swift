import Foundation

/// Another program, found where the shell would find it.
///
/// Foundation's `Process` waits with `select`, which a process with many open files, such as that of tests, cannot use.
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
    let status = try spawn { posix_spawn_file_actions_adddup2(&$0, STDERR_FILENO, STDOUT_FILENO) }
    guard status == 0 else { throw GenerationError(failure(status)) }
  }

  /// What it writes to standard output.
  ///
  /// - Throws: When it cannot be run, or does not succeed; then with what it wrote of errors.
  func output() throws(GenerationError) -> String {
    let name = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
    let (output, errors) = (name.appendingPathExtension("1"), name.appendingPathExtension("2"))
    defer { for file in [output, errors] { try? FileManager.default.removeItem(at: file) } }
    let status = try spawn { actions in
      for (descriptor, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
        posix_spawn_file_actions_addopen(
          &actions, descriptor, file.path(percentEncoded: false), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      }
    }
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    guard status == 0 else {
      let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
      let lines = (text + said).split(separator: "\n").map(String.init)
      let errors = lines.filter { $0.contains("error:") }
      throw GenerationError([failure(status)] + (errors.isEmpty ? lines.suffix(12) : errors.prefix(12)))
    }
    return text
  }

  #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
  #else
    private typealias FileActions = posix_spawn_file_actions_t
  #endif

  /// Runs it to its end, without standard input.
  ///
  /// - Parameter redirect: Says where it writes.
  /// - Returns: Its exit status; 128 and more for one that a signal ended, as shells have it.
  private func spawn(_ redirect: (inout FileActions) -> Void) throws(GenerationError) -> Int32 {
    #if canImport(Darwin)
      var actions: FileActions
    #else
      var actions = FileActions()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    redirect(&actions)
    var arguments = words.map { strdup($0) } + [nil]
    var environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in arguments + environment { free(word) } }
    var process: pid_t = 0
    let error = posix_spawnp(&process, words[0], &actions, nil, &arguments, &environment)
    guard error == 0 else {
      throw GenerationError("\(words[0]) cannot be run: \(String(cString: strerror(error))).")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  private func failure(_ status: Int32) -> String {
    "\(words.joined(separator: " ")) ended with status \(status)."
  }
}

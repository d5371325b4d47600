import Foundation
import Understudy
import UnderstudyConsole

extension ChildProcess {
  /// Starts the program with a socket as its standard input and output.
  ///
  /// - Parameter errors: The file for its standard error.
  func start(on socket: CInt, errors: URL) throws(CommandError) -> RunningProcess {
    RunningProcess(
      // The signals of the terminal are for this process alone, which then ends the other one.
      try launch(
        [.copy(socket), .copy(socket), .file(errors.plainPath, O_WRONLY | O_CREAT | O_TRUNC)],
        inOwnGroup: true))
  }
}

/// A program that was started, which is ended when its last reference is released.
final class RunningProcess: Sendable {
  /// The process; `nil` once its exit status was read, because the system may then reuse its number.
  private let process: Locked<pid_t?>

  fileprivate init(_ process: pid_t) {
    self.process = Locked(process)
  }

  deinit {
    end()
  }

  /// Whether the program has ended.
  var hasEnded: Bool {
    process.withLock { process in
      guard let running = process else { return true }
      var status: Int32 = 0
      guard waitpid(running, &status, WNOHANG) != 0 else { return false }
      process = nil
      return true
    }
  }

  /// Ends the program if it is still running.
  func end() {
    process.withLock { process in
      guard let running = process else { return }
      kill(running, SIGKILL)
      var status: Int32 = 0
      while waitpid(running, &status, 0) == -1, errno == EINTR {}
      process = nil
    }
  }
}

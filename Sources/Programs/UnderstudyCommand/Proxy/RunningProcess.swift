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

  /// Starts the program with the standard input, output and error of this process.
  func start() throws(CommandError) -> RunningProcess {
    RunningProcess(try launch([.copy(STDIN_FILENO), .copy(STDOUT_FILENO), .copy(STDERR_FILENO)]))
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

  /// How a program ended.
  enum End {
    case exit(Int32)
    case signal(Int32)
  }

  /// Waits until the program has ended; it is ended if the task is cancelled.
  func ended() async -> End {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Not on a thread of tasks, because the wait blocks it.
        DispatchQueue.global().async { continuation.resume(returning: self.wait()) }
      }
    } onCancel: {
      process.withLock { process in
        if let process { kill(process, SIGKILL) }
      }
    }
  }

  private func wait() -> End {
    if let running = process.withLock(\.self) {
      // Without the lock, so that the program can be ended; its number stays its own until the lock is held.
      var information = siginfo_t()
      while waitid(P_PID, id_t(running), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    }
    let status = process.withLock { process in
      guard let running = process else { return SIGKILL }
      var status: Int32 = 0
      waitpid(running, &status, 0)
      process = nil
      return status
    }
    return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
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

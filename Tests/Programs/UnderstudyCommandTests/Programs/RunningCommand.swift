import Foundation
import Understudy
import UnderstudyConsole
import UnderstudyHTTP

@testable import UnderstudyCommand

/// `serve` or `replay` during a test, with its output.
struct RunningCommand {
  /// Thrown when the command ended while a test waited for a line.
  struct Ended: Error {
    let output: String
    let error: String
  }

  private let lines = WrittenLines()
  private let errors = WrittenLines()
  private let task: Task<Int32, Never>
  /// The clock does not advance by itself, so that the lines are always equal.
  init(
    _ words: [String], serving backend: ServedBackend? = nil, time: TestClock = TestClock(),
    openSSL: String = "openssl"
  ) {
    var tool = CommandLineTool("tool", serving: backend)
    tool.environment = CommandEnvironment(time: time.time, timeZone: TimeZone(secondsFromGMT: 3600) ?? .gmt)
    tool.environment.openSSL = openSSL
    let (lines, errors) = (lines, errors)
    task = Task { [tool] in
      defer { lines.end() }
      return await tool.run(words, console: Console(write: lines.write, writeError: errors.write))
    }
  }

  /// The first line that has a text, once it is written.
  func line(with text: String) async throws -> String {
    guard let line = await lines.first(with: text) else {
      throw Ended(output: lines.text, error: errors.text)
    }
    return line
  }

  /// The address of the server.
  func url() async throws -> URL {
    let line = try await line(with: "http://")
    guard let url = URL(string: line) else { throw Ended(output: line, error: "no address") }
    return url
  }

  /// Sends a request.
  func send(_ method: HTTP.Method, _ path: String, body: String? = nil) async throws -> (Int, String) {
    guard let url = URL(string: try await url().absoluteString + path) else { throw URLError(.badURL) }
    let fields: HTTP.Fields = body == nil ? [:] : ["Content-Type": "application/json"]
    let request = HTTP.Request(method, url, fields: fields, body: body.map { Data($0.utf8) })
    let (data, response) = try await URLSessionTransport().data(for: request)
    return (response.status, String(decoding: data, as: UTF8.self))
  }

  /// Stops the command, and returns its output.
  func stop() async -> (status: Int32, output: String, error: String) {
    task.cancel()
    return await end()
  }

  /// Waits until the command ends by itself.
  func end() async -> (status: Int32, output: String, error: String) {
    (await task.value, lines.text, errors.text)
  }
}

/// The lines of a command, and the tasks that wait for one.
private final class WrittenLines: Sendable {
  private struct State: Sendable {
    var lines: [String] = []
    var isOver = false
    var waiters: [(text: String, continuation: CheckedContinuation<String?, Never>)] = []

    /// Removes the tasks whose line has arrived, and returns their continuations.
    mutating func due() -> [@Sendable () -> Void] {
      var due: [@Sendable () -> Void] = []
      waiters.removeAll { [lines, isOver] waiter in
        let line = lines.first { $0.contains(waiter.text) }
        guard line != nil || isOver else { return false }
        due.append { waiter.continuation.resume(returning: line) }
        return true
      }
      return due
    }
  }

  private let state = Locked(State())

  var text: String { state.withLock { $0.lines.joined(separator: "\n") } }

  @Sendable func write(_ text: String) {
    change { $0.lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  }

  func end() { change { $0.isOver = true } }

  func first(with text: String) async -> String? {
    await withCheckedContinuation { continuation in
      change { $0.waiters.append((text, continuation)) }
    }
  }

  private func change(_ change: (inout State) -> Void) {
    let due = state.withLock { state in
      change(&state)
      return state.due()
    }
    for resume in due { resume() }
  }
}

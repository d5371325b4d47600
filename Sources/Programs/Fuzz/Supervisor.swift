import Foundation
import UnderstudyConsole

/// A supervisor that runs worker processes and finds the smallest failing input.
struct Supervisor {
  /// The result of a worker process.
  private struct Report {
    var outcomes: [String: Int] = [:]
    var memory = 0
    /// The failing input and its message.
    var failure: (number: Int, message: String)?
    /// Whether the process was ended by a trap.
    var hasTrapped = false
  }

  private let options: FuzzOptions
  private let program: URL

  init(_ options: FuzzOptions) throws {
    self.options = options
    guard let program = Bundle.main.executableURL else {
      throw CommandError("The path of this program is unknown.")
    }
    self.program = program
  }

  /// Tests all inputs and prints the results; exits if an input fails.
  func run() throws {
    let start = ContinuousClock.now
    let half = options.count / 2
    var ranges = [(options.first, half), (options.first + half, options.count - half)]
    ranges.removeAll { $0.1 == 0 }
    // Both processes run concurrently.
    let started = try ranges.map { ($0, try launch(arguments(first: $0.0, count: $0.1))) }
    var total = Report()
    for ((first, count), process) in started {
      let report = Self.report(process)
      if let failure = report.failure { try fail(failure.number, failure.message) }
      if report.hasTrapped {
        let number = try firstTrap(first, count)
        try fail(number, "The parser trapped.")
      }
      total.outcomes.merge(report.outcomes, uniquingKeysWith: +)
      total.memory = max(total.memory, report.memory)
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    let rate = seconds > 0 ? Int(Double(options.count) / seconds) : 0
    print(
      "\(options.subject): \(options.count) inputs in \((seconds * 10).rounded() / 10) s, \(rate) a second, "
        + "\(total.memory >> 20) MiB at most")
    for (outcome, count) in total.outcomes.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      print("  \(count)\t\(outcome)")
    }
    guard total.memory <= Fuzz.memoryLimit else {
      print("FAILED: more than \(Fuzz.memoryLimit >> 20) MiB of memory were used.")
      exit(1)
    }
  }

  private func fail(_ number: Int, _ message: String) throws -> Never {
    guard let subject = Fuzz.subjects.first(where: { $0.name == options.subject }) else { exit(1) }
    let input = subject.input(seed: options.seed, number)
    let smallest = try shrunk(input)
    let digits = smallest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    print("FAILED: \(options.subject), seed \(options.seed), input \(number): \(message)")
    print("The smallest input that fails: \(digits)")
    print("To repeat: swift run -c release fuzz --parser \(options.subject) --input \(digits)")
    exit(1)
  }

  // MARK: Minimizing

  /// The number of the first input of a range that traps, found by bisection.
  private func firstTrap(_ first: Int, _ count: Int) throws -> Int {
    var (fine, traps) = (0, count)
    while traps - fine > 1 {
      let middle = (fine + traps) / 2
      let report = Self.report(try launch(arguments(first: first + fine, count: middle - fine)))
      if report.hasTrapped { traps = middle } else { fine = middle }
    }
    return first + fine
  }

  /// A minimized input that still fails, found by removing parts.
  private func shrunk(_ input: [UInt8]) throws -> [UInt8] {
    var input = input
    var size = max(1, input.count / 2)
    while size >= 1 {
      var position = 0
      while position < input.count {
        let end = min(position + size, input.count)
        let shorter = Array(input[..<position] + input[end...])
        if try fails(shorter) { input = shorter } else { position = end }
      }
      size /= 2
    }
    return input
  }

  private func fails(_ input: [UInt8]) throws -> Bool {
    let digits = input.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let process = try launch(["--parser", options.subject, "--input", digits])
    let report = Self.report(process)
    return report.hasTrapped || process.process.terminationStatus != 0
  }

  // MARK: Processes

  private struct Running {
    let process: Process
    let output: Pipe
  }

  private func arguments(first: Int, count: Int) -> [String] {
    var options = options
    options.first = first
    options.count = count
    return options.arguments
  }

  private func launch(_ arguments: [String]) throws -> Running {
    let running = Running(process: Process(), output: Pipe())
    running.process.executableURL = program
    running.process.arguments = arguments
    running.process.standardOutput = running.output
    // The message of a trap is not needed: the input is tested again.
    running.process.standardError = FileHandle.nullDevice
    try running.process.run()
    return running
  }

  private static func report(_ running: Running) -> Report {
    let text = String(decoding: running.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    running.process.waitUntilExit()
    var report = Report()
    report.hasTrapped = running.process.terminationReason == .uncaughtSignal
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 2).map(String.init)
      guard parts.count >= 2, let number = Int(parts[1]) else { continue }
      switch parts[0] {
      case "outcome" where parts.count == 3: report.outcomes[parts[2]] = number
      case "memory": report.memory = number
      case "failure" where parts.count == 3: report.failure = (number, parts[2])
      default: break
      }
    }
    return report
  }
}

import Foundation
import Understudy
import UnderstudyConsole

/// A fuzzer of the parsers and, with `fuzz drops`, of the recovery of a chat: `swift run -c release fuzz`.
///
/// Each input depends only on the seed and its number. Two further processes do the work, so that a trap is reported
/// like any other failure. The smallest input that still fails is printed in hexadecimal, and the exit status is 1.
@main struct Fuzz {
  /// The memory limit of a parser, in bytes.
  static let memoryLimit = 256 << 20

  static let subjects: [any FuzzSubject] = [
    WebSocketSubject(), RequestSubject(), ResponseHeadSubject(), ArchiveSubject(),
  ]

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.first == "drops" {
        try await Drops.run(Array(arguments.dropFirst()))
      } else if let options = try FuzzOptions(arguments) {
        try run(options)
      } else {
        print(FuzzOptions.usage)
      }
    } catch {
      printError("fuzz: \(CommandError("\(error)"))")
      exit(2)
    }
  }

  static func printError(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
  }

  private static func run(_ options: FuzzOptions) throws {
    if let input = options.input {
      try check(input, options)
    } else if options.isWorker {
      try work(options)
    } else {
      let chosen = subjects.filter { options.subject.isEmpty || $0.name == options.subject }
      print("seed \(options.seed), \(chosen.count) parsers")
      var options = options
      for subject in chosen {
        options.subject = subject.name
        options.count = options.chosenCount ?? subject.count
        try Supervisor(options).run()
      }
    }
  }

  private static func subject(_ options: FuzzOptions) throws -> any FuzzSubject {
    guard let subject = subjects.first(where: { $0.name == options.subject }) else {
      throw CommandError("--worker requires --parser.")
    }
    return subject
  }

  /// Tests one input, and prints the outcome.
  private static func check(_ input: [UInt8], _ options: FuzzOptions) throws {
    do {
      print("passed: \(try subject(options).check(input))")
    } catch let failure as FuzzFailure {
      print("failed: \(failure.message)")
      exit(1)
    }
  }

  /// Tests a range of inputs, and prints the number of each outcome, or the first failure.
  private static func work(_ options: FuzzOptions) throws {
    let subject = try subject(options)
    var outcomes: [String: Int] = [:]
    for number in options.first..<(options.first + options.count) {
      // An input that takes a minute is a failure: the signal ends this process like a trap.
      if number.isMultiple(of: 1024) { alarm(60) }
      let input = subject.input(seed: options.seed, number)
      do {
        outcomes[try subject.check(input), default: 0] += 1
      } catch let failure as FuzzFailure {
        print("failure\t\(number)\t\(failure.message)")
        exit(1)
      }
    }
    for (outcome, count) in outcomes { print("outcome\t\(count)\t\(outcome)") }
    print("memory\t\(Self.peakMemory)")
  }

  /// The peak memory of this process, in bytes.
  private static var peakMemory: Int {
    var usage = rusage()
    // Apple platforms report bytes, Linux reports kibibytes.
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #elseif canImport(Musl)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss << 10
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss << 10
    #endif
  }
}

/// A failure of a parser.
struct FuzzFailure: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// A parser under test, with its inputs and its invariants.
protocol FuzzSubject: Sendable {
  var name: String { get }
  /// The default number of inputs.
  var count: Int { get }

  /// Generates an input by the grammar of valid ones, often with mutations.
  func grow(_ random: inout SeededGenerator) -> [UInt8]

  /// Tests one input.
  ///
  /// The input's chunks depend only on its bytes, so that a failure is reproducible.
  ///
  /// - Returns: The outcome in a few words: accepted, or the reason.
  /// - Throws: A ``FuzzFailure``.
  func check(_ input: [UInt8]) throws -> String
}

extension FuzzSubject {
  var count: Int { 400_000 }

  /// The input with a number.
  func input(seed: UInt64, _ number: Int) -> [UInt8] {
    var random = SeededGenerator(seed: seed ^ UInt64(number) &* 0xD6E8_FEB8_6659_FD93)
    return grow(&random)
  }

  /// Splits an input into chunks: whole, random lengths, and for one in four byte by byte.
  func cuts(of input: [UInt8]) -> [[[UInt8]]] {
    var random = SeededGenerator(
      seed: input.reduce(UInt64(input.count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    var pieces: [[UInt8]] = []
    var position = 0
    let longest = Int.random(in: 2...48, using: &random)
    while position < input.count {
      let count = min(input.count - position, .random(in: 1...longest, using: &random))
      pieces.append(Array(input[position..<(position + count)]))
      position += count
    }
    return [[input], pieces] + (Int.random(in: 0..<4, using: &random) == 0 ? [input.map { [$0] }] : [])
  }
}

import Foundation
import UnderstudyCommand
import Understudy

/// Tries the parsers with generated inputs, or with `fuzz drops` the recovery of a chat: `swift run -c release fuzz`.
///
/// Each input follows from the seed and its number alone. Two further processes do the work, so that a trap is reported
/// like any other failure; the smallest input that still fails is printed in hexadecimal digits, and the exit status is 1.
@main struct Fuzz {
  /// The limit of the memory of a parser, in bytes.
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

  /// Tries one input, and prints the outcome.
  private static func check(_ input: [UInt8], _ options: FuzzOptions) throws {
    do {
      print("fine: \(try subject(options).check(input))")
    } catch let finding as Finding {
      print("finding: \(finding.message)")
      exit(1)
    }
  }

  /// Tries a range of inputs, and prints the number of each outcome, or the first failure.
  private static func work(_ options: FuzzOptions) throws {
    let subject = try subject(options)
    var outcomes: [String: Int] = [:]
    for number in options.first..<(options.first + options.count) {
      // An input that takes a minute is a finding: the signal ends this process as a trap does.
      if number.isMultiple(of: 1024) { alarm(60) }
      let input = subject.input(seed: options.seed, number)
      do {
        outcomes[try subject.check(input), default: 0] += 1
      } catch let finding as Finding {
        print("finding\t\(number)\t\(finding.message)")
        exit(1)
      }
    }
    for (outcome, count) in outcomes { print("outcome\t\(count)\t\(outcome)") }
    print("memory\t\(Self.peakMemory)")
  }

  /// The most memory that this process has had, in bytes.
  private static var peakMemory: Int {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    // Apple's system counts bytes, and Linux kibibytes.
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      return usage.ru_maxrss << 10
    #endif
  }
}

/// What a parser did that it must not do.
struct Finding: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// A parser, what to feed it, and what must hold of what it makes of that.
protocol FuzzSubject: Sendable {
  var name: String { get }
  /// How many inputs it gets, unless the command line says so.
  var count: Int { get }

  /// An input made by the grammar of good ones, often spoiled.
  func grow(_ random: inout SeededGenerator) -> [UInt8]

  /// Tries one input.
  ///
  /// How the input is cut follows from its bytes, so that it fails again by itself.
  ///
  /// - Returns: The outcome in a few words: accepted, or why not.
  /// - Throws: A ``Finding``.
  func check(_ input: [UInt8]) throws -> String
}

extension FuzzSubject {
  var count: Int { 400_000 }

  /// The input of a number.
  func input(seed: UInt64, _ number: Int) -> [UInt8] {
    var random = SeededGenerator(seed: seed ^ UInt64(number) &* 0xD6E8_FEB8_6659_FD93)
    return grow(&random)
  }

  /// Cuts an input: whole, in pieces of random lengths, and one in four byte by byte.
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

import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyConsole
import UnderstudyTesting

@testable import benchmarks

/// A row with a figure, and one of its peer, for each round.
private func row(
  _ figures: [Double], _ unit: Row.Unit = .nanoseconds, beside peers: [Double]? = nil, aim: Double? = nil,
  named name: String = "call"
) -> Row {
  var rows: [Row] = []
  for (round, figure) in figures.enumerated() {
    rows.add([Row(name, figure, unit, beside: peers.map { ("by hand", $0[round]) }, aim: aim)], of: "calls")
  }
  return rows[0]
}

@Suite(.stallLimit()) struct RowTests {
  /// The ratio of the medians would be 4.
  @Test func theRatioIsTheMedianOfTheRatiosOfTheRounds() {
    let row = row([1, 4, 6], beside: [1, 1, 6])
    #expect(row.values == [1, 4, 1])
    #expect(row.values.median == 1)
  }

  @Test(arguments: [
    (Row.Unit.nanoseconds, 2, 2.0, true, false), (.nanoseconds, 2, 2.01, false, false),
    (.nanoseconds, 2, 3, false, false), (.nanoseconds, 2, 3.01, false, true),
    (.perSecond, 0.8, 0.8, true, false), (.perSecond, 0.8, 0.79, false, false),
    (.perSecond, 0.8, 0.4, false, false), (.perSecond, 0.8, 0.39, false, true),
  ])
  func anAimIsMetMissedOrMissedByMoreThanHalf(
    _ unit: Row.Unit, _ aim: Double, _ ratio: Double, _ isMet: Bool, _ isFarOff: Bool
  ) {
    let row = row([ratio], unit, beside: [1], aim: aim)
    #expect(row.isMet == isMet)
    #expect(row.isFarOff == isFarOff)
  }

  /// Below half of 0.8, and above half of 0.3.
  @Test func aRowIsHeldToWhatItHasReached() {
    let row = Row("chat", 0.2, .perSecond, beside: ("by hand", 1), aim: 0.8, reached: 0.3)
    #expect(row.isMet == false)
    #expect(!row.isFarOff)
    #expect(Row("chat", 0.14, .perSecond, beside: ("by hand", 1), aim: 0.8, reached: 0.3).isFarOff)
  }

  @Test func aFigureWithoutAPeerIsNeverFarOff() {
    let row = row([1_000], .microseconds, aim: 50)
    #expect(row.isMet == false)
    #expect(!row.isFarOff)
  }

  @Test func theMedianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
    #expect([4.0, 1, 2, 10].median == 3)
  }
}

@Suite(.stallLimit()) struct ComparisonTests {
  @Test(arguments: [
    ([2.0, 2.1, 2.2, 2.3, 2.4], [2.5, 2.6, 2.7, 2.8, 2.9], Row.Unit.nanoseconds, true),
    // One round after is as good as one before.
    ([2.0, 2.1, 2.2, 2.3, 2.4], [2.4, 2.6, 2.7, 2.8, 2.9], .nanoseconds, false),
    // Less than the tolerance.
    ([2.0, 2.0, 2.0, 2.0, 2.0], [2.09, 2.09, 2.09, 2.09, 2.09], .nanoseconds, false),
    // Better.
    ([2.5, 2.6, 2.7, 2.8, 2.9], [2.0, 2.1, 2.2, 2.3, 2.4], .nanoseconds, false),
    // More is better.
    ([2.0, 2.1, 2.2, 2.3, 2.4], [2.5, 2.6, 2.7, 2.8, 2.9], .perSecond, false),
    ([2.5, 2.6, 2.7, 2.8, 2.9], [2.0, 2.1, 2.2, 2.3, 2.4], .perSecond, true),
    // Too few rounds to know the noise.
    ([2.0, 2.1, 2.2, 2.3], [2.5, 2.6, 2.7, 2.8, 2.9], .nanoseconds, false),
    ([2.0, 2.1, 2.2, 2.3, 2.4], [2.5, 2.6, 2.7, 2.8], .nanoseconds, false),
  ])
  func aRowIsWorseIfEachOfItsRoundsIs(
    _ before: [Double], _ after: [Double], _ unit: Row.Unit, _ isWorse: Bool
  ) {
    let peers = [1.0, 1, 1, 1, 1]
    let (old, new) = (row(before, unit, beside: peers), row(after, unit, beside: peers))
    #expect(Comparison.isWorse(new, than: old) == isWorse)
    #expect(Comparison.isWorse(row(after, unit), than: row(before, unit)) == isWorse)
  }
}

@Suite(.stallLimit()) struct BenchmarksTests {
  /// What the program shows, and its exit status.
  private static func run(
    _ words: String..., of benchmarks: [Benchmark] = [calls(2.5)]
  ) async throws -> (lines: [String], status: Int32) {
    let lines = Locked<[String]>([])
    let program = Benchmarks(benchmarks: benchmarks) { line in lines.withLock { $0.append(line) } }
    let status = try await program.run(words)
    return (lines.withLock { $0 }, status)
  }

  private static func message(_ words: String..., of benchmarks: [Benchmark] = [calls(2.5)]) async throws
    -> String
  {
    let program = Benchmarks(benchmarks: benchmarks) { _ in }
    let error = await #expect(throws: CommandError.self) { try await program.run(words) }
    return error?.description ?? ""
  }

  /// Calls that take 100 ns by hand, with an aim of 2, and a figure with a limit.
  private static func calls(_ ratio: Double) -> Benchmark {
    Benchmark("calls", "A call.") { extent in
      var round = 0.0
      return try await extent.rounds(5, short: 5) {
        round += 1
        return [
          Row("logged", ratio * 100 + round, .nanoseconds, beside: ("by hand", 100), aim: 2),
          Row("in a second", 12_345, .perSecond, aim: 2_000),
        ]
      }
    }
  }

  private static let server = Benchmark("server", "A server.") { extent in
    throw Missing("nginx", "apt-get install nginx-light")
  }

  @Test func eachRowIsBesideItsPeerAndItsAim() async throws {
    let (lines, status) = try await Self.run("calls", of: [Self.calls(2.5), Self.server])
    #expect(
      lines == [
        "calls: A call.",
        "  name           figure  peer          ratio             aim     met",
        "  logged         253 ns  100, by hand  2.53 (2.51–2.55)  ≤ 2     MISSED",
        "  in a second  12345 /s                                  ≥ 2000  met",
      ])
    #expect(status == 0)
  }

  @Test func onlyARatioThatMissesItsAimByMoreThanHalfFails() async throws {
    #expect(try await Self.run("--short", of: [Self.calls(2.9)]).status == 0)
    let (lines, status) = try await Self.run("--short", of: [Self.calls(3)])
    #expect(status == 1)
    #expect(lines.last == "calls: logged has the ratio 3.03, beyond its limit of 3.")
  }

  @Test func aRowWithoutItsProgramIsSkippedUnlessItIsNamed() async throws {
    let (lines, status) = try await Self.run("--short", of: [Self.server])
    #expect(
      lines.last?.hasSuffix("skipped: nginx not found; install it with: apt-get install nginx-light") == true)
    #expect(status == 0)
    #expect(
      try await Self.message("server", of: [Self.server])
        == "server: nginx not found; install it with: apt-get install nginx-light")
  }

  @Test func twoRunsAreCompared() async throws {
    let folder = try TemporaryFolder()
    let files = ["before", "same", "worse"].map { folder.file($0).path }
    for (file, ratio) in zip(files, [2, 2.02, 2.5]) {
      _ = try await Self.run("--json", file, of: [Self.calls(ratio)])
    }
    #expect(try await Self.run("compare", files[0], files[1]).status == 0)
    let (lines, status) = try await Self.run("compare", files[0], files[2])
    #expect(status == 1)
    #expect(
      lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") } == [
        "name before after change",
        "calls: logged 2.03 (2.01–2.05) 2.53 (2.51–2.55) +24.6 % WORSE",
        "calls: in a second 12345 /s (12345–12345) 12345 /s (12345–12345) +0 %",
      ])
    let (better, statusOfBetter) = try await Self.run("compare", files[2], files[0])
    #expect(statusOfBetter == 0)
    #expect(better[1].hasSuffix("better"))
  }

  @Test func aRowThatOnlyOneRunHasIsNoFailure() async throws {
    let folder = try TemporaryFolder()
    let files = ["before", "after"].map { folder.file($0).path }
    let other = Benchmark("events", "Events.") { _ in [Row("parser", 1, .seconds)] }
    _ = try await Self.run("--json", files[0], of: [Self.calls(2), other, Self.server])
    _ = try await Self.run("--json", files[1], of: [Self.calls(2), Self.server])
    let (lines, status) = try await Self.run("compare", files[0], files[1])
    #expect(status == 0)
    #expect(lines.contains { $0.hasPrefix("events: parser") && $0.hasSuffix("only before") })
    #expect(lines.contains { $0.hasPrefix("server: all") && $0.contains("skipped") })
  }

  @Test func invalidArgumentsAreNamed() async throws {
    #expect(
      try await Self.message("call") == "Unknown benchmark \"call\". Valid values: calls.")
    #expect(try await Self.message("--rounds", "0").hasPrefix("--rounds requires a whole number from 1"))
    #expect(try await Self.message("compare", "a").hasPrefix("compare requires two files, found 1."))
    #expect(try await Self.message("compare", "--short", "a", "b").hasPrefix("Unknown option \"--short\"."))
  }

  @Test func aFileThatCannotBeWrittenIsReportedBeforeAnythingIsMeasured() async throws {
    let isMeasured = Locked(false)
    let benchmark = Benchmark("calls", "A call.") { _ in
      isMeasured.withLock { $0 = true }
      return []
    }
    let file = try TemporaryFolder().file("absent/results").path
    #expect(try await Self.message("--json", file, of: [benchmark]).hasPrefix("Cannot write \(file)"))
    let wasMeasured = isMeasured.withLock { $0 }
    #expect(!wasMeasured)
  }

  @Test(arguments: [
    ("", "is not a file of benchmarks --json."),
    ("[]", "is not a file of benchmarks --json."),
    (#"{"version":2,"isShort":false,"rows":[]}"#, "is not a file of benchmarks --json."),
    (#"{"version":1,"isShort":false,"rows":[ROW]}"#, nil),
    (#"{"version":1,"isShort":true,"rows":[ROW]}"#, "short form"),
    (#"{"version":1,"isShort":false,"rows":[]}"#, "The files have no row in common."),
    (#"{"version":1,"isShort":false,"rows":[ROW,ROW]}"#, "\"logged\" occurs twice."),
  ])
  func aFileThatIsNoneOfTheProgramIsRefused(_ text: String, _ message: String?) async throws {
    try await Self.expect(text, message) { $0 }
  }

  @Test(arguments: [
    ("\"figures\":[1,2]", "\"figures\":[1]"), ("\"figures\":[3,4]", "\"figures\":[0,4]"),
    ("\"figures\":[1,2]", "\"figures\":[-1,2]"),
  ])
  func figuresWithoutARatioAreRefused(_ valid: String, _ invalid: String) async throws {
    try await Self.expect(
      #"{"version":1,"isShort":false,"rows":[ROW]}"#, "\"logged\" has invalid figures."
    ) { $0.replacingOccurrences(of: valid, with: invalid) }
  }

  /// Expects a message of comparing a file with one that has ROW.
  private static func expect(
    _ text: String, _ message: String?, _ change: (String) -> String
  ) async throws {
    let row =
      #"{"group":"calls","name":"logged","unit":"ns","figures":[1,2],"peer":{"name":"by hand","figures":[3,4]}}"#
    let folder = try TemporaryFolder()
    let files = ["valid", "other"].map { folder.file($0).path }
    try folder.write(#"{"version":1,"isShort":false,"rows":["# + row + "]}", to: "valid")
    try folder.write(change(text.replacingOccurrences(of: "ROW", with: row)), to: "other")
    if let message {
      #expect(try await Self.message("compare", files[0], files[1]).contains(message))
    } else {
      #expect(try await Self.run("compare", files[0], files[1]).status == 0)
    }
  }

  @Test func everyBenchmarkIsListedOnce() async throws {
    let program = Benchmarks()
    let (names, status) = try await Self.run("--list", of: program.benchmarks)
    #expect(status == 0)
    #expect(Set(names).count == names.count)
    #expect(names.contains("calls") && !names.contains("compare") && !names.contains("worker"))
    let help = try await Self.run("--help", of: program.benchmarks).lines.joined()
    for benchmark in program.benchmarks {
      #expect(help.contains("  \(benchmark.name) "))
      #expect(help.contains(benchmark.summary))
    }
  }
}

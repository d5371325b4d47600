import UnderstudyText

/// The result of a comparison.
package struct ComparisonReport: Sendable {
  /// Why the comparison failed: a difference, or why it would find none; `nil` if the implementations agree.
  package internal(set) var failure: String?
  /// The source of all randomness.
  package let seed: UInt64
  /// The number of programs that were run, without those of shrinking.
  package internal(set) var programs = 0
  /// The number of calls of each implementation.
  package internal(set) var calls = 0
  /// The number of answers and events that were compared.
  package internal(set) var answers = 0
  /// The number of steps of the smallest program that shows the difference.
  package internal(set) var stepsOfDifference: Int?
  /// The number of programs that were tried to find it.
  package internal(set) var shrinkings = 0
  /// The clause to keep.
  package internal(set) var clause: String?
  /// The number of calls by operation and outcome.
  package internal(set) var outcomes: [String: [String: Int]] = [:]
  /// The operations of which no clause makes a call whose arguments could be used.
  package internal(set) var neverCalled: [String] = []
  /// The errors that clauses see, and no call of the comparison threw.
  package internal(set) var missingErrors: [String] = []
  /// The conditions that an implementation cannot set up, each with the reason.
  package internal(set) var lackedConditions: [String] = []
  /// The freedoms without which the comparison had the same result.
  package internal(set) var unneededFreedoms: [String] = []

  init(seed: UInt64) { self.seed = seed }

  /// The operations of which no call failed.
  package var neverFailed: [String] {
    outcomes.filter { $0.value.keys.allSatisfy { Self.successes.contains($0) } }.keys.sorted()
  }

  /// What was not compared, one sentence each.
  package var warnings: [String] {
    neverCalled.map { "\($0) was not compared, because no clause calls it." }
      + lackedConditions.map { "A condition was left out of the comparison: \($0)." }
      + unneededFreedoms.map { "The freedom \($0) was not needed: remove it." }
  }

  static let successes: Set<String> = ["returned", "stream", "no call"]

  /// The numbers in words.
  package var text: String {
    var table = TextTable(("operation", .left), ("calls", .right), ("outcomes", .left))
    for (operation, outcomes) in outcomes.sorted(by: { $0.key < $1.key }) {
      let list = outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
      table.append(operation, "\(outcomes.values.reduce(0, +))", list.joined(separator: ", "))
    }
    let head = """
      \(Words.count(programs, "program")), \(Words.count(calls, "call")) of each, \
      \(Words.count(answers, "answer and event", "answers and events")) compared; seed \(seed)
      """
    func line(_ title: String, _ list: [String]) -> [String] {
      list.isEmpty ? [] : ["\(title): \(list.joined(separator: ", "))"]
    }
    return
      ([head] + table.lines() + line("Never called, because no clause calls it", neverCalled)
      + line("Never failed", neverFailed) + line("Errors of the clauses that never occurred", missingErrors)
      + line("Conditions left out", lackedConditions)
      + line("Freedoms that were not needed", unneededFreedoms))
      .joined(separator: "\n")
  }
}

/// The number and length of the programs of a comparison.
public struct ComparisonSize: Sendable, Hashable {
  /// The number of programs, each with fresh instances.
  package let programs: Int
  /// The number of calls in a program, without those that read everything at its end.
  package let calls: Int

  /// Creates a size.
  ///
  /// The default takes a fraction of a second for implementations in memory. Numbers are clamped to the range from 0 to
  /// 1,000,000,000.
  public init(programs: Int = 100, calls: Int = 20) {
    self.programs = min(max(0, programs), 1_000_000_000)
    self.calls = min(max(0, calls), 1_000_000_000)
  }

  /// This size with the number of programs multiplied by a factor.
  package func times(_ factor: Int) -> ComparisonSize {
    let (product, overflows) = programs.multipliedReportingOverflow(by: max(0, factor))
    return ComparisonSize(programs: overflows ? .max : product, calls: calls)
  }
}

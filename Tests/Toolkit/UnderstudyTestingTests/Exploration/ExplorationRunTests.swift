import Foundation
import Testing
import Understudy

@testable import UnderstudyTesting

@Suite(.stallLimit()) struct ExplorationRunTests {
  @Test func aCorrectImplementationHasNoIssue() async throws {
    try await Exploration.counter.run(on: .right)
  }

  @Test func aFailureIsAnIssueAtTheCallersLine() async throws {
    let line = #line + 3
    let issues = Locked<[String]>([])
    try await withKnownIssue {
      try await Exploration.counter.run(on: .losing)
    } matching: { issue in
      issues.withLock { $0.append(contentsOf: issue.comments.map { "\($0)" }) }
      return issue.sourceLocation?.line == line
    }
    let issue = try #require(issues.withLock { $0.first })
    #expect(issues.withLock(\.count) == 1)
    #expect(issue.contains("The same exploration: UNDERSTUDY_SEED="))
  }

  /// The printed code of a failure, and the same code pasted here and compiled, fail in the same way.
  @Test func thePrintedCodeReproducesTheFailure() async throws {
    let printed = Locked<[String]>([])
    try await withKnownIssue {
      for implementation in [Implementation.stopping, .losing] {
        let report = try await Exploration.counter.explore(implementation)
        printed.withLock { $0.append(report.failure?.swift ?? "") }
      }
      // The code of the first failure.
      try await Exploration.counter.replay(
        [
          .add("a \"b\" \\ é", 3),
          .number,
        ],
        on: .stopping)
      // The code of the second one.
      try await Exploration.counter.replay(
        together: [
          [.add("a \"b\" \\ é", 1)],
          [.add("a \"b\" \\ é", 1)],
        ],
        after: [
          .number
        ],
        schedule: .seeded(0),
        on: .losing)
    } matching: { issue in
      printed.withLock { $0.append(contentsOf: issue.comments.map { "\($0)" }) }
      return true
    }
    let texts = printed.withLock { $0 }
    try #require(texts.count == 4)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    for (text, issue) in zip(texts, texts[2...]) {
      #expect(Self.withoutSpace(source).contains(Self.withoutSpace(text)), "not pasted:\n\(text)")
      #expect(issue.hasSuffix(text))
    }
  }

  private static func withoutSpace(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  /// Catches a condition of a command that is never true, and a report about one that is seldom true.
  @Test func aCommandThatIsNeverMadeIsAnIssue() async throws {
    let texts = Locked<[String]>([])
    try await withKnownIssue {
      try await Exploration<PickyCommand>("picky") { _ in 0 }.run(on: .right)
    } matching: { issue in
      texts.withLock { $0.append(contentsOf: issue.comments.map(\.rawValue)) }
      return true
    }
    let text = try #require(texts.withLock { $0.first })
    #expect(texts.withLock(\.count) == 1)
    #expect(
      text.hasPrefix(
        "The exploration never made some of its commands, so it tests nothing of them: .divide (drawn "))
    #expect(!text.contains("halve"))
  }

  @Test func aFailingModelCancelsTheTest() async throws {
    let exploration = Exploration<CounterCommand>("counter") { trial in
      try await trial.given(Condition<Int>("it begins at a number"))
    }
    try await exploration.run(on: .right)
    #if compiler(>=6.3)
      Issue.record("The run went on although it has no model.")
    #endif
  }

  @Test func moreEffortTriesMore() async throws {
    let stages = Locked(0)
    let counted = Implementation<Counter>("counted") { _ in
      stages.withLock { $0 += 1 }
      return Counter()
    }
    let size = ExplorationSize(sequences: 2, length: 3, programs: 1)
    try await Exploration.counter.run(
      on: counted, size: size, in: ["UNDERSTUDY_EFFORT": "4"], #_sourceLocation)
    #expect(stages.withLock { $0 } == 12)
    #expect(size.times(.max).sequences == 1_000_000_000)
  }

  @Test func aFailedSetUpIsAnIssue() async throws {
    let broken = Implementation<Counter>("broken") { _ in throw CancellationError() }
    try await withKnownIssue {
      try await Exploration.counter.run(on: broken)
    } matching: { issue in
      issue.comments.contains { "\($0)" == "broken could not be set up: CancellationError()" }
    }
    try await withKnownIssue {
      try await Exploration.counter.run(on: .right, in: ["UNDERSTUDY_SEED": "x"], #_sourceLocation)
    } matching: { issue in
      issue.comments.contains { "\($0)".hasPrefix("UNDERSTUDY_SEED must be") }
    }
  }
}

/// A number that can be added to.
struct Counter: Sendable {
  enum Mistake: Sendable {
    case loses
    case stops
  }

  let mistake: Mistake?
  private let number = Locked(0)

  init(_ mistake: Mistake? = nil) { self.mistake = mistake }

  var value: Int { number.withLock { $0 } }

  func add(_ amount: Int) async {
    guard mistake == .loses else {
      return number.withLock { $0 += mistake == .stops && $0 + amount > 2 ? 0 : amount }
    }
    let before = value
    // The scheduling point between reading and writing, at which another task can come in between.
    await Task.yield()
    number.withLock { $0 = before + amount }
  }
}

enum CounterCommand: ExplorationCommand {
  case add(String, Int)
  case number

  static func random(in model: Int, using generator: inout some RandomNumberGenerator) -> Self {
    let amount = Int.random(in: -9...9, using: &generator)
    return amount > 0 ? .add("a \"b\" \\ é", amount) : .number
  }

  func call(in model: Int) -> ExplorationCall<Counter, Int>? {
    switch self {
    case .add(_, let amount):
      ExplorationCall {
        await $0.add(amount)
      } step: { model, answer in
        model += amount
        return answer.returned
      }
    case .number:
      ExplorationCall {
        $0.value
      } step: { model, answer in
        answer.returned(model)
      }
    }
  }

  var simpler: [CounterCommand] {
    if case .add(let name, let amount) = self { amount.simpler(toward: 1).map { .add(name, $0) } } else { [] }
  }
}

/// Commands of which one is never applicable, and one seldom.
enum PickyCommand: ExplorationCommand {
  case add(Int)
  case halve
  case divide(Int)

  static func random(in model: Int, using generator: inout some RandomNumberGenerator) -> Self {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: .add(.random(in: 1...9, using: &generator))
    case 1: .halve
    default: .divide(.random(in: 1...9, using: &generator))
    }
  }

  func call(in model: Int) -> ExplorationCall<Counter, Int>? {
    let amount: Int
    switch self {
    case .add(let number): amount = number
    case .halve where model > 60: amount = -model / 2
    case .halve, .divide: return nil
    }
    return ExplorationCall {
      await $0.add(amount)
    } step: { model, answer in
      model += amount
      return answer.returned
    }
  }
}

extension Exploration where Command == CounterCommand {
  static var counter: Self { Exploration("counter") { _ in 0 } }
}

extension Implementation where Subject == Counter {
  static var right: Self { Implementation("right") { _ in Counter() } }
  static var losing: Self { Implementation("losing") { _ in Counter(.loses) } }
  static var stopping: Self { Implementation("stopping") { _ in Counter(.stops) } }
}

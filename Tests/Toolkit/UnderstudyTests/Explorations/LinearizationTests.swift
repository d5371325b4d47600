import Testing
import UnderstudyTesting
@testable import Understudy

/// Histories of registers by name, some of them from the literature.
@Suite(.stallLimit()) struct LinearizationTests {
  /// Herlihy and Wing: a read that overlaps a write may return the old value or the new one.
  @Test(arguments: [0, 1])
  func anOverlappingReadMayBeBeforeOrAfterTheWrite(_ value: Int) {
    let history: [HistoryEntry<Registers>] = [.write(1, 1...4), .read(value, 2...3, by: 2)]
    #expect(isLinearizable(history))
  }

  /// A checker that orders the calls by their starts, or by their ends, rejects one of these.
  @Test func theOrderIsIndependentOfStartsAndEnds() {
    #expect(isLinearizable([.write(1, 1...6), .write(2, 2...3, by: 2), .read(1, 7...8)]))
    #expect(isLinearizable([.write(1, 1...6), .write(2, 2...3, by: 2), .read(2, 7...8)]))
    #expect(isLinearizable([.write(1, 1...6), .read(1, 2...3, by: 2), .read(1, 4...5, by: 2)]))
  }

  /// A checker of sequential consistency, which ignores the clock, accepts this.
  @Test func aReadAfterTheWriteMustSeeIt() {
    #expect(!isLinearizable([.write(1, 1...2), .read(0, 3...4, by: 2)]))
  }

  /// A checker of each read alone accepts this, although the value reverts.
  @Test func aValueIsNotRevertedBetweenReads() {
    #expect(!isLinearizable([.write(1, 1...6), .read(1, 2...3, by: 2), .read(0, 4...5, by: 2)]))
    #expect(!isLinearizable([.write(1, 1...8), .read(1, 2...3, by: 2), .read(0, 4...5, by: 3)]))
  }

  /// A checker without backtracking finds no order: the first call tried is wrong, and so is the second.
  @Test func everyOrderIsTried() {
    let writes = (1...5).map { HistoryEntry.write($0, $0...20, by: $0) }
    for last in 1...5 { #expect(isLinearizable(writes + [.read(last, 21...22)])) }
    #expect(!isLinearizable(writes + [.read(0, 21...22)]))
    #expect(!isLinearizable(writes + [.read(3, 21...22), .read(4, 23...24)]))
  }

  @Test func anUnansweredCallMayTakeEffectLaterOrNever() {
    let lost = HistoryEntry.write(1, 1...2, isUnanswered: true)
    #expect(isLinearizable([lost, .read(0, 3...4)]))
    #expect(isLinearizable([lost, .read(1, 3...4)]))
    #expect(isLinearizable([lost, .read(0, 3...4), .read(1, 5...6)]))
    #expect(!isLinearizable([lost, .read(1, 3...4), .read(0, 5...6)]))
    #expect(!isLinearizable([.read(1, 1...2), .write(1, 3...4, isUnanswered: true)]))
  }

  @Test func keysAreCheckedSeparately() {
    // A single search would try twelve factorial orders of the writes before it reaches the impossible read.
    var history = (1...12).map { HistoryEntry.write($0, $0...100, by: $0, name: "x\($0)") }
    history += (1...12).map { .read($0, (100 + 2 * $0)...(101 + 2 * $0), by: $0, name: "x\($0)") }
    #expect(isLinearizable(history))
    history.append(.read(0, 200...201, name: "x7"))
    guard case .none(let calls, let hint) = Linearization.search(history, from: Registers()) else {
      Issue.record("There is an order of what no order explains.")
      return
    }
    #expect(calls.map { history[$0].name } == ["x7 = 7", "x7", "x7"])
    #expect(hint.contains("Expected: 7\nFound: 0"))
  }

  /// A call about all keys connects them: without it, these two would be checked separately.
  @Test func aCallWithoutAKeyIsAboutAllKeys() {
    let writes: [HistoryEntry<Registers>] = [.write(1, 1...2, name: "x"), .write(1, 3...4, by: 2, name: "y")]
    #expect(isLinearizable(writes + [.all(["x": 1, "y": 1], 5...6)]))
    #expect(!isLinearizable(writes + [.all(["y": 1], 5...6)]))
  }

  /// Random histories, checked by trying every permutation.
  @Test(arguments: 0..<5 as Range<UInt64>)
  func itAgreesWithTryingEveryPermutation(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var counts = [true: 0, false: 0]
    for _ in 0..<300 {
      var times = Array(1...10).shuffled(using: &generator)
      let history = (0..<5).map { index in
        let (one, other) = (times.removeLast(), times.removeLast())
        let span = min(one, other)...max(one, other)
        let value = Int.random(in: 0...2, using: &generator)
        return Int.random(in: 0...1, using: &generator) == 0
          ? HistoryEntry.write(value, span, by: index + 1, isUnanswered: .random(using: &generator))
          : .read(value, span, by: index + 1)
      }
      let expected = isExplained(Array(history.indices), of: history, after: Registers())
      #expect(isLinearizable(history) == expected, "seed \(seed): \(HistoryTable(history).text)")
      counts[expected, default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 > 30 })
  }

  private func isExplained(
    _ rest: [Int], of history: [HistoryEntry<Registers>], after model: Registers
  ) -> Bool {
    rest.allSatisfy { history[$0].isUnanswered }
      || rest.contains { next in
        let entry = history[next]
        guard rest.allSatisfy({ history[$0].isUnanswered || history[$0].end >= entry.begin }) else {
          return false
        }
        var after = model
        if entry.isUnanswered {
          entry.answer.unanswered?(&after)
        } else if entry.answer.step(&after) != .possible {
          return false
        }
        return isExplained(rest.filter { $0 != next }, of: history, after: after)
      }
  }

  private func isLinearizable(_ history: [HistoryEntry<Registers>]) -> Bool {
    if case .found = Linearization.search(history, from: Registers()) { true } else { false }
  }
}

@Suite(.stallLimit()) struct HistoryTableTests {
  @Test func overlappingCallsAreShownSideBySide() {
    let history: [HistoryEntry<Registers>] = [
      .write(1, 10...40), .read(0, 20...30, by: 2), .write(2, 50...60, by: 2, isUnanswered: true),
      .read(1, 70...80, by: 0),
    ]
    #expect(
      HistoryTable(history).text == """
        time  task 1       task 2       after
           1  ┌ x = 1
           2  │            ┌ x
           3  │            └ 0
           4  └ a success
           5               ┌ x = 2
           6               ┊ a success
           7                            ┌ x
           8                            └ 1
        """)
  }

  @Test func textTooLongForItsCellIsShownBelow() {
    let name = String(repeating: "x", count: 50)
    let history: [HistoryEntry<Registers>] = [.read(1, 1...2, name: name)]
    #expect(
      HistoryTable(history).text == """
        time  task 1
           1  ┌ \(name.prefix(37))…
           2  └ 1
        1: \(name)
        """)
  }
}

/// Numbers by name, 0 at first.
struct Registers: Sendable, Hashable {
  var values: [String: Int] = [:]
}

extension HistoryEntry where Model == Registers {
  static func write(
    _ value: Int, _ span: ClosedRange<Int>, by task: Int = 1, name: String = "x", isUnanswered: Bool = false
  ) -> Self {
    entry("\(name) = \(value)", span, task, name, isUnanswered, (), { $0.values[name] = value }) {
      $0.values[name] = value
      return $1.returned
    }
  }

  static func read(_ value: Int, _ span: ClosedRange<Int>, by task: Int = 1, name: String = "x") -> Self {
    entry(name, span, task, name, false, value) { $1.returned($0.values[name] ?? 0) }
  }

  static func all(_ values: [String: Int], _ span: ClosedRange<Int>) -> Self {
    entry("all", span, 1, nil, false, values) { $1.returned($0.values) }
  }

  private static func entry<Response: Sendable>(
    _ name: String, _ span: ClosedRange<Int>, _ task: Int, _ key: String?, _ isUnanswered: Bool,
    _ response: Response,
    _ unanswered: (@Sendable (inout Registers) -> Void)? = nil,
    step: @escaping @Sendable (inout Registers, ExplorationAnswer<Response>) -> AnswerCheck
  ) -> Self {
    let answer = ExplorationAnswer.value(response)
    return HistoryEntry(
      name: name, task: task, key: key, begin: span.lowerBound, end: span.upperBound,
      isUnanswered: isUnanswered,
      answer: AnsweredCall(
        error: nil, unanswered: unanswered, step: { step(&$0, answer) }, found: { answer.description }))
  }
}

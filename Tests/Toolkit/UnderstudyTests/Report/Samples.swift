import Foundation
@testable import Understudy

/// A text with markup and control characters, which must be escaped.
let hostile = "</td><script>alert('x')</script>\"&\u{0}\u{1B}[2J\u{202E}]]>"

extension UnderstudyReport {
  /// A report of one clause on one implementation.
  static func sample(
    _ outcome: Outcome = .passed, contract: String = "todos", statement: String = "An added item is listed.",
    seed: UInt64 = 0
  ) -> UnderstudyReport {
    UnderstudyReport(contracts: [
      .init(
        name: contract,
        clauses: [
          .init(
            id: "\(contract).add.listed", statement: statement, fileID: "Todos/Add.swift",
            line: 7, outcomes: [.init(implementation: "in-memory", outcome: outcome, seed: seed)])
        ])
    ])
  }

  /// A report with each kind of section, and with a text in place of every string.
  static func full(_ text: String) -> UnderstudyReport {
    let schedule: FaultSchedule = [.at(text, call: 1, .conflict)]
    let violation = SweepReport.Violation(
      invariant: text, message: text, number: 1, schedule: schedule, others: [schedule], otherNumbers: [2],
      timeline: ["idle", text])
    var report = sample(.failed([Violation(text, fileID: text, line: 1)]), contract: text, statement: text)
    report.contracts[0].clauses[0].outcomes.insert(
      .init(implementation: text, outcome: .skipped(reason: text), seed: 0), at: 0)
    report.agreements = [
      AgreementReport(
        name: text, injectionPoints: [text, "wire"],
        rows: [
          .init(
            fault: text, expected: text,
            cells: [
              .init(injectionPoint: text, status: .differs, found: text),
              .init(injectionPoint: "wire", status: .impossible),
            ])
        ], missing: [text])
    ]
    report.sweeps = [
      SweepReport(
        scenario: text, statement: text, seed: 3, pairLimit: nil, pairCount: 0, pairRuns: 0,
        combinationLimit: 0,
        interruptedRuns: 0, combinedRuns: 0, shards: [.whole],
        points: [.init(point: FaultPoint(text, call: 1), interaction: "call", faults: 2)], invariants: [text],
        runs: [
          .init(number: 0, schedule: [], timeline: ["idle", "loading", text], violated: []),
          .init(number: 1, schedule: schedule, timeline: ["idle", text], violated: [text]),
          .init(number: 2, schedule: schedule, timeline: ["idle", text], violated: [text]),
        ], screens: [screen(text)], violations: [violation])
    ]
    report.gaps = [text]
    return report
  }

  /// A screen that shows a text and a message, and breaks an invariant.
  private static func screen(_ text: String) -> SweepReport.Screen {
    func record(_ steps: (String, String?, ScreenMap.Cause.Kind)...) -> ScreenRecord {
      ScreenRecord(
        steps: steps.map { state, message, kind in
          .init(
            state: ShownState(text: state, message: message),
            cause: .init(kind, text, kind == .fault ? .conflict : nil))
        })
    }
    func map(isOverview: Bool) -> ScreenMap {
      let plain = record(("idle", nil, .action), ("loading", nil, .action), ("[\(text)]", nil, .answer))
      var builder = ScreenMapBuilder(along: plain, isOverview: isOverview)
      builder.add(plain, of: [], number: 0, isCounted: true, violations: [])
      let failing = record(
        ("idle", nil, .action), ("loading", nil, .action), ("failed: \(text)", text, .fault),
        ("loading", nil, .action), ("failed: \(text)", text, .answer))
      builder.add(
        failing, of: [.at(text, call: 1, .conflict)], number: 1, isCounted: true, violations: [(text, 4)])
      return builder.result
    }
    return SweepReport.Screen(story: map(isOverview: false), overview: map(isOverview: true))
  }

  /// A mutant that is killed, and one that survives.
  static func mutants() async -> KillMatrix {
    let contract = Contract<Int>("number") {
      Clause("number.one", "It is one.") { $0.expect($0.subject, equals: 1) }
    }
    let right = Implementation<Int>("right") { _ in 1 }
    return await contract.killMatrix(of: [
      Mutant("two", "It is two.", of: right, killedBy: ["number.one": "found 2"]) { $0 + 1 },
      Mutant("none", "Nothing is wrong.", of: right, killedBy: ["number.one": "found 2"]) { $0 },
    ])
  }
}

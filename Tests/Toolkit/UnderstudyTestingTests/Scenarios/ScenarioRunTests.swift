import Testing
import Understudy

@testable import UnderstudyTesting

@Suite(.stallLimit()) struct ScenarioRunTests {
  /// The code that a sweep prints for a test, and the same code compiled, which fails like the sweep.
  @Test func thePrintedCodeReproducesTheViolation() async throws {
    let report = try await Scenario.ringing.report()
    #expect(
      report.violations.map(report.swift) == [
        #"try await Scenario.ringing.run(under: [.at("bell.ring", call: 1, .rateLimited(retryAfter: .seconds(30)))])"#,
        #"try await Scenario.ringing.run(under: [.at("bell.ring", call: 1, .unauthorized), .at("bell.ring", call: 2, .unauthorized)])"#,
      ])
    // swift-format-ignore
    let lines = try await issues {
      try await Scenario.ringing.run(under: [.at("bell.ring", call: 1, .rateLimited(retryAfter: .seconds(30)))])
      try await Scenario.ringing.run(under: [.at("bell.ring", call: 1, .unauthorized), .at("bell.ring", call: 2, .unauthorized)])
    }
    #expect(lines.map(\.line) == [#line - 3, #line - 2])
    #expect(
      lines.first?.text.contains(
        "ringing under bell.ring call=1 rate-limited:30s breaks bell.patient: it waits too long") == true)
    #expect(lines.first?.text.contains("ScenarioRunTests.swift:") == true)
    #expect(lines.first?.text.contains("after bell.ring call=2)") == true)
    try await Scenario.ringing.run(under: [.at("bell.ring", call: 1, .conflict)])
  }

  @Test func aSweepReportsViolationsAtTheCallersLine() async throws {
    let found = try await issues { try await Scenario.ringing.sweep(pairLimit: nil) }
    #expect(found.map(\.line) == [#line - 1, #line - 1])
    #expect(
      found.last?.text.contains("To reproduce in a test: try await Scenario.ringing.run(under: [") == true)
    #expect(found.last?.text.contains("Covered: 2 calls, 0 events, ") == true)
    #expect(found.last?.text.contains("To repeat the sweep: UNDERSTUDY_SEED=") == true)
    let none = try await issues { try await Scenario.ringing.sweep(pairLimit: 0, combinationLimit: 0) }
    #expect(none.count == 1)
  }

  /// Catches a line with run(under: []), which passes.
  @Test func whatASweepLacksIsRepeatedByTheSweep() async throws {
    let mute = Scenario("mute", "Nothing is expected.") { run in
      _ = await run.intercepted(Bell(), as: "bell").rings()
    }
    let found = try await issues { try await mute.sweep(pairLimit: 7, combinationLimit: 0) }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("To repeat the sweep: UNDERSTUDY_SEED=") == true, "\(found)")
    #expect(found.first?.text.contains("To reproduce in a test") == false, "\(found)")
    let report = try await mute.report(SweepOptions(seed: 2, pairLimit: nil, combinationLimit: 0))
    #expect(
      report.violations.map(report.swift) == [
        "try await Scenario.mute.sweep(pairLimit: nil, combinationLimit: 0)"
      ])
    #expect(
      report.violations.map(report.command) == ["sweep --scenario mute --seed 2 --pairs all --combinations 0"]
    )
  }

  @Test func aRunThatChecksNothingIsAnIssue() async throws {
    let mute = Scenario("mute", "Nothing is expected.") { run in
      _ = await run.intercepted(Bell(), as: "bell").rings()
    }
    let found = try await issues { try await mute.run(under: [.at("bell.ring", call: 1, .conflict)]) }
    #expect(found.map(\.line) == [#line - 1])
    #expect(found.first?.text.contains("checked no invariant") == true)
  }

  /// Catches a trap that ends the process and its sweep without the schedule.
  @Test func aTrapNamesItsSchedule() async throws {
    let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let first = Scenario("first", "A screen shows the first of the rings.") { run in
        let rings = await run.intercepted(Bell(), as: "bell").rings()
        precondition(rings, "The list is empty.")
        run.expect("first.shown", true, "")
      }
      try await first.sweep()
    }
    let written = String(decoding: exit.standardErrorContent, as: UTF8.self)
    #expect(
      written.contains(
        """
        understudy: the process ends in a run of a scenario:
          first under bell.ring call=1 unauthorized
          To reproduce in a test: try await Scenario.first.run(under: [.at("bell.ring", call: 1, .unauthorized)])

        """), "\(written)")
  }

  private func issues(
    _ body: () async throws -> Void
  ) async throws -> [(line: Int, text: String)] {
    let found = Locked<[(line: Int, text: String)]>([])
    try await withKnownIssue {
      try await body()
    } matching: { issue in
      found.withLock { $0.append((issue.sourceLocation?.line ?? 0, "\(issue.comments)")) }
      return true
    }
    return found.withLock { $0 }
  }
}

extension Scenario {
  /// A visitor rings, and rings again if that fails.
  static let ringing = Scenario("ringing", "A visitor rings, and rings again if that fails.") { run in
    let bell = run.intercepted(Bell(), as: "bell")
    let failures = await run.failures {
      for _ in 1...2 where await bell.rings() { return }
    }
    let isDelayed = if case .rateLimited(_?) = failures.first?.fault?.symptom { true } else { false }
    run.expect("bell.patient", !isDelayed, "it waits too long")
    run.expect("bell.heard", failures.count < 2, "it was not heard")
  }
}

/// Something that can be rung.
struct Bell: Sendable {}

/// The error of a call with a fault.
struct Unheard: Error {}

extension Intercepted where Base == Bell {
  func rings() async -> Bool {
    do {
      try await intercept(Operation("ring"), failure: { _ in Unheard() }) { _ throws(Unheard) in }
      return true
    } catch {
      return false
    }
  }
}

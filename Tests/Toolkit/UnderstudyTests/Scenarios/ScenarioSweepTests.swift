import Foundation
import Observation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

@Suite(.stallLimit()) struct ScenarioSweepTests {
  /// The invariant that each bug breaks, and the smallest schedules that show it, with one fault or with two.
  static let planted: [(bug: PlantedBug, invariant: String, faults: Int, first: FaultSchedule)] = [
    (.stuckLoading, "loading.ends", 1, [.at("todos.add", call: 1, .timeout)]),
    (.swallowedError, "errors.shown", 1, [.at("todos.titles", call: 1, .unauthorized)]),
    (.doubleDelivery, "nothing.twice", 1, [.at("todos.add", call: 1, .emptyReply)]),
    (
      .lostUpdate, "nothing.lost", 2,
      [.at("todos.add", call: 1, .unauthorized), .at("todos.add", call: 2, .unauthorized)]
    ),
  ]

  @Test(arguments: Effort.some(of: planted, every: 4))
  func aPlantedBugIsFoundWithTheDefaults(
    _ row: (bug: PlantedBug, invariant: String, faults: Int, first: FaultSchedule)
  ) async throws {
    let report = try await Scenario.list(with: row.bug).report()
    #expect(report.violations.map(\.invariant) == [row.invariant])
    let violation = try #require(report.violations.first)
    #expect(violation.schedule.entries.count == row.faults)
    let whole = try await Scenario.list(with: row.bug).report(
      SweepOptions(pairLimit: row.faults == 1 ? 0 : nil))
    #expect(whole.violations.first?.schedule == row.first)
    // It is violated under its schedule, and holds without any one of the faults.
    for count in 0...row.faults {
      let outcome = try await Scenario.list(with: row.bug).outcome(
        under: FaultSchedule(Array(violation.schedule.entries.prefix(count))))
      #expect(outcome.violations.map(\.invariant) == (count == row.faults ? [row.invariant] : []))
    }
  }

  @Test func aCorrectScenarioPassesEveryPair() async throws {
    let report = try await Scenario.list(with: nil).report(SweepOptions(pairLimit: nil, combinationLimit: 0))
    #expect(report.violations == [])
    let faults = Fault.all(of: .call).count { $0.applies(to: .service) }
    // Each of the two calls is late once.
    #expect(
      report.counts
        == SweepReport.Counts(
          withoutFault: 1, single: 2 * faults, pair: Self.distinct * Self.distinct, interrupted: 2))
    #expect(
      report.points == [
        SweepReport.Point(point: FaultPoint("todos.add", call: 1), interaction: "call", faults: faults),
        SweepReport.Point(point: FaultPoint("todos.titles", call: 1), interaction: "call", faults: faults),
      ])
    #expect(report.invariants == ["errors.shown", "loading.ends", "nothing.lost", "nothing.twice"])
  }

  /// A call that is made only after a failure is a point of pairs only.
  @Test func aRetryIsDiscoveredUnderTheFirstFault() async throws {
    let report = try await Scenario.list(with: .doubleDelivery).report(SweepOptions(pairLimit: nil))
    let retry = try #require(report.points.first { $0.point == FaultPoint("todos.add", call: 2) })
    #expect(retry.faults == 0)
    let losing = Self.distinct { $0.symptom == .connectionLost }
    #expect(report.counts.pair == (Self.distinct + losing) * Self.distinct)
  }

  /// The number of faults that are not the same to the caller: with another error, or another effect.
  static func distinct(_ isMeant: (Fault) -> Bool = { _ in true }) -> Int {
    let faults = Fault.all(of: .call).filter { $0.applies(to: .service) && isMeant($0) }
    return Set(faults.map { $0.symptom == .delayed ? "\($0)" : "\($0.reach) \(TodoError($0))" }).count
  }
  static let distinct = distinct()

  // MARK: - Shards

  /// Catches an invalid part in a report of another machine.
  @Test(arguments: [(1, 0), (0, 2), (3, 2), (1, 1_000_000_000_000)])
  func anInvalidShardIsRejected(_ number: Int, _ count: Int) {
    let text = Data(#"{"number":\#(number),"count":\#(count)}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(SweepShard.self, from: text) }
    #expect(SweepShard(typed: "\(number)/\(count)") == nil)
  }

  @Test(arguments: [(Effort.limit(5), 3), (0, 2)] as [(Int?, Int)])
  func theShardsFormTheCompleteSweep(_ limit: Int?, _ count: Int) async throws {
    let scenario = Scenario.list(with: .doubleDelivery)
    let whole = try await scenario.report(SweepOptions(seed: 7, pairLimit: limit))
    var shards: [SweepReport] = []
    for number in 1...count {
      let shard = try #require(SweepShard(number, of: count))
      shards.append(try await scenario.report(SweepOptions(seed: 7, pairLimit: limit, shard: shard)))
    }
    #expect(try SweepReport(merging: shards.reversed()) == whole)
    #expect(try await scenario.report(SweepOptions(seed: 7, pairLimit: limit)) == whole)
  }

  @Test func anotherSeedSamplesOtherPairs() async throws {
    let scenario = Scenario.list(with: .lostUpdate)
    let one = try await scenario.report(SweepOptions(seed: 1, pairLimit: 50, combinationLimit: 0))
    let two = try await scenario.report(SweepOptions(seed: 2, pairLimit: 50, combinationLimit: 0))
    #expect(one.counts == two.counts && one.violations != two.violations)
  }

  @Test func inconsistentReportsAreNotMerged() async throws {
    func report(_ seed: UInt64 = 0, _ number: Int = 1, _ count: Int = 2, limit: Int? = 5) async throws
      -> SweepReport
    {
      let shard = try #require(SweepShard(number, of: count))
      return try await Scenario.list(with: nil).report(
        SweepOptions(seed: seed, pairLimit: limit, shard: shard))
    }
    let first = try await report()
    var other = try await report(0, 2)
    other.scenario = "grid"
    let cases: [([SweepReport], String)] = [
      ([], "No report"), ([first, first], "two different reports have shard 1/2"),
      ([first, other], "the scenario is list in one and grid in another"),
      ([first, try await report(1, 2)], "the seed is 0 in one and 1 in another"),
      ([first, try await report(0, 2, 3)], "the number of shards is 2 in one and 3 in another"),
      ([first, try await report(0, 2, limit: nil)], "the limit of pairs is 5 in one and all in another"),
    ]
    for (reports, words) in cases {
      let error = #expect(throws: ReportError.self) { try SweepReport(merging: reports) }
      #expect(error?.description.contains(words) == true)
    }
    #expect(try SweepReport(merging: [first]).missingShards.map(\.description) == ["2/2"])
  }

  @Test func aReportSurvivesJSON() async throws {
    let report = try await Scenario.list(with: .lostUpdate).report()
    let data = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(SweepReport.self, from: data) == report)
  }

  // MARK: - Runs that fail without a fault

  struct Torn: Error {}

  @Test func anErrorOfTheScenarioIsAViolation() async throws {
    let scenario = Scenario("torn", "It throws.") { _ in throw Torn() }
    let report = try await scenario.report()
    #expect(
      report.violations.map(\.description) == [
        "scenario.throws: Torn() (UnderstudyTests/ScenarioSweepTests.swift:\(#line - 2), before any call)"
      ])
    #expect(report.violations.first?.schedule == [])
  }

  @Test func anUnusedScheduleEntryIsAViolation() async throws {
    let outcome = try await Scenario.list(with: nil).outcome(under: [.at("todos.add", call: 2, .conflict)])
    #expect(
      outcome.violations.map(\.description) == [
        "schedule.met: Call 2 of todos.add was not made, so its fault was not injected. It was called 1 time."
      ])
  }

  /// A schedule that can never be met is refused with the spelling of a call that is made.
  @Test(
    arguments: [
      ("todos.ad", 1, "Nearest: todos.add. All: todos.add, todos.titles."),
      ("todos.*", 1, "An operation has no wildcard. Nearest: todos.add."),
      ("todos.add", 0, "Calls are numbered from 1."),
    ])
  func anUnknownCallIsReportedWithTheNearestOne(_ operation: String, _ call: Int, _ hint: String) async throws
  {
    let outcome = try await Scenario.list(with: nil).outcome(under: [.at(operation, call: call, .conflict)])
    #expect(outcome.violations.map(\.invariant) == [Scenario.unmet])
    #expect(outcome.violations.first?.message.contains(hint) == true, "\(outcome.violations)")
  }

  @Test func aViolationHasItsLineAndItsStep() async throws {
    let scenario = Scenario("adding", "An item is added.") { run in
      run.expect("list.first", false, "nothing")
      _ = try? await run.intercepted(InMemoryTodos(), as: "todos").add("Milk", priority: 1)
      run.expect("list.second", false, "Milk")
    }
    let file = "UnderstudyTests/ScenarioSweepTests.swift"
    #expect(
      try await scenario.outcome().violations.map(\.message) == [
        "nothing (\(file):\(#line - 5), before any call)",
        "Milk (\(file):\(#line - 3), after todos.add call=1)",
      ])
  }

  /// Catches a sweep that is green because it injected nothing.
  @Test func aSweepWithoutACallToFailIsAViolation() async throws {
    let scenario = Scenario("apart", "The service is not the run's.") { run in
      _ = try? await Intercepted(InMemoryTodos()).add("Milk", priority: 1)
      run.expect("list.full", true, "")
    }
    let report = try await scenario.report()
    #expect(report.violations.map(\.invariant) == [Scenario.uncovered])
    #expect(report.violations.first?.message.contains("run.intercepted(_:as:)") == true)
    let paused = Scenario("paused", "The service is used without faults.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      await run.withoutFaults { _ = try? await service.titles() }
      run.expect("list.full", true, "")
    }
    #expect(try await paused.report().violations.map(\.invariant) == [Scenario.uncovered])
  }

  /// Catches a sweep that is green because it checked nothing.
  @Test func aSweepWithoutAnInvariantIsAViolation() async throws {
    let scenario = Scenario("mute", "Nothing is expected.") { run in
      _ = try? await run.intercepted(InMemoryTodos(), as: "todos").titles()
    }
    let report = try await scenario.report(SweepOptions(pairLimit: 0))
    #expect(report.violations.map(\.invariant) == [Scenario.unchecked])
    #expect(report.violations.first?.message.contains("ScenarioSweepTests.swift:\(#line - 5)") == true)
  }

  /// Catches a sweep that is green because the scenario returns wherever a call fails, or checks only before it.
  @Test(arguments: [true, false])
  func aSweepThatChecksNothingAfterAFailureIsAViolation(returnsEarly: Bool) async throws {
    let scenario = Scenario("early", "A failure is not looked at.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      if !returnsEarly { run.expect("list.empty", true, "") }
      guard (try? await service.titles()) != nil, returnsEarly else { return }
      run.expect("list.shown", true, "")
    }
    let report = try await scenario.report(SweepOptions(pairLimit: 0))
    #expect(report.violations.map(\.invariant) == [Scenario.unchecked])
    #expect(report.violations.first?.message.contains("no invariant was checked after that") == true)
    // The observed states after a failure count.
    let watched = Scenario("watched", "Every state is checked.") { run in
      let model = StateTimelineTests.SaveModel(run.intercepted(InMemoryTodos(), as: "todos"))
      run.always("message.is.short", model) { ($0.message?.count ?? 0) > 20 ? "it is long" : nil }
      await model.save()
    }
    #expect(try await watched.report(SweepOptions(pairLimit: 0)).isClean)
  }

  /// A screen that a scenario may use.
  @MainActor @Observable final class Shelf {
    var titles: [String] = []
    /// A right screen never sets it.
    private(set) var mistake: String?
    @ObservationIgnored private let todos: Intercepted<InMemoryTodos>

    init(_ todos: Intercepted<InMemoryTodos>) {
      self.todos = todos
    }

    func load() async { titles = (try? await todos.titles()) ?? titles }
  }

  /// Catches an invariant of a screen that the scenario does not use, which holds whatever happens.
  @Test func anInvariantOfAScreenThatIsNeverUsedIsAViolation() async throws {
    let scenario = Scenario("shelves", "A user looks at one of two shelves.") { run in
      let store = InMemoryTodos()
      _ = try await store.add("Milk", priority: 1)
      let todos = run.intercepted(store, as: "todos")
      let (used, unused) = (Shelf(todos), Shelf(todos))
      run.watch(unused) { $0.titles }
      run.always("titles.short", unused) { $0.titles.first { $0.count > 9 } }
      run.always("titles.few", used) { $0.titles.count > 9 ? "it shows \($0.titles)" : nil }
      await run.act { await used.load() }
    }
    let options = SweepOptions(pairLimit: 3, combinationLimit: 3)
    let report = try await scenario.report(options)
    #expect(report.violations.map(\.invariant) == [Scenario.unchecked])
    #expect(
      report.violations.first?.message.hasPrefix(
        "run.always checked only the first state of its screen in every run: titles.short. The screen did not change"
      )
        == true, "\(report.violations)")
    // A part of a sweep does not know the others.
    var shards: [SweepReport] = []
    for number in 1...2 {
      var options = options
      options.shard = try #require(SweepShard(number, of: 2))
      shards.append(try await scenario.report(options))
    }
    #expect(shards.map(\.isClean) == [true, true])
    #expect(try SweepReport(merging: shards).violations.map(\.message) == report.violations.map(\.message))
  }

  /// Catches a failure of a right scenario: what an invariant reads need not change, and a screen may change in one run.
  @Test(arguments: ["watched", "not watched", "interrupted", "expected", "twice"])
  func anInvariantOfAScreenThatIsUsedIsRight(_ how: String) async throws {
    let report = try await Scenario("shelf", "A user looks at a shelf.") { run in
      let store = InMemoryTodos()
      _ = try await store.add("Milk", priority: 1)
      let todos = run.intercepted(store, as: "todos")
      let (shelf, other) = (Shelf(todos), Shelf(todos))
      if how == "watched" { run.watch(shelf) { $0.titles } }
      if how == "interrupted" { run.interruption("other") { await other.load() } }
      let isOther = ["interrupted", "expected", "twice"].contains(how)
      run.always("no.mistake", isOther ? other : shelf) {
        how == "interrupted" ? $0.titles.first { $0 == "" } : $0.mistake
      }
      if how == "twice" { run.always("no.mistake", shelf) { $0.mistake } }
      await run.act { await shelf.load() }
      run.expect(how == "expected" ? "no.mistake" : "titles.few", shelf.titles.count < 9, "")
    }.report(SweepOptions(pairLimit: 0, combinationLimit: 0))
    #expect(report.violations.map(\.description) == [])
    #expect(report.unusedInvariants == [])
  }

  /// Catches a sweep that counts faults at a call which only the first run makes, because a cache outlives it.
  @Test func aCallThatOnlyTheFirstRunMakesIsAViolation() async throws {
    let cache = Locked<[String]?>(nil)
    let scenario = Scenario("cached", "A cache outlives the runs.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      if cache.withLock(\.self) == nil {
        let titles = try? await service.titles()
        cache.withLock { $0 = titles }
      }
      _ = try? await service.add("Milk", priority: 1)
      run.expect("list.shown", true, "")
    }
    let report = try await scenario.report(SweepOptions(pairLimit: 0))
    #expect(report.violations.map(\.invariant) == [Scenario.uncovered])
    #expect(
      report.violations.first?.message.hasPrefix("todos.titles call=1 was made in the run without") == true)
  }

  /// Catches a double without the method that is called, which looks like a service that always fails.
  @Test func aCallOfAnUnimplementedMethodIsAViolation() async throws {
    struct NoTodos: Sendable {
      func add() throws(TodoError) { throw TodoError(.unimplemented("add(_:)", closure: "onAdd")) }
    }
    let scenario = Scenario("bare", "A user adds an item.") { run in
      let service = run.intercepted(NoTodos(), as: "todos")
      await run.act {
        _ = try? await service.intercept(.init("add"), failure: TodoError.init) { base throws(TodoError) in
          try base.add()
        }
      }
      run.expect("saving.ends", true, "")
    }
    let outcome = try await scenario.outcome()
    #expect(outcome.violations.map(\.invariant) == [Scenario.unimplemented])
    #expect(
      outcome.violations.first?.message.hasPrefix("add(_:) is not implemented by this double. Set onAdd.")
        == true)
  }

  /// Catches a trap for limits that no sweep can have.
  @Test func negativeLimitsAreZero() async throws {
    let report = try await Scenario.list(with: nil).report(
      SweepOptions(pairLimit: -1, combinationLimit: -1))
    #expect(report.pairRuns == 0 && report.combinedRuns == 0)
  }

  @Test func aSweepCountsWhatItCovered() async throws {
    let faults = Fault.all(of: .call).count { $0.applies(to: .service) }
    let report = try await Scenario.list(with: nil).report(SweepOptions(pairLimit: 1, combinationLimit: 0))
    let counted = "2 calls, 0 events, \(2 * faults + 2) injected faults, 2 interruptions, 0 combinations"
    #expect(
      report.coverage == counted
        + "; no action was cancelled: run actions with run.act(_:), over a service and not over a URLSession")
    let streams = try await StreamSpellingTests.reading(.immediate).report(SweepOptions(pairLimit: 0))
    #expect(streams.coverage.hasPrefix("1 call, 3 events, "))
  }

  @Test func aRunThatNeverEndsIsAbandoned() async throws {
    let monitor = StallMonitor()
    let arrived = Signal<Void>()
    let scenario = Scenario("waiting", "It waits for ever after a conflict.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      do throws(TodoError) {
        _ = try await service.add("Milk", priority: 1)
      } catch .conflict {
        arrived.send(())
        try await Signal<Void>().value()
      } catch {}
    }
    let sweep = StallMonitor.$current.withValue(monitor) {
      Task { try await scenario.report(SweepOptions(combinationLimit: 0)) }
    }
    try await arrived.value()
    // The job that has arrived counts as progress until it suspends.
    await MainTaskExecutor.runReadyJobs()
    // No longer, because the next run would be idle, too.
    monitor.takeIdle(for: StallMonitor.idleLimit)
    let report = try await sweep.value
    #expect(report.violations.map(\.invariant) == [Scenario.stuck])
    #expect(report.violations.first?.schedule == [.at("todos.add", call: 1, .conflict)])
    #expect(report.counts.single == Fault.all(of: .call).count { $0.applies(to: .service) })
  }

  /// Catches a sweep that waits for each of hundreds of runs that never end.
  @Test func aScenarioThatNeverEndsIsRunOnce() async throws {
    let monitor = StallMonitor()
    let arrived = Signal<Void>()
    let scenario = Scenario("following", "Its action follows a stream without an end.") { run in
      let ticker = run.intercepted(EndlessTicker(), as: "ticker")
      await run.act {
        guard let ticks = try? await ticker.ticks(upTo: 1) else { return }
        arrived.send(())
        do { for try await _ in ticks {} } catch {}
      }
      run.expect("ends", true, "")
    }
    let sweep = StallMonitor.$current.withValue(monitor) { Task { try await scenario.report() } }
    try await arrived.value()
    for _ in 0..<10 { await MainTaskExecutor.runReadyJobs() }
    monitor.takeIdle(for: .seconds(60))
    let report = try await sweep.value
    #expect(report.counts.total == 1)
    #expect(report.violations.map(\.invariant) == [Scenario.stuck])
    #expect(
      report.violations.first?.message.hasSuffix(
        """
        . An action has not ended, and a stream waits for an event: follow a stream without an end in a task of its own. \
        If it needs longer, raise UNDERSTUDY_STALL, in seconds.
        """) == true)
  }

  /// It waits for ever after any failure.
  private func stuckReport(_ shard: SweepShard = .whole) async throws -> (SweepReport, notices: [String]) {
    let monitor = StallMonitor()
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let notices = Locked<[String]>([])
    let scenario = Scenario("waiting", "It waits for ever after a failure.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      run.expect("added", true, "")
      do throws(TodoError) {
        _ = try await service.titles()
        _ = try await service.add("Milk", priority: 1)
      } catch {
        arrived.yield()
        try await Signal<Void>().value()
      }
    }
    let sweep = StallMonitor.$current.withValue(monitor) {
      Task {
        try await scenario.report(SweepOptions(combinationLimit: 5, shard: shard)) { progress in
          notices.withLock { $0 += progress.notice(of: scenario, after: $0.count).map { [$0] } ?? [] }
        }
      }
    }
    var rest = 2
    for await _ in arrivals {
      // The job that has arrived counts as progress until it suspends.
      await MainTaskExecutor.runReadyJobs()
      monitor.takeIdle(for: StallMonitor.idleLimit)
      rest -= 1
      if rest == 0 { break }
    }
    return (try await sweep.value, notices.withLock(\.self))
  }

  /// Catches a sweep that waits for each of many stuck runs, or is silent about what it left out.
  @Test func aSweepStopsAfterTwoStuckRuns() async throws {
    let (whole, notices) = try await stuckReport()
    let faults = 2 * Fault.all(of: .call).count { $0.applies(to: .service) }
    #expect(whole.counts.single == 2)
    #expect(
      whole.untried
        == SweepReport.Untried(
          faults: faults - 2, hasUncountedPairs: true, interruptions: 2, combinations: 5))
    #expect(
      whole.gap.hasPrefix(
        "; stopped after 2 stuck runs, not tried: \(faults - 2) faults, 2 interruptions, 5 combinations, all pairs"
      ))
    let violation = try #require(whole.violations.first)
    #expect(whole.violations.count == 1 && violation.invariant == Scenario.stuck)
    #expect(violation.message.contains("Look for an await that nothing ends"), "\(violation.message)")
    #expect(violation.message.hasSuffix("raise UNDERSTUDY_STALL, in seconds."))
    #expect(
      notices == [
        "waiting is stuck under \(violation.schedule). The sweep goes on, and stops at the next stuck run."
      ]
    )
    #expect(try JSONDecoder().decode(SweepReport.self, from: JSONEncoder().encode(whole)) == whole)
    // The shards run all faults, so they stop at the same one.
    var shards: [SweepReport] = []
    for number in 1...2 {
      shards.append(try await stuckReport(try #require(SweepShard(number, of: 2))).0)
    }
    #expect(try SweepReport(merging: shards) == whole)
  }

  /// Catches a list of the faults of one call that hides all other calls.
  @Test func theOtherCallsOfAViolationAreListed() async throws {
    let report = try await Scenario("picky", "It adds and reads.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      let failures = await run.failures {
        _ = try? await service.add("Milk", priority: 1)
        _ = try? await service.titles()
        _ = try? await service.titles()
      }
      let broken = failures.filter { $0.fault == .cancelled || $0.point.operation == "todos.add" }
      run.expect("whole", broken.isEmpty, "")
      run.expect("once", failures.count < 2, "")
    }.report(SweepOptions(combinationLimit: 0))
    let failing = Fault.all(of: .call).count { $0.applies(to: .service) && $0.symptom != .delayed }
    let first = try #require(report.violations.first { $0.invariant == "whole" })
    #expect(
      report.others(than: first) == """
        todos.add call=1 (\(failing - 1) other faults), todos.titles call=1 (cancelled), todos.titles call=2 (cancelled)
        """)
    let pair = try #require(report.violations.first { $0.invariant == "once" })
    #expect(report.others(than: pair)?.contains("todos.titles call=1 with todos.titles call=2 (") == true)
  }

  private struct EndlessTicker: TickerService {
    func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
      AsyncThrowingStream { _ in }
    }
  }
}

extension SweepReport.Violation {
  var description: String { "\(invariant): \(message)" }
}

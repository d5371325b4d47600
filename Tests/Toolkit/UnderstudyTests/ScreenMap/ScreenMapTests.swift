import Foundation
import Observation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

@Suite(.stallLimit()) struct ScreenMapTests {
  /// A list that is loaded once.
  @MainActor @Observable final class List {
    struct Shown: Equatable, Sendable {
      var titles: [String] = []
      var isLoading = false
      var message: String?
    }

    private(set) var shown = Shown()
    private let service: any TodoService
    private let staysLoading: Bool

    init(_ service: any TodoService, staysLoading: Bool) {
      self.service = service
      self.staysLoading = staysLoading
    }

    func load() async {
      shown = Shown(titles: shown.titles, isLoading: true)
      do throws(TodoError) {
        shown = Shown(titles: try await service.titles())
      } catch {
        if !staysLoading { shown = Shown(titles: shown.titles, message: "\(error)") }
      }
    }
  }

  static func loading(staysLoading: Bool = false) -> Scenario {
    Scenario("loading", "A user loads a list.") { run in
      let store = InMemoryTodos()
      _ = try await store.add("Milk", priority: 1)
      let list = List(run.intercepted(store, as: "todos"), staysLoading: staysLoading)
      run.watch(list) { $0.shown }
      run.interruption("add") { _ = try? await store.add("Bread", priority: 1) }
      run.interruption("again") { await list.load() }
      await run.act(named: "load") { await list.load() }
      run.expect("loading.ends", !list.shown.isLoading, "it still loads")
    }
  }

  private static func map(
    staysLoading: Bool = false, _ options: SweepOptions = SweepOptions(pairLimit: 0, combinationLimit: 0)
  ) async throws -> (report: SweepReport, map: ScreenMap) {
    let report = try await loading(staysLoading: staysLoading).report(options)
    return (report, try #require(report.screens.first?.story))
  }

  // MARK: - Recording

  @Test func theMapHasEveryStateAndWhatLedToIt() async throws {
    let (report, map) = try await Self.map()
    #expect(report.screens.count == 1)
    let path = map.cards.filter(\.isOnPath)
    #expect(path.map(\.kind) == ["", "loading", ""])
    #expect(path.map(\.step) == [0, 1, 2])
    #expect(path.map { $0.states.map(\.state.data) } == [["[]"], ["[]"], ["Milk"]])
    // Only a list with what the interruption adds, and messages, are beside the path.
    let others = map.cards.filter { !$0.isOnPath }
    #expect(others.allSatisfy { $0.step == 1 || $0.step == 2 })
    #expect(
      Set(others.flatMap(\.states).map(\.state.text)).isDisjoint(
        with: path.flatMap(\.states).map(\.state.text)))
    #expect(path[0].runs == report.counts.total)
    #expect(map.arrows.filter { $0.to == nil }.reduce(0) { $0 + $1.runs } == report.counts.total)
    for card in map.cards.indices.dropFirst() {
      #expect(map.arrows.contains { $0.to == card }, "Nothing leads to \(map.cards[card].states)")
    }
  }

  @Test func eachFaultThatTakesEffectIsACauseOnce() async throws {
    let (_, map) = try await Self.map()
    let loading = try #require(map.cards.firstIndex { $0.kind == "loading" })
    let message = try #require(map.cards.firstIndex { $0.hasMessage && $0.step == 1 })
    let arrow = try #require(map.arrows.first { ($0.from, $0.to) == (loading, message) })
    let faults = arrow.causes.filter { $0.cause.kind == .fault }
    let expected = Fault.all(of: .call).filter { $0.applies(to: .service) && $0.symptom != .delayed }
    #expect(Set(faults.map(\.cause.fault)) == Set(expected.map { "\($0)" }))
    #expect(faults.allSatisfy { $0.cause.name == "todos.titles" })
    // A server error is tried with interruptions, too.
    let repeated = Set(expected.filter { $0.symptom == .serverError }.map { "\($0)" })
    for fault in faults where fault.cause.fault.map(repeated.contains) == false {
      #expect(fault.times == 1 && fault.first.schedule.entries.count == 1, "\(fault)")
    }
    #expect(!arrow.isOnPath)
  }

  @Test func thePathHasTheNameOfTheActionAndTheAnswer() async throws {
    let (_, map) = try await Self.map()
    let plain = map.arrows.filter(\.isOnPath).map { arrow in
      arrow.causes.first { $0.first.number == 0 }?.cause
    }
    #expect(plain == [ScreenMap.Cause(.action, "load"), ScreenMap.Cause(.answer, "todos.titles")])
  }

  @Test func theEndOfARunHasWhatHappenedAfterTheLastState() async throws {
    let (_, map) = try await Self.map(staysLoading: true)
    let loading = try #require(map.cards.firstIndex { $0.kind == "loading" })
    let end = try #require(map.arrows.first { $0.from == loading && $0.to == nil })
    #expect(end.causes.contains { $0.cause == ScreenMap.Cause(.fault, "todos.titles", .timeout) })
  }

  @Test func aBrokenInvariantHasItsStateAndTheWayToIt() async throws {
    let (report, map) = try await Self.map(staysLoading: true)
    let violation = try #require(map.violations.first)
    #expect(map.violations.count == 1)
    #expect(violation.invariant == "loading.ends")
    #expect(map.cards[violation.card].kind == "loading")
    #expect(violation.route == [0, violation.card])
    #expect(violation.isLasting)
    #expect(violation.first.schedule == report.violations.first?.schedule)
  }

  /// Catches the last state in place of the one that was broken.
  @Test func aStateThatBreaksAnInvariantIsNotTheLastOne() async throws {
    let report = try await Scenario("passing", "It loads.") { run in
      let list = List(run.intercepted(InMemoryTodos(), as: "todos"), staysLoading: false)
      run.watch(list) { $0.shown }
      run.always("never.loads", list) { $0.shown.isLoading ? "it loads" : nil }
      await run.act { await list.load() }
      await run.act { await list.load() }
    }.report(SweepOptions(pairLimit: 0, combinationLimit: 0))
    let map = try #require(report.screens.first?.story)
    let violation = try #require(map.violations.first)
    #expect(map.cards[violation.card].kind == "loading")
    #expect(!violation.isLasting, "An answer follows.")
  }

  @Test func theRecordedStatesAreThoseOfTheTimeline() async throws {
    let states = Locked<[List.Shown]>([])
    let outcome = try await Scenario("loading", "A user loads a list.") { run in
      let list = List(run.intercepted(InMemoryTodos(), as: "todos"), staysLoading: false)
      let shown = run.watch(list) { $0.shown }
      let timeline = StateTimeline(of: list) { $0.shown }
      for _ in 1...2 { await run.act { await list.load() } }
      #expect(timeline.states == shown())
      states.withLock { $0 = shown() }
    }.outcome(under: [.at("todos.titles", call: 2, .timeout)])
    #expect(outcome.timeline == states.withLock { $0.map { "\($0)" } })
    #expect(outcome.screens.map { $0.steps.first?.cause } == [nil])
  }

  @Test(arguments: [2, 3]) func theShardsHaveTheMapOfTheCompleteSweep(_ count: Int) async throws {
    let options = SweepOptions(seed: 3, pairLimit: 5, combinationLimit: 12)
    let (whole, _) = try await Self.map(options)
    var shards: [SweepReport] = []
    for number in 1...count {
      var part = options
      part.shard = try #require(SweepShard(number, of: count))
      shards.append(try await Self.map(part).report)
    }
    #expect(try SweepReport(merging: shards.reversed()).screens == whole.screens)
    let coded = try JSONDecoder().decode(SweepReport.self, from: JSONEncoder().encode(whole))
    #expect(coded == whole)
  }

  /// Catches a page that a report of another machine brings to an end.
  @Test func aMapWithAnUnknownCardIsRefused() async throws {
    var (report, _) = try await Self.map()
    report.screens[0].story.arrows[0] = ScreenMap.Arrow(
      from: 99, to: 0, first: report.screens[0].story.arrows[0].first)
    let data = try JSONEncoder().encode(report)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(SweepReport.self, from: data) }
  }

  // MARK: - Causes

  @Test func theLastDisturbanceSinceAnActionIsTheCause() {
    let events: [ScreenMap.Cause] = [
      .init(.fault, "a", .timeout), .init(.answer, "b"), .init(.action, "c"), .init(.answer, "d"),
    ]
    #expect(ScreenMap.Cause(of: events[..<0]) == nil)
    #expect(ScreenMap.Cause(of: events[..<2]) == events[0])
    #expect(ScreenMap.Cause(of: events[...]) == events[3])
    #expect(ScreenMap.Cause(of: events[2..<3]) == events[2])
  }

  // MARK: - Parts of a state

  @Test(
    arguments: [
      ("loading: [Milk]", "loading", nil, "[Milk]"), ("Cancelled.: [Milk]", "", "Cancelled.", "[Milk]"),
      ("[Milk]", "", nil, "[Milk]"), ("saving", "saving", nil, ""),
      ("failed: You are offline.", "failed", "You are offline.", ""), ("3 items", "", nil, "3 items"),
      ("signed out, loading", "signed out, loading", nil, ""), ("", "", nil, ""),
      ("shown: a: b", "shown", nil, "a: b"),
    ] as [(String, String, String?, String)])
  func aDescriptionHasParts(_ text: String, _ kind: String, _ message: String?, _ data: String) {
    let state = ShownState(of: text)
    #expect((state.kind, state.message, state.data) == (kind, message, data))
    #expect(state.text == text)
  }

  private enum Phase: Equatable { case idle, failed(String), loaded([String]) }
  private struct Described: CustomStringConvertible {
    let errorMessage: String?
    var description: String { "failed: \(errorMessage ?? ""): Milk" }
  }

  @Test func theMembersOfAStateHaveParts() {
    let loading = ShownState(of: List.Shown(titles: ["a", "b"], isLoading: true))
    #expect((loading.kind, loading.message, loading.data) == ("loading", nil, "a, b"))
    #expect(loading.role == .busy)
    let failed = ShownState(of: Phase.failed("No connection"))
    #expect((failed.kind, failed.message) == ("failed", "No connection"))
    #expect(failed.role == .message)
    let loaded = ShownState(of: Phase.loaded(["a"]))
    #expect((loaded.kind, loaded.data, loaded.role) == ("loaded", "a", .content))
    #expect(ShownState(of: Phase.idle).kind == "idle")
    let described = ShownState(of: Described(errorMessage: "no connection"))
    #expect((described.kind, described.message, described.data) == ("failed", "no connection", "Milk"))
    #expect(ShownState(of: 3).data == "3")
  }

  /// Each state is formatted once in a sweep, and states that never repeat do not fill the memory.
  @MainActor @Test func statesAreKnownAcrossRuns() {
    final class Counting: Sendable { let number = Locked(0) }
    struct State: Equatable, Sendable, CustomStringConvertible {
      let number: Int
      let counting: Counting
      var description: String { counting.number.withLock { $0 += 1 }; return "\(number)" }
      static func == (one: Self, other: Self) -> Bool { one.number == other.number }
    }
    let (known, counting) = (KnownStates(), Counting())
    for _ in 1...3 {
      let states = known.states(of: 0, State.self)
      #expect(
        (0..<5).map { states[State(number: $0, counting: counting)].text } == ["0", "1", "2", "3", "4"])
    }
    let first = counting.number.withLock { $0 }
    _ = known.states(of: 0, State.self)[State(number: 4, counting: counting)]
    #expect(counting.number.withLock { $0 } == first)
  }
}

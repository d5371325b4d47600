import Foundation
import Observation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// The sweep finds what goes wrong between two actions, and nothing in a screen that is right.
@Suite(.stallLimit()) struct InterleavingTests {
  /// A bug that a test plants in an ``Inbox``.
  enum Bug: CaseIterable, Sendable {
    /// The answer of an older load replaces that of a newer one.
    case olderAnswerWins
    /// The failure of an older load is shown beside the data of a newer one.
    case olderFailureStays
    /// A load during another one is ignored, even if the other one was cancelled.
    case swallowedAfterCancellation
    /// A cancelled load leaves its spinner.
    case endlessSpinner
    /// The answer for a user who has signed out is shown.
    case formerUser
    /// A repeated sending sends twice.
    case sentTwice
    /// The error of a cancelled load is shown, though the service in memory does not notice a cancellation.
    case cancellationShown
  }

  /// What a user has received, and a message to send.
  @MainActor @Observable final class Inbox {
    var titles: [String] { isSignedIn || bug == .formerUser ? loaded : [] }
    private(set) var isLoading = false
    private(set) var message: String?
    /// Whether the latest load has succeeded.
    private(set) var isLoaded = false
    private(set) var draft = "Hello"
    private var loaded: [String] = []
    private(set) var isSignedIn = true

    @ObservationIgnored private var loads = 0
    @ObservationIgnored private var latest: Task<Void, Never>?
    @ObservationIgnored private var isSending = false
    @ObservationIgnored private let service: any TodoService
    @ObservationIgnored private let bug: Bug?

    init(service: any TodoService, with bug: Bug?) {
      self.service = service
      self.bug = bug
    }

    func load() async {
      if bug == .swallowedAfterCancellation, isLoading { return }
      loads += 1
      let load = loads
      (isLoading, isLoaded, message) = (true, false, nil)
      let result: Result<[String], TodoError>
      do throws(TodoError) { result = .success(try await service.titles()) } catch {
        result = .failure(error)
      }
      let isLatest = load == loads
      if isLatest, !Task.isCancelled || bug != .endlessSpinner { isLoading = false }
      if Task.isCancelled, bug != .cancellationShown { return }
      switch result {
      case .success(let titles):
        if isLatest { isLoaded = true }
        if isLatest || bug == .olderAnswerWins { loaded = titles }
      case .failure(let error):
        if isLatest || bug == .olderFailureStays, error != .cancelled || bug == .cancellationShown {
          message = "\(error)"
        }
      }
    }

    func send() async {
      guard !draft.isEmpty, bug == .sentTwice || !isSending else { return }
      isSending = true
      defer { isSending = false }
      do throws(TodoError) {
        _ = try await service.add(draft, priority: 1)
        draft = ""
      } catch {}
    }

    func signOut() { isSignedIn = false }
  }

  static func inbox(with bug: Bug?) -> Scenario {
    Scenario("inbox", "A user looks at the inbox and sends a message.") { run in
      let store = InMemoryTodos()
      let model = Inbox(service: run.intercepted(store, as: "todos"), with: bug)
      run.interruption("load") { await model.load() }
      run.interruption("receive-and-load") {
        _ = try? await store.add("News", priority: 1)
        await model.load()
      }
      run.interruption("send") { await model.send() }
      run.interruption("sign-out") { model.signOut() }
      run.always("nothing.of.others", model) { model in
        model.isSignedIn || model.titles.isEmpty ? nil : "signed out, it shows \(model.titles)"
      }

      await run.act { await model.load() }
      check()
      await run.act { await model.send() }
      await run.act { await model.load() }
      check()

      @MainActor func check() {
        run.expect("loading.ends", !model.isLoading, "it still loads")
        run.expect(
          "nothing.swallowed",
          model.isLoaded || run.failures.contains { $0.fault != nil || !$0.isCancellation }
            || run.interruptions.contains("cancel"),
          "nothing was loaded")
        run.expect(
          "screen.matches.store",
          !model.isLoaded || !model.isSignedIn || run.interruptions.contains("send")
            || model.titles == store.cached(),
          "it shows \(model.titles), and \(store.cached()) are stored")
        run.expect(
          "cancelled.silent", model.message == nil || run.failures.contains { !$0.isCancellation },
          "it shows \(model.message ?? "")")
        run.expect("one.truth", !model.isLoaded || model.message == nil, "\(model.message ?? "") beside data")
        run.expect(
          "nothing.twice",
          store.cached().count { $0 == "Hello" } < 2 || run.failures.contains(where: \.mayHaveWorked),
          "the store has \(store.cached())")
      }
    }
  }

  /// The invariant that each bug breaks, and a smallest schedule that shows it.
  static let planted: [(bug: Bug, invariant: String, first: FaultSchedule)] = [
    (
      .olderAnswerWins, "screen.matches.store",
      [.interruption("receive-and-load", at: .answer, of: "todos.titles", call: 1)]
    ),
    (
      .olderFailureStays, "one.truth",
      [
        .at("todos.titles", call: 2, .unauthorized),
        .interruption("load", at: .request, of: "todos.titles", call: 2),
      ]
    ),
    (
      .swallowedAfterCancellation, "nothing.swallowed",
      [.interruption("restart", at: .request, of: "todos.titles", call: 2)]
    ),
    (.endlessSpinner, "loading.ends", [.interruption("cancel", at: .request, of: "todos.titles", call: 1)]),
    (
      .formerUser, "nothing.of.others",
      [.interruption("sign-out", at: .request, of: "todos.titles", call: 2)]
    ),
    (
      .cancellationShown, "cancelled.silent",
      [.interruption("cancel", at: .request, of: "todos.titles", call: 1)]
    ),
    (.sentTwice, "nothing.twice", [.interruption("send", at: .request, of: "todos.add", call: 1)]),
  ]

  @Test(arguments: Effort.some(of: planted, every: 2))
  func aPlantedBugIsFound(_ row: (bug: Bug, invariant: String, first: FaultSchedule)) async throws {
    let scenario = Self.inbox(with: row.bug)
    let outcome = try await scenario.outcome(under: row.first)
    #expect(outcome.violations.map(\.invariant) == [row.invariant], "\(outcome.violations)")
    let report = try await scenario.report(
      SweepOptions(pairLimit: 0, combinationLimit: Effort.number(0, of: 200)))
    let found = report.violations.filter { $0.invariant == row.invariant }
    #expect(!found.isEmpty, "\(report.violations.map(\.schedule)) were found")
    if row.bug != .swallowedAfterCancellation {
      #expect(report.violations.filter { $0.invariant != row.invariant }.map(\.description) == [])
    }
    // It is violated under the schedule of the report, and under no part of it.
    for violation in found.prefix(3) {
      for count in 0...violation.schedule.entries.count {
        let part = FaultSchedule(Array(violation.schedule.entries.prefix(count)))
        let outcome = try await scenario.outcome(under: part)
        let isBroken = outcome.violations.contains { $0.invariant == row.invariant }
        #expect(isBroken == (count == violation.schedule.entries.count), "\(part): \(outcome.violations)")
      }
    }
  }

  @Test func aCorrectScreenPasses() async throws {
    let options = SweepOptions(
      pairLimit: Effort.limit(50), combinationLimit: Effort.number(50, of: 3000))
    let report = try await Self.inbox(with: nil).report(options)
    #expect(report.violations.map(\.description) == [])
    // Three calls, each with six interruptions at two moments, and late; and what the interruptions call, late.
    #expect(report.counts.interrupted > 3 * (2 * 6 + 1))
    #expect(report.counts.combined >= options.combinationLimit)
  }

  @Test func aSweepIsRepeatableAndItsShardsFormIt() async throws {
    let scenario = Self.inbox(with: .sentTwice)
    let whole = try await scenario.report(SweepOptions(seed: 5, pairLimit: 3, combinationLimit: 5))
    #expect(try await scenario.report(SweepOptions(seed: 5, pairLimit: 3, combinationLimit: 5)) == whole)
    var shards: [SweepReport] = []
    for number in 1...3 {
      let shard = try #require(SweepShard(number, of: 3))
      shards.append(
        try await scenario.report(SweepOptions(seed: 5, pairLimit: 3, combinationLimit: 5, shard: shard)))
    }
    #expect(try SweepReport(merging: shards) == whole)
    let data = try JSONEncoder().encode(whole)
    #expect(try JSONDecoder().decode(SweepReport.self, from: data) == whole)
  }

  // MARK: - One schedule

  static let entries: [(FaultSchedule.Entry, text: String, swift: String)] = [
    (
      .interruption("sign-out", at: .answer, of: "todos.add", call: 2), "todos.add call=2 sign-out@answer",
      #".interruption("sign-out", at: .answer, of: "todos.add", call: 2)"#
    ),
    (
      .interruption("cancel", at: .event(3), of: "bell.rings", call: 1), "bell.rings call=1 cancel@event-3",
      #".interruption("cancel", at: .event(3), of: "bell.rings", call: 1)"#
    ),
    (.late("todos.add", call: 1), "todos.add call=1 late", #".late("todos.add", call: 1)"#),
  ]

  @Test(arguments: entries)
  func anEntryHasAText(_ entry: FaultSchedule.Entry, _ text: String, _ swift: String) throws {
    #expect(entry.description == text)
    #expect(entry.swift == swift)
    #expect(try FaultSchedule.Entry(typed: text) == entry)
    let schedule: FaultSchedule = [entry]
    #expect(try JSONDecoder().decode(FaultSchedule.self, from: JSONEncoder().encode(schedule)) == schedule)
  }

  @Test(arguments: ["sign-out@reply", "@answer", "sign-out@event-0", "sign-out@event-", "later"])
  func anInvalidDisturbanceIsRefused(_ text: String) {
    #expect(throws: UnderstudyError.self) { try FaultSchedule.Entry(typed: "todos.add call=1 \(text)") }
  }

  /// Catches a kept line that interrupts nothing any more.
  @Test(
    arguments: [
      (
        .interruption("sign-off", at: .answer, of: "todos.titles", call: 1),
        "Call 1 of todos.titles was made, but sign-off@answer had no effect: the scenario has no interruption of that name."
      ),
      (
        .interruption("load", at: .event(1), of: "todos.titles", call: 1),
        "Call 1 of todos.titles was made, but load@event-1 had no effect: its stream delivered 0 events."
      ),
      (
        .interruption("load", at: .request, of: "todos.title", call: 1),
        "Call 1 of todos.title was not made, so it was not interrupted. Nearest: todos.titles. All: todos.add, "
          + "todos.titles."
      ),
    ] as [(FaultSchedule.Entry, String)])
  func anEntryWithoutEffectIsAViolation(_ entry: FaultSchedule.Entry, _ message: String) async throws {
    let outcome = try await Self.inbox(with: nil).outcome(under: [entry])
    #expect(outcome.violations.map(\.description) == ["schedule.met: \(message)"])
  }

  @Test func onlyAnActionCanBeCancelled() async throws {
    let scenario = Scenario("outside", "It calls outside of an action.") { run in
      _ = try await run.intercepted(InMemoryTodos(), as: "todos").titles()
    }
    let outcome = try await scenario.outcome(under: [
      .interruption("cancel", at: .answer, of: "todos.titles", call: 1)
    ])
    #expect(
      outcome.violations.map(\.message) == [
        """
        Call 1 of todos.titles was made, but cancel@answer had no effect: the call does not belong to run.act(_:), so \
        there is no task to cancel.
        """
      ])
  }

  @Test(arguments: ["", "sign out", "a@b", "cancel", "restart", "first"])
  func anInterruptionHasAValidNameOfItsOwn(_ name: String) async throws {
    let scenario = Scenario("named", "It has interruptions.") { run in
      run.interruption("first") {}
      run.interruption(name) {}
    }
    let outcome = try await scenario.outcome()
    #expect(outcome.violations.map(\.invariant) == [Scenario.misnamed])
  }

  /// Catches a mistake that costs a whole sweep.
  @Test func aSweepWithAnInvalidNameRunsOnce() async throws {
    let line = #line + 3
    let scenario = Scenario("named", "It has an interruption.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      run.interruption("sign out") {}
      _ = try? await todos.titles()
    }
    let report = try await scenario.report()
    #expect(report.counts.total == 1)
    #expect(report.violations.map(\.invariant) == [Scenario.misnamed])
    #expect(
      report.violations.first?.message.hasPrefix(
        """
        An interruption cannot be called "sign out": a name has at least one character, no white space and no @, such as \
        "sign-out" (UnderstudyTests/InterleavingTests.swift:\(line), before any call)
        """) == true)
  }

  /// Catches an interruption that no call can meet.
  @Test func anInterruptionIsDeclaredBeforeTheFirstCall() async throws {
    let scenario = Scenario("late", "It declares an interruption after a call.") { run in
      _ = try await run.intercepted(InMemoryTodos(), as: "todos").titles()
      run.interruption("sign-out") {}
    }
    let violations = try await scenario.outcome().violations
    #expect(violations.map(\.invariant) == [Scenario.misnamed])
    #expect(
      violations.first?.message.hasPrefix(
        """
        "sign-out" is declared after todos.titles call=1, so it cannot interrupt that: declare interruptions before the \
        first call (
        """) == true)
  }

  /// Catches a state that is reported with the last call of the run.
  @Test func aBrokenStateIsReportedWithTheCallBeforeIt() async throws {
    let scenario = Scenario("counting", "It counts twice.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      let model = Counter()
      run.always("small", model) { $0.count > 0 ? "the count is \($0.count)" : nil }
      for _ in 1...2 {
        _ = try await todos.titles()
        model.count += 1
        await MainTaskExecutor.runReadyJobs()
      }
    }
    let violations = try await scenario.outcome().violations
    #expect(violations.map(\.invariant) == ["small"])
    let message = violations.first?.message ?? ""
    #expect(
      message.hasPrefix("the count is 1 (") && message.hasSuffix(", after todos.titles call=1)"), "\(message)"
    )
  }

  /// Catches an interruption that reaches nothing, and an invariant that is not checked while interrupted, without a word.
  @Test func whatWasNotTriedIsReported() async throws {
    let scenario = Scenario("counting", "It counts.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      let model = Counter()
      run.watch(model) { $0.count }
      run.interruption("call") { _ = try? await todos.titles() }
      run.interruption("count") { model.count += 1 }
      run.interruption("elsewhere") { await Task.yield() }
      await run.act { _ = try? await todos.titles() }
      run.expect("always", true, "")
      if run.interruptions.isEmpty { run.expect("alone", true, "") }
    }
    let options = SweepOptions(pairLimit: 0, combinationLimit: 0)
    let report = try await scenario.report(options)
    #expect(report.violations.map(\.description) == [])
    #expect(
      report.gap == """
        ; interruptions that changed nothing: elsewhere; not checked in runs with an interruption: alone
        """)
    let notice = report.notice ?? ""
    #expect(
      notice.hasPrefix("counting: every invariant holds. Covered: \(report.coverage)\nAn interruption that"))
    #expect(notice.hasSuffix("watch what it changes with run.watch(_:_:), or remove it."))
    #expect(report.interruptions.map(\.name) == ["call", "count", "elsewhere"])
    // The effects are those of both parts.
    var shards: [SweepReport] = []
    for number in 1...2 {
      let shard = try #require(SweepShard(number, of: 2))
      shards.append(
        try await scenario.report(SweepOptions(pairLimit: 0, combinationLimit: 0, shard: shard)))
    }
    let merged = try SweepReport(merging: shards)
    #expect(merged.gap == report.gap)
    #expect(merged.interruptions == report.interruptions)
  }

  /// Catches a state of another device's work that counts as no effect.
  @Test func whatIsSeenOnlyLaterIsAnEffect() async throws {
    let report = try await Scenario("later", "It loads twice.") { run in
      let store = InMemoryTodos()
      let model = Counter()
      let todos = run.intercepted(store, as: "todos")
      run.watch(model) { $0.count }
      run.interruption("other-device") { _ = try? await store.add("News", priority: 1) }
      await run.act { model.count = (try? await todos.titles().count) ?? 0 }
      run.expect("always", true, "")
    }.report(SweepOptions(pairLimit: 0, combinationLimit: 0))
    #expect(report.gap == "" && report.notice == nil)
  }

  @Test func streamsWithoutEventsAndEventsBeyondTheLimitAreReported() async throws {
    let report = try await Scenario("ticking", "It reads two streams.") { run in
      let ticker = run.intercepted(InMemoryTicker(), as: "ticker")
      for count in [0, 14] {
        await run.act { do { for try await _ in try await ticker.ticks(upTo: count) {} } catch {} }
      }
      run.expect("ends", true, "")
    }.report(SweepOptions(pairLimit: 0, combinationLimit: 0))
    #expect(
      report.gap == """
        ; the stream of ticker.ticks call=1 delivered no event; of the 14 events of ticker.ticks call=2, only the first \
        12 were disturbed
        """)
    #expect(report.coverage.contains("2 calls, 12 events"), "\(report.coverage)")
  }

  /// Catches a cycle of a run, its actions and their failures, with which the test does not end.
  @Test(arguments: [true, false])
  func aRunReleasesWhatItMade(isCancelled: Bool) async throws {
    final class Probe: Sendable {
      let released: AsyncStream<Void>.Continuation
      init(_ released: AsyncStream<Void>.Continuation) { self.released = released }
      deinit { released.yield() }
    }
    let (releases, released) = AsyncStream<Void>.makeStream()
    let (readiness, ready) = AsyncStream<Void>.makeStream()
    let scenario = Scenario("releasing", "It fails, is interrupted, and ends or is cancelled.") { run in
      let made = Probe(released)
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      run.interruption("other") { withExtendedLifetime(made) {} }
      let failures = await run.act {
        _ = try? await todos.titles()
        _ = try? await todos.titles()
        withExtendedLifetime(made) {}
      }
      run.expect("fails", failures.count == 1, "\(failures)")
      if isCancelled {
        ready.yield()
        for await _ in AsyncStream<Never>.makeStream().stream {}
      }
    }
    let task = Task {
      try await scenario.outcome(under: [
        .at("todos.titles", call: 1, .conflict),
        .interruption("other", at: .answer, of: "todos.titles", call: 2),
      ])
    }
    if isCancelled {
      for await _ in readiness { break }
      task.cancel()
    }
    let violations = await (try? task.value)?.violations
    #expect(isCancelled ? violations == nil : violations?.isEmpty == true, "\(violations ?? [])")
    for await _ in releases { break }
  }

  /// Catches an interruption that waits for itself, and is called a stalled run.
  @Test func anInterruptionThatWaitsForTheRunIsNamed() async throws {
    let (monitor, isInterrupted) = (StallMonitor(), Signal<Void>())
    let scenario = Scenario("waiting", "An interruption runs an action.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      run.interruption("reload") {
        isInterrupted.send(())
        await run.act { _ = try? await todos.titles() }
      }
      await run.act { _ = try? await todos.titles() }
    }
    let run = StallMonitor.$current.withValue(monitor) {
      Task {
        try await scenario.outcome(
          under: [.interruption("reload", at: .answer, of: "todos.titles", call: 1)])
      }
    }
    try await isInterrupted.value()
    // The job that interrupts counts as progress until it suspends, which may be after a measurement.
    let idle = Task {
      while !Task.isCancelled {
        for _ in 0..<10 { await MainTaskExecutor.runReadyJobs() }
        monitor.takeIdle(for: .seconds(60))
      }
    }
    let outcome = try await run.value
    idle.cancel()
    #expect(outcome.violations.map(\.invariant) == [Scenario.stuck])
    #expect(
      outcome.violations.first?.message.contains(
        #"The interruption "reload" has not ended: it must not call run.act(_:)"#) == true,
      "\(outcome.violations)")
  }

  /// Catches a pause that ends with the first of two.
  @Test func pausesNest() async throws {
    let outcome = try await Scenario("nested", "It pauses twice.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      try await run.withoutFaults {
        try await run.withoutFaults { _ = try await todos.titles() }
        _ = try await todos.titles()
      }
      _ = try await todos.titles()
      run.expect("ends", true, "")
    }.outcome()
    #expect(outcome.points.map(\.description) == ["todos.titles call=1"])
  }

  /// Catches a call of a task that goes on after its action, and counts as cancelled.
  @Test func anActionThatHasEndedCannotBeCancelled() async throws {
    let outcome = try await Scenario("outliving", "An action starts a task.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      let (isFree, free) = AsyncStream<Void>.makeStream()
      var task: Task<Void, Never>?
      await run.act {
        task = Task {
          for await _ in isFree { break }
          _ = try? await todos.titles()
        }
      }
      free.yield()
      await task?.value
      run.expect("ends", true, "")
    }.outcome(under: [.interruption("cancel", at: .request, of: "todos.titles", call: 1)])
    #expect(
      outcome.violations.map(\.message) == [
        """
        Call 1 of todos.titles was made, but cancel@request had no effect: the action that made the call had already ended.
        """
      ])
  }

  @MainActor @Observable final class Counter {
    var count = 0
  }

  /// What happens, in order, when an action with two calls is interrupted by one with a call.
  @Test(
    arguments: [
      ([], ["begin", "first", "second", "end"]),
      (
        [.interruption("other", at: .request, of: "todos.titles", call: 1)],
        ["begin", "other begins", "other ends", "first", "second", "end"]
      ),
      (
        [.interruption("other", at: .answer, of: "todos.titles", call: 2)],
        ["begin", "first", "other begins", "other ends", "second", "end"]
      ),
      // The interruption makes the third call, and ends last.
      (
        [
          .interruption("other", at: .request, of: "todos.titles", call: 1), .late("todos.titles", call: 2),
        ], ["begin", "other begins", "first", "second", "end", "other ends"]
      ),
      (
        [.interruption("restart", at: .answer, of: "todos.titles", call: 2)],
        ["begin", "first", "begin", "first", "second", "end", "second", "cancelled"]
      ),
      // The interruption is interrupted itself, and nothing else goes on meanwhile.
      (
        [
          .interruption("other", at: .request, of: "todos.titles", call: 1),
          .interruption("third", at: .answer, of: "todos.titles", call: 2),
        ], ["begin", "other begins", "third", "other ends", "first", "second", "end"]
      ),
    ] as [(FaultSchedule, [String])])
  func theOrderIsThatOfTheSchedule(_ schedule: FaultSchedule, _ expected: [String]) async throws {
    let events = Locked<[String]>([])
    let scenario = Scenario("ordered", "Two actions.") { run in
      let note = { @Sendable (event: String) in events.withLock { $0.append(event) } }
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      run.interruption("other") {
        note("other begins")
        _ = try? await todos.titles()
        note("other ends")
      }
      run.interruption("third") { note("third") }
      await run.act {
        note("begin")
        _ = try? await todos.titles()
        note("first")
        _ = try? await todos.titles()
        note("second")
        note(Task.isCancelled ? "cancelled" : "end")
      }
      run.expect("ends", true, "")
    }
    let outcome = try await scenario.outcome(under: schedule)
    #expect(outcome.violations.map(\.description) == [])
    #expect(events.withLock(\.self) == expected)
  }

  /// Catches an interruption between two events that is missed, or starts too late.
  @Test(arguments: [1, 2, 3])
  func anInterruptionPrecedesTheEvent(_ number: Int) async throws {
    let events = Locked<[String]>([])
    let scenario = Scenario("ticking", "A user reads ticks, and leaves.") { run in
      let ticker = run.intercepted(InMemoryTicker(), as: "ticker")
      run.interruption("look") { events.withLock { $0.append("look") } }
      await run.act {
        do {
          for try await tick in try await ticker.ticks(upTo: 3) { events.withLock { $0.append(tick) } }
        } catch {}
      }
      run.expect("ends", true, "")
    }
    _ = try await scenario.outcome()
    var expected = events.withLock { events in
      defer { events = [] }
      return events
    }
    #expect(expected.count == 3)
    let outcome = try await scenario.outcome(under: [
      .interruption("look", at: .event(number), of: "ticker.ticks", call: 1)
    ])
    #expect(outcome.violations.map(\.description) == [])
    expected.insert("look", at: number - 1)
    #expect(events.withLock(\.self) == expected)
  }
}

import Observation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// The sweep finds what goes wrong in a screen with pages and a streamed text, and nothing if the screen is right.
@Suite(.stallLimit()) struct PagedScreenTests {
  /// A bug that a test plants in a ``Paged`` screen.
  enum Bug: CaseIterable, Sendable {
    /// A text whose stream fails or is left seems to go on.
    case endlessText
    /// A cancelled refresh counts as loaded, although the one before has failed.
    case cancellationLooksLoaded
    /// A success elsewhere removes the message of a failed refresh.
    case messageLost
    /// The last row appears during a refresh, and no more rows are loaded afterwards.
    case lastRowIgnored
  }

  enum State: Sendable { case idle, loading, loaded, failed }

  /// Rows, two to a page, and a text that is being written.
  @MainActor @Observable final class Paged {
    private(set) var state = State.idle
    private(set) var rows: [String] = []
    private(set) var failures: [String: String] = [:]
    private(set) var text = ""
    private(set) var isWriting = false

    @ObservationIgnored private var refreshes = 0
    @ObservationIgnored private var listenings = 0
    @ObservationIgnored private var wantsMore = false
    @ObservationIgnored private var lastState = State.idle
    @ObservationIgnored private let todos: any TodoService
    @ObservationIgnored private let ticker: any TickerService
    @ObservationIgnored private let bug: Bug?

    init(_ todos: any TodoService, _ ticker: any TickerService, with bug: Bug?) {
      (self.todos, self.ticker, self.bug) = (todos, ticker, bug)
    }

    func refresh() async {
      refreshes += 1
      let refresh = refreshes
      if state != .loading { lastState = state }
      state = .loading
      do throws(TodoError) {
        let all = try await todos.titles()
        guard refresh == refreshes else { return }
        if Task.isCancelled { throw .cancelled }
        (rows, state, failures["refresh"]) = (Array(all.prefix(2)), .loaded, nil)
      } catch {
        guard refresh == refreshes else { return }
        if error == .cancelled || Task.isCancelled {
          state = bug == .cancellationLooksLoaded ? .loaded : lastState
        } else {
          (state, failures["refresh"]) = (.failed, "\(error)")
        }
      }
      if wantsMore {
        wantsMore = false
        await lastRowAppeared()
      }
    }

    func lastRowAppeared() async {
      if state == .loading {
        wantsMore = bug != .lastRowIgnored
        return
      }
      let refresh = refreshes
      do throws(TodoError) {
        let all = try await todos.titles()
        if refresh == refreshes { rows = Array(all.prefix(rows.count + 2)) }
        failures["more"] = nil
      } catch {
        if error != .cancelled { failures["more"] = "\(error)" }
      }
    }

    func mark() async {
      do throws(TodoError) {
        _ = try await todos.add("mark", priority: 1)
        if bug == .messageLost { failures = [:] } else { failures["mark"] = nil }
      } catch {
        if error != .cancelled { failures["mark"] = "\(error)" }
      }
    }

    func listen() async {
      listenings += 1
      let listening = listenings
      (text, isWriting) = ("", true)
      defer { if bug != .endlessText, listening == listenings { isWriting = false } }
      do {
        for try await tick in try await ticker.ticks(upTo: 3) {
          if Task.isCancelled || listening != listenings { return }
          text += tick
        }
        if listening == listenings { isWriting = false }
        failures["listen"] = nil
      } catch {
        if error as? TodoError != .cancelled { failures["listen"] = "\(error)" }
      }
    }
  }

  static func scenario(with bug: Bug?) -> Scenario {
    Scenario("paged", "A user refreshes, marks, refreshes again and reads a text.") { run in
      let store = InMemoryTodos()
      for title in ["a", "b", "c", "d", "e", "f"] { _ = try await store.add(title, priority: 1) }
      let model = Paged(
        run.intercepted(store, as: "todos"), run.intercepted(InMemoryTicker(), as: "ticker"), with: bug)
      run.interruption("last-row") { await model.lastRowAppeared() }
      run.always("one.truth", model) { model in
        model.state == .loaded ? model.failures["refresh"].map { "loaded, and \($0)" } : nil
      }

      @MainActor func act(_ name: String, _ action: @escaping @MainActor () async -> Void) async {
        let wasFailed = model.failures
        let interruptions = run.interruptions.count
        let failures = await run.act(action)
        run.expect("loading.ends", model.state != .loading, "it still loads")
        run.expect("answers.end", !model.isWriting, "the text \(model.text) still goes on")
        guard run.interruptions.allSatisfy({ $0 == "last-row" }) else { return }
        if run.interruptions.count == interruptions {
          for (other, message) in wasFailed where other != name {
            run.expect("errors.shown", model.failures[other] == message, "\(name) has removed \(message)")
          }
        } else if name == "refresh", failures.isEmpty, run.failures.isEmpty {
          run.expect("more.loaded", model.rows.count > 2, "it shows \(model.rows)")
        }
      }
      await act("refresh", model.refresh)
      await act("mark", model.mark)
      await act("refresh", model.refresh)
      await act("listen", model.listen)
    }
  }

  /// The invariant that each bug breaks, and a smallest schedule that shows it.
  static let planted: [(bug: Bug, invariant: String, first: FaultSchedule)] = [
    (.endlessText, "answers.end", [.at("ticker.ticks", call: 1, .dropStream(afterEvents: 1))]),
    (.endlessText, "answers.end", [.interruption("cancel", at: .event(2), of: "ticker.ticks", call: 1)]),
    (
      .cancellationLooksLoaded, "one.truth",
      [
        .at("todos.titles", call: 1, .unauthorized),
        .interruption("cancel", at: .answer, of: "todos.titles", call: 2),
      ]
    ),
    (.messageLost, "errors.shown", [.at("todos.titles", call: 1, .unauthorized)]),
    (.lastRowIgnored, "more.loaded", [.interruption("last-row", at: .request, of: "todos.titles", call: 1)]),
  ]

  @Test(arguments: planted)
  func aPlantedBugIsFound(_ row: (bug: Bug, invariant: String, first: FaultSchedule)) async throws {
    let scenario = Self.scenario(with: row.bug)
    let outcome = try await scenario.outcome(under: row.first)
    #expect(outcome.violations.map(\.invariant) == [row.invariant], "\(outcome.violations)")
    // A bug that needs two entries is found by the random combinations.
    let report = try await scenario.report(
      SweepOptions(
        seed: 8, pairLimit: 0,
        combinationLimit: row.first.entries.count == 1 ? 0 : Effort.number(30, of: 300)))
    #expect(Set(report.violations.map(\.invariant)) == [row.invariant])
    #expect(report.violations.first?.schedule.entries.count == row.first.entries.count)
  }

  @Test func aCorrectScreenPasses() async throws {
    let report = try await Self.scenario(with: nil).report(
      SweepOptions(pairLimit: 20, combinationLimit: Effort.number(50, of: 3000)))
    #expect(report.violations.map { "\($0.invariant) under \($0.schedule): \($0.message)" } == [])
  }
}

import Observation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// The check of the documentation, `failures.match(isShown:)`, on a search whose latest answer wins.
@Suite(.stallLimit()) struct FailedCallTests {
  enum Mistake: CaseIterable, Sendable {
    /// The failure of the latest search is not shown.
    case hidesFailures
    /// A search that finds nothing shows a failure.
    case showsFailuresOfNothing
    /// A search that is left shows its cancellation.
    case showsCancellations
  }

  @MainActor @Observable final class Search {
    private let service: any TodoService
    private let mistake: Mistake?
    private var latest = 0
    private(set) var titles: [String] = []
    private(set) var message: String?

    init(_ service: any TodoService, _ mistake: Mistake?) {
      self.service = service
      self.mistake = mistake
    }

    func type() async {
      latest += 1
      let number = latest
      message = nil
      do throws(TodoError) {
        let found = try await service.titles()
        guard number == latest else { return }
        titles = found
        if mistake == .showsFailuresOfNothing { message = "Nothing found." }
      } catch {
        guard number == latest, error != .cancelled || mistake == .showsCancellations else { return }
        if mistake != .hidesFailures { message = "\(error)" }
      }
    }
  }

  private static func scenario(_ mistake: Mistake?) -> Scenario {
    Scenario("search", "A user types.") { run in
      let search = Search(run.intercepted(InMemoryTodos(), as: "todos"), mistake)
      run.watch(search) { $0.message ?? "\($0.titles)" }
      run.interruption("type-more") { await search.type() }
      let failures = await run.failures { await run.act { await search.type() } }
      run.expect(
        "errors.shown", failures.match(isShown: search.message != nil),
        "the message is \(search.message ?? "missing") after \(failures)")
    }
  }

  /// Under an interruption, the failure of the first search shows nothing, because the second one has replaced it.
  @Test func aRightSearchIsNotReported() async throws {
    let report = try await Self.scenario(nil).report(SweepOptions(pairLimit: nil, combinationLimit: 50))
    #expect(report.violations.map(\.description) == [])
    #expect(report.counts.interrupted > 0)
  }

  @Test(arguments: Mistake.allCases) func aWrongSearchIsReported(_ mistake: Mistake) async throws {
    let report = try await Self.scenario(mistake).report(SweepOptions(pairLimit: 0, combinationLimit: 0))
    let violation = try #require(report.violations.first)
    #expect(violation.invariant == "errors.shown")
    #expect(violation.schedule.entries.count <= 1)
  }
}

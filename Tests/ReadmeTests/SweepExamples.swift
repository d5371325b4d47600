import Testing
import Understudy
import UnderstudyTesting

// What the article Sweeps says about failures of interruptions.

extension Scenario {
  /// A screen that shows the loans, and does not refuse a reload while it is busy.
  ///
  /// - Parameter ofActionsOnly: Whether the failures of interruptions are left out.
  static func borrowing(ofActionsOnly: Bool) -> Scenario {
    Scenario("borrowing", "A user looks at the loans, and borrows a book.") { run in
      let screen = LoansViewModel(service: run.intercepted(InMemoryLoanService(), as: "loans"))
      run.watch(screen) { screen in screen.message ?? "\(screen.loans.map(\.book))" }
      run.interruption("reload") { await screen.load() }

      @MainActor func act(_ action: @escaping @MainActor () async -> Void) async {
        let failures =
          ofActionsOnly ? await run.act(action) : await run.failures { await run.act(action) }
        // Its errors have no case for a cancellation, so a cancelled call shows its message, too.
        let isCancelled = run.interruptions.contains { $0 == "cancel" || $0 == "restart" }
        run.expect(
          "errors.shown", isCancelled || (screen.message != nil) == !failures.isEmpty,
          "the message is \(screen.message ?? "missing"), and what failed is \(failures)")
      }

      await act { await screen.load() }
      await act { await screen.borrow("Emma") }
    }
  }
}

struct FailuresOfInterruptionsTests {
  @Test func theMessageIsRightWhateverFails() async throws {
    try await Scenario.borrowing(ofActionsOnly: false).sweep()
  }

  /// The reload fails, so its message is right although the action has no failure.
  @Test func theFailuresOfAnActionAloneGiveAFalseAlarm() async throws {
    let schedule: FaultSchedule = [
      .interruption("reload", at: .request, of: "loans.loans", call: 1),
      .at("loans.loans", call: 2, .serverError),
    ]
    let alone = try await Scenario.borrowing(ofActionsOnly: true).outcome(under: schedule)
    #expect(alone.violations.map(\.invariant) == ["errors.shown"])
    try await Scenario.borrowing(ofActionsOnly: false).run(under: schedule)
  }
}

import Observation
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

// What it says about calls at the same time.

struct Shelf: Sendable {
  func books() async throws -> [String] { ["Emma"] }
  func loans() async throws -> [String] { ["Persuasion"] }
}

struct ShelfError: Error {}

extension Intercepted where Base == Shelf {
  private static func error(_ fault: Fault) -> any Error {
    fault.symptom == .cancelled ? CancellationError() : ShelfError()
  }

  func books() async throws -> [String] {
    try await intercept(.init("books"), failure: Self.error) { base in try await base.books() }
  }

  func loans() async throws -> [String] {
    try await intercept(.init("loans"), failure: Self.error) { base in try await base.loans() }
  }
}

@MainActor @Observable final class ShelfViewModel {
  private(set) var books: [String] = []
  private(set) var loans: [String] = []
  private(set) var message: String?
  private let shelf: Intercepted<Shelf>

  init(_ shelf: Intercepted<Shelf>) {
    self.shelf = shelf
  }

  func load() async {
    message = nil
    async let books: Void = show { self.books = try await self.shelf.books() }
    async let loans: Void = show { self.loans = try await self.shelf.loans() }
    _ = await (books, loans)
  }

  private func show(_ part: @MainActor () async throws -> Void) async {
    do {
      try await part()
    } catch is CancellationError {
    } catch {
      message = "Please try again later."
    }
  }

  /// Loads both, and shows the error that is thrown first.
  func loadTogether() async {
    message = nil
    do {
      async let books = shelf.books()
      async let loans = shelf.loans()
      (self.books, self.loans) = try await (books, loans)
    } catch is CancellationError {
    } catch {
      message = "Please try again later."
    }
  }
}

extension Scenario {
  static func shelf(_ load: @escaping @MainActor @Sendable (ShelfViewModel) async -> Void) -> Scenario {
    Scenario("shelf", "A user looks at a shelf.") { run in
      let screen = ShelfViewModel(run.intercepted(Shelf(), as: "shelf"))
      run.watch(screen) { $0.message ?? "\($0.books + $0.loans)" }
      let failures = await run.failures { await run.act { await load(screen) } }
      run.expect(
        "errors.shown", failures.match(isShown: screen.message != nil),
        "the message is \(screen.message ?? "missing"), and what failed is \(failures)")
    }
  }
}

struct CallsAtTheSameTimeTests {
  @Test func eachCallShowsItsOwnError() async throws {
    try await Scenario.shelf { await $0.load() }.sweep()
  }

  @Test func theErrorThatIsThrownFirstHidesTheOther() async throws {
    let outcome = try await Scenario.shelf { await $0.loadTogether() }.outcome(under: [
      .at("shelf.books", call: 1, .cancelled), .at("shelf.loans", call: 1, .unauthorized),
    ])
    #expect(outcome.violations.map(\.invariant) == ["errors.shown"])
  }
}

import GenerationFixtures
import Understudy

/// The ``LendingService`` in memory, for previews and tests.
///
/// Write each method. Keep the state in a `Locked`, because calls may overlap.
final class InMemoryLendingService: LendingService {
  /// Lends a copy for some days.
  func lend(_ copy: Copy.ID, to reader: Reader, days: Int) async throws(LendingError) -> Loan {
    throw LendingError(.unimplemented("InMemoryLendingService.lend(_:to:days:)"))
  }

  /// All loans; the newest first.
  func loans() async throws(LendingError) -> [Loan] {
    throw LendingError(.unimplemented("InMemoryLendingService.loans()"))
  }

  /// ``LendingService/reminders()``.
  func reminders() -> AsyncStream<String> {
    AsyncStream { $0.finish() }
  }

  /// ``LendingService/latest()``.
  func latest() async -> Loan {
    fatalError("Write latest() of InMemoryLendingService.")
  }

  /// ``LendingService/forget(_:)``.
  func forget(_ reader: Reader) async {
    // Nothing yet.
  }
}

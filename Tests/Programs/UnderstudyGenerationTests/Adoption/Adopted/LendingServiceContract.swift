import GenerationFixtures
import Understudy

extension Contract where Subject == any LendingService {
  /// What every ``LendingService`` must do.
  static var lendingService: Self {
    Contract("lending") {
      Clause("lending.lend", "Lends a copy for some days.") { trial in
        _ = try await trial.subject.lend(
          trial.uuid(), to: Reader(name: "name", card: Reader.Card.regular), days: 1)
        trial.expect(false, "Write what lend(_:to:days:) must do here.")
      }
      Clause("lending.loans", "All loans; the newest first.") { trial in
        _ = try await trial.subject.loans()
        trial.expect(false, "Write what loans() must do here.")
      }
      Clause("lending.reminders", "State in one sentence what reminders() must do.") { trial in
        _ = await trial.subject.reminders().first { _ in true }
        trial.expect(false, "Write what reminders() must do here.")
      }
      Clause("lending.latest", "State in one sentence what latest() must do.") { trial in
        trial.expect(false, "Write what latest() must do here.")
      }
      Clause("lending.forget", "State in one sentence what forget(_:) must do.") { trial in
        await trial.subject.forget(Reader(name: "name", card: Reader.Card.regular))
        trial.expect(false, "Write what forget(_:) must do here.")
      }
      // Under every fault a service throws what a double throws, or screens are tested with other errors.
      Clause.failures("lending.loans", thrownAs: { LendingError($0) }) { try await $0.loans() }
    }
  }
}

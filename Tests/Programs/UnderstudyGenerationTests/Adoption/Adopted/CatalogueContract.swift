import Understudy

@testable import GenerationFixtures

extension Contract where Subject == any Catalogue & Sendable {
  /// What every ``Catalogue`` must do.
  static var catalogue: Self {
    Contract("catalogue") {
      Clause("catalogue.isOpen", "State in one sentence what isOpen must do.") { trial in
        _ = await trial.subject.isOpen
        trial.expect(false, "Write what isOpen must do here.")
      }
      Clause("catalogue.title", "State in one sentence what title must do.") { trial in
        _ = await trial.subject.title
        trial.expect(false, "Write what title must do here.")
      }
      Clause("catalogue.titles", "State in one sentence what titles(containing:) must do.") { trial in
        _ = try await trial.subject.titles(containing: "text")
        trial.expect(false, "Write what titles(containing:) must do here.")
      }
      // Under every fault a service throws what a double throws, or screens are tested with other errors.
      Clause.failures("catalogue.titles", thrownAs: { CatalogueFailure($0) }) {
        try await $0.titles(containing: "text")
      }
    }
  }
}

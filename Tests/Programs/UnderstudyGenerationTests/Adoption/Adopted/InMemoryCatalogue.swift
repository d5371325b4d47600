import Understudy

@testable import GenerationFixtures

/// The ``Catalogue`` in memory, for previews and tests.
///
/// Write each method. Keep the state in properties.
@MainActor final class InMemoryCatalogue: Catalogue {
  /// An empty double.
  nonisolated init() {}

  /// ``Catalogue/isOpen``.
  var isOpen: Bool { false }

  /// ``Catalogue/title``.
  var title: String = ""

  /// ``Catalogue/titles(containing:)``.
  func titles(containing text: String) async throws -> [String] {
    throw CatalogueFailure(.unimplemented("InMemoryCatalogue.titles(containing:)"))
  }
}

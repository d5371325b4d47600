import Understudy

@testable import GenerationFixtures

extension CatalogueFailure {
  /// What the live service throws for a fault.
  ///
  /// The cases are guessed from their names. Correct them.
  init(_ fault: Fault) {
    // Every fault is the same error until you distinguish them.
    self = CatalogueFailure(code: 1, message: "\(fault)")
  }
}

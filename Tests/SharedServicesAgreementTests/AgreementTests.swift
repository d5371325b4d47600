import SharedServicesAgreement
import Testing
import UnderstudyDoubles

/// What the app is told of each fault, wherever the fault is put in.
@Suite struct AgreementTests {
  static let ofCalls: [FaultAgreement<Report>] = [
    .createChild, .fetchChildren, .updateChild, .deleteChild, .startConversation, .history,
  ]

  @Test(arguments: ofCalls.flatMap(\.cells) + FaultAgreement.sendMessageStream.cells)
  func theSameIsReportedAtEverySeam(_ cell: FaultAgreement<Report>.Cell) async throws {
    #expect(try await cell.observe() == cell.expected)
  }

  /// Catches a fault that was added to the catalogue and is tried nowhere.
  @Test func everyFaultOfTheCatalogueIsTried() {
    for agreement in Self.ofCalls { #expect(agreement.missing(from: Fault.all(of: .call)) == []) }
    #expect(FaultAgreement<Report>.sendMessageStream.missing(from: Fault.all(of: .stream)) == [])
  }
}

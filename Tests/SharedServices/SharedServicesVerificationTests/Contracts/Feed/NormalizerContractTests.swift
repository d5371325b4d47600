import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct NormalizerContractTests {
  @Test(arguments: Contract.messageNormalizer.checks(of: .standard))
  func honours(_ check: ContractCheck<any MessageNormalizing>) async throws { try await check.run() }

  /// It tries again what `honours(_:)` has tried.
  @Test(Effort.needsAll) func nothingIsSkipped() async {
    let report = await Contract.messageNormalizer.report(on: [.standard])
    #expect(report.count(.skipped) == 0)
    #expect(report.clauses.count >= 24)
  }
}

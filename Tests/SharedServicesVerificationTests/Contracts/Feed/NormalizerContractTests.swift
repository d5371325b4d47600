import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

struct NormalizerContractTests {
  @Test(arguments: Contract.messageNormalizer.checks(of: .standard))
  func honours(_ check: ContractCheck<any MessageNormalizing>) async throws { try await check.run() }

  @Test func nothingIsSkipped() async {
    let report = ConformanceReport(
      contracts: [await Contract.messageNormalizer.report(on: [.standard])], seed: 0)
    #expect(report.summary.skipped == 0)
    #expect(report.contracts[0].clauses.count >= 12)
  }
}

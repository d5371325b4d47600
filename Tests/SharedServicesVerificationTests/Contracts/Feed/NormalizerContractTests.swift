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
    let report = await Contract.messageNormalizer.report(on: [.standard])
    #expect(report.count(.skipped) == 0)
    #expect(report.clauses.count >= 12)
  }
}

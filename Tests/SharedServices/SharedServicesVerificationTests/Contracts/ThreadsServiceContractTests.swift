import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ThreadsServiceContractTests {
  @Test(arguments: Contract.threadsService.checks(of: .inMemory, .forum))
  func honours(_ check: ContractCheck<any ThreadsService>) async throws { try await check.run() }

  /// A skip would hide a clause from the service that an app has, which can bring every condition about.
  ///
  /// It tries again what `honours(_:)` has tried.
  @Test(Effort.needsAll) func nothingIsSkippedButWhatOneStepCannotDo() async {
    let forum = await Contract.threadsService.report(on: [.forum])
    let inMemory = await Contract.threadsService.report(on: [.inMemory])
    #expect(forum.clauses.count >= 29)
    #expect(forum.count(.skipped) == 0 && inMemory.count(.skipped) == 4)
  }
}

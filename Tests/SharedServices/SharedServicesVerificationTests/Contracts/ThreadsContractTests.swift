import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ThreadsContractTests {
  @Test(arguments: Contract.threadsRepository.checks(of: .inMemory, .sqlite))
  func honours(_ check: ContractCheck<any ThreadsRepository>) async throws { try await check.run() }

  /// A skip would hide a clause from the store that lasts, which can bring every condition about.
  ///
  /// It tries again what `honours(_:)` has tried.
  @Test(Effort.needsAll) func nothingIsSkippedButWhatMemoryCannotDo() async {
    let stored = await Contract.threadsRepository.report(on: [.sqlite])
    let inMemory = await Contract.threadsRepository.report(on: [.inMemory])
    #expect(stored.clauses.count >= 20)
    #expect(stored.count(.skipped) == 0 && inMemory.count(.skipped) == 2)
  }
}

import SharedServices
import SharedServicesContracts
import SharedServicesMutants
import Testing
import UnderstudyContracts
import UnderstudyTesting

struct ThreadsKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async {
    await Contract.threadsRepository.killMatrix(of: Mutant.all).check()
  }
}

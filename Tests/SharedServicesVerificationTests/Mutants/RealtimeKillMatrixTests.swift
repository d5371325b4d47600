import SharedServices
import SharedServicesContracts
import SharedServicesMutants
import Testing
import UnderstudyContracts
import UnderstudyTesting

struct RealtimeKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async {
    await Contract.realtimeService.killMatrix(of: Mutant.all).check()
  }
}

import SharedServicesContracts
import SharedServicesMutants
import Testing
import UnderstudyContracts
import UnderstudyTesting

struct MessageHistoryKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async {
    await Contract.messageHistory.killMatrix(of: Mutant.all).check()
  }
}

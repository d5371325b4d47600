import SharedServicesContracts
import SharedServicesMutants
import Testing
import UnderstudyContracts
import UnderstudyTesting

struct MessageStreamKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async {
    await Contract.messageStream.killMatrix(of: Mutant.all).check()
  }
}

import SharedServicesContracts
import SharedServicesMutants
import Testing
import UnderstudyContracts
import UnderstudyTesting

struct MessageNormalizerKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async {
    await Contract.messageNormalizer.killMatrix(of: Mutant.all).check()
  }
}

import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

struct MessageStreamKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async {
    await Contract.messageStream.killMatrix(of: Mutant.all).check()
  }
}

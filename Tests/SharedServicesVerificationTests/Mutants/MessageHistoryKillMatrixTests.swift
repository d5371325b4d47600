import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct MessageHistoryKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async {
    await Contract.messageHistory.killMatrix(of: Mutant.all).check()
  }
}

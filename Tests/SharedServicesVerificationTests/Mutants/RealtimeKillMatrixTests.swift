import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct RealtimeKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async {
    await Contract.realtimeService.killMatrix(of: Mutant.all).check()
  }
}

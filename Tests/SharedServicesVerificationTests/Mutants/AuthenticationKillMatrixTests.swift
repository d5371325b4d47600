import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct AuthenticationKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async {
    await Contract.authService.killMatrix(of: Mutant.all).check()
  }
}

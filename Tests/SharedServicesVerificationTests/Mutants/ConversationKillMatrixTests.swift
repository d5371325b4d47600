import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct ConversationKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async {
    await Contract.conversationService.killMatrix(of: Mutant.all).check()
  }
}

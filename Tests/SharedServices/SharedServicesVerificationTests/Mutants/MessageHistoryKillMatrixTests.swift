import SharedServicesContracts
import SharedServicesVerification
import Understudy
import TestSupport
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct MessageHistoryKillMatrixTests {
  /// The command `mutants` tries them too.
  @Test(Effort.needsAll) func everyClauseKillsAMutantForItsOwnReason() async throws {
    try await Contract.messageHistory.killMatrix(of: Mutant.all).check()
  }
}

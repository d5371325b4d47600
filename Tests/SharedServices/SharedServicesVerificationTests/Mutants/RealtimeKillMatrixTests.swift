import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import TestSupport
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct RealtimeKillMatrixTests {
  /// The command `mutants` tries them too.
  @Test(Effort.needsAll) func everyClauseKillsAMutantForItsOwnReason() async throws {
    try await Contract.realtimeService.killMatrix(of: Mutant.all).check()
  }
}

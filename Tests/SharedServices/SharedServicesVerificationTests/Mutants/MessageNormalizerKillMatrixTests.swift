import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct MessageNormalizerKillMatrixTests {
  /// Each mutant meets thousands of messages; the command `mutants` tries them too.
  @Test(Effort.needsAll) func everyClauseKillsAMutantForItsOwnReason() async throws {
    try await Contract.messageNormalizer.killMatrix(of: Mutant.all).check()
  }
}

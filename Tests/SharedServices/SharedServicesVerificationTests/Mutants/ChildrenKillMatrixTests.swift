import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct ChildrenKillMatrixTests {
  @Test func everyClauseKillsAMutantForItsOwnReason() async throws {
    try await Contract.childrenService.killMatrix(of: Mutant.all).check()
  }
}

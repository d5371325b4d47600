import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct FeedContractTests {
  @Test(arguments: Contract.messageHistory.checks(of: .inMemory, .live(over: .emulator)))
  func honours(_ check: ContractCheck<any MessageHistoryService>) async throws { try await check.run() }

  @Test(arguments: Contract.messageStream.checks(of: .inMemory, .live(over: .emulator)))
  func honours(_ check: ContractCheck<any MessageStreamService>) async throws { try await check.run() }

  /// A skip would hide a clause from this package's own doubles.
  ///
  /// It tries again what `honours(_:)` has tried.
  @Test(Effort.needsAll) func nothingIsSkippedButFramesInMemoryAndFollowersOfAReplay() async {
    let history = await Contract.messageHistory.report(
      on: [.inMemory, .live(over: .emulator), .live(over: .faults)])
    let stream = await Contract.messageStream.report(on: [.live(over: .emulator), .live(over: .faults)])
    #expect(history.count(.skipped) == 0 && stream.count(.skipped) == 0)
    #expect(history.clauses.count >= 27)
    #expect(stream.clauses.count >= 40)
    let inMemory = await Contract.messageStream.report(on: [.inMemory])
    #expect(inMemory.count(.skipped) == 3)
    // The followers of a session cannot be counted in a replay.
    let recorded = await Contract.messageStream.report(on: [.recorded])
    #expect(recorded.count(.skipped) == 4)
  }
}

import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

struct FeedContractTests {
  @Test(
    arguments: Contract.messageHistory.checks(
      of: .inMemory, .live(over: .emulator), .live(over: .socket), .live(over: .faults), .recorded))
  func honours(_ check: ContractCheck<any MessageHistoryService>) async throws { try await check.run() }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: Contract.messageStream.checks(
      of: .inMemory, .live(over: .emulator), .live(over: .socket), .live(over: .faults), .recorded))
  func honours(_ check: ContractCheck<any MessageStreamService>) async throws { try await check.run() }

  /// A skip would hide a clause from this package's own doubles.
  @Test func nothingIsSkippedButFramesInMemoryAndFollowersOfAReplay() async {
    let report = ConformanceReport(
      contracts: [
        await Contract.messageHistory.report(
          on: [.inMemory, .live(over: .emulator), .live(over: .faults)]),
        await Contract.messageStream.report(on: [.live(over: .emulator), .live(over: .faults)]),
      ], seed: 0)
    #expect(report.summary.skipped == 0)
    #expect(report.contracts[0].clauses.count >= 15)
    #expect(report.contracts[1].clauses.count >= 20)
    let inMemory = ConformanceReport(
      contracts: [await Contract.messageStream.report(on: [.inMemory])], seed: 0)
    #expect(inMemory.summary.skipped == 3)
    // Nobody can be counted who follows a server that is not there.
    let recorded = ConformanceReport(
      contracts: [await Contract.messageStream.report(on: [.recorded])], seed: 0)
    #expect(recorded.summary.skipped == 4)
  }
}

import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

struct StreamContractTests {
  @Test(
    arguments: Contract.conversationService.checks(
      of: .inMemory, .supabase(over: .emulator), .supabase(over: .socket), .supabase(over: .faults), .recorded
    ))
  func honours(_ check: ContractCheck<any ConversationService>) async throws { try await check.run() }

  /// Not recorded: a recording has no WebSockets yet.
  @Test(
    arguments: Contract.realtimeService.checks(
      of: .inMemory, .supabase(over: .emulator), .supabase(over: .socket), .supabase(over: .faults)))
  func honours(_ check: ContractCheck<any RealtimeService>) async throws { try await check.run() }

  /// A skip would hide a clause from this package's own doubles, which can bring every condition about.
  @Test func nothingIsSkipped() async {
    let report = ConformanceReport(
      contracts: [
        await Contract.conversationService.report(
          on: [.inMemory, .supabase(over: .emulator), .supabase(over: .faults)]),
        await Contract.realtimeService.report(
          on: [.inMemory, .supabase(over: .emulator), .supabase(over: .faults)]),
      ], seed: 0)
    #expect(report.summary.skipped == 0)
    #expect(report.contracts[0].clauses.count >= 20)
    #expect(report.contracts[1].clauses.count >= 25)
  }
}

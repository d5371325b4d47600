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
    let conversations = await Contract.conversationService.report(
      on: [.inMemory, .supabase(over: .emulator), .supabase(over: .faults)])
    let realtime = await Contract.realtimeService.report(
      on: [.inMemory, .supabase(over: .emulator), .supabase(over: .faults)])
    #expect(conversations.count(.skipped) == 0 && realtime.count(.skipped) == 0)
    #expect(conversations.clauses.count >= 20)
    #expect(realtime.clauses.count >= 25)
  }
}

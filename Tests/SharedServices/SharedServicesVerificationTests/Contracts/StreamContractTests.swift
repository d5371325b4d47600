import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct StreamContractTests {
  @Test(arguments: Contract.conversationService.checks(of: .inMemory, .supabase(over: .emulator)))
  func honours(_ check: ContractCheck<any ConversationService>) async throws { try await check.run() }

  /// Not recorded: a recording has no WebSockets yet.
  @Test(arguments: Contract.realtimeService.checks(of: .inMemory, .supabase(over: .emulator)))
  func honours(_ check: ContractCheck<any RealtimeService>) async throws { try await check.run() }

  /// A skip would hide a clause from this package's own doubles, which can bring every condition about.
  ///
  /// In memory by default, because it tries again what `honours(_:)` has tried; with full effort on the others too.
  @Test func nothingIsSkipped() async {
    let conversations = await Contract.conversationService.report(
      on: Effort.some(of: [.inMemory, .supabase(over: .emulator), .supabase(over: .faults)], every: 3))
    let realtime = await Contract.realtimeService.report(
      on: Effort.some(of: [.inMemory, .supabase(over: .emulator), .supabase(over: .faults)], every: 3))
    #expect(conversations.count(.skipped) == 0 && realtime.count(.skipped) == 0)
    #expect(conversations.clauses.count >= 20)
    #expect(realtime.clauses.count >= 25)
  }
}

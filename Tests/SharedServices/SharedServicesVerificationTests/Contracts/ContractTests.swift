import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ContractTests {
  @Test(arguments: Contract.childrenService.checks(of: .inMemory, .supabase(over: .emulator)))
  func honours(_ check: ContractCheck<any ChildrenService>) async throws { try await check.run() }

  @Test(arguments: Contract.authService.checks(of: .inMemory, .supabase(over: .emulator)))
  func honours(_ check: ContractCheck<any AuthService>) async throws { try await check.run() }

  /// A skip would hide a clause from this package's own doubles, which can bring every condition about.
  ///
  /// In memory by default, because it tries again what `honours(_:)` has tried; with full effort on the others too.
  @Test func nothingIsSkipped() async {
    let children = await Contract.childrenService.report(
      on: Effort.some(of: [.inMemory, .supabase(over: .emulator), .supabase(over: .faults)], every: 3))
    let authentication = await Contract.authService.report(
      on: Effort.some(of: [.inMemory, .supabase(over: .emulator), .supabase(over: .faults)], every: 3))
    #expect(children.count(.skipped) == 0 && authentication.count(.skipped) == 0)
    #expect(children.clauses.count >= 25)
    #expect(authentication.clauses.count >= 10)
  }
}

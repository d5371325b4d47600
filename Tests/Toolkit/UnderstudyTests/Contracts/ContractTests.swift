import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ContractTests {
  @Test func eachClauseIsCheckedForEachImplementation() {
    let contract = Contract<any Counter>("counter") {
      Clause("counter.a", "A.") { $0.expect(true, "") }
      Clause("counter.b", "B.") { $0.expect(true, "") }
    }
    #expect(
      contract.checks(of: .fixed(1), .fixed(2)).map(\.description) == [
        "counter.a · fixed-1", "counter.a · fixed-2", "counter.b · fixed-1", "counter.b · fixed-2",
      ])
    #expect(contract.clauses[0].group == "counter")
  }

  @Test func aContractWithoutClausesFails() async throws {
    let contract = Contract<any Counter>("counter") {}
    let check = try #require(contract.checks(of: .fixed(1)).first)
    #expect(
      await check.outcome().messages == [
        "The contract \"counter\" has no clause, so it would hold for anything. Add one."
      ])
  }

  @Test func anIdentifierUsedTwiceFails() async throws {
    let contract = Contract<any Counter>("counter") {
      for _ in 1...2 { Clause("counter.a", "A.") { $0.expect(true, "") } }
    }
    let check = try #require(contract.checks(of: .fixed(1)).first)
    #expect(
      await check.outcome().messages == [
        "The contract \"counter\" uses an identifier for several clauses: counter.a."
      ])
  }
}

import SharedServicesScenarios
import Testing
import UnderstudyDoubles
import UnderstudyTesting

struct SweepTests {
  @Test(arguments: [Scenario.onboarding, .profile, .lyra, .chat, .threads])
  func everyScreenPasses(_ scenario: Scenario) async throws { try await scenario.sweep() }

  /// What the threads of a machine leave to chance would give calls other numbers, and shards that do not add up.
  @Test(arguments: [Scenario.chat, .threads])
  func aSweepIsTheSameEachTime(_ scenario: Scenario) async throws {
    let options = SweepOptions(seed: 3, pairLimit: 20)
    let first = try await scenario.report(options)
    #expect(try await scenario.report(options) == first)
  }
}

import SharedServicesScenarios
import Testing
import UnderstudyDoubles
import UnderstudyTesting

struct SweepTests {
  @Test(arguments: [Scenario.onboarding, .profile, .lyra, .chat, .threads])
  func everyScreenPasses(_ scenario: Scenario) async throws { try await scenario.sweep() }
}

import SharedServices
import SharedServicesContracts
import Testing
import UnderstudyContracts
import UnderstudyTesting

struct ChildrenExplorationTests {
  @Test func inMemory() async throws {
    try await Exploration.childrenService.run(on: .inMemory)
  }

  @Test func liveOverTheEmulator() async throws {
    try await Exploration.childrenService.run(on: .supabase(over: .emulator), size: .small)
  }
}

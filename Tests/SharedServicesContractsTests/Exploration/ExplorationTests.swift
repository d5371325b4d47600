import SharedServices
import SharedServicesContracts
import Testing
import UnderstudyContracts
import UnderstudyTesting

/// Each service in memory, in its file and live, beside its model.
struct ExplorationTests {
  @Test(arguments: [(Implementation.inMemory, .standard), (.supabase(over: .emulator), .small)])
  func children(_ implementation: Implementation<any ChildrenService>, _ size: ExplorationSize) async throws {
    try await Exploration.childrenService.run(on: implementation, size: size)
  }

  @Test(arguments: [(Implementation.inMemory, .standard), (.supabase(over: .emulator), .small)])
  func authentication(_ implementation: Implementation<any AuthService>, _ size: ExplorationSize) async throws
  {
    try await Exploration.authService.run(on: implementation, size: size)
  }

  @Test(arguments: [(Implementation.inMemory, .standard), (.supabase(over: .emulator), .small)])
  func conversations(
    _ implementation: Implementation<any ConversationService>, _ size: ExplorationSize
  ) async throws {
    try await Exploration.conversationService.run(on: implementation, size: size)
  }

  @Test(arguments: [(Implementation.inMemory, .standard), (.sqlite, .small)])
  func threads(_ implementation: Implementation<any ThreadsRepository>, _ size: ExplorationSize) async throws
  {
    try await Exploration.threadsRepository.run(on: implementation, size: size)
  }

  @Test(arguments: [(Implementation.inMemory, .standard), (.html(over: .emulator), .small)])
  func forum(_ implementation: Implementation<any ForumsClient>, _ size: ExplorationSize) async throws {
    try await Exploration.forumsClient.run(on: implementation, size: size)
  }

  @Test(arguments: [(Implementation.inMemory, .standard), (.live(over: .emulator), .small)])
  func history(_ implementation: Implementation<any MessageHistoryService>, _ size: ExplorationSize)
    async throws
  {
    try await Exploration.messageHistory.run(on: implementation, size: size)
  }
}

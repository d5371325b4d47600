import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

/// Each service in memory, in its file and live, beside its model.
@Suite(.stallLimit()) struct ExplorationTests {
  @Test func childrenInMemory() async throws {
    try await Exploration.childrenService.run(on: .inMemory, size: .memory)
  }

  @Test func childrenLive() async throws {
    try await Exploration.childrenService.run(on: .supabase(over: .emulator), size: .live)
  }

  @Test func authenticationInMemory() async throws {
    try await Exploration.authService.run(on: .inMemory, size: .memory)
  }

  @Test func authenticationLive() async throws {
    try await Exploration.authService.run(on: .supabase(over: .emulator), size: .live)
  }

  @Test func conversationsInMemory() async throws {
    try await Exploration.conversationService.run(on: .inMemory, size: .memory)
  }

  @Test func conversationsLive() async throws {
    try await Exploration.conversationService.run(on: .supabase(over: .emulator), size: .live)
  }

  @Test func threadsInMemory() async throws {
    try await Exploration.threadsRepository.run(on: .inMemory, size: .memory)
  }

  @Test func threadsInSQLite() async throws {
    try await Exploration.threadsRepository.run(on: .sqlite, size: .live)
  }

  @Test func forumInMemory() async throws {
    try await Exploration.forumsClient.run(on: .inMemory, size: .live)
  }

  @Test func forumLive() async throws {
    try await Exploration.forumsClient.run(on: .html(over: .emulator), size: .live)
  }

  @Test func historyInMemory() async throws {
    try await Exploration.messageHistory.run(on: .inMemory, size: .memory)
  }

  @Test func historyLive() async throws {
    try await Exploration.messageHistory.run(on: .live(over: .emulator), size: .live)
  }

  @Test func normalizer() async throws {
    try await Exploration.messageNormalizer.run(on: .standard, size: .memory)
  }

  @Test func realtimeInMemory() async throws {
    try await Exploration.realtimeService.run(on: .inMemory, size: .memory)
  }

  @Test func realtimeLive() async throws {
    try await Exploration.realtimeService.run(on: .supabase(over: .emulator), size: .live)
  }

  @Test func streamInMemory() async throws {
    try await Exploration.messageStream.run(on: .inMemory, size: .memory)
  }

  @Test func streamLive() async throws {
    try await Exploration.messageStream.run(on: .live(over: .emulator), size: .live)
  }
}

// Less than by default, for tests of a tenth of a second each; `run(on:size:)` multiplies it by the effort.
extension ExplorationSize {
  fileprivate static var memory: Self { ExplorationSize(sequences: 5, programs: 10) }
  fileprivate static var live: Self { ExplorationSize(sequences: 2, length: 20, programs: 4) }
}

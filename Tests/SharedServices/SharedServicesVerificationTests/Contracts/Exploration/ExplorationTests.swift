import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import Testing
import UnderstudyTesting

/// Services in memory, in their file and live, beside a model; the others are compared: see ComparisonTests.
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

  @Test func normalizer() async throws {
    try await Exploration.messageNormalizer.run(on: .standard, size: .memory)
  }
}

// Less than by default, for tests of a tenth of a second each; `run(on:size:)` multiplies it by the effort.
extension ExplorationSize {
  fileprivate static var memory: Self { ExplorationSize(sequences: 5, programs: 10) }
  fileprivate static var live: Self { ExplorationSize(sequences: 2, length: 20, programs: 4) }
}

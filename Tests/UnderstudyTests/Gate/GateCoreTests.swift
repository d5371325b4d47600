import Testing
import UnderstudyTesting

@testable import Understudy

@Suite(.stallLimit()) struct GateCoreTests {
  @Test func aCancelledWaitTakesNoCall() async throws {
    let gate = GateCore(.any, isOptional: true)
    let first = try #require(gate.arrive(CallCore(operation: .name("first"), arguments: ())))
    let second = try #require(gate.arrive(CallCore(operation: .name("second"), arguments: ())))
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await gate.next(.any)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await gate.next(.any)?.number == first.number)
    #expect(try await gate.next(.any)?.number == second.number)
  }
}
